/** The subjects of the broker's words. */
export type About = "account" | "orders" | "positions";

/** A word stays as good as a new answer for so long, where none can be asked for. */
const GOOD_FOR_MS = 10_000;

/**
 * When the broker last said something of each account, by subject. The hub and answers both count, and an
 * answer is of when it was asked for. A ping says nothing.
 */
export class LastWords {
  readonly #elapsed: () => number;
  readonly #saidAt = new Map<string, number>();
  /** When an order was last said to have filled: earlier words on positions are over. */
  readonly #filledAt = new Map<string, number>();

  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  note(about: About, account: string, at = this.#elapsed()): void {
    this.#saidAt.set(`${about} ${account}`, Math.max(at, this.saidAt(about, account)));
  }

  noteFilled(account: string): void {
    this.#filledAt.set(account, this.#elapsed());
  }

  /** By the steady clock; before all time where nothing was said. */
  saidAt(about: About, account: string): number {
    return this.#saidAt.get(`${about} ${account}`) ?? Number.NEGATIVE_INFINITY;
  }

  /** Whether the last word is new enough to serve as an answer. */
  isGood(about: About, account: string): boolean {
    const at = this.saidAt(about, account);
    const isOver = about === "positions" && at < (this.#filledAt.get(account) ?? at);
    return !isOver && this.#elapsed() - at <= GOOD_FOR_MS;
  }
}
