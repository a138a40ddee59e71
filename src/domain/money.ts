import type { Brand } from "./brand.ts";
import {
  type Decimal,
  formatScaled,
  parseDecimal,
  rescale,
  type Scaled,
} from "./contracts/decimal.ts";

/**
 * An amount in minor units of its currency, an integer: cents of USD, whole yen. Amounts of two
 * currencies are never added: no rate is known here.
 */
export type Minor = Brand<number, "Minor">;

export const minor = (units: number): Minor => units as Minor;

const digits = new Map<string, number>();

/** How many decimals an amount in the currency has (ISO 4217); 2 where the code is not known. */
export function minorDigits(currency: string): number {
  const known = digits.get(currency);
  if (known !== undefined) return known;
  const found = digitsOf(currency);
  digits.set(currency, found);
  return found;
}

function digitsOf(currency: string): number {
  try {
    const format = new Intl.NumberFormat("en", { style: "currency", currency });
    return format.resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}

/** The nearest amount, halves away from zero; undefined for what is no decimal, or too large to count. */
export function toMinor(amount: string, currency: string): Minor | undefined {
  const value = parseDecimal(amount);
  return value === undefined ? undefined : roundToMinor(value, currency);
}

/** The same of an exact sum. */
export function roundToMinor(value: Scaled, currency: string): Minor | undefined {
  const scale = minorDigits(currency);
  const units =
    value.scale <= scale
      ? rescale(value, scale)
      : divideRounded(value.units, 10n ** BigInt(value.scale - scale));
  const count = Number(units);
  return Number.isSafeInteger(count) ? minor(count) : undefined;
}

export const formatMinor = (amount: Minor, currency: string): Decimal => {
  const scale = minorDigits(currency);
  return formatScaled({ units: BigInt(amount), scale }, scale);
};

function divideRounded(units: bigint, by: bigint): bigint {
  const half = (units < 0n ? -by : by) / 2n;
  return (units + half) / by;
}
