import {
  type Decimal,
  formatScaled,
  parseDecimal,
  rescale,
  type Scaled,
  sumOf,
  times,
} from "./contracts/decimal.ts";
import { type Ticks, ticks, worthOfTicks } from "./contracts/price.ts";
import { minorDigits, type Minor } from "./money.ts";
import { type Bracket, type OrderPrices, type Side, sign } from "./order.ts";
import type { SizeRule } from "./order-handling.ts";
import { marketPrice, type Quote } from "./quote.ts";

/** What of an order tells what it loses at its own stop-loss. */
export interface RiskedOrder extends OrderPrices {
  readonly side: Side;
  readonly bracket?: Bracket;
}

/**
 * The worst price that an order can be counted to fill at: of its own ones the worse, else what the
 * market asks for it. An order that trails from the market is ahead of it by as much as it trails.
 */
export function entryPrice(
  { side, price, stopPx, trailOffset = ticks(0) }: OrderPrices & { readonly side: Side },
  quote: Quote | undefined,
): Ticks | undefined {
  const own = [price, stopPx].filter((level) => level !== undefined);
  if (own.length > 0) return ticks(side === "BUY" ? Math.max(...own) : Math.min(...own));
  const market = quote && marketPrice(quote, side);
  return market === undefined ? undefined : ticks(market.px + sign(side) * trailOffset);
}

/** Whether the market's price has to be known to count its risk. */
export function needsQuote(order: RiskedOrder): boolean {
  const isFrom = order.bracket?.stopLoss?.by === "price";
  return isFrom && entryPrice(order, undefined) === undefined;
}

/**
 * Ticks that one contract of an order loses at its stop-loss; 0 or less where that is on the winning
 * side. Undefined where it has none, or where the price that it counts from is not known.
 */
export function ticksToStop(order: RiskedOrder, quote: Quote | undefined): number | undefined {
  const stop = order.bracket?.stopLoss;
  if (stop === undefined) return undefined;
  if (stop.by === "distance") return stop.distance;
  const entry = entryPrice(order, quote);
  return entry === undefined ? undefined : (entry - stop.price) * sign(order.side);
}

/** What one contract may lose. */
export interface ContractRisk {
  /** Ticks to the stop-loss; above 0. */
  readonly ticks: number;
  /** Of one contract, in its currency. */
  readonly tickValue: string;
  /** What one side of it costs; undefined where nobody says, and then it counts as nothing. */
  readonly fee: Scaled | undefined;
}

/** The loss at the stop and the fees of the way in and out, exact. */
export function riskOfOne({ ticks: count, tickValue, fee }: ContractRisk): Scaled {
  const loss = worthOfTicks(count, tickValue);
  return fee === undefined ? loss : sumOf(loss, times(fee, 2));
}

/** More than any limit lets pass. */
const MOST_SIZED = 1_000_000n;

/** As many contracts as lose no more than `risk` together; 0 where one alone does. */
export function contractsFor(risk: Scaled, one: Scaled): number {
  const scale = Math.max(risk.scale, one.scale);
  const [allowed, each] = [rescale(risk, scale), rescale(one, scale)];
  if (allowed <= 0n || each <= 0n) return 0;
  const count = allowed / each;
  return Number(count < MOST_SIZED ? count : MOST_SIZED);
}

/** What a rule lets an account lose that is worth so much; exact. Undefined where that is not known. */
export function riskAllowed(
  rule: SizeRule,
  worth: { readonly amount: Minor; readonly currency: string } | undefined,
): Scaled | undefined {
  if (rule.by === "risk") return parseDecimal(rule.money);
  const percent = parseDecimal(rule.percent);
  if (percent === undefined || worth === undefined) return undefined;
  const scale = minorDigits(worth.currency) + percent.scale + 2;
  return { units: BigInt(worth.amount) * percent.units, scale };
}

/** Rounded down to what is paid in the currency: a risk must not look larger than it is. */
export function riskInWords({ units, scale }: Scaled, currency: string): Decimal {
  const digits = minorDigits(currency);
  if (scale <= digits) return formatScaled({ units, scale }, digits);
  return formatScaled({ units: units / 10n ** BigInt(scale - digits), scale: digits }, digits);
}

/**
 * The largest quantity up to `most` that is not refused, and why the next one is. What is refused
 * from the first contract on is left to whoever refuses it. Whatever refuses a quantity must refuse
 * each larger one.
 */
export function largestAllowed(
  most: number,
  refusalOf: (qty: number) => string | undefined,
): { readonly qty: number; readonly cappedBy?: string } {
  if (refusalOf(most) === undefined) return { qty: most };
  let [allowed, refused] = [1, most];
  while (refused - allowed > 1) {
    const middle = Math.floor((allowed + refused) / 2);
    if (refusalOf(middle) === undefined) allowed = middle;
    else refused = middle;
  }
  const cappedBy = refusalOf(refused);
  return { qty: allowed, ...(cappedBy !== undefined && refused > 1 && { cappedBy }) };
}
