/** Everything that is due by time, on a manual clock: nothing waits for real. */
export class Agenda {
  #clock: { now: number } = { now: 0 };
  readonly #entries = new Set<{ readonly at: number; readonly run: () => unknown }>();

  follow(clock: { now: number }): void {
    this.#clock = clock;
  }

  /** Runs `run` once after `ms`, unless the returned function is called first. */
  readonly after = (ms: number, run: () => unknown): (() => void) => {
    const entry = { at: this.#clock.now + Math.max(1, ms), run };
    this.#entries.add(entry);
    return () => void this.#entries.delete(entry);
  };

  /** Moves the clock to the next entry before `until` and runs it; false if there is none. */
  async next(until: number): Promise<boolean> {
    let first: { readonly at: number; readonly run: () => unknown } | undefined;
    for (const entry of this.#entries) {
      if (entry.at <= until && (first === undefined || entry.at < first.at)) first = entry;
    }
    if (first === undefined) {
      this.#clock.now = Math.max(this.#clock.now, until);
      return false;
    }
    this.#entries.delete(first);
    this.#clock.now = Math.max(this.#clock.now, first.at);
    await first.run();
    return true;
  }
}
