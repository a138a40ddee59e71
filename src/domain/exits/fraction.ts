import { parseDecimal } from "../contracts/decimal.ts";
import type { AveragePrice } from "../contracts/price.ts";

/** An exact number: averages and shares seldom come out even. The denominator is positive. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export const whole = (count: number | bigint): Fraction => ({
  numerator: BigInt(count),
  denominator: 1n,
});

export const fractionOf = ({ numerator, denominator }: AveragePrice): Fraction => ({
  numerator: BigInt(numerator),
  denominator: BigInt(denominator),
});

/** Of a decimal as it was written; undefined where it is none. */
export function decimalFraction(text: string): Fraction | undefined {
  const value = parseDecimal(text);
  return value && { numerator: value.units, denominator: 10n ** BigInt(value.scale) };
}

export const add = (one: Fraction, other: Fraction): Fraction => ({
  numerator: one.numerator * other.denominator + other.numerator * one.denominator,
  denominator: one.denominator * other.denominator,
});

export const multiply = (one: Fraction, other: Fraction): Fraction =>
  positive({
    numerator: one.numerator * other.numerator,
    denominator: one.denominator * other.denominator,
  });

/** `by` must not be 0. */
export const divide = (one: Fraction, by: Fraction): Fraction =>
  multiply(one, { numerator: by.denominator, denominator: by.numerator });

export const negative = ({ numerator, denominator }: Fraction): Fraction => ({
  numerator: -numerator,
  denominator,
});

export const absolute = ({ numerator, denominator }: Fraction): Fraction => ({
  numerator: numerator < 0n ? -numerator : numerator,
  denominator,
});

/** The largest whole number that is not above it. */
export function roundDown({ numerator, denominator }: Fraction): number {
  const cut = numerator / denominator;
  return Number(numerator < 0n && cut * denominator !== numerator ? cut - 1n : cut);
}

/** The smallest whole number that is not below it. */
export const roundUp = (value: Fraction): number => -roundDown(negative(value)) || 0;

/** Halves go up. */
export const roundNearest = (value: Fraction): number =>
  roundDown(add(value, { numerator: 1n, denominator: 2n }));

const positive = ({ numerator, denominator }: Fraction): Fraction =>
  denominator < 0n
    ? { numerator: -numerator, denominator: -denominator }
    : { numerator, denominator };
