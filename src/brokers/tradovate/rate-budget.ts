/** What a request is for: what protects money goes before what asks, and both before entries. */
export type RequestPurpose = "protect" | "read" | "entry";

export interface RateLimits {
  /** Requests in a rolling hour at most; the published limit is 5,000. */
  readonly perHour: number;
  /** Requests in a rolling minute at most. */
  readonly perMinute: number;
}

/**
 * Published are 5,000 an hour and 5,000 a minute for a user, who may have other programs; a client
 * of Tradovate's own holds itself to 1,000 a minute.
 */
export const DEFAULT_LIMITS: RateLimits = { perHour: 4_500, perMinute: 900 };

/** Kept free for what matters more, as a share of the bucket. */
const KEPT_FREE: Readonly<Record<RequestPurpose, number>> = { protect: 0, entry: 0.3, read: 0.5 };

const HOUR_MS = 60 * 60 * 1_000;
const MINUTE_MS = 60 * 1_000;
/** Requests during a lockout make it longer. */
const LOCKOUT_MS = HOUR_MS;
/** The warning before a lockout. */
const WARNED_MS = 5 * MINUTE_MS;

/**
 * Requests that may still be made, as two buckets that fill up evenly. A bucket holds a third of its
 * limit and fills with two thirds of it, so that no rolling hour or minute sees more than all of it.
 */
export class RateBudget {
  readonly #buckets: readonly Bucket[];
  readonly #elapsed: () => number;
  readonly #onLockOut: () => void;
  #lockedUntil = 0;
  #warnedUntil = 0;

  constructor(limits: RateLimits, elapsed: () => number, onLockOut: () => void = () => undefined) {
    this.#elapsed = elapsed;
    this.#onLockOut = onLockOut;
    this.#buckets = [
      new Bucket(limits.perHour, HOUR_MS, elapsed),
      new Bucket(limits.perMinute, MINUTE_MS, elapsed),
    ];
  }

  /** Takes one request from the budget; otherwise answers in words why it may not be made now. */
  take(purpose: RequestPurpose): string | undefined {
    const now = this.#elapsed();
    if (now < this.#lockedUntil) {
      const minutes = Math.ceil((this.#lockedUntil - now) / MINUTE_MS);
      return `Tradovate has locked this user out for too many requests, for ${minutes} min more`;
    }
    if (now < this.#warnedUntil && purpose !== "protect") {
      return "Tradovate warned of too many requests; what is left is kept for exits";
    }
    if (this.#buckets.some((bucket) => !bucket.has(KEPT_FREE[purpose]))) {
      return "The request budget for Tradovate is used up; what is left is kept for exits";
    }
    for (const bucket of this.#buckets) bucket.take();
    return undefined;
  }

  /** The broker's status 429; or what is left of one that a former owner has met, ms. */
  lockOut(ms = LOCKOUT_MS): void {
    this.#lockedUntil = this.#elapsed() + Math.min(ms, LOCKOUT_MS);
    this.#onLockOut();
  }

  /** The broker's status 423. */
  warn(): void {
    this.#warnedUntil = this.#elapsed() + WARNED_MS;
  }

  /** For how long nothing may be asked, ms. */
  get lockedForMs(): number {
    return Math.max(0, this.#lockedUntil - this.#elapsed());
  }
}

class Bucket {
  readonly #capacity: number;
  readonly #perMs: number;
  readonly #elapsed: () => number;
  #level: number;
  #at: number;

  constructor(limit: number, spanMs: number, elapsed: () => number) {
    this.#capacity = limit / 3;
    this.#perMs = (limit - this.#capacity) / spanMs;
    this.#elapsed = elapsed;
    this.#level = this.#capacity;
    this.#at = elapsed();
  }

  has(share: number): boolean {
    const now = this.#elapsed();
    this.#level = Math.min(this.#capacity, this.#level + (now - this.#at) * this.#perMs);
    this.#at = now;
    return this.#level - 1 >= share * this.#capacity;
  }

  take(): void {
    this.#level -= 1;
  }
}
