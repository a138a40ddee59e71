import type { Brand } from "../brand.ts";

/**
 * A calendar day without a time zone, counted in days since 1970-01-01. Being an integer it
 * compares and subtracts exactly, and no conversion can move it to the day before.
 */
export type CivilDay = Brand<number, "CivilDay">;

/** Monday is 1 and Sunday is 7, as in ISO 8601. */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7;

export interface YearMonthDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** Days in the 400 years after which the Gregorian calendar repeats itself. */
const ERA_DAYS = 146_097;
/** From 0000-03-01, where the count below starts, to 1970-01-01. */
const EPOCH_OFFSET = 719_468;

/**
 * The day of a date. A month outside 1 to 12 counts on into the neighbouring years, and a day
 * outside the month into its neighbours, so that "the 0th" is the last day of the month before.
 */
export function civilDay(year: number, month: number, day: number): CivilDay {
  const months = year * 12 + month - 1;
  // Years start in March here, so that a leap day is the last day of its year.
  const shifted = months - 2;
  const marchYear = Math.floor(shifted / 12);
  const marchMonth = shifted - marchYear * 12;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * marchMonth + 2) / 5) + day - 1;
  const leapDays = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  return (era * ERA_DAYS + yearOfEra * 365 + leapDays + dayOfYear - EPOCH_OFFSET) as CivilDay;
}

export function toYearMonthDay(date: CivilDay): YearMonthDay {
  const count = date + EPOCH_OFFSET;
  const era = Math.floor(count / ERA_DAYS);
  const dayOfEra = count - era * ERA_DAYS;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

export function addDays(date: CivilDay, days: number): CivilDay {
  return (date + days) as CivilDay;
}

export function weekdayOf(date: CivilDay): Weekday {
  // 1970-01-01 was a Thursday.
  return (((((date + 3) % 7) + 7) % 7) + 1) as Weekday;
}

/** The nth such weekday of a month; `"last"` for its last one. */
export function nthWeekday(
  { year, month }: { readonly year: number; readonly month: number },
  weekday: Weekday,
  nth: number | "last",
): CivilDay {
  if (nth === "last") {
    const end = civilDay(year, month + 1, 0);
    return addDays(end, -((weekdayOf(end) - weekday + 7) % 7));
  }
  const first = civilDay(year, month, 1);
  return addDays(first, ((weekday - weekdayOf(first) + 7) % 7) + (nth - 1) * 7);
}

/** Prints a day as ISO 8601, for example "2026-12-18". */
export function isoDate(date: CivilDay): string {
  const { year, month, day } = toYearMonthDay(date);
  return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Returns undefined for text that is no date of the calendar, such as "2026-02-30". */
export function parseIsoDate(text: string): CivilDay | undefined {
  const match = ISO_DATE.exec(text);
  if (match === null) return undefined;
  const date = civilDay(Number(match[1]), Number(match[2]), Number(match[3]));
  return isoDate(date) === text ? date : undefined;
}
