/** The broker's own time, which a test moves on. */
export class Clock {
  #ahead = 0;
  #lastAt = 0;
  #lastMicros = 0;

  readonly now = (): number => Date.now() + this.#ahead;

  advance(ms: number): void {
    this.#ahead += ms;
  }

  /** ISO with microseconds, as the broker writes it: two instants are never the same. */
  stamp(): string {
    const at = this.now();
    this.#lastMicros = at === this.#lastAt ? this.#lastMicros + 1 : 0;
    this.#lastAt = at;
    const micros = String(Math.min(this.#lastMicros, 999)).padStart(3, "0");
    return `${new Date(at).toISOString().slice(0, -1)}${micros}+00:00`;
  }
}
