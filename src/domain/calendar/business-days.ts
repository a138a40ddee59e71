import { addDays, type CivilDay, civilDay, toYearMonthDay, weekdayOf } from "./civil-day.ts";
import { type HolidayCalendar, holidaysOfYear } from "./holidays.ts";

export interface YearMonth {
  readonly year: number;
  /** May lie outside 1 to 12, and then counts on into the neighbouring years. */
  readonly month: number;
}

/** Counts the days on which a market is open: no weekends, no holidays. */
export interface BusinessCalendar {
  readonly isBusinessDay: (date: CivilDay) => boolean;
  /** The given day if it is open, else the open day before it. */
  readonly onOrBefore: (date: CivilDay) => CivilDay;
  /** The given day if it is open, else the open day after it. */
  readonly onOrAfter: (date: CivilDay) => CivilDay;
  /** The `count`th open day before the given day, which is not counted itself. */
  readonly before: (date: CivilDay, count: number) => CivilDay;
  readonly nthOfMonth: (month: YearMonth, nth: number) => CivilDay;
  readonly nthLastOfMonth: (month: YearMonth, nth: number) => CivilDay;
}

export function createBusinessCalendar(holidays: HolidayCalendar): BusinessCalendar {
  const byYear = new Map<number, ReadonlySet<CivilDay>>();

  function isBusinessDay(date: CivilDay): boolean {
    if (weekdayOf(date) > 5) return false;
    const { year } = toYearMonthDay(date);
    let closed = byYear.get(year);
    if (closed === undefined) {
      closed = closedDaysAround(holidays, year);
      byYear.set(year, closed);
    }
    return !closed.has(date);
  }

  function seek(date: CivilDay, step: 1 | -1): CivilDay {
    let day = date;
    while (!isBusinessDay(day)) day = addDays(day, step);
    return day;
  }

  function count(from: CivilDay, step: 1 | -1, nth: number): CivilDay {
    let day = from;
    for (let counted = 0; counted < nth; counted += 1) day = seek(addDays(day, step), step);
    return day;
  }

  return {
    isBusinessDay,
    onOrBefore: (date) => seek(date, -1),
    onOrAfter: (date) => seek(date, 1),
    before: (date, nth) => count(date, -1, nth),
    nthOfMonth: ({ year, month }, nth) => count(civilDay(year, month, 0), 1, nth),
    nthLastOfMonth: ({ year, month }, nth) => count(civilDay(year, month + 1, 1), -1, nth),
  };
}

/** A new year's holiday may be kept in the year before or after its own. */
function closedDaysAround(holidays: HolidayCalendar, year: number): ReadonlySet<CivilDay> {
  return new Set([
    ...holidaysOfYear(holidays, year - 1),
    ...holidaysOfYear(holidays, year),
    ...holidaysOfYear(holidays, year + 1),
  ]);
}
