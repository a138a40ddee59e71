import { contracts } from "../../config/contracts.ts";
import { earlyCloses } from "../../config/early-closes.ts";
import { closures, holidays } from "../../config/holidays.ts";
import { tradingHours } from "../../config/trading-hours.ts";
import { createContractCalendar } from "../../src/domain/calendar/contract-calendar.ts";
import { createSessions } from "../../src/domain/calendar/session-close.ts";
import { createTradingDay } from "../../src/domain/calendar/trading-day.ts";
import type { EconomicCalendar } from "../../src/domain/guards/economic-calendar.ts";
import type { ScheduleDeps } from "../../src/domain/guards/schedule-deps.ts";

/** A row of the contract table. */
export function productOf(root: string) {
  const product = contracts.find((one) => one.root === root);
  if (product === undefined) throw new Error(`${root} is not in the table`);
  return product;
}

const sessionsOf = createSessions({
  hoursOf: tradingHours,
  shortDaysOf: earlyCloses,
  closures,
  standIn: productOf("ES"),
});
const tradingDayAt = createTradingDay({ holidays: closures });
const { daysOf } = createContractCalendar(holidays);

/** The real table, hours and holidays, with these calendars. */
export const scheduleDeps = (...calendars: readonly EconomicCalendar[]): ScheduleDeps => ({
  productOf: (root) => contracts.find((one) => one.root === root),
  sessionsOf,
  tradingDayAt,
  contractDays: daysOf,
  calendars: new Map(calendars.map((calendar) => [calendar.name, calendar])),
});
