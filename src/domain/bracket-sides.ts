import type { Bracket, Side } from "./order.ts";
import type { Ticks } from "./price.ts";

/** A level of a bracket that lies where its trade could not reach it, or had passed it already. */
export interface WrongSide {
  readonly leg: keyof Bracket;
  /** In words, for a sentence that begins with the leg. */
  readonly message: string;
}

/**
 * A take-profit lies beyond the entry in the trade's direction, a stop-loss before it. `entry` is
 * the order's own price; undefined for one that has none, such as a market order.
 */
export function wrongSides(
  side: Side,
  entry: Ticks | undefined,
  { takeProfit, stopLoss }: Bracket,
): readonly WrongSide[] {
  const direction = side === "BUY" ? 1 : -1;
  const [beyond, before] = side === "BUY" ? ["above", "below"] : ["below", "above"];
  const profitPx = takeProfit?.by === "price" ? takeProfit.price : undefined;
  const lossPx = stopLoss?.by === "price" ? stopLoss.price : undefined;
  const found: WrongSide[] = [];
  const add = (leg: keyof Bracket, where: string, of: string) =>
    found.push({ leg, message: `must be ${where} ${of} on a ${side.toLowerCase()}` });

  if (profitPx !== undefined && entry !== undefined && (profitPx - entry) * direction <= 0) {
    add("takeProfit", beyond, "the entry");
  }
  if (lossPx !== undefined && entry !== undefined && (lossPx - entry) * direction >= 0) {
    add("stopLoss", before, "the entry");
  }
  if (profitPx !== undefined && lossPx !== undefined && (profitPx - lossPx) * direction <= 0) {
    add("takeProfit", beyond, "the stop-loss");
  }
  return found;
}
