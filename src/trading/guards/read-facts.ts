import {
  type AccountDay,
  accountDayAt,
  accountWeekOf,
  type DayClocks,
  dayOfBroker,
  nameOf,
} from "../../domain/calendar/account-day.ts";
import { isoDate } from "../../domain/calendar/civil-day.ts";
import { type ContractCode, rootOfCode } from "../../domain/contracts/contract.ts";
import { noRate } from "../../domain/guards/countable.ts";
import type {
  BrokerFigures,
  DayNet,
  GuardFacts,
  OtherAccounts,
  OtherFigures,
  Uncounted,
} from "../../domain/guards/guard-facts.ts";
import type { GuardSettings } from "../../domain/guards/rule.ts";
import type { AccountBook } from "../../domain/ledger/account-book.ts";
import { uncountedSince } from "../../domain/guards/roll-day.ts";
import { formatMinor, type Minor, minor } from "../../domain/money.ts";
import { type OrderReport, sign } from "../../domain/order.ts";
import type { Quote } from "../../domain/quote.ts";
import { worthSaid } from "../money/account-worth.ts";
import type { BrokerBalance, BrokerGuards } from "../money/ports.ts";
import { type OwnFigures, valueAccount, type ValuationDeps } from "../money/value-account.ts";

export interface FactsDeps extends Omit<ValuationDeps, "quote" | "day"> {
  readonly now: () => number;
}

/** What an owner knows of an account beside its ledger. */
export interface Heard {
  /** By which the account's days begin. */
  readonly clocks: DayClocks;
  readonly quote: (contract: ContractCode) => Quote | undefined;
  /** All that works for it; undefined where that is not known. */
  readonly working: readonly OrderReport[] | undefined;
  readonly balances: readonly BrokerBalance[];
  readonly brokerGuards: BrokerGuards | undefined;
  readonly others: OtherAccounts;
}

export type ReadFacts = (
  book: AccountBook,
  settings: Pick<GuardSettings, "currency">,
  heard: Heard,
) => GuardFacts;

/** A day of a book, in the currency of the guards. */
interface BookDay extends DayNet {
  readonly fees: Minor;
}

/** As many as a book keeps. */
const DAYS_KEPT = 8;

/**
 * What is known of an account now, in the currency of its guards: by its ledger and the newest prices,
 * and by its broker's word beside it. Cheap enough for every quote.
 */
export function createReadFacts(deps: FactsDeps): ReadFacts {
  // A book changes only with a new line.
  const known = new WeakMap<AccountBook, Map<string, readonly BookDay[]>>();
  const weekAt = createWeeks();

  return function readFacts(book, settings, heard) {
    const now = deps.now();
    const today = accountDayAt(heard.clocks, now);
    const tradingDay = nameOf(today);
    const days = daysIn(book, settings.currency);
    const own = openOf(book, settings.currency, heard.quote);
    const tally = book.tallies?.[tradingDay];
    const { quote, working } = heard;
    const stops = stopsByContract(book, working);
    const atStops =
      stops.size === 0
        ? own.open
        : openOf(book, settings.currency, (code) => stops.get(code) ?? quote(code)).open;
    const broker = brokerFigures(heard, settings.currency, {
      today,
      fees: days.find(({ day }) => day === tradingDay)?.fees ?? minor(0),
      isFlat: !own.isOpen,
      filledAt: book.filledAt ?? 0,
    });
    const firstKept = days[0]?.day;
    return {
      now,
      tradingDay,
      dayEndsAt: today.endsAt,
      ...weekAt(heard.clocks, today),
      days,
      daysSince: days.length < DAYS_KEPT || firstKept === undefined ? "" : firstKept,
      isOpen: own.isOpen,
      open: own.open,
      ...(own.uncounted !== undefined && { openUncounted: own.uncounted }),
      atStops: working === undefined ? undefined : atStops,
      pricedAt: own.pricedAt,
      ...(broker !== undefined && { broker }),
      trades: tally?.trades ?? 0,
      executions: tally?.executions ?? 0,
      lossesInRow: tally?.lossesInRow ?? 0,
      held: heldByRoot(book),
      others: heard.others,
    };
  };

  function daysIn(book: AccountBook, currency: string): readonly BookDay[] {
    const byCurrency = known.get(book) ?? new Map<string, readonly BookDay[]>();
    known.set(book, byCurrency);
    const found = byCurrency.get(currency) ?? dayNets(book, currency, deps);
    byCurrency.set(currency, found);
    return found;
  }

  function openOf(book: AccountBook, currency: string, quote: Heard["quote"]) {
    const isOpen = Object.keys(book.positions).length > 0;
    if (!isOpen) return { isOpen, open: minor(0), pricedAt: undefined, uncounted: undefined };
    const { figures } = valueAccount(book, { ...deps, quote, day: "" });
    const own = figures.find((one) => one.currency === currency);
    const other = figures.find((one) => one.currency !== currency && hasOpen(one));
    const open = own === undefined ? minor(0) : own.openPnl;
    const uncounted = other && uncountedIn("An open position", other, other.openPnl, currency);
    return { isOpen, open, pricedAt: own?.pricedAt, uncounted };
  }
}

/** What other accounts of the same user have brought, for rules that add them up. */
export function othersFrom(facts: GuardFacts): Omit<OtherFigures, "identity" | "areOtherDays"> {
  const sum = (from: string) =>
    uncountedSince(facts, from) === undefined
      ? minor(
          facts.days
            .filter(({ day }) => day >= from && day <= facts.tradingDay)
            .reduce((all, { net }) => all + net, 0),
        )
      : undefined;
  const { openUncounted, pricedAt } = facts;
  const open = openUncounted === undefined ? facts.open : undefined;
  return { today: sum(facts.tradingDay), week: sum(facts.weekBegan), open, pricedAt };
}

/** Each day says for itself what of it cannot be counted: it keeps no other day from being judged. */
function dayNets(book: AccountBook, currency: string, deps: FactsDeps): readonly BookDay[] {
  return Object.keys(book.days).map((day) => {
    const quote = () => undefined;
    const { figures } = valueAccount(book, { ...deps, quote, day });
    const own = figures.find((one) => one.currency === currency);
    const left = figures.find((one) =>
      one.currency === currency ? !isClosedKnown(one) : hasClosed(one),
    );
    const won = left && isClosedKnown(left) ? left.closed : undefined;
    const uncounted = left && uncountedIn(`Trading day ${day}`, left, won, currency);
    const [net = minor(0), fees = minor(0)] = [own?.closed, own?.fees];
    return { day, net, fees, ...(uncounted !== undefined && { uncounted }) };
  });
}

const isClosedKnown = ({ realizedPnl, fees, closed }: OwnFigures): boolean =>
  realizedPnl !== undefined && fees !== undefined && closed !== undefined;

const hasClosed = ({ realizedPnl, fees }: OwnFigures): boolean => realizedPnl !== 0 || fees !== 0;

const hasOpen = ({ unpriced, pricedAt }: OwnFigures): boolean =>
  unpriced.length > 0 || pricedAt !== undefined;

/** Figures in another currency than the guards', or of no known worth, in words. */
function uncountedIn(
  what: string,
  { currency }: OwnFigures,
  amount: Minor | undefined,
  guards: string,
): Uncounted {
  if (currency === guards || currency === "") {
    return { why: `${what} has no known worth in ${guards}` };
  }
  const why = noRate(what, currency, guards);
  if (amount === undefined) return { why };
  return { why, amount: `${formatMinor(amount, currency)} ${currency}` };
}

/** Of each position that stops cover, the price at which they close it. */
function stopsByContract(
  book: AccountBook,
  working: Heard["working"],
): ReadonlyMap<ContractCode, Quote> {
  const stops = new Map<ContractCode, Quote>();
  if (working === undefined || working.length === 0) return stops;
  for (const code of Object.keys(book.positions) as ContractCode[]) {
    const stop = stopOf(book, code, working);
    if (stop !== undefined) stops.set(code, stop);
  }
  return stops;
}

/**
 * The worst price at which stops close all of a position; undefined where they do not cover it, and
 * then its present price counts.
 */
function stopOf(
  { positions }: AccountBook,
  contract: ContractCode,
  working: readonly OrderReport[],
): Quote | undefined {
  const netQty = positions[contract]?.position.netQty ?? 0;
  if (netQty === 0) return undefined;
  const stops = stopsOf(contract, netQty, working);
  const covered = stops.reduce((qty, { leavesQty }) => qty + leavesQty, 0);
  if (covered < Math.abs(netQty)) return undefined;
  const levels = stops.flatMap(({ stopPx }) => (stopPx === undefined ? [] : [stopPx]));
  const worst = netQty > 0 ? Math.min(...levels) : Math.max(...levels);
  const last = levels.find((level) => level === worst);
  return last === undefined ? undefined : { last: { px: last, heardAt: 0 } };
}

/** The orders that close a position once the market goes against it. */
export function stopsOf(
  contract: ContractCode,
  netQty: number,
  working: readonly OrderReport[],
): readonly OrderReport[] {
  return working.filter(
    (order) =>
      order.contract === contract &&
      order.stopPx !== undefined &&
      sign(order.side) === -Math.sign(netQty) &&
      order.ordStatus !== "HELD" &&
      order.leavesQty > 0,
  );
}

/** Our own side of it: what the broker leaves out of its word. */
interface Beside {
  readonly today: AccountDay;
  /** Those of that day. */
  readonly fees: Minor;
  readonly isFlat: boolean;
  readonly filledAt: number;
}

/** A fill is in a broker's own figures only a while later, and its clock may differ from ours. */
const FILLS_COUNT_AFTER_MS = 10_000;

function brokerFigures(
  { clocks, balances, brokerGuards }: Heard,
  currency: string,
  { today, fees, isFlat, filledAt }: Beside,
): BrokerFigures | undefined {
  const said = balances.find((one) => one.currency === currency);
  const limits = brokerGuards?.currency === currency ? limitsOf(brokerGuards) : {};
  if (said === undefined) {
    return Object.keys(limits).length === 0 ? undefined : { at: 0, ...limits };
  }
  // Right after a day has begun a broker may still speak of the one before.
  const isToday = dayOfBroker(clocks, said)?.day === today.day;
  const { realizedPnl, openPnl } = said;
  const closed =
    isToday && realizedPnl !== undefined ? minor(realizedPnl - (said.fees ?? fees)) : undefined;
  const mayLackFills = said.at < filledAt + FILLS_COUNT_AFTER_MS;
  const worth = worthSaid(said, isFlat && !mayLackFills);
  return {
    at: said.at,
    ...(mayLackFills && { mayLackFills }),
    ...(closed !== undefined && { closed }),
    ...(openPnl !== undefined && { open: openPnl }),
    ...(worth !== undefined && { worth }),
    ...limits,
  };
}

function limitsOf({ rules }: BrokerGuards) {
  const strictest = (kind: "dailyLoss" | "weeklyLoss"): Minor | undefined => {
    const found = rules.flatMap((rule) =>
      rule.kind === kind && rule.grade !== "alert" && rule.limit !== undefined ? [rule.limit] : [],
    );
    return found.length === 0 ? undefined : minor(Math.min(...found));
  };
  const [dailyLoss, weeklyLoss] = [strictest("dailyLoss"), strictest("weeklyLoss")];
  const floor = rules.find(({ kind, floor: at }) => kind === "drawdown" && at !== undefined)?.floor;
  return {
    ...(dailyLoss !== undefined && { dailyLoss }),
    ...(weeklyLoss !== undefined && { weeklyLoss }),
    ...(floor !== undefined && { floor }),
  };
}

/** Remembers the week of the day that it is: each look asks for it. */
function createWeeks() {
  const known = new WeakMap<DayClocks, { readonly today: AccountDay; readonly week: Week }>();
  return (clocks: DayClocks, today: AccountDay): Week => {
    const last = known.get(clocks);
    if (last?.today.day === today.day && last.today.endsAt === today.endsAt) return last.week;
    const { monday, endsAt } = accountWeekOf(clocks, today);
    const week = { weekBegan: isoDate(monday), weekEndsAt: endsAt };
    known.set(clocks, { today, week });
    return week;
  };
}

type Week = Pick<GuardFacts, "weekBegan" | "weekEndsAt">;

function heldByRoot({ positions }: AccountBook): ReadonlyMap<string, number> {
  const held = new Map<string, number>();
  for (const [code, { position }] of Object.entries(positions)) {
    const root = rootOfCode(code as ContractCode);
    // Months of one root are added without their signs: neither closes the other.
    held.set(root, (held.get(root) ?? 0) + Math.abs(position.netQty));
  }
  return held;
}
