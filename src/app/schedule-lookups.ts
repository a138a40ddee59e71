import { contracts } from "../../config/contracts.ts";
import { closures, holidays } from "../../config/holidays.ts";
import { createContractCalendar } from "../domain/calendar/contract-calendar.ts";
import { createSessions } from "../domain/calendar/session-close.ts";
import { createTradingDay } from "../domain/calendar/trading-day.ts";
import type { ScheduleDeps } from "../domain/guards/schedule-deps.ts";

/** Taken for what the table does not know: it trades as long as anything of CME Globex does. */
const STAND_IN = "ES";

/** Hours, trading days and contract days from the operator's tables; users' calendars come on top. */
export type ScheduleLookups = Omit<ScheduleDeps, "calendars">;

export function createScheduleLookups(): ScheduleLookups {
  const products = new Map(contracts.map((product) => [product.root, product]));
  const standIn = products.get(STAND_IN);
  if (standIn === undefined) throw new Error(`The contract table has no row ${STAND_IN}`);
  return {
    productOf: (root) => products.get(root),
    sessionsOf: createSessions({ closures, standIn }),
    tradingDayAt: createTradingDay({ holidays: closures }),
    contractDays: createContractCalendar(holidays).daysOf,
  };
}
