import type { BrokerTerms } from "../broker-terms.ts";
import type { ContractCode } from "../contracts/contract.ts";
import { type AveragePrice, type Ticks, ticks } from "../contracts/price.ts";
import {
  formatScaled,
  negated as negatedOf,
  NOTHING,
  parseDecimal,
  type Scaled,
  sumOf,
} from "../contracts/decimal.ts";
import { type Fill, opposite, sign } from "../order.ts";
import { applyFill, flat, type Position } from "../position.ts";
import type { LedgerEntry } from "./ledger-entry.ts";

/** One contract's results on one day of the account. */
export interface ContractDay {
  /** Ticks × contracts won, or negative lost, by what was closed. */
  readonly realizedTicks: number;
  /** By currency, exact decimals, positive for what was paid, as far as the broker has said it. */
  readonly fees: Readonly<Record<string, string>>;
  /** Contracts traded of which the broker has not said what they cost. */
  readonly unfeedQty: number;
  /** Something of it was counted at a price that nobody told. */
  readonly isEstimated: boolean;
  /** What ticks are counted in, where the contract is not of our table. */
  readonly terms?: BrokerTerms;
}

/** What is held of one contract. */
export interface BookPosition {
  readonly position: Position;
  /** What prices are counted in, where the contract is not of our table. */
  readonly terms?: BrokerTerms | undefined;
  /** Some of it is of an estimated price, until it was flat. */
  readonly isEstimated: boolean;
  /** Some of it is of no price at all, until it was flat. */
  readonly isUnpriced: boolean;
  /** Ticks × contracts won by what was closed of it since it was opened from flat. */
  readonly tripTicks?: number;
}

/** How often an account has traded on one of its days. */
export interface DayTally {
  /** Fills. */
  readonly executions: number;
  /** Positions that were opened from flat, or by turning one around. */
  readonly trades: number;
  /** Round trips at a loss, fees left out, since the last one that won something. */
  readonly lossesInRow: number;
}

/**
 * What an account's ledger adds up to. Plain data: it is kept as JSON, and goes on from there with the
 * lines that came since.
 */
export interface AccountBook {
  /** Flat contracts are left out. */
  readonly positions: Readonly<Record<ContractCode, BookPosition>>;
  /** The newest days (ISO) that something was traded on, by contract. */
  readonly days: Readonly<Record<string, Readonly<Record<ContractCode, ContractDay>>>>;
  /** The newest days (ISO); absent in a book of before, until the next fill. */
  readonly tallies?: Readonly<Record<string, DayTally>>;
  /** When the newest of its fills was, Unix ms; absent before the first one since it is kept. */
  readonly filledAt?: number;
}

export const EMPTY_BOOK: AccountBook = { positions: {}, days: {} };

/** Days with their figures; older ones are read from the lines themselves. */
const DAYS_KEPT = 8;

const NOTHING_YET: ContractDay = { realizedTicks: 0, fees: {}, unfeedQty: 0, isEstimated: false };

/** The day (ISO) of the account that an instant belongs to, whatever was traded then. */
export type DayOf = (at: number) => string;

/**
 * The book after one more line. Fills close the oldest lot first, in the order of the lines: as they
 * became known. A profit counts on the day of the fill that made it, by the time of that fill.
 */
export function addEntry(book: AccountBook, entry: LedgerEntry, dayOf: DayOf): AccountBook {
  switch (entry.kind) {
    case "fill":
      return addFill(book, entry.fill, dayOf);
    case "fee":
      return addFee(book, entry, dayOf);
    case "correction":
      return addCorrection(book, entry, dayOf);
    case "lot":
      return addLot(book, entry, dayOf);
  }
}

function addFill(book: AccountBook, fill: Fill, dayOf: DayOf): AccountBook {
  const { contract, lastQty, fee, terms } = fill;
  const held = book.positions[contract];
  const before = held?.position ?? flat(contract);
  const position = applyFill(before, fill);
  const closes = before.netQty * sign(fill.side) < 0;
  const isUnpriced = closes && held?.isUnpriced === true;
  // What was never priced has won nothing that anybody knows.
  const won = isUnpriced ? 0 : position.realizedTicks - before.realizedTicks;
  const isEstimated = isUnpriced || (closes && held?.isEstimated === true);
  // Turned around: nothing is left of what was of no certain price.
  const isTurned = before.netQty * position.netQty < 0;
  const doubt = isTurned ? CERTAIN : (held ?? CERTAIN);
  const { isEstimated: isOpenEstimated, isUnpriced: isOpenUnpriced } = doubt;
  const isOpened = before.netQty === 0 || isTurned;
  const trip = (held?.tripTicks ?? 0) + won;
  const changed = hold(book, position, {
    isEstimated: isOpenEstimated,
    isUnpriced: isOpenUnpriced,
    terms: terms ?? held?.terms,
    tripTicks: isOpened ? 0 : trip,
  });
  const date = dayOf(fill.transactTimeAt);
  const isClosed = before.netQty !== 0 && (position.netQty === 0 || isTurned);
  const filledAt = Math.max(book.filledAt ?? 0, fill.transactTimeAt);
  const counted = withTally({ ...changed, filledAt }, date, {
    isOpened,
    trip: isClosed ? trip : undefined,
  });
  return withDay(counted, date, contract, (day) => ({
    ...day,
    realizedTicks: day.realizedTicks + won,
    ...(fee === undefined
      ? { unfeedQty: day.unfeedQty + lastQty }
      : { fees: plus(day.fees, fill.feeCurrency ?? "", fee) }),
    isEstimated: day.isEstimated || isEstimated,
    ...(terms !== undefined && { terms }),
  }));
}

/**
 * A correction of a fill whose own line is out of reach. The total that was won or lost is exact: the fill
 * is undone at its own price, on its own day. How much of that was closed is not, so the day says
 * `isEstimated`; how often was traded stays.
 */
function addCorrection(
  book: AccountBook,
  { fill, former }: Extract<LedgerEntry, { kind: "correction" }>,
  dayOf: DayOf,
): AccountBook {
  if (former === undefined || former.takenBack === true) return book;
  const { fee, feeCurrency = "", ...undo } = { ...former, side: opposite(former.side) };
  const { contract, lastQty } = former;
  const date = dayOf(former.transactTimeAt);
  const unfed = lastQty + (fee === undefined ? lastQty : 0);
  const undone = withDay(addFill(book, undo, dayOf), date, contract, (day) => ({
    ...day,
    isEstimated: true,
    unfeedQty: Math.max(0, day.unfeedQty - unfed),
    ...(fee !== undefined && { fees: plus(day.fees, feeCurrency, negated(fee)) }),
  }));
  const corrected = fill.takenBack === true ? undone : addFill(undone, fill, dayOf);
  const { tallies: _, ...sums } = corrected;
  return { ...sums, ...(book.tallies !== undefined && { tallies: book.tallies }) };
}

function addFee(
  book: AccountBook,
  { fill, former }: Extract<LedgerEntry, { kind: "fee" }>,
  dayOf: DayOf,
): AccountBook {
  const { contract, lastQty, fee, feeCurrency = "" } = fill;
  if (fee === undefined) return book;
  const date = dayOf(fill.transactTimeAt);
  // What is not in the book any more, or was traded before there was one, is in no figure of it.
  const day = book.days[date]?.[contract];
  if (day === undefined) return book;
  if (former !== undefined) {
    const fees = plus(day.fees, former.currency ?? "", negated(former.amount));
    return withDay(book, date, contract, (one) => ({ ...one, fees: plus(fees, feeCurrency, fee) }));
  }
  if (day.unfeedQty < lastQty) return book;
  return withDay(book, date, contract, (one) => ({
    ...one,
    fees: plus(one.fees, feeCurrency, fee),
    unfeedQty: one.unfeedQty - lastQty,
  }));
}

/** What made the position smaller won nothing that is known, and is taken as closed at its own price. */
function addLot(
  book: AccountBook,
  { contract, netQty, avgPx, terms, at }: Extract<LedgerEntry, { kind: "lot" }>,
  dayOf: DayOf,
): AccountBook {
  if (netQty === 0) return book;
  const held = book.positions[contract];
  const before = held?.position ?? flat(contract);
  const closing = Math.min(
    Math.abs(netQty),
    Math.sign(netQty) === -Math.sign(before.netQty) ? Math.abs(before.netQty) : 0,
  );
  const side = netQty > 0 ? "BUY" : "SELL";
  let position = before;
  for (const { qty, px } of firstLots(before, closing)) {
    position = applyFill(position, { side, lastQty: qty, lastPx: px });
  }
  const opening = Math.abs(netQty) - closing;
  for (const { qty, px } of lotsAt(opening, avgPx)) {
    position = applyFill(position, { side, lastQty: qty, lastPx: px });
  }
  const isLeft = before.netQty * position.netQty > 0;
  const isUnpriced = (opening > 0 && avgPx === undefined) || (isLeft && held?.isUnpriced === true);
  const trip = held?.tripTicks ?? 0;
  const doubt = { isEstimated: true, isUnpriced, tripTicks: isLeft ? trip : 0 };
  const changed = hold(book, position, { ...doubt, terms: terms ?? held?.terms });
  if (closing === 0) return changed;
  return withDay(changed, dayOf(at), contract, (day) => ({ ...day, isEstimated: true }));
}

/** The lots that so many contracts close. */
function firstLots({ lots }: Position, qty: number): readonly { qty: number; px: Ticks }[] {
  let left = qty;
  return lots.flatMap((lot) => {
    const taken = Math.min(lot.qty, left);
    left -= taken;
    return taken > 0 ? [{ qty: taken, px: lot.px }] : [];
  });
}

/** Lots at whole ticks whose sum is the average's, to the nearest tick; at 0 where there is none. */
function lotsAt(qty: number, average: AveragePrice | undefined) {
  if (qty === 0) return [];
  const { numerator = 0, denominator = 1 } = average ?? {};
  const sum = Math.round((numerator * qty) / denominator);
  const low = Math.floor(sum / qty);
  const above = sum - low * qty;
  const lots = [
    { qty: qty - above, px: ticks(low) },
    { qty: above, px: ticks(low + 1) },
  ];
  return lots.filter((lot) => lot.qty > 0);
}

type Doubt = Pick<BookPosition, "isEstimated" | "isUnpriced" | "tripTicks">;

const CERTAIN: Doubt = { isEstimated: false, isUnpriced: false };

function hold(
  book: AccountBook,
  position: Position,
  { terms, ...doubt }: Doubt & Pick<BookPosition, "terms">,
): AccountBook {
  const { contract, netQty } = position;
  const { [contract]: _, ...others } = book.positions;
  if (netQty === 0) return { ...book, positions: others as AccountBook["positions"] };
  // What was won is told by the days.
  const kept: BookPosition = { position: { ...position, realizedTicks: 0 }, ...doubt };
  const told = terms === undefined ? kept : { ...kept, terms };
  return { ...book, positions: { ...book.positions, [contract]: told } };
}

const NO_TALLY: DayTally = { executions: 0, trades: 0, lossesInRow: 0 };

/** After one fill, with what its round trip has won where it ended one. */
function withTally(
  book: AccountBook,
  date: string,
  { isOpened, trip }: { readonly isOpened: boolean; readonly trip: number | undefined },
): AccountBook {
  const { executions, trades, lossesInRow } = book.tallies?.[date] ?? NO_TALLY;
  const lost = trip !== undefined && trip < 0 ? lossesInRow + 1 : lossesInRow;
  const tally: DayTally = {
    executions: executions + 1,
    trades: trades + Number(isOpened),
    lossesInRow: trip !== undefined && trip > 0 ? 0 : lost,
  };
  return { ...book, tallies: withNewest(book.tallies ?? {}, date, tally) };
}

function withDay(
  book: AccountBook,
  date: string,
  contract: ContractCode,
  change: (day: ContractDay) => ContractDay,
): AccountBook {
  const of = book.days[date];
  const changed = { ...of, [contract]: change(of?.[contract] ?? NOTHING_YET) };
  return { ...book, days: withNewest(book.days, date, changed as NonNullable<typeof of>) };
}

/** With this of the day in it, as far as that is among the newest that are kept. */
function withNewest<Of>(
  all: Readonly<Record<string, Of>>,
  date: string,
  of: Of,
): Readonly<Record<string, Of>> {
  // ISO dates compare as text.
  const kept = Object.entries({ ...all, [date]: of }).sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return Object.fromEntries(kept.slice(-DAYS_KEPT));
}

function plus(
  sums: Readonly<Record<string, string>>,
  currency: string,
  amount: string,
): Readonly<Record<string, string>> {
  return { ...sums, [currency]: addDecimals(sums[currency] ?? "0", amount) };
}

const negated = (amount: string): string => formatScaled(negatedOf(readAmount(amount)));

const addDecimals = (one: string, other: string): string =>
  formatScaled(sumOf(readAmount(one), readAmount(other)));

/** As many as a decimal that is read again may have. */
const MOST_PLACES = 12;

/**
 * What is no decimal counts as nothing, and places beyond those that a sum can have are left out: a
 * broker's odd word must not spoil every other figure.
 */
function readAmount(amount: string): Scaled {
  const told = parseDecimal(amount) ?? NOTHING;
  const over = told.scale - MOST_PLACES;
  return over <= 0 ? told : { units: told.units / 10n ** BigInt(over), scale: MOST_PLACES };
}
