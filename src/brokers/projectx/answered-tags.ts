/** More than a session has of orders whose resend could still come. */
const MOST = 10_000;

/** Tags of orders for which the caller has an answer that proves what became of them. */
export class AnsweredTags {
  readonly #tags = new Set<string>();

  has(account: string, tag: string): boolean {
    return this.#tags.has(`${account} ${tag}`);
  }

  /** Forgets the oldest where there are too many. */
  add(account: string, tag: string): void {
    this.#tags.add(`${account} ${tag}`);
    const [oldest] = this.#tags;
    if (this.#tags.size > MOST && oldest !== undefined) this.#tags.delete(oldest);
  }

  delete(account: string, tag: string): void {
    this.#tags.delete(`${account} ${tag}`);
  }
}
