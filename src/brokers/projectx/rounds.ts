/**
 * Questions that several may ask at once: whoever asks is answered by a question that is put after he
 * asked, and all who wait for the next one share it. One at a time for each key.
 */
export class Rounds<How> {
  readonly #ask: (key: string, how: How) => Promise<void>;
  readonly #running = new Map<string, Promise<void>>();
  readonly #next = new Map<string, Promise<void>>();

  constructor(ask: (key: string, how: How) => Promise<void>) {
    this.#ask = ask;
  }

  /** The first who waits for a round says how it is asked. */
  next(key: string, how: How): Promise<void> {
    const waiting = this.#next.get(key);
    if (waiting !== undefined) return waiting;
    const before = this.#running.get(key) ?? Promise.resolve();
    const round = before
      .catch(() => undefined)
      .then(() => {
        this.#next.delete(key);
        this.#running.set(key, round);
        return this.#ask(key, how);
      })
      .finally(() => {
        if (this.#running.get(key) === round) this.#running.delete(key);
      });
    this.#next.set(key, round);
    return round;
  }
}
