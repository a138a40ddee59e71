import { addDays, isoDate, weekdayOf } from "../../domain/calendar/civil-day.ts";
import type { TradingDay, TradingDayAt } from "../../domain/calendar/trading-day.ts";
import { type ContractCode, rootOfCode } from "../../domain/contracts/contract.ts";
import type {
  BrokerFigures,
  DayNet,
  GuardFacts,
  OtherFigures,
} from "../../domain/guards/guard-facts.ts";
import type { GuardSettings } from "../../domain/guards/rule.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { AccountBook } from "../../domain/ledger/account-book.ts";
import { type Minor, minor } from "../../domain/money.ts";
import { type OrderReport, sign } from "../../domain/order.ts";
import type { Quote } from "../../domain/quote.ts";
import type { BrokerBalance, BrokerGuards } from "../money/ports.ts";
import { type OwnFigures, valueAccount, type ValuationDeps } from "../money/value-account.ts";

export interface FactsDeps extends Omit<ValuationDeps, "quote" | "today"> {
  readonly tradingDayAt: TradingDayAt;
  readonly now: () => number;
}

/** What an owner knows of an account beside its ledger. */
export interface Heard {
  readonly quote: (contract: ContractCode) => Quote | undefined;
  /** All that works for it; undefined where that is not known. */
  readonly working: readonly OrderReport[] | undefined;
  readonly balances: readonly BrokerBalance[];
  readonly brokerGuards: BrokerGuards | undefined;
  readonly others: ReadonlyMap<AccountId, OtherFigures>;
}

export type ReadFacts = (
  book: AccountBook,
  settings: Pick<GuardSettings, "currency">,
  heard: Heard,
) => GuardFacts;

/** Of each day of a book, in one currency; remembered, since a book changes only with a new line. */
interface BookDays {
  readonly days: readonly DayNet[];
  /** Why they cannot be relied on, in words. */
  readonly doubt?: string;
}

/** As many as a book keeps. */
const DAYS_KEPT = 8;

/**
 * What is known of an account now, in the currency of its guards: by its ledger and the newest prices,
 * and by its broker's word beside it. Cheap enough for every quote.
 */
export function createReadFacts(deps: FactsDeps): ReadFacts {
  const known = new WeakMap<AccountBook, Map<string, BookDays>>();
  const weekAt = createWeeks(deps.tradingDayAt);

  return function readFacts(book, settings, heard) {
    const now = deps.now();
    const today = deps.tradingDayAt(now);
    const tradingDay = isoDate(today.day);
    const { days, doubt } = daysIn(book, settings.currency);
    const own = openOf(book, settings.currency, heard.quote);
    const tally = book.tallies?.[tradingDay];
    const { quote, working } = heard;
    const stops = stopsByContract(book, working);
    const atStops =
      stops.size === 0
        ? own.open
        : openOf(book, settings.currency, (code) => stops.get(code) ?? quote(code)).open;
    const broker = brokerFigures(heard, settings.currency, today, tradingDay);
    const firstKept = days[0]?.day;
    const unsure = doubt ?? own.doubt;
    return {
      now,
      tradingDay,
      dayEndsAt: today.endsAt,
      ...weekAt(today),
      days,
      daysSince: days.length < DAYS_KEPT || firstKept === undefined ? "" : firstKept,
      isOpen: own.isOpen,
      open: own.open,
      atStops: working === undefined ? undefined : atStops,
      pricedAt: own.pricedAt,
      ...(unsure !== undefined && { doubt: unsure }),
      ...(broker !== undefined && { broker }),
      trades: tally?.trades ?? 0,
      executions: tally?.executions ?? 0,
      lossesInRow: tally?.lossesInRow ?? 0,
      held: heldByRoot(book),
      others: heard.others,
    };
  };

  function daysIn(book: AccountBook, currency: string): BookDays {
    const byCurrency = known.get(book) ?? new Map<string, BookDays>();
    known.set(book, byCurrency);
    const found = byCurrency.get(currency) ?? dayNets(book, currency, deps);
    byCurrency.set(currency, found);
    return found;
  }

  function openOf(book: AccountBook, currency: string, quote: Heard["quote"]) {
    const isOpen = Object.keys(book.positions).length > 0;
    if (!isOpen) return { isOpen, open: minor(0), pricedAt: undefined, doubt: undefined };
    const { figures } = valueAccount(book, { ...deps, quote, today: () => "" });
    const { open, doubt } = sumOpen(figures, currency);
    const pricedAt = figures.find((one) => one.currency === currency)?.pricedAt;
    return { isOpen, open, pricedAt, doubt };
  }
}

/** What other accounts of the same user have brought, for rules that add them up. */
export function othersFrom(
  facts: Pick<GuardFacts, "days" | "tradingDay" | "weekBegan" | "open" | "pricedAt" | "doubt">,
): OtherFigures | undefined {
  if (facts.doubt !== undefined) return undefined;
  const sum = (from: string) =>
    minor(
      facts.days
        .filter(({ day }) => day >= from && day <= facts.tradingDay)
        .reduce((all, { net }) => all + net, 0),
    );
  const { open, pricedAt } = facts;
  return { today: sum(facts.tradingDay), week: sum(facts.weekBegan), open, pricedAt };
}

function dayNets(book: AccountBook, currency: string, deps: FactsDeps): BookDays {
  const days: DayNet[] = [];
  let doubt: string | undefined;
  for (const day of Object.keys(book.days)) {
    const quote = () => undefined;
    const { figures } = valueAccount(book, { ...deps, quote, today: () => day });
    for (const one of figures) {
      if (one.currency === currency) {
        if (one.realizedPnl === undefined || one.fees === undefined) doubt ??= WORTH_UNKNOWN;
        else days.push({ day, net: minor(one.realizedPnl - one.fees) });
      } else if (hasMoved(one)) doubt ??= otherCurrency(one.currency, currency);
    }
  }
  return { days, ...(doubt !== undefined && { doubt }) };
}

const hasMoved = ({ realizedPnl, fees, unpriced, openPnl }: OwnFigures): boolean =>
  realizedPnl !== 0 || fees !== 0 || unpriced.length > 0 || (openPnl ?? 0) !== 0;

function sumOpen(figures: readonly OwnFigures[], currency: string) {
  const other = figures.find((one) => one.currency !== currency && hasOpen(one));
  if (other !== undefined) {
    return { open: undefined, doubt: otherCurrency(other.currency, currency) };
  }
  return { open: figures.find((one) => one.currency === currency)?.openPnl, doubt: undefined };
}

const hasOpen = ({ unpriced, pricedAt }: OwnFigures): boolean =>
  unpriced.length > 0 || pricedAt !== undefined;

const WORTH_UNKNOWN = "Nobody tells what some of the contracts that were traded are worth";
const otherCurrency = (theirs: string, own: string): string =>
  `The account trades in ${theirs === "" ? "an unknown currency" : theirs} too, and its guards count in ${own}: no rate between them is known`;

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
  return last === undefined ? undefined : { last, heardAt: 0 };
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

function brokerFigures(
  { balances, brokerGuards }: Heard,
  currency: string,
  today: TradingDay,
  tradingDay: string,
): BrokerFigures | undefined {
  const said = balances.find((one) => one.currency === currency);
  const limits = brokerGuards?.currency === currency ? limitsOf(brokerGuards) : {};
  if (said === undefined) {
    return Object.keys(limits).length === 0 ? undefined : { at: 0, ...limits };
  }
  // Right after a day has begun a broker may still speak of the one before.
  const isToday =
    said.tradingDay === undefined ? said.at >= today.beganAt : said.tradingDay === tradingDay;
  const { realizedPnl, openPnl, fees, netLiquidation } = said;
  const closed =
    isToday && realizedPnl !== undefined && fees !== undefined
      ? minor(realizedPnl - fees)
      : undefined;
  return {
    at: said.at,
    ...(closed !== undefined && { closed }),
    ...(openPnl !== undefined && { open: openPnl }),
    ...(netLiquidation !== undefined && { worth: netLiquidation }),
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

/** Remembers the week of the trading day that it is: each look asks for it. */
function createWeeks(tradingDayAt: TradingDayAt) {
  let last: { readonly today: TradingDay; readonly week: ReturnType<typeof weekOf> } | undefined;
  return (today: TradingDay) => {
    const isSame = last?.today.day === today.day && last.today.endsAt === today.endsAt;
    if (last === undefined || !isSame) last = { today, week: weekOf(today, tradingDayAt) };
    return last.week;
  };
}

/** The week of a trading day: from the Monday that it belongs to. */
function weekOf(today: TradingDay, tradingDayAt: TradingDayAt) {
  const monday = addDays(today.day, 1 - weekdayOf(today.day));
  const next = addDays(monday, 7);
  let last = today;
  for (;;) {
    const following = tradingDayAt(last.endsAt);
    if (following.day >= next) break;
    last = following;
  }
  return { weekBegan: isoDate(monday), weekEndsAt: last.endsAt };
}

function heldByRoot({ positions }: AccountBook): ReadonlyMap<string, number> {
  const held = new Map<string, number>();
  for (const [code, { position }] of Object.entries(positions)) {
    const root = rootOfCode(code as ContractCode);
    // Months of one root are added without their signs: neither closes the other.
    held.set(root, (held.get(root) ?? 0) + Math.abs(position.netQty));
  }
  return held;
}
