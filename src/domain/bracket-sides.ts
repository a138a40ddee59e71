import type { Bracket, Side } from "./order.ts";
import type { Ticks } from "./contracts/price.ts";

/** Where an order may be filled, as far as it says so itself; a market order says nothing. */
export interface EntryPrices {
  readonly price?: Ticks | undefined;
  readonly stopPx?: Ticks | undefined;
}

/** A level of a bracket that lies where its trade could not reach it, or had passed it already. */
export interface WrongSide {
  readonly leg: keyof Bracket;
  /** In words, for a sentence that begins with the leg. */
  readonly message: string;
}

/**
 * A take-profit lies beyond the entry in the trade's direction, a stop-loss before it. A stop-limit
 * order may be filled anywhere between its two prices, and what lies there would close it at once.
 */
export function wrongSides(
  side: Side,
  { price, stopPx }: EntryPrices,
  { takeProfit, stopLoss }: Bracket,
): readonly WrongSide[] {
  const direction = side === "BUY" ? 1 : -1;
  const [beyond, before] = side === "BUY" ? ["above", "below"] : ["below", "above"];
  const profitPx = takeProfit?.by === "price" ? takeProfit.price : undefined;
  const lossPx = stopLoss?.by === "price" ? stopLoss.price : undefined;
  const entries = [price, stopPx].filter((entry) => entry !== undefined);
  const found: WrongSide[] = [];
  const add = (leg: keyof Bracket, where: string, of: string) =>
    found.push({ leg, message: `must be ${where} ${of} on a ${side.toLowerCase()}` });

  if (profitPx !== undefined && entries.some((entry) => (profitPx - entry) * direction <= 0)) {
    add("takeProfit", beyond, "the entry");
  }
  if (lossPx !== undefined && entries.some((entry) => (lossPx - entry) * direction >= 0)) {
    add("stopLoss", before, "the entry");
  }
  if (profitPx !== undefined && lossPx !== undefined && (profitPx - lossPx) * direction <= 0) {
    add("takeProfit", beyond, "the stop-loss");
  }
  return found;
}
