import type { Brand } from "../brand.ts";
import {
  type Decimal,
  formatScaled,
  NOISY_DECIMALS,
  parseDecimal,
  rescale,
  type Scaled,
} from "./decimal.ts";

/**
 * A price counted in ticks of its contract. Tick counts are integers, so adding
 * a stop offset or comparing two prices can never be off by a rounding error.
 */
export type Ticks = Brand<number, "Ticks">;

/** A tick size as an exact decimal, for example "0.25" for ES or "0.0000005" for 6J. */
export type TickSize = Brand<string, "TickSize">;

export const ticks = (count: number): Ticks => count as Ticks;
export const tickSize = (text: string): TickSize => text as TickSize;

/** An exact average: `numerator` ticks over `denominator` contracts. */
export interface AveragePrice {
  readonly numerator: number;
  readonly denominator: number;
}

/** Floating point may leave a computed price this little beside its tick: a millionth of one. */
const NOISE = 1_000_000n;

/** Returns undefined when the price is malformed or falls between two ticks. */
export function parseTicks(price: string, size: TickSize): Ticks | undefined {
  const value = parseDecimal(price, NOISY_DECIMALS);
  if (value === undefined) return undefined;

  const tick = scaled(size);
  const scale = Math.max(value.scale, tick.scale);
  const priceUnits = rescale(value, scale);
  const tickUnits = rescale(tick, scale);
  const nearest = divideRounded(priceUnits, tickUnits);
  const beside = priceUnits - nearest * tickUnits;
  if ((beside < 0n ? -beside : beside) * NOISE > tickUnits) return undefined;

  const count = Number(nearest);
  return Number.isSafeInteger(count) ? (count as Ticks) : undefined;
}

/** The price as an exact decimal, for example 4 ticks of "0.25" as "1". */
export function formatTicks(price: Ticks, size: TickSize): Decimal {
  const tick = scaled(size);
  return formatScaled({ units: BigInt(price) * tick.units, scale: tick.scale });
}

/** The price as the number nearest to it: for computing and showing, never for an order. */
export function ticksToNumber(price: Ticks, size: TickSize): number {
  const tick = scaled(size);
  // Both are whole and exact, so that dividing them rounds once, as reading the decimal would.
  return (price * Number(tick.units)) / 10 ** tick.scale;
}

/** The average to the nearest tick, halves away from zero. */
export function roundAverage({ numerator, denominator }: AveragePrice): Ticks {
  return Number(divideRounded(BigInt(numerator), BigInt(denominator))) as Ticks;
}

/** The average as a decimal of at most 10 places, rounded half away from zero. For showing only. */
export function formatAverage(average: AveragePrice, size: TickSize): Decimal {
  const tick = scaled(size);
  const places = 10;
  const numerator = BigInt(average.numerator) * tick.units * 10n ** BigInt(places);
  const denominator = BigInt(average.denominator) * 10n ** BigInt(tick.scale);
  return formatScaled({ units: divideRounded(numerator, denominator), scale: places });
}

/** Rounds half away from zero, the same for a negative price as for a positive one. */
function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const half = (numerator < 0n ? -denominator : denominator) / 2n;
  return (numerator + half) / denominator;
}

/** What `count` ticks on one contract are worth: exact, in the contract's currency. */
export function worthOfTicks(count: number, tickValue: string): Scaled {
  const { units, scale } = scaled(tickValue);
  return { units: BigInt(count) * units, scale };
}

/** The same written out. */
export const tickWorth = (count: number, tickValue: string): Decimal =>
  formatScaled(worthOfTicks(count, tickValue), 2);

const cache = new Map<string, Scaled>();

/** Tick sizes and values come from the contract table: few, and already known to be well-formed. */
function scaled(text: string): Scaled {
  const known = cache.get(text);
  if (known !== undefined) return known;

  const value = parseDecimal(text);
  if (value === undefined || value.units <= 0n) throw new Error(`"${text}" is no tick size`);
  cache.set(text, value);
  return value;
}
