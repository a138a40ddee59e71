/** So long a pair may stand before what it takes over from is smaller. After that, legs are for what is held. */
const WITHIN_MS = 3_000;

/** A pair of an exit plan that stands beside the legs that it takes over from, until these are smaller. */
export class TakeOver {
  #qty = 0;
  #placedAt: number | undefined;

  /** A pair for so much is on its way. */
  begin(qty: number): void {
    this.#qty = qty;
    this.#placedAt = undefined;
  }

  /** Its intent has ended, by a steady clock in ms. */
  notePlaced(elapsed: number): void {
    this.#placedAt ??= elapsed;
  }

  end(): void {
    this.#qty = 0;
  }

  /** For how much it may stand beside them now. */
  qty(elapsed: number): number {
    const placedAt = this.#placedAt ?? elapsed;
    return elapsed - placedAt < WITHIN_MS ? this.#qty : 0;
  }
}
