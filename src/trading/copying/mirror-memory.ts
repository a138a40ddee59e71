import type { AccountId, IntentId } from "../../domain/ids.ts";

/** A reading that is seen again so much later is believed. */
const BELIEVED_AFTER_MS = 300;
/** What is still needed so long after it was asked for is asked for again; then after twice as long. */
const AGAIN_AFTER_MS = 5_000;
const MOST_KEPT = 20_000;

/** What is asked of a mirror, by which its asks are named. */
const ASKED_OF_MIRRORS = ["change", "cancel"] as const;

/** One thing that is asked of an order or a position, until it is so. */
export interface Ask {
  /** Names the order or position and the kind of request. */
  readonly of: string;
  /** How it is to be. */
  readonly values: string;
}

/** The next request for something. */
export interface Attempt {
  /** Among all requests of its kind, those of an earlier process too: no two have the same. */
  readonly nth: number;
  /** How often the same values were asked for in a row before. */
  readonly inVain: number;
}

/** What this process did for mirrored orders, and since when it sees what. The store needs none of it. */
export class MirrorMemory {
  readonly #elapsed: () => number;
  readonly #startedAt: number;
  readonly #sent = new Set<IntentId>();
  readonly #skipped = new Set<IntentId>();
  readonly #asked = new Map<string, { values: string; attempt: Attempt; atMs: number }>();
  readonly #ended = new Map<IntentId, number>();
  #seen = new Map<AccountId, ReadonlyMap<IntentId, number>>();

  /** `startedAt` is when the process began, Unix ms: from there on its requests are counted. */
  constructor(elapsed: () => number, startedAt: number) {
    this.#elapsed = elapsed;
    this.#startedAt = startedAt;
  }

  wasSent(copy: IntentId): boolean {
    return this.#sent.has(copy);
  }

  noteSent(copy: IntentId): void {
    keep(this.#sent, copy);
  }

  wasSkipped(copy: IntentId): boolean {
    return this.#skipped.has(copy);
  }

  noteSkipped(copy: IntentId): void {
    keep(this.#skipped, copy);
  }

  /** Undefined while the last request for the same may still do. */
  nextAttempt({ of, values }: Ask): Attempt | undefined {
    const last = this.#asked.get(of);
    if (last === undefined) return { nth: this.#startedAt + 1, inVain: 0 };
    const nth = last.attempt.nth + 1;
    if (last.values !== values) return { nth, inVain: 0 };
    const inVain = last.attempt.inVain + 1;
    return this.#elapsed() - last.atMs < AGAIN_AFTER_MS * inVain ? undefined : { nth, inVain };
  }

  noteAsked({ of, values }: Ask, attempt: Attempt): void {
    this.#asked.set(of, { values, attempt, atMs: this.#elapsed() });
  }

  /** Whether the leader's order works, by a reading of all that works for the leader. */
  noteLeaderOrder(mirror: IntentId, isWorking: boolean): void {
    if (isWorking) this.#ended.delete(mirror);
    else if (!this.#ended.has(mirror)) this.#ended.set(mirror, this.#elapsed());
  }

  /** How long it is known here that the leader's order works no more, ms; undefined while it is not. */
  endedFor(mirror: IntentId): number | undefined {
    const since = this.#ended.get(mirror);
    return since === undefined ? undefined : this.#elapsed() - since;
  }

  /** Which of a follower's unsure steps were seen long enough; what is not seen now begins anew. */
  believed(follower: AccountId, unsure: readonly IntentId[]): ReadonlySet<IntentId> {
    const now = this.#elapsed();
    const before = this.#seen.get(follower);
    const seen = new Map(unsure.map((copy) => [copy, before?.get(copy) ?? now]));
    this.#seen.set(follower, seen);
    return new Set(unsure.filter((copy) => now - (seen.get(copy) ?? now) >= BELIEVED_AFTER_MS));
  }

  /** A mirror that is over. */
  forget(mirror: IntentId): void {
    for (const kind of ASKED_OF_MIRRORS) this.#asked.delete(`${kind} ${mirror}`);
    this.#ended.delete(mirror);
  }
}

/** The oldest make room. */
function keep(copies: Set<IntentId>, copy: IntentId): void {
  copies.add(copy);
  for (const oldest of copies) {
    if (copies.size <= MOST_KEPT) break;
    copies.delete(oldest);
  }
}
