import { minor, type Minor } from "../../domain/money.ts";
import type { BrokerBalance } from "./ports.ts";

/** What a broker said longer ago than this sizes no order, ms. */
export const WORTH_STALE_AFTER_MS = 120_000;

/** What an account is worth now; or why nobody can say, in words. */
export type AccountWorth =
  | { readonly kind: "known"; readonly amount: Minor; readonly currency: string }
  | { readonly kind: "unknown"; readonly reason: string };

/**
 * What a part of an account is counted from: the smaller one of its balance and its worth with what
 * open positions have won or lost. An open loss makes the next trade smaller, and an open profit,
 * which may go again, does not make it larger.
 */
export function accountWorth(
  said: readonly BrokerBalance[],
  {
    currency,
    isFlat,
    now,
  }: {
    readonly currency: string;
    /** Nothing is held: then there is nothing that could be won or lost besides. */
    readonly isFlat: boolean;
    /** Unix ms. */
    readonly now: number;
  },
): AccountWorth {
  const own = said.find((one) => one.currency === currency);
  if (own === undefined) {
    return unknown(`The broker does not say what the account is worth in ${currency}`);
  }
  const age = now - own.at;
  if (age > WORTH_STALE_AFTER_MS) {
    const seconds = Math.round(age / 1_000);
    return unknown(
      `What the broker said of the account's worth is ${seconds} s old, and may be ${WORTH_STALE_AFTER_MS / 1_000} s at most`,
    );
  }
  const balance = own.cash ?? less(own.netLiquidation, openSaid(own, isFlat));
  const equity = worthSaid(own, isFlat);
  if (balance === undefined || equity === undefined) {
    return unknown("The broker does not say what the account is worth with its open positions");
  }
  return { kind: "known", amount: minor(Math.min(balance, equity)), currency };
}

/** The account's worth as its broker says, open positions included; undefined where it does not. */
export const worthSaid = (said: BrokerBalance, isFlat: boolean): Minor | undefined =>
  said.netLiquidation ?? plus(said.cash, openSaid(said, isFlat));

const openSaid = ({ openPnl }: BrokerBalance, isFlat: boolean): Minor | undefined =>
  openPnl ?? (isFlat ? minor(0) : undefined);

const unknown = (reason: string): AccountWorth => ({ kind: "unknown", reason });

const plus = (one: Minor | undefined, other: Minor | undefined): Minor | undefined =>
  one === undefined || other === undefined ? undefined : minor(one + other);

const less = (one: Minor | undefined, other: Minor | undefined): Minor | undefined =>
  one === undefined || other === undefined ? undefined : minor(one - other);
