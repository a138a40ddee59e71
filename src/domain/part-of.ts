import { parseDecimal } from "./contracts/decimal.ts";

/** To the nearest whole contract, halves up, and at least 1. */
export function partOf(total: number, percent: number): number {
  // More places than a percentage needs; in full, as tiny numbers would print otherwise.
  const { units, scale } = parseDecimal(percent.toFixed(6)) ?? { units: 100n, scale: 0 };
  const whole = 100n * 10n ** BigInt(scale);
  const part = (2n * units * BigInt(total) + whole) / (2n * whole);
  return Math.max(1, Number(part));
}
