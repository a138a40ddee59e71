import { type BusinessCalendar, createBusinessCalendar } from "./business-days.ts";
import type { CivilDay } from "./civil-day.ts";
import type { HolidayCalendars } from "./holidays.ts";
import { fromLocal, toLocal } from "./local-time.ts";

/** A trade date of an exchange, which begins on the evening before. */
export interface TradingDay {
  readonly day: CivilDay;
  /** Its first instant, Unix ms. */
  readonly beganAt: number;
  /** The first instant that is no more part of it, Unix ms. */
  readonly endsAt: number;
}

/**
 * The exchange's own trade date of an instant, by the holidays of a product's `calendar`. Contract dates go
 * by it. Money goes by the day of its account (`account-day.ts`).
 */
export type TradingDayAt = (at: number, calendar: string) => TradingDay;

export interface TradingDayDeps {
  /**
   * By calendar, the days that have no trading day of their own. A day on which the exchange closes
   * early is not among them: that ends trading, not the day.
   */
  readonly holidays: HolidayCalendars;
}

const ZONE = "America/Chicago";
const DAY_MS = 86_400_000;
const BEGINS_MS = 17 * 3_600_000;
/** So many days of each calendar are remembered: more than are asked about in turn. */
const KEPT_DAYS = 8;

/**
 * A trading day begins at 17:00 in Chicago, an hour after CME's ends; whatever is at or after that
 * belongs to the next day. Weekends and holidays have no day: from Friday 17:00 on it is Monday, and
 * Thanksgiving Thursday belongs to Friday.
 *
 * The other exchanges have one rule with it, since none of their sessions runs across that time. In
 * Frankfurt it is midnight, or an hour earlier in the weeks in which one continent alone has changed
 * its clocks: Eurex has closed at 22:00. ICE closes at 18:00 in New York at the latest, which is that time.
 */
export function createTradingDay({ holidays }: TradingDayDeps): TradingDayAt {
  const calendars = new Map<string, { days: BusinessCalendar; known: TradingDay[] }>();

  function calendarOf(name: string) {
    const found = calendars.get(name);
    if (found !== undefined) return found;
    const rules = holidays[name];
    if (rules === undefined) throw new Error(`There is no holiday calendar "${name}"`);
    const made = { days: createBusinessCalendar(rules), known: [] };
    calendars.set(name, made);
    return made;
  }

  return function tradingDayAt(at, calendar) {
    const { days, known } = calendarOf(calendar);
    // Time zones are slow to ask about, and this is needed for each fill and quote.
    const last = known.find(({ beganAt, endsAt }) => beganAt <= at && at < endsAt);
    if (last !== undefined) return last;
    const found = workOut(days, at);
    known.unshift(found);
    if (known.length > KEPT_DAYS) known.pop();
    return found;
  };
}

function workOut(days: BusinessCalendar, at: number): TradingDay {
  const evening = toLocal(ZONE, at) + DAY_MS - BEGINS_MS;
  const day = days.onOrAfter(Math.floor(evening / DAY_MS) as CivilDay);
  return { day, beganAt: beginsAt(days.before(day, 1)), endsAt: beginsAt(day) };
}

/** When the next trading day begins on that one. Clocks change at night: 17:00 is there once a day. */
const beginsAt = (day: CivilDay): number => fromLocal(ZONE, day * DAY_MS + BEGINS_MS);
