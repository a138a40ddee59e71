import type { AccountId } from "../ids.ts";
import type { Minor } from "../money.ts";

/** Something that is in no figure: nothing says what it is worth in the guards' currency. */
export interface Uncounted {
  /** In words, the same for as long as it is so. */
  readonly why: string;
  /** Won or lost by it, in its own currency; absent where that is not known either. */
  readonly amount?: string;
}

/** The result of a trading day by what was closed, less fees, as far as that can be counted. */
export interface DayNet {
  /** ISO. */
  readonly day: string;
  readonly net: Minor;
  readonly uncounted?: Uncounted;
}

/** The broker's word on the same account and trading day; each part only where it says that. */
export interface BrokerFigures {
  /** When it said so, Unix ms by our clock. */
  readonly at: number;
  /** It was said before the last fill, or right after it: that fill may be missing in it. */
  readonly mayLackFills?: true;
  /** Closed on the day, less fees. */
  readonly closed?: Minor;
  readonly open?: Minor;
  /** What the account is worth, open positions included. */
  readonly worth?: Minor;
  /** What it lets the account lose on the day, and in the week, until it liquidates. */
  readonly dailyLoss?: Minor;
  readonly weeklyLoss?: Minor;
  /** Where its drawdown's floor stands. */
  readonly floor?: Minor;
}

/** Of another account whose figures are added. */
export interface OtherFigures {
  /** The account at its broker: two logins may reach one, and it counts once. */
  readonly identity: string;
  /** Its days, or its week, begin at another time: figures of other hours are never added. */
  readonly areOtherDays?: true;
  /** Absent where something of the day, or of the week, cannot be counted. */
  readonly today: Minor | undefined;
  readonly week: Minor | undefined;
  /** Undefined while a price is missing, or something cannot be counted. */
  readonly open: Minor | undefined;
  /** Of the oldest price, Unix ms; undefined where nothing is open. */
  readonly pricedAt: number | undefined;
}

/** The accounts that rules name; `itself` is the judged account, by its own id or another login. */
export type OtherAccounts = ReadonlyMap<AccountId, OtherFigures | "itself">;

/** What is known of an account at an instant. Amounts are in the currency of its guards. */
export interface GuardFacts {
  readonly now: number;
  /** ISO. */
  readonly tradingDay: string;
  readonly dayEndsAt: number;
  /** The first trading day (ISO) of its week, and when that ends, Unix ms. */
  readonly weekBegan: string;
  readonly weekEndsAt: number;
  /** Oldest first; one without trades may be missing. */
  readonly days: readonly DayNet[];
  /** Of days before this one (ISO) some may be missing although something was traded. */
  readonly daysSince: string;
  /** Something is held. */
  readonly isOpen: boolean;
  /** What is open has won or lost; 0 where nothing is, undefined while a price is missing. */
  readonly open: Minor | undefined;
  /** Open positions that are in none of these figures. */
  readonly openUncounted?: Uncounted;
  /** `open` once every resting stop has been hit; undefined where it is not known. */
  readonly atStops: Minor | undefined;
  /** When the oldest price of `open` was heard, Unix ms; undefined where there is none. */
  readonly pricedAt: number | undefined;
  /** Why none of it can be relied on, in words. */
  readonly doubt?: string;
  readonly broker?: BrokerFigures;
  readonly trades: number;
  readonly executions: number;
  readonly lossesInRow: number;
  /** Signed contracts held, by root. */
  readonly held: ReadonlyMap<string, number>;
  readonly others: OtherAccounts;
}
