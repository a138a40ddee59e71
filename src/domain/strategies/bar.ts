import type { Ticks } from "../contracts/price.ts";

/** What the price of a contract did in a stretch of time, in ticks. */
export interface Bar {
  /** Unix ms of its beginning. */
  readonly startsAt: number;
  readonly open: Ticks;
  readonly high: Ticks;
  readonly low: Ticks;
  readonly close: Ticks;
  /** Contracts traded; 0 where nobody counted them. */
  readonly volume: number;
}

/** How many bars of a contract are told at once, at most. */
export const MAX_BARS_ASKED = 500;
