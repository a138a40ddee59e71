import type { Contract } from "../contracts/contract.ts";
import type { LastTradeRule } from "../contracts/product.ts";
import type { BusinessCalendar, YearMonth } from "./business-days.ts";
import { addDays, type CivilDay, civilDay, nthWeekday, weekdayOf } from "./civil-day.ts";

const WEDNESDAY = 3;
const THURSDAY = 4;
const FRIDAY = 5;
const NOVEMBER = 11;

/** The last day on which a contract trades. */
export function lastTradeDayOf(
  { year, month }: Contract,
  rule: LastTradeRule,
  calendar: BusinessCalendar,
): CivilDay {
  switch (rule.kind) {
    case "weekday": {
      const at = monthAt(year, month, rule.monthOffset);
      const nominal = nthWeekday(at, rule.weekday, rule.nth);
      const count = rule.businessDaysBefore ?? 0;
      return count === 0 ? calendar.onOrBefore(nominal) : calendar.before(nominal, count);
    }
    case "nth-business-day":
      return calendar.nthOfMonth({ year, month }, rule.nth);
    case "nth-last-business-day": {
      const nth = rule.nthFor?.[month] ?? rule.nth;
      return calendar.nthLastOfMonth(monthAt(year, month, rule.monthOffset), nth);
    }
    case "before-date":
      return beforeDate(monthAt(year, month, rule.monthOffset), rule, calendar);
    case "feeder-cattle-thursday":
      return feederCattleThursday({ year, month }, calendar);
    case "vix-wednesday":
      return vixWednesday({ year, month }, calendar);
  }
}

function monthAt(year: number, month: number, offset = 0): YearMonth {
  return { year, month: month + offset };
}

function beforeDate(
  { year, month }: YearMonth,
  rule: Extract<LastTradeRule, { kind: "before-date" }>,
  calendar: BusinessCalendar,
): CivilDay {
  const date = civilDay(year, month, rule.day);
  switch (rule.whenClosed) {
    case "nothing":
      return calendar.before(date, rule.businessDaysBefore);
    case "one-more": {
      const more = calendar.isBusinessDay(date) ? 0 : 1;
      return calendar.before(date, rule.businessDaysBefore + more);
    }
    case "next-open-day":
      return calendar.before(calendar.onOrAfter(date), rule.businessDaysBefore);
  }
}

/**
 * CME Rule 10202.H, "Termination of Trading": the last Thursday of the contract month; in November
 * the Thursday before Thanksgiving Day. Where that Thursday is a holiday, or a holiday
 * falls on one of the four weekdays before it, the first earlier Thursday free of both.
 */
function feederCattleThursday(at: YearMonth, calendar: BusinessCalendar): CivilDay {
  const thanksgiving = nthWeekday(at, THURSDAY, 4);
  let thursday =
    at.month === NOVEMBER ? addDays(thanksgiving, -7) : nthWeekday(at, THURSDAY, "last");
  while (!isClearThursday(thursday, calendar)) thursday = addDays(thursday, -7);
  return thursday;
}

function isClearThursday(thursday: CivilDay, calendar: BusinessCalendar): boolean {
  // The four weekdays before a Thursday are its week's first three and the Friday before those.
  return [0, 1, 2, 3, 6].every((days) => calendar.isBusinessDay(addDays(thursday, -days)));
}

/**
 * Cboe Futures Exchange Rule 1202: the Wednesday that is 30 days before the third Friday of the
 * month after; where that Wednesday or that Friday is a holiday, the business day before the
 * Wednesday.
 */
function vixWednesday({ year, month }: YearMonth, calendar: BusinessCalendar): CivilDay {
  const friday = nthWeekday({ year, month: month + 1 }, FRIDAY, 3);
  const wednesday = addDays(friday, -30);
  if (weekdayOf(wednesday) !== WEDNESDAY) throw new Error("30 days before a Friday is a Wednesday");
  return calendar.isBusinessDay(friday)
    ? calendar.onOrBefore(wednesday)
    : calendar.before(wednesday, 1);
}
