import { createScheduleLookups } from "../../src/app/schedule-lookups.ts";
import type { EconomicCalendar } from "../../src/domain/guards/economic-calendar.ts";
import type { ScheduleDeps } from "../../src/domain/guards/schedule-deps.ts";

const lookups = createScheduleLookups();

/** A row of the contract table. */
export function productOf(root: string) {
  const product = lookups.productOf(root);
  if (product === undefined) throw new Error(`${root} is not in the table`);
  return product;
}

/** The real table, hours and holidays, with these calendars. */
export const scheduleDeps = (...calendars: readonly EconomicCalendar[]): ScheduleDeps => ({
  ...lookups,
  calendars: new Map(calendars.map((calendar) => [calendar.name, calendar])),
});
