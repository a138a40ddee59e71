import {
  DECLARED_PRICES,
  ORDER_PRICES,
  type PriceWord,
} from "../../domain/declared/order-types.ts";
import type { OrderPrices } from "../../domain/order.ts";
import { formatScaled, parseDecimal, rescale } from "../../domain/contracts/decimal.ts";
import {
  type AveragePrice,
  formatAverage,
  formatTicks,
  type Ticks,
  tickSize as sizeOf,
  tickWorth,
} from "../../domain/contracts/price.ts";
import type { ContractTerms } from "../../trading/orders/describe-contract.ts";

/**
 * Exact decimals as JSON numbers. Reading the exact text is the only step in floating point, and
 * it prints back as the same digits; nothing is ever computed from the result.
 */

/** Null for what is no price, and where nobody tells what it is counted in. */
export function presentPrice(
  price: Ticks | undefined,
  { tickSize }: Pick<ContractTerms, "tickSize">,
): number | null {
  if (tickSize === undefined || !Number.isSafeInteger(price)) return null;
  return Number(formatTicks(price as Ticks, sizeOf(tickSize)));
}

/** An order's own prices, by the API's names; null where it has none. */
export function presentPrices(order: OrderPrices, terms: Pick<ContractTerms, "tickSize">) {
  return Object.fromEntries(
    ORDER_PRICES.map((name) => [DECLARED_PRICES[name].word, presentPrice(order[name], terms)]),
  ) as Readonly<Record<PriceWord, number | null>>;
}

export function presentAverage(
  average: AveragePrice | undefined,
  { tickSize }: Pick<ContractTerms, "tickSize">,
): number | null {
  if (tickSize === undefined || !isAverage(average)) return null;
  return Number(formatAverage(average, sizeOf(tickSize)));
}

/** What is kept may be older than this code, and a broker's figures are its own. */
const isAverage = (average: AveragePrice | null | undefined): average is AveragePrice =>
  Number.isSafeInteger(average?.numerator) &&
  Number.isSafeInteger(average?.denominator) &&
  average?.denominator !== 0;

export function presentMoney(amount: string | undefined): number | null {
  return amount === undefined ? null : Number(amount);
}

interface OpenPosition {
  readonly netQty: number;
  readonly avgPx?: AveragePrice;
  readonly markPx?: Ticks;
}

/** What closing `netQty` contracts bought at `avgPx` would win at `markPx`. */
export function presentOpenPnl(
  position: OpenPosition,
  { tickValue }: ContractTerms,
): number | null {
  return openWorth(position, tickValue);
}

/** The same in ticks of all contracts together; a fraction where the average price is one. */
export function presentOpenTicks(position: OpenPosition): number | null {
  return openWorth(position, "1");
}

/** Money as ticks of all contracts together; null where it is no whole number of them. */
export function presentWholeTicks(
  amount: string | undefined,
  { tickValue }: ContractTerms,
): number | null {
  const money = amount === undefined ? undefined : parseDecimal(amount);
  const value = tickValue === undefined ? undefined : parseDecimal(tickValue);
  if (money === undefined || value === undefined) return null;

  const scale = Math.max(money.scale, value.scale);
  const units = rescale(money, scale);
  const perTick = rescale(value, scale);
  return units % perTick === 0n ? Number(units / perTick) : null;
}

function openWorth(
  { netQty, avgPx, markPx }: OpenPosition,
  tickValue: string | undefined,
): number | null {
  if (markPx === undefined || tickValue === undefined || !isAverage(avgPx)) return null;
  const { numerator, denominator } = avgPx;
  const ticks = netQty * (markPx * denominator - numerator);
  if (!Number.isSafeInteger(ticks)) return null;
  return ticks % denominator === 0
    ? Number(tickWorth(ticks / denominator, tickValue))
    : Number(fractionWorth(BigInt(ticks), BigInt(denominator), tickValue));
}

/** A fraction of ticks in money, to 4 places beyond the tick value's, rounded half away from zero. */
function fractionWorth(numerator: bigint, denominator: bigint, tickValue: string): string {
  const value = parseDecimal(tickValue);
  if (value === undefined) throw new Error(`"${tickValue}" is no tick value`);
  const units = numerator * value.units * 10_000n;
  const half = (units < 0n ? -denominator : denominator) / 2n;
  return formatScaled({ units: (units + half) / denominator, scale: value.scale + 4 });
}

/** What is no instant is shown as the beginning of time: nobody takes it for one. */
export function presentTime(at: number): string {
  const time = new Date(at);
  return (Number.isNaN(time.getTime()) ? new Date(0) : time).toISOString();
}

export const presentTimeOrNull = (at: number | undefined): string | null =>
  at === undefined ? null : presentTime(at);
