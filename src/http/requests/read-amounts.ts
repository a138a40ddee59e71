import { parseDecimal, rescale, type Scaled } from "../../domain/contracts/decimal.ts";
import { type Lots, lots } from "../../domain/guards/rule.ts";
import { type Minor, minor, minorDigits } from "../../domain/money.ts";
import type { Problem } from "../../errors.ts";

/** As callers write a decimal: reading its exact text is all that is done with it. */
export type Written = number | string;

export interface Bounds {
  /** Included. */
  readonly from?: number;
  readonly above?: number;
}

export const POSITIVE: Bounds = { above: 0 };
export const FROM_ZERO: Bounds = { from: 0 };

/** In lots; more is a slip. */
const MOST_LOTS = 1_000_000;
const LOT_DECIMALS = 3;
/** In whole units of a currency; more is a slip. */
const MOST_MONEY = 1_000_000_000_000;

/**
 * Reads what is exact only: nothing is rounded. Undefined for what it cannot take, which is added to the
 * problems then.
 */
export function readMoney(
  { path, written, currency }: { path: string; written: Written; currency: string },
  bounds: Bounds,
  problems: Problem[],
): Minor | undefined {
  const scale = minorDigits(currency);
  const units = readUnits({ path, written, scale, most: MOST_MONEY }, bounds, problems);
  return units === undefined ? undefined : minor(units);
}

/** Above 0, in thousandths. */
export function readLots(path: string, written: Written, problems: Problem[]): Lots | undefined {
  const asked = { path, written, scale: LOT_DECIMALS, most: MOST_LOTS };
  const units = readUnits(asked, POSITIVE, problems);
  return units === undefined ? undefined : lots(units);
}

function readUnits(
  asked: { path: string; written: Written; scale: number; most: number },
  { from, above }: Bounds,
  problems: Problem[],
): number | undefined {
  const { path, written, scale, most } = asked;
  const value = parseDecimal(String(written));
  const units = value === undefined ? undefined : unitsOf(value, scale);
  const wrong = (message: string): undefined => void problems.push({ path, message });
  if (value === undefined) return wrong("must be a decimal such as 1000.50");
  if (units === undefined) return wrong(`must have at most ${scale} decimals`);
  if (above !== undefined && units <= above) return wrong(`must be greater than ${above}`);
  if (from !== undefined && units < from) return wrong(`must be at least ${from}`);
  const bound = BigInt(most) * 10n ** BigInt(scale);
  if (units > bound || units < -bound) return wrong(`must be at most ${most}`);
  return Number(units);
}

/** Undefined where there are more decimals than `scale`, zeros at the end aside. */
function unitsOf(value: Scaled, scale: number): bigint | undefined {
  if (value.scale <= scale) return rescale(value, scale);
  const finer = 10n ** BigInt(value.scale - scale);
  return value.units % finer === 0n ? value.units / finer : undefined;
}
