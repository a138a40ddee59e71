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

  /** Answers whether one stood until now: what is held may have become less meanwhile. */
  end(): boolean {
    const stood = this.#qty > 0;
    this.#qty = 0;
    return stood;
  }

  /** For how much it may stand beside them now. */
  qty(elapsed: number): number {
    return this.endsInMs(elapsed) > 0 ? this.#qty : 0;
  }

  /** The ms for which a placed pair may still be there beside them; 0 without one. */
  endsInMs(elapsed: number): number {
    if (this.#qty === 0) return 0;
    return Math.max(0, (this.#placedAt ?? elapsed) + WITHIN_MS - elapsed);
  }
}
