import type { AveragePrice, Ticks } from "./contracts/price.ts";
import { type LegLevel, type NewOrderSingle, type OrderRole, sign } from "./order.ts";
import { closingPrice, type Quote } from "./quote.ts";

/** A level at which a position is to be closed. */
export interface ExitLevel {
  readonly role: Exclude<OrderRole, "ORDER">;
  readonly px: Ticks;
}

/** Whether a price has reached an exit: sent then, the exit closes the position at once. */
export function isReached({ role, px }: ExitLevel, netQty: number, at: Ticks): boolean {
  const winning = Math.sign(netQty) * (role === "TAKE_PROFIT" ? 1 : -1);
  return winning * (px - at) <= 0;
}

/**
 * Whether an exit may be sent while no fresh price says on which side of the market it lies. A stop may:
 * beyond its level it is meant to close, and without it nothing does. A take-profit may where it wins by
 * the average price: at worst it closes with the profit that was asked for.
 */
export function isSafeUnseen(
  { role, px }: ExitLevel,
  netQty: number,
  avgPx: AveragePrice | undefined,
): boolean {
  if (role === "STOP_LOSS") return true;
  return avgPx !== undefined && Math.sign(netQty) * (px * avgPx.denominator - avgPx.numerator) > 0;
}

/**
 * The exit of an entry at the market that would close it as soon as it fills; undefined where none would,
 * and where no fresh price says so: the broker decides then.
 */
export function exitAtOnce(
  { ordType, side, bracket = {} }: Pick<NewOrderSingle, "ordType" | "side" | "bracket">,
  quote: Quote | undefined,
): ExitLevel["role"] | undefined {
  // Every other order fills at a price of its own, or later.
  if (ordType !== "MARKET") return undefined;
  const at = quote && closingPrice(quote, sign(side))?.px;
  if (at === undefined) return undefined;
  const { takeProfit, stopLoss } = bracket;
  const isPassed = (level: LegLevel | undefined, role: ExitLevel["role"]) =>
    level?.by === "price" && isReached({ role, px: level.price }, sign(side), at);
  if (isPassed(stopLoss, "STOP_LOSS")) return "STOP_LOSS";
  return isPassed(takeProfit, "TAKE_PROFIT") ? "TAKE_PROFIT" : undefined;
}
