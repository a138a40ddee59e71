import type { EventImpact } from "./economic-calendar.ts";

/** What a rule forbids. `orders` includes entries; `positions` includes orders. */
export type Forbids = "entries" | "orders" | "positions";

export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type WeekdayName = (typeof WEEKDAYS)[number];

/** A time of day on the clocks of a rule's zone, as "HH:MM" or "HH:MM:SS". */
export type LocalTime = string;

/** Hours of one or several days. Where `to` is not after `from`, they run over midnight, and belong to the day on which they begin. */
export interface EntryWindow {
  readonly days: readonly WeekdayName[];
  readonly from: LocalTime;
  readonly to: LocalTime;
}

/** Entries only inside any of the windows. */
export interface WindowRule {
  readonly kind: "window";
  /** An IANA name. */
  readonly zone: string;
  readonly windows: readonly EntryWindow[];
}

/**
 * Flat by a time of day: on each of `days`, or every day. Where the market is closed at that time, it
 * is flat by the close before it. `roots` are matched exactly: ES does not mean MES.
 */
export interface FlatByRule {
  readonly kind: "flatBy";
  readonly zone: string;
  readonly time: LocalTime;
  readonly days?: readonly WeekdayName[];
  readonly roots?: readonly string[];
  /** Entries end so long before `time`; at most a day. */
  readonly entriesOffMinutes: number;
  /** Positions are closed so long before `time`; at most a day. */
  readonly flattenSeconds: number;
  /** In the same zone. Default: with the next session of the product, as its trading day begins. */
  readonly resumes?: LocalTime;
}

/**
 * Flat before the product's own close, early closes included, until its next session. `week`: only
 * before a weekend; `holiday`: only before a weekday on which it closes early or is closed.
 */
export interface FlatBeforeCloseRule {
  readonly kind: "flatBeforeClose";
  readonly before: "day" | "week" | "holiday";
  /** At most a day, both. */
  readonly seconds: number;
  readonly entriesOffMinutes: number;
  readonly roots?: readonly string[];
}

/** No position in a contract from the trading day on that is so many before its roll or its last one. */
export interface FlatBeforeRollRule {
  readonly kind: "flatBeforeRoll";
  readonly businessDays: number;
  readonly of: "roll" | "lastTrade";
}

/**
 * Around the events of a calendar that every given condition fits. What an event does not say (its
 * impact, its currency, its products) counts as fitting. A list that is empty fits nothing; currencies
 * are in capital letters.
 */
export interface NewsRule {
  readonly kind: "news";
  readonly calendar: string;
  /** Parts of the title, in any case. */
  readonly titles?: readonly string[];
  readonly impacts?: readonly EventImpact[];
  readonly currencies?: readonly string[];
  readonly roots?: readonly string[];
  readonly beforeSeconds: number;
  readonly afterSeconds: number;
  readonly forbids: Forbids;
  /** `refuse`: no entries once the calendar has ended, or where it is missing. */
  readonly whenExpired: "tell" | "refuse";
}

/** When an account may enter, rest orders and hold positions. */
export type ScheduleRule =
  | WindowRule
  | FlatByRule
  | FlatBeforeCloseRule
  | FlatBeforeRollRule
  | NewsRule;

/** Something forbidden for a while. Instants are Unix ms. */
export interface Restriction {
  readonly forbids: Forbids;
  readonly since: number;
  /** The first instant at which it is over; `WITHOUT_END` if it never is. */
  readonly until: number;
  /** Plain words with figures. */
  readonly reason: string;
}

/** The last instant that can be written as a date. */
export const WITHOUT_END = 8_640_000_000_000_000;

const RANKS: Readonly<Record<Forbids, number>> = { entries: 1, orders: 2, positions: 3 };

/** How much is forbidden: what has a higher rank includes what has a lower one. */
export const rankOf = (forbids: Forbids): number => RANKS[forbids];
