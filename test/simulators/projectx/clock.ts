interface Due {
  readonly at: number;
  readonly act: () => void;
}

/** The broker's own time, which a test moves on. */
export class Clock {
  #ahead = 0;
  #lastAt = 0;
  #lastMicros = 0;
  readonly #due = new Set<Due>();

  readonly now = (): number => Date.now() + this.#ahead;

  /** What was to happen in that time happens now. */
  advance(ms: number): void {
    this.#ahead += ms;
    for (const due of this.#due) if (due.at <= this.now()) this.#run(due);
  }

  after(ms: number, act: () => void): void {
    const due = { at: this.now() + ms, act };
    this.#due.add(due);
    setTimeout(() => this.#run(due), ms).unref();
  }

  /** ISO with microseconds, as the broker writes it: two instants are never the same. */
  stamp(): string {
    const at = this.now();
    this.#lastMicros = at === this.#lastAt ? this.#lastMicros + 1 : 0;
    this.#lastAt = at;
    const micros = String(Math.min(this.#lastMicros, 999)).padStart(3, "0");
    return `${new Date(at).toISOString().slice(0, -1)}${micros}+00:00`;
  }

  #run(due: Due): void {
    if (this.#due.delete(due)) due.act();
  }
}
