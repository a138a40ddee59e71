import { parseDecimal, rescale } from "./contracts/decimal.ts";
import { type Side, sign } from "./order.ts";
import type { AveragePrice } from "./contracts/price.ts";

/** An average price in ticks of that size. */
export interface PricedIn {
  readonly px: AveragePrice;
  readonly tickSize: string;
}

/** Two prices further apart than this are not of one market. */
const ONE_MARKET_PERCENT = 2n;
const HUNDREDTHS = 100n;

/**
 * How much worse the follower traded than its leader, in ticks of the follower's contract to two
 * decimals; negative where it traded better. Undefined where the two prices are not of one market,
 * as when an index is copied to another one.
 */
export function slippageTicks(
  side: Side,
  follower: PricedIn,
  leader: PricedIn,
): number | undefined {
  const own = parseDecimal(follower.tickSize);
  const other = parseDecimal(leader.tickSize);
  if (own === undefined || other === undefined) return undefined;
  const scale = Math.max(own.scale, other.scale);
  const tick = rescale(own, scale);
  // Both averages over one denominator, in units of 10 ** -scale.
  const followerPx = BigInt(follower.px.numerator) * tick * BigInt(leader.px.denominator);
  const leaderPx =
    BigInt(leader.px.numerator) * rescale(other, scale) * BigInt(follower.px.denominator);
  const apart = followerPx - leaderPx;
  if (abs(apart) * 100n > abs(leaderPx) * ONE_MARKET_PERCENT) return undefined;
  const denominator = tick * BigInt(leader.px.denominator) * BigInt(follower.px.denominator);
  const hundredths = (BigInt(sign(side)) * apart * HUNDREDTHS) / denominator;
  return Number(hundredths) / Number(HUNDREDTHS);
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value);
