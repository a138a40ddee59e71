/**
 * Questions that several may ask at once: whoever asks is answered by a question that is put after he
 * asked, and all who wait for the next one share it. One at a time for each key.
 */
export class Rounds<How> {
  readonly #ask: (key: string, how: How) => Promise<void>;
  readonly #isMore: (how: How, than: How) => boolean;
  readonly #running = new Map<string, Promise<void>>();
  readonly #next = new Map<string, { how: How; readonly round: Promise<void> }>();

  /** `isMore` says which of two ways to ask goes before the other. */
  constructor(
    ask: (key: string, how: How) => Promise<void>,
    isMore: (how: How, than: How) => boolean,
  ) {
    this.#ask = ask;
    this.#isMore = isMore;
  }

  /** A round is asked in the way of whoever of those who wait for it goes before the others. */
  next(key: string, how: How): Promise<void> {
    const waiting = this.#next.get(key);
    if (waiting !== undefined) {
      if (this.#isMore(how, waiting.how)) waiting.how = how;
      return waiting.round;
    }
    const before = this.#running.get(key) ?? Promise.resolve();
    const round: Promise<void> = before
      .catch(() => undefined)
      .then(() => {
        const { how: chosen } = this.#next.get(key) ?? { how };
        this.#next.delete(key);
        this.#running.set(key, round);
        return this.#ask(key, chosen);
      })
      .finally(() => {
        if (this.#running.get(key) === round) this.#running.delete(key);
      });
    this.#next.set(key, { how, round });
    return round;
  }
}
