import { parseDecimal, rescale, type Scaled } from "../domain/contracts/decimal.ts";
import {
  type AveragePrice,
  formatTicks,
  parseTicks,
  type Ticks,
  type TickSize,
} from "../domain/contracts/price.ts";

/** The price in ticks: exact, or the nearest tick where the broker's tick is a finer one. */
export function toTicks(price: number, size: TickSize): Ticks {
  const exact = parseTicks(String(price), size);
  if (exact !== undefined) return exact;
  const { numerator, denominator } = inTicks(price, size);
  const half = numerator < 0n ? -(denominator / 2n) : denominator / 2n;
  return Number((numerator + half) / denominator) as Ticks;
}

/** The same; undefined between two ticks, for then what a tick is is not known, and for what no price is. */
export function toTicksIfAny(price: number, size: TickSize): Ticks | undefined {
  if (!(Math.abs(price) <= Number.MAX_SAFE_INTEGER)) return undefined;
  const near = toTicks(price, size);
  const { numerator, denominator } = inTicks(price, size);
  const off = numerator - BigInt(near) * denominator;
  const isNear = (off < 0n ? -off : off) * FINE <= denominator;
  return isNear && Number.isSafeInteger(near) ? near : undefined;
}

/** What JSON needs; the decimal is the shortest that reads back as the same price. */
export function toPrice(price: Ticks, size: TickSize): number {
  return Number(formatTicks(price, size));
}

/**
 * The average price of so many contracts. Each of them was traded on a tick, so their sum is whole;
 * only the last digits of the broker's division are missing. Where it is not near a whole number the
 * broker counts otherwise, and its own figure stays.
 */
export function toAveragePrice(price: number, netQty: number, size: TickSize): AveragePrice {
  const qty = Math.abs(netQty);
  const { numerator, denominator } = inTicks(price, size);
  const sum = numerator * BigInt(qty);
  const half = sum < 0n ? -(denominator / 2n) : denominator / 2n;
  const whole = (sum + half) / denominator;
  const rest = sum - whole * denominator;
  const isNear = (rest < 0n ? -rest : rest) * NEAR < denominator;
  if (isNear) return { numerator: Number(whole), denominator: qty };
  // Six places of a tick are more than any broker shows.
  const fine = (numerator * FINE) / denominator;
  return { numerator: Number(fine), denominator: Number(FINE) };
}

const NEAR = 1_000n;
const FINE = 1_000_000n;

/** A price as an exact number of ticks. */
function inTicks(price: number, size: TickSize): { numerator: bigint; denominator: bigint } {
  const [value, tick] = [scaledOf(price), scaledOf(Number(size))];
  const scale = Math.max(value.scale, tick.scale);
  return { numerator: rescale(value, scale), denominator: rescale(tick, scale) };
}

/** Twelve places are as many as a decimal here may have; a double has noise beyond them. */
export function scaledOf(value: number): Scaled {
  const exact = parseDecimal(String(value));
  if (exact !== undefined && exact.scale <= MOST_PLACES) return exact;
  return parseDecimal(value.toFixed(MOST_PLACES)) ?? { units: 0n, scale: 0 };
}

/** Of a decimal that is made of a double. */
export const MOST_PLACES = 12;
