import { formatScaled, parseDecimal } from "../../domain/decimal.ts";
import {
  type AveragePrice,
  formatAverage,
  formatTicks,
  type Ticks,
  tickSize,
} from "../../domain/price.ts";
import { tickWorth } from "../../domain/price.ts";
import type { ContractTerms } from "../../trading/gateway.ts";

/**
 * Exact decimals as JSON numbers. Reading the exact text is the only step in floating point, and
 * it prints back as the same digits; nothing is ever computed from the result.
 */

export function presentPrice(price: Ticks | undefined, terms: ContractTerms): number | null {
  return price === undefined ? null : Number(formatTicks(price, tickSize(terms.tickSize)));
}

export function presentAverage(
  average: AveragePrice | undefined,
  terms: ContractTerms,
): number | null {
  return average === undefined ? null : Number(formatAverage(average, tickSize(terms.tickSize)));
}

export function presentMoney(amount: string | undefined): number | null {
  return amount === undefined ? null : Number(amount);
}

/** What closing `netQty` contracts bought at `average` would win at `mark`. */
export function presentOpenPnl(
  { netQty, avgPx, markPx }: { netQty: number; avgPx: AveragePrice; markPx?: Ticks },
  { tickValue }: ContractTerms,
): number | null {
  if (markPx === undefined) return null;
  const { numerator, denominator } = avgPx;
  const ticks = netQty * (markPx * denominator - numerator);
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

export const presentTime = (at: number): string => new Date(at).toISOString();

export const presentTimeOrNull = (at: number | undefined): string | null =>
  at === undefined ? null : presentTime(at);
