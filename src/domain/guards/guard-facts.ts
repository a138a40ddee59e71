import type { AccountId } from "../ids.ts";
import type { Minor } from "../money.ts";

/** What a trading day has brought by what was closed, less fees. */
export interface DayNet {
  /** ISO. */
  readonly day: string;
  readonly net: Minor;
}

/** What the broker says of the same account and trading day. */
export interface BrokerFigures {
  /** When it said so, Unix ms by our clock. */
  readonly at: number;
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
  readonly today: Minor;
  readonly week: Minor;
  /** Undefined while a price is missing. */
  readonly open: Minor | undefined;
  /** Of the oldest price, Unix ms; undefined where nothing is open. */
  readonly pricedAt: number | undefined;
}

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
  /** The same once every resting stop has been hit; undefined where it is not known. */
  readonly atStops: Minor | undefined;
  /** When the oldest price was heard, Unix ms; undefined where nothing is open or none was heard. */
  readonly pricedAt: number | undefined;
  /** Why none of it can be relied on, in words. */
  readonly doubt?: string;
  readonly broker?: BrokerFigures;
  readonly trades: number;
  readonly executions: number;
  readonly lossesInRow: number;
  /** Signed contracts held, by root. */
  readonly held: ReadonlyMap<string, number>;
  readonly others: ReadonlyMap<AccountId, OtherFigures>;
}
