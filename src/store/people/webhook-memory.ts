import type { Webhook } from "../../domain/people/credential.ts";

/** The oldest one makes room. */
const MOST_WEBHOOKS = 10_000;

interface Known {
  readonly webhook: Webhook;
  readonly version: string;
}

/** Webhooks as they were when they were admitted last, by the hashes of their tokens. */
export class WebhookMemory {
  readonly #known = new Map<string, Known>();
  /** How many requests of a token are being admitted in a step of their own. */
  readonly #asking = new Map<string, number>();

  asks(hash: string): void {
    this.#asking.set(hash, (this.#asking.get(hash) ?? 0) + 1);
  }

  answered(hash: string): void {
    const left = (this.#asking.get(hash) ?? 1) - 1;
    if (left > 0) this.#asking.set(hash, left);
    else this.#asking.delete(hash);
  }

  keep(hash: string, webhook: Webhook, version: string | undefined): void {
    this.#known.delete(hash);
    // What has no version cannot be compared.
    if (version === undefined) return;
    this.#known.set(hash, { webhook, version });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_WEBHOOKS && oldest !== undefined) this.#known.delete(oldest);
  }

  forget(hash: string): void {
    this.#known.delete(hash);
  }

  /** Nothing while a request of the token is being admitted: a later one must not overtake it. */
  find(hash: string): Known | undefined {
    return this.#asking.has(hash) ? undefined : this.#known.get(hash);
  }
}

/** Redis' clock as it was heard last. An answer is older than its arrival: what is told is rather too early. */
export class StoreClock {
  #ahead: number | undefined;

  heard(now: number): void {
    this.#ahead = now - performance.now();
  }

  now(): number | undefined {
    return this.#ahead === undefined ? undefined : Math.floor(performance.now() + this.#ahead);
  }
}
