import fc from "fast-check";
import { expect, test } from "vitest";
import { isoDate } from "../../../../src/domain/calendar/civil-day.ts";
import { createExchangeDay } from "../../../../src/domain/calendar/exchange-day.ts";

test.each([
  ["America/Chicago", "2026-12-19T05:59:59Z", "2026-12-18"],
  ["America/Chicago", "2026-12-19T06:00:00Z", "2026-12-19"],
  ["America/New_York", "2026-07-01T03:59:59Z", "2026-06-30"],
  ["America/New_York", "2026-07-01T04:00:00Z", "2026-07-01"],
  ["Europe/London", "2026-06-30T23:00:00Z", "2026-07-01"],
  ["Europe/Berlin", "2026-12-31T23:00:00Z", "2027-01-01"],
])("in %s, %s belongs to %s", (timeZone, instant, day) => {
  expect(isoDate(createExchangeDay()(timeZone, Date.parse(instant)))).toBe(day);
});

test("a remembered answer is never that of another quarter of an hour", () => {
  const remembering = createExchangeDay();
  const zones = fc.constantFrom("America/Chicago", "America/New_York", "Europe/London");
  const instants = fc.integer({ min: Date.UTC(2015, 0, 1), max: Date.UTC(2040, 0, 1) });
  fc.assert(
    fc.property(zones, instants, fc.nat(7_200_000), (zone, nowMs, later) => {
      remembering(zone, nowMs);
      const fresh = createExchangeDay();
      expect(remembering(zone, nowMs + later)).toBe(fresh(zone, nowMs + later));
    }),
    { numRuns: 50 },
  );
});
