import type { BrokerTerms } from "../../domain/broker-terms.ts";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import {
  negated,
  NOTHING,
  parseDecimal,
  type Scaled,
  sumOf,
  times,
} from "../../domain/contracts/decimal.ts";
import type { AccountBook, BookPosition } from "../../domain/ledger/account-book.ts";
import { worthOfTicks } from "../../domain/contracts/price.ts";
import { type Minor, roundToMinor } from "../../domain/money.ts";
import { openTicks } from "../../domain/position.ts";
import { closingPrice, type HeardPrice, type Quote } from "../../domain/quote.ts";
import type { DescribeContract } from "../orders/describe-contract.ts";

/** Our own figures of an account in one currency: won and paid on one of its days, and open. */
export interface OwnFigures {
  readonly currency: string;
  /**
   * By what was closed, before fees; undefined where nobody tells what some of it is worth, or it is
   * more than can be counted.
   */
  readonly realizedPnl?: Minor;
  /** Positive. */
  readonly fees?: Minor;
  /** By what was closed, less fees, as far as it is known what it is worth; rounded once. */
  readonly closed?: Minor;
  /** All of it less fees, rounded once; undefined where any part is. */
  readonly net?: Minor;
  /** Some of the fees are what was to be expected: the broker has not said yet what it was. */
  readonly areFeesExpected: boolean;
  /** Contracts of which nobody knows what they cost: they are not among the fees. */
  readonly unfeedQty: number;
  /** By what is open, at the prices it would be closed at; undefined while one is not known. */
  readonly openPnl?: Minor;
  /** When the oldest of those prices was heard, Unix ms; absent where nothing is open. */
  readonly pricedAt?: number;
  /** The contracts whose price, or worth, nobody has told. */
  readonly unpriced: readonly ContractCode[];
  /** Something follows from a price that is an estimate, as of a position from before the ledger. */
  readonly isEstimated: boolean;
}

/** What one position would be closed at, and what that would win. */
export interface Mark {
  readonly contract: ContractCode;
  /** Signed, as the ledger adds up. */
  readonly netQty: number;
  /** Absent where it was not heard. */
  readonly price?: HeardPrice;
  readonly quote?: Quote;
  readonly openPnl?: Minor;
  readonly currency?: string;
  readonly terms?: BrokerTerms;
}

export interface Valuation {
  readonly figures: readonly OwnFigures[];
  readonly marks: readonly Mark[];
}

export interface ValuationDeps {
  readonly describe: DescribeContract;
  /** The day (ISO) of the account whose figures are asked for. */
  readonly day: string;
  /** What one side of one contract is expected to cost, in its currency; undefined where not set. */
  readonly expectedFee: (contract: ContractCode) => Scaled | undefined;
  readonly quote: (contract: ContractCode) => Quote | undefined;
}

interface Sums {
  realized: Scaled;
  /** Something was won of a contract of which nobody tells what it is worth. */
  isWorthUnknown: boolean;
  fees: Scaled;
  open: Scaled;
  areFeesExpected: boolean;
  unfeedQty: number;
  pricedAt: number | undefined;
  readonly unpriced: ContractCode[];
  isEstimated: boolean;
}

/** Where nobody says what a contract is counted in. */
const UNKNOWN_CURRENCY = "";

/** Whether something was traded that may be of any currency: then nothing is known of all in one. */
export const isOfUnknownCurrency = (figures: readonly OwnFigures[]): boolean =>
  figures.some(({ currency }) => currency === UNKNOWN_CURRENCY);

/**
 * Values one day of an account's book, each currency for itself. Sums are exact, and
 * rounded to minor units once.
 */
export function valueAccount(book: AccountBook, deps: ValuationDeps): Valuation {
  const byCurrency = new Map<string, Sums>();
  const sumsOf = (currency: string): Sums => {
    const known = byCurrency.get(currency) ?? newSums();
    byCurrency.set(currency, known);
    return known;
  };
  const marks: Mark[] = [];
  for (const contract of contractsOf(book)) {
    addDay(book, contract, deps, sumsOf);
    const held = book.positions[contract];
    if (held !== undefined) marks.push(addOpen(contract, held, deps, sumsOf));
  }
  const figures = [...byCurrency].sort(byName).map(([currency, sums]) => toFigures(currency, sums));
  return { figures, marks };
}

function addDay(
  book: AccountBook,
  contract: ContractCode,
  { describe, day: date, expectedFee }: ValuationDeps,
  sumsOf: (currency: string) => Sums,
): void {
  const day = book.days[date]?.[contract];
  if (day === undefined) return;
  const terms = day.terms ?? book.positions[contract]?.terms;
  const { tickValue, currency = UNKNOWN_CURRENCY } = describe(contract, terms);
  const sums = sumsOf(currency);
  sums.isEstimated ||= day.isEstimated;
  if (tickValue === undefined) {
    sums.unpriced.push(contract);
    sums.isWorthUnknown ||= day.realizedTicks !== 0;
  } else sums.realized = sumOf(sums.realized, worthOfTicks(day.realizedTicks, tickValue));
  for (const [of, fee] of Object.entries(day.fees)) {
    const paid = sumsOf(of === "" ? currency : of);
    paid.fees = sumOf(paid.fees, parseDecimal(fee) ?? NOTHING);
  }
  addExpected(sums, day.unfeedQty, expectedFee(contract));
}

function addExpected(sums: Sums, qty: number, each: Scaled | undefined): void {
  if (qty === 0) return;
  if (each === undefined) {
    sums.unfeedQty += qty;
    return;
  }
  sums.areFeesExpected = true;
  sums.fees = sumOf(sums.fees, times(each, qty));
}

function addOpen(
  contract: ContractCode,
  { position, isEstimated, isUnpriced, terms }: BookPosition,
  { describe, quote: quoteOf }: ValuationDeps,
  sumsOf: (currency: string) => Sums,
): Mark {
  const { netQty } = position;
  const { tickValue, currency = UNKNOWN_CURRENCY } = describe(contract, terms);
  const sums = sumsOf(currency);
  sums.isEstimated ||= isEstimated;
  const quote = quoteOf(contract);
  const price = quote && closingPrice(quote, netQty);
  const mark = {
    contract,
    netQty,
    ...(terms !== undefined && { terms }),
    ...(currency !== UNKNOWN_CURRENCY && { currency }),
    ...(quote !== undefined && { quote }),
    ...(price !== undefined && { price }),
  };
  if (price === undefined || tickValue === undefined || isUnpriced) {
    sums.unpriced.push(contract);
    return mark;
  }
  const open = worthOfTicks(openTicks(position, price.px), tickValue);
  sums.open = sumOf(sums.open, open);
  sums.pricedAt = Math.min(sums.pricedAt ?? Infinity, price.heardAt);
  const openPnl = roundToMinor(open, currency);
  return { ...mark, ...(openPnl !== undefined && { openPnl }) };
}

const newSums = (): Sums => ({
  realized: NOTHING,
  isWorthUnknown: false,
  fees: NOTHING,
  open: NOTHING,
  areFeesExpected: false,
  unfeedQty: 0,
  pricedAt: undefined,
  unpriced: [],
  isEstimated: false,
});

function toFigures(currency: string, sums: Sums): OwnFigures {
  const { areFeesExpected, unfeedQty, pricedAt, isEstimated } = sums;
  const unpriced = [...new Set(sums.unpriced)];
  const realizedPnl = sums.isWorthUnknown ? undefined : roundToMinor(sums.realized, currency);
  const fees = roundToMinor(sums.fees, currency);
  const openPnl = unpriced.length > 0 ? undefined : roundToMinor(sums.open, currency);
  const exact = sumOf(sums.realized, negated(sums.fees));
  const closed = roundToMinor(exact, currency);
  const isWhole = realizedPnl !== undefined && fees !== undefined && openPnl !== undefined;
  const net = isWhole ? roundToMinor(sumOf(exact, sums.open), currency) : undefined;
  return {
    currency,
    ...(realizedPnl !== undefined && { realizedPnl }),
    ...(fees !== undefined && { fees }),
    ...(closed !== undefined && { closed }),
    ...(openPnl !== undefined && { openPnl }),
    ...(net !== undefined && { net }),
    ...(pricedAt !== undefined && { pricedAt }),
    areFeesExpected,
    unfeedQty,
    unpriced,
    isEstimated,
  };
}

const contractsOf = ({ positions, days }: AccountBook): ReadonlySet<ContractCode> =>
  new Set([positions, ...Object.values(days)].flatMap((one) => Object.keys(one) as ContractCode[]));

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : Number(one > other);
