/** So many are remembered. No number of chats guesses one of 2^78 codes. */
const MOST_KNOWN = 1_000;

/** How often each of those who may try something has tried. */
export class Tries {
  readonly #limit: { readonly most: number; readonly withinMs: number };
  readonly #tries = new Map<string, { count: number; readonly until: number }>();

  constructor(limit: { readonly most: number; readonly withinMs: number }) {
    this.#limit = limit;
  }

  /** Counts this one, too. */
  isOneTooMany(who: string, now: number): boolean {
    for (const [one, { until }] of this.#tries) if (until <= now) this.#tries.delete(one);
    const known = this.#tries.get(who);
    if (known !== undefined) return (known.count += 1) > this.#limit.most;
    const [oldest] = this.#tries.keys();
    if (oldest !== undefined && this.#tries.size >= MOST_KNOWN) this.#tries.delete(oldest);
    this.#tries.set(who, { count: 1, until: now + this.#limit.withinMs });
    return false;
  }
}
