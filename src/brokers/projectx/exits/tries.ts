/** What may have to be tried more than once for a leg; `ask` is what must be known before. */
export type Step = "move" | "cut" | "arm" | "ask";

const RETRY_MS = 1_000;
/** What has failed so often is tried less often, and a person is told. */
const ATTEMPTS = 3;
const RARELY_MS = 5_000;
/** Who has not tried again so long after it might have has nothing to try any more. */
const GONE_AFTER_MS = 10_000;

/**
 * Legs of which something fails again and again. They share the requests that are spent on that: the
 * more of them there are, the less often each tries, and once it goes for one all others try at once.
 */
export class RareTries {
  readonly #again = new Map<Tries, number>();

  /** In how many ms it may try again. */
  add(tries: Tries, now: number): number {
    for (const [other, again] of this.#again) {
      if (again + GONE_AFTER_MS < now) this.#again.delete(other);
    }
    this.#again.delete(tries);
    const inMs = RARELY_MS * (this.#again.size + 1);
    this.#again.set(tries, now + inMs);
    return inMs;
  }

  succeed(tries: Tries): void {
    if (!this.#again.delete(tries)) return;
    for (const other of this.#again.keys()) other.hurry();
  }
}

interface Failed {
  readonly times: number;
  readonly again: number;
}

/** How often each step has failed in a row, and when it may be tried again. */
export class Tries {
  readonly #elapsed: () => number;
  readonly #rare: RareTries;
  readonly #failed = new Map<Step, Failed>();

  /** By a clock in ms that is never set. */
  constructor(elapsed: () => number, rare: RareTries) {
    this.#elapsed = elapsed;
    this.#rare = rare;
  }

  mayTry(step: Step): boolean {
    return this.#elapsed() >= (this.#failed.get(step)?.again ?? Number.NEGATIVE_INFINITY);
  }

  succeed(step: Step): void {
    const times = this.#failed.get(step)?.times ?? 0;
    this.#failed.delete(step);
    if (times >= ATTEMPTS) this.#rare.succeed(this);
  }

  /** Whether it has failed too often by now, and whether that is so for the first time. */
  fail(step: Step): { readonly isOver: boolean; readonly isFirst: boolean } {
    const now = this.#elapsed();
    const times = (this.#failed.get(step)?.times ?? 0) + 1;
    const isOver = times >= ATTEMPTS;
    const inMs = isOver ? this.#rare.add(this, now) : RETRY_MS;
    this.#failed.set(step, { times, again: now + inMs });
    return { isOver, isFirst: times === ATTEMPTS };
  }

  /** What has kept others from it may be over. */
  hurry(): void {
    const again = this.#elapsed();
    for (const [step, { times }] of this.#failed) this.#failed.set(step, { times, again });
  }
}
