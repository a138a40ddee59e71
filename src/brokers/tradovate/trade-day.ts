const CHICAGO = new Intl.DateTimeFormat("en-CA", {
  timeZone: "America/Chicago",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
});

/** A day of trade begins at 17:00 in Chicago and is named after the day in which it ends. */
const BEGINS_EARLY_MS = 7 * 60 * 60_000;

/** The trading day at an instant, `2026-11-26`; on a weekend one of which nothing is told. */
export const tradeDayAt = (at: number): string => CHICAGO.format(at + BEGINS_EARLY_MS);
