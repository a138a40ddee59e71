import type { Ticks } from "./contracts/price.ts";

/** What a contract trades at, as market data tell it. A price that nobody told is absent. */
export interface Quote {
  readonly bid?: Ticks;
  readonly ask?: Ticks;
  /** Of the last trade. */
  readonly last?: Ticks;
  /** Unix ms by the clock of who told it; absent where that is not said. */
  readonly toldAt?: number;
  /** Unix ms by ours: when it was heard, also where it was the same again. */
  readonly heardAt: number;
}

/**
 * After so long without a word a quote is stale, ms: the market may be anywhere. One that is told only
 * when it changes is stale in a quiet market too, which is the safe side.
 */
export const QUOTE_STALE_AFTER_MS = 10_000;

export const isStale = ({ heardAt }: Quote, now: number): boolean =>
  now - heardAt > QUOTE_STALE_AFTER_MS;

/**
 * What a position would be closed at: a long one at the bid, a short one at the ask, and where that
 * side is not told, at the last trade. Undefined where neither is.
 */
export const closingPrice = ({ bid, ask, last }: Quote, netQty: number): Ticks | undefined =>
  (netQty > 0 ? bid : ask) ?? last;
