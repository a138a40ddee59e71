/** Requests in a rolling span of time, counted by what they are counted under. */
export class Limits {
  readonly #now: () => number;
  readonly #asked = new Map<string, number[]>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether one more may be made; it counts then. */
  take(key: string, most: number, spanMs: number): boolean {
    const from = this.#now() - spanMs;
    const recent = (this.#asked.get(key) ?? []).filter((at) => at > from);
    const isFree = recent.length < most;
    if (isFree) recent.push(this.#now());
    this.#asked.set(key, recent);
    return isFree;
  }

  /** As many as another program of the user has just made. */
  use(key: string, count: number): void {
    const now = this.#now();
    const asked = this.#asked.get(key) ?? [];
    this.#asked.set(key, [...asked, ...Array.from({ length: count }, () => now)]);
  }

  forget(): void {
    this.#asked.clear();
  }
}
