import { worthOfTicks } from "../contracts/price.ts";
import { type Minor, roundToMinor } from "../money.ts";

/** An amount in the currency of an account's guards, or why there is none, in words. */
export type Countable =
  | { readonly kind: "counted"; readonly amount: Minor }
  | { readonly kind: "uncountable"; readonly why: string };

/** Units in which a contract is counted, as far as they are known. */
export interface CountedIn {
  readonly symbol: string;
  readonly tickValue: string | undefined;
  readonly currency: string | undefined;
}

/** The worth of so many ticks of a contract in the currency of the guards. Unknown is never 0. */
export function countTicks(
  count: number,
  { symbol, tickValue, currency }: CountedIn,
  guards: string,
): Countable {
  if (currency === undefined) return uncountable(`the currency of ${symbol} is not known`);
  if (currency !== guards) return uncountable(noRate(symbol, currency, guards));
  if (tickValue === undefined) {
    return uncountable(`the worth of a tick of ${symbol} is not known`);
  }
  const amount = roundToMinor(worthOfTicks(count, tickValue), guards);
  return amount === undefined
    ? uncountable(`its worth in ${symbol} is too large`)
    : { kind: "counted", amount };
}

/** Why amounts of two currencies are never added. */
export const noRate = (what: string, currency: string, guards: string): string =>
  `${what} counts in ${currency}, and the guards in ${guards}: no rate between them is known`;

const uncountable = (why: string): Countable => ({ kind: "uncountable", why });
