import type { Brand } from "../brand.ts";

/** A number written out in full, for example "-12.50": exact, unlike a floating-point value. */
export type Decimal = Brand<string, "Decimal">;

/** An exact number as an integer count of `10 ** -scale`. */
export interface Scaled {
  readonly units: bigint;
  readonly scale: number;
}

const PLAIN = /^(-?)(\d{1,15})(?:\.(\d{1,30}))?$/;
const EXPONENT = /^(-?\d)(?:\.(\d+))?e([+-]\d{1,2})$/;

/** As many as people write. */
const MOST_DECIMALS = 12;

/** As many as floating point may leave behind a price that was computed: `0.30000000000000004`. */
export const NOISY_DECIMALS = 30;

/** Reads "0.25" or what JavaScript prints of a tiny number ("5e-7"); undefined for anything else. */
export function parseDecimal(text: string, most = MOST_DECIMALS): Scaled | undefined {
  const plain = PLAIN.exec(text);
  if (plain !== null) {
    const [, sign = "", whole = "", fraction = ""] = plain;
    if (fraction.length > most) return undefined;
    return { units: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length };
  }
  const exponent = EXPONENT.exec(text);
  if (exponent === null) return undefined;

  const [, lead = "", fraction = "", power = ""] = exponent;
  const units = BigInt(`${lead}${fraction}`);
  const scale = fraction.length - Number(power);
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 };
}

/** Prints an exact number, with at least `minFraction` digits after the point. */
export function formatScaled({ units, scale }: Scaled, minFraction = 0): Decimal {
  const sign = units < 0n ? "-" : "";
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits
    .slice(digits.length - scale)
    .replace(/0+$/, "")
    .padEnd(minFraction, "0");
  return (fraction === "" ? `${sign}${whole}` : `${sign}${whole}.${fraction}`) as Decimal;
}

/** The same number counted in units of `10 ** -scale`. `scale` must not be smaller than its own. */
export function rescale(value: Scaled, scale: number): bigint {
  return value.units * 10n ** BigInt(scale - value.scale);
}

export const NOTHING: Scaled = { units: 0n, scale: 0 };

export function sumOf(...values: readonly Scaled[]): Scaled {
  const scale = Math.max(0, ...values.map((value) => value.scale));
  return { units: values.reduce((sum, value) => sum + rescale(value, scale), 0n), scale };
}

export const negated = ({ units, scale }: Scaled): Scaled => ({ units: -units, scale });

export const times = ({ units, scale }: Scaled, count: number): Scaled => ({
  units: units * BigInt(count),
  scale,
});
