import type { DayClocks } from "../../domain/calendar/account-day.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { Restriction } from "../../domain/guards/schedule-rule.ts";
import type { AccountBook } from "../../domain/ledger/account-book.ts";
import type { OrderReport } from "../../domain/order.ts";
import type { BrokerBalance, BrokerGuards } from "../money/ports.ts";
import type { Quote } from "../../domain/quote.ts";
import type { Closing } from "./close-account.ts";
import type { GuardedAccount, GuardMemory } from "./guarded-account.ts";
import type { Heard } from "./read-facts.ts";
import { type CalendarsByName, isSchedule, type Schedules } from "./schedules.ts";

/** What this process knows of a guarded account that it owns. */
export interface Kept {
  readonly account: GuardedAccount;
  readonly epoch: number;
  book: AccountBook | undefined;
  working: readonly OrderReport[] | undefined;
  balances: readonly BrokerBalance[];
  brokerGuards: BrokerGuards | undefined;
  others: Heard["others"];
  /** Undefined while they cannot be read. */
  calendars: CalendarsByName | undefined;
  /** How often something was reported, and how often it had been when all of that was read. */
  reported: number;
  readUpTo: number;
  /** The account was judged by what had been reported until then. */
  judgedUpTo: number;
  /** All that had been reported at the last reading was stored. */
  areStored: boolean;
  reading: Promise<void> | undefined;
  /** Others have changed what is stored of it: it is read again. */
  isOutdated: boolean;
  /** When book and working orders were read, by a steady clock, ms. */
  readAt: number;
  isQueued: boolean;
  /** When it was judged last before it was read, Unix ms; 0 where it never was. */
  readonly judgedUntil: number;
  /** What was missed while nobody looked, as it was found once, and is not closed yet. */
  missed: readonly Closing[] | undefined;
  closings: readonly Closing[];
  readonly told: Set<string>;
  writing: Promise<void> | undefined;
}

/** What goes on where an account is read again. */
export interface KeptMemory extends GuardMemory {
  readonly missed: readonly Closing[] | undefined;
  readonly told: Kept["told"];
}

/** Who brings accounts to where they are to be; undefined where nobody here knows that any more. */
export type FollowClosings = (account: AccountId, closings: readonly Closing[] | undefined) => void;

/** As it is before anything but what is stored of it was read. */
export const newKept = (
  account: GuardedAccount,
  {
    epoch,
    balances,
    judgedAt = 0,
    missed,
    told,
  }: Pick<Kept, "epoch" | "balances" | "missed" | "told"> & {
    /** When this process judged it last, Unix ms. */
    readonly judgedAt: number | undefined;
  },
): Kept => ({
  account,
  epoch,
  book: undefined,
  working: undefined,
  balances,
  brokerGuards: undefined,
  others: new Map(),
  calendars: undefined,
  reported: 1,
  readUpTo: 0,
  judgedUpTo: 0,
  areStored: true,
  reading: undefined,
  isOutdated: false,
  readAt: -Infinity,
  isQueued: false,
  judgedUntil: Math.max(account.stored.state?.judgedAt ?? 0, judgedAt),
  missed,
  closings: [],
  told,
  writing: undefined,
});

/** Something was reported that was not read since. */
export const isBehind = ({ reported, readUpTo }: Pick<Kept, "reported" | "readUpTo">): boolean =>
  readUpTo < reported;

/** Something was reported that the account was not judged by. */
export const isUnjudged = ({ account, reported, judgedUpTo }: Kept): boolean =>
  account.facts === undefined || judgedUpTo < reported;

/** Nothing is held and nothing works: only a report can change that. */
export const isResting = ({ book, working }: Kept): boolean =>
  book !== undefined && Object.keys(book.positions).length === 0 && working?.length === 0;

export const heardOf = (
  { working, balances, brokerGuards, others }: Kept,
  clocks: DayClocks,
  quote: (contract: ContractCode) => Quote | undefined,
): Heard => ({ clocks, quote, working, balances, brokerGuards, others });

/** The next time at which each schedule forbids something, by rule. */
export function upcomingOf(
  { account: { stored, facts }, calendars }: Kept,
  schedules: Schedules,
): Record<string, Restriction> {
  const found = stored.settings.rules.flatMap((rule) => {
    if (!isSchedule(rule)) return [];
    const next = facts && calendars && schedules.next(calendars, rule, facts.now);
    return next === undefined ? [] : [[rule.id, next] as const];
  });
  return Object.fromEntries(found);
}
