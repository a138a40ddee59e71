import {
  addDays,
  type CivilDay,
  civilDay,
  nthWeekday,
  parseIsoDate,
  type Weekday,
  weekdayOf,
} from "./civil-day.ts";

/** The years in which a holiday is kept. Both ends belong to it; a missing end is open. */
interface Years {
  readonly from?: number;
  readonly until?: number;
}

/**
 * What a holiday on a weekend does. `none`: nothing. `sunday-to-monday`: only a Sunday moves.
 * `nearest-weekday`: Saturday to Friday, Sunday to Monday. `next-free-weekday`: to the next
 * weekday that is not a holiday already, as with British bank holidays.
 */
export type Observance = "none" | "sunday-to-monday" | "nearest-weekday" | "next-free-weekday";

/** One yearly holiday as data. */
export type HolidayRule = Years &
  (
    | {
        readonly kind: "date";
        readonly month: number;
        readonly day: number;
        readonly observed: Observance;
      }
    | {
        readonly kind: "weekday";
        readonly month: number;
        readonly weekday: Weekday;
        readonly nth: number | "last";
        /** For a day that goes by another one, as the day after Thanksgiving does. */
        readonly daysAfter?: number;
      }
    | { readonly kind: "easter"; readonly daysAfter: number }
  );

/** The days on which one market, or the banks it settles through, are closed besides weekends. */
export interface HolidayCalendar {
  readonly rules: readonly HolidayRule[];
  /** Further closed days, as ISO dates. */
  readonly closed?: readonly string[];
  /** Days that a rule above names and that were open all the same, as ISO dates. */
  readonly open?: readonly string[];
}

/** Calendars by the name under which products refer to them. */
export type HolidayCalendars = Readonly<Record<string, HolidayCalendar>>;

/** All closed days that the rules of `year` bring about, and the one-off days of any year. */
export function holidaysOfYear(calendar: HolidayCalendar, year: number): Set<CivilDay> {
  const days = new Set<CivilDay>();
  for (const rule of calendar.rules) {
    if (year < (rule.from ?? year) || year > (rule.until ?? year)) continue;
    days.add(holidayOf(rule, year, days));
  }
  for (const text of calendar.closed ?? []) days.add(readDate(text));
  for (const text of calendar.open ?? []) days.delete(readDate(text));
  return days;
}

function holidayOf(rule: HolidayRule, year: number, taken: ReadonlySet<CivilDay>): CivilDay {
  switch (rule.kind) {
    case "date":
      return observedOn(civilDay(year, rule.month, rule.day), rule.observed, taken);
    case "weekday":
      return addDays(
        nthWeekday({ year, month: rule.month }, rule.weekday, rule.nth),
        rule.daysAfter ?? 0,
      );
    case "easter":
      return addDays(easterSunday(year), rule.daysAfter);
  }
}

function observedOn(date: CivilDay, observed: Observance, taken: ReadonlySet<CivilDay>): CivilDay {
  const weekday = weekdayOf(date);
  switch (observed) {
    case "none":
      return date;
    case "sunday-to-monday":
      return weekday === 7 ? addDays(date, 1) : date;
    case "nearest-weekday":
      if (weekday === 6) return addDays(date, -1);
      return weekday === 7 ? addDays(date, 1) : date;
    case "next-free-weekday": {
      let free = date;
      while (weekdayOf(free) > 5 || taken.has(free)) free = addDays(free, 1);
      return free;
    }
  }
}

/** Western Easter by the Gregorian computus (Meeus, Jones, Butcher). */
export function easterSunday(year: number): CivilDay {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const yearOfCentury = year % 100;
  const leapCorrection = century - Math.floor(century / 4);
  const moonCorrection = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + leapCorrection - moonCorrection + 15) % 30;
  const daysToSunday =
    (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - epact - (yearOfCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * daysToSunday) / 451);
  return civilDay(year, 3, 22 + epact + daysToSunday - 7 * late);
}

function readDate(text: string): CivilDay {
  const date = parseIsoDate(text);
  if (date === undefined) throw new Error(`"${text}" in a holiday calendar is no date`);
  return date;
}
