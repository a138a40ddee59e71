import type { Contract } from "../contracts/contract.ts";
import type { RollRule } from "../contracts/product.ts";
import type { BusinessCalendar } from "./business-days.ts";
import { addDays, type CivilDay, civilDay, nthWeekday } from "./civil-day.ts";

const FRIDAY = 5;
const FROM_FRIDAY_TO_MONDAY = 4;

/** The first day on which the contract after this one is the front month. */
export function rollDayOf(
  { year, month }: Contract,
  rule: RollRule,
  lastTradeDay: CivilDay,
  calendar: BusinessCalendar,
): CivilDay {
  switch (rule.kind) {
    case "monday-before-third-friday":
      return addDays(nthWeekday({ year, month }, FRIDAY, 3), -FROM_FRIDAY_TO_MONDAY);
    case "before-last-trade":
      return calendar.before(lastTradeDay, rule.businessDays);
    case "before-first-notice":
      return calendar.before(civilDay(year, month, 1), rule.noticeDays + rule.businessDays);
  }
}
