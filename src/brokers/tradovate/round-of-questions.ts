import { setTimeout as sleep } from "node:timers/promises";

export interface RoundOfQuestionsDeps {
  /** Asks about one account; what it throws is thrown to nobody. */
  readonly ask: (account: number) => Promise<void>;
  readonly elapsed: () => number;
  /** Aborted when nothing may be asked any more. */
  readonly signal: AbortSignal;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** What makes an account worth asking about. */
export interface Interest {
  /** Something is held: what it is worth changes by itself. */
  readonly isOpen: boolean;
  /** How many accounts hold something. */
  readonly open: number;
  /** A text that changes with what the account holds and has. */
  readonly state: string;
}

interface Asked {
  readonly at: number;
  readonly state: string;
  readonly hasFailed: boolean;
}

/** Half of 5,000 an hour. */
const SPACING_MS = 1_440;
/** What holds nothing changes with its cash only, which is told by itself. */
const FLAT_AGAIN_MS = 60_000;
/** A login that may not ask is not allowed to a moment later. */
const FAILED_AGAIN_MS = 60_000;
/** How long who asks waits for an answer: less where there is an older one. */
const FIRST_WITHIN_MS = 2_000;
const NEXT_WITHIN_MS = 500;

/**
 * Asks about accounts in turn, the one that was asked about longest ago first, and all of them
 * together no faster than the budget allows.
 */
export class RoundOfQuestions {
  readonly #deps: RoundOfQuestionsDeps;
  readonly #asked = new Map<number, Asked>();
  readonly #wanted = new Map<number, { readonly state: string; readonly wake: Set<() => void> }>();
  #lastAt = -Infinity;
  #isRunning = false;

  constructor(deps: RoundOfQuestionsDeps) {
    this.#deps = deps;
  }

  /** Resolves once the account was asked about, or is not to be now, or after a while. */
  async want(account: number, interest: Interest): Promise<void> {
    if (!this.#isDue(account, interest)) return;
    const wanted = this.#wanted.get(account) ?? { state: interest.state, wake: new Set() };
    this.#wanted.set(account, wanted);
    const done = new Promise<void>((resolve) => wanted.wake.add(resolve));
    if (!this.#isRunning) void this.#run();
    const ms = this.#asked.has(account) ? NEXT_WITHIN_MS : FIRST_WITHIN_MS;
    const late = new AbortController();
    await Promise.race([done, sleep(ms, undefined, late).catch(() => undefined)]);
    late.abort();
  }

  #isDue(account: number, { isOpen, open, state }: Interest): boolean {
    const asked = this.#asked.get(account);
    if (asked === undefined) return true;
    const agoMs = this.#deps.elapsed() - asked.at;
    if (asked.hasFailed) return agoMs >= FAILED_AGAIN_MS;
    if (isOpen || state !== asked.state) return agoMs >= Math.max(1, open) * SPACING_MS;
    return agoMs >= FLAT_AGAIN_MS;
  }

  async #run(): Promise<void> {
    const { elapsed, signal, wait = pause } = this.#deps;
    this.#isRunning = true;
    while (this.#wanted.size > 0 && !signal.aborted) {
      const waitMs = this.#lastAt + SPACING_MS - elapsed();
      if (waitMs > 0) {
        await wait(waitMs, signal);
        continue;
      }
      await this.#askOldest();
    }
    this.#isRunning = false;
  }

  async #askOldest(): Promise<void> {
    const askedAt = (id: number) => this.#asked.get(id)?.at ?? -Infinity;
    const [next] = [...this.#wanted].sort(([a], [b]) => askedAt(a) - askedAt(b));
    if (next === undefined) return;
    const [account, { state, wake }] = next;
    const at = this.#deps.elapsed();
    this.#lastAt = at;
    const hasFailed = await this.#deps.ask(account).then(
      () => false,
      () => true,
    );
    this.#asked.set(account, { at, state, hasFailed });
    this.#wanted.delete(account);
    for (const resolve of wake) resolve();
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
