import { NOTHING, parseDecimal, type Scaled, sumOf } from "../../domain/contracts/decimal.ts";
import type { Fill } from "../../domain/order.ts";

/** What was won (or, negative, lost) by closing, and what was paid for it: exact. */
export interface Takings {
  readonly realized: Scaled;
  readonly fees: Scaled;
}

/** All of one currency since the account was opened, and what of it is of one trading day. */
export interface CurrencyTotals extends Takings {
  readonly day: Takings & {
    /** Which day that is: when it began, Unix ms. */
    readonly beganAt: number;
  };
}

/** By currency, where there is anything. Fills are forgotten one day; these are not. */
export type AccountTotals = ReadonlyMap<string, CurrencyTotals>;

export const NO_TAKINGS: Takings = { realized: NOTHING, fees: NOTHING };

/** The totals after one fill. */
export function addFill(
  totals: AccountTotals,
  { realizedPnl, fee }: Pick<Fill, "realizedPnl" | "fee">,
  { currency, dayBeganAt }: { currency: string; dayBeganAt: number },
): AccountTotals {
  const before = totals.get(currency);
  const took = { realized: amount(realizedPnl), fees: amount(fee) };
  const day = { ...add(ofDay(before, dayBeganAt), took), beganAt: dayBeganAt };
  const all = add(before ?? NO_TAKINGS, took);
  const after = new Map(totals);
  if (isNothing(all) && isNothing(day)) after.delete(currency);
  else after.set(currency, { ...all, day });
  return after;
}

export const isNothing = ({ realized, fees }: Takings): boolean =>
  realized.units === 0n && fees.units === 0n;

/** What is of the trading day that began then: nothing, where the last fill was on another one. */
export const ofDay = (totals: CurrencyTotals | undefined, dayBeganAt: number): Takings =>
  totals?.day.beganAt === dayBeganAt ? totals.day : NO_TAKINGS;

const add = (one: Takings, other: Takings): Takings => ({
  realized: sumOf(one.realized, other.realized),
  fees: sumOf(one.fees, other.fees),
});

const amount = (text: string | undefined): Scaled =>
  (text === undefined ? undefined : parseDecimal(text)) ?? NOTHING;
