/** A date of HTTP is cut to its second, and servers keep it for up to another one. */
const SECOND_MS = 1_000;

/**
 * The broker's time, by the dates of its answers: what it lists carries that time, and the clock of this
 * machine may be wrong. As long as both may be the same, they are taken for that.
 */
export class BrokerClock {
  readonly #ours: () => number;
  /** How far it is ahead of ours, ms: between the two. */
  #least = Number.NEGATIVE_INFINITY;
  #most = Number.POSITIVE_INFINITY;

  /** Unix ms by the clock of this machine. */
  constructor(ours: () => number) {
    this.#ours = ours;
  }

  /** Unix ms, late rather than early where it is not certain. */
  readonly now = (): number => this.#ours() + this.#ahead();

  /** To be called when a request goes; the result hears the date of its answer. */
  asked(): (date: string | undefined) => void {
    const askedAt = this.#ours();
    return (date) => {
      const at = Date.parse(date ?? "");
      if (!Number.isNaN(at)) this.#narrow(at - this.#ours(), at + 2 * SECOND_MS - askedAt);
    };
  }

  #narrow(least: number, most: number): void {
    const [low, high] = [Math.max(this.#least, least), Math.min(this.#most, most)];
    // One of the clocks has been set.
    const isOther = low > high;
    this.#least = isOther ? least : low;
    this.#most = isOther ? most : high;
  }

  #ahead(): number {
    const mayBeSame = this.#least <= 0 && this.#most >= 0;
    return mayBeSame ? 0 : Math.min(this.#least + SECOND_MS, this.#most);
  }
}
