/** An exit has made its requests within this, ms. */
const PROMISED_MS = 3_000;

/**
 * Requests that exits were promised and may not have made yet. Lanes ask in the same instant: without it each of
 * them would count on the same room.
 */
export class PromisedRoom {
  readonly #elapsed: () => number;
  #promises: { readonly requests: number; readonly until: number }[] = [];

  /** `elapsed` is a clock in ms that is never set. */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  /** Promises so many requests where `isFree` says that they and all that is promised may be made. */
  take(requests: number, isFree: (requests: number) => boolean): boolean {
    const now = this.#elapsed();
    this.#promises = this.#promises.filter(({ until }) => until > now);
    const promised = this.#promises.reduce((sum, one) => sum + one.requests, 0);
    if (!isFree(requests + promised)) return false;
    this.#promises.push({ requests, until: now + PROMISED_MS });
    return true;
  }
}
