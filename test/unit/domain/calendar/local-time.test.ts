import fc from "fast-check";
import { expect, test } from "vitest";
import { firstInstantOf, isTimeZone, toLocal } from "../../../../src/domain/calendar/local-time.ts";

const asIfUtc = (text: string) => Date.parse(`${text}Z`);

test.each([
  ["America/New_York", "2026-03-08T01:59", "2026-03-08T06:59:00.000Z"],
  // Left out: the clocks go from 01:59:59 to 03:00.
  ["America/New_York", "2026-03-08T02:00", "2026-03-08T07:00:00.000Z"],
  ["America/New_York", "2026-03-08T02:30", "2026-03-08T07:00:00.000Z"],
  ["America/New_York", "2026-03-08T03:00", "2026-03-08T07:00:00.000Z"],
  // Twice: the first.
  ["America/New_York", "2026-11-01T01:30", "2026-11-01T05:30:00.000Z"],
  ["America/New_York", "2026-11-01T02:00", "2026-11-01T07:00:00.000Z"],
  ["Europe/Berlin", "2026-03-29T02:30", "2026-03-29T01:00:00.000Z"],
  ["Europe/Berlin", "2026-10-25T02:30", "2026-10-25T00:30:00.000Z"],
  ["Europe/Berlin", "2026-10-25T03:00", "2026-10-25T02:00:00.000Z"],
  // Half an hour.
  ["Australia/Lord_Howe", "2026-10-04T02:15", "2026-10-03T15:30:00.000Z"],
  ["Australia/Lord_Howe", "2026-04-05T01:45", "2026-04-04T14:45:00.000Z"],
  ["UTC", "2026-07-01T12:00", "2026-07-01T12:00:00.000Z"],
])("in %s, %s is first at %s", (zone, local, expected) => {
  expect(new Date(firstInstantOf(zone, asIfUtc(local))).toISOString()).toBe(expected);
});

test("the first instant shows the time or more, and no earlier one near it does", () => {
  const zones = fc.constantFrom(
    "America/Chicago",
    "Europe/Berlin",
    "Asia/Tokyo",
    "Australia/Sydney",
  );
  const minuteOfYear = fc.integer({ min: 0, max: 366 * 1_440 });
  fc.assert(
    fc.property(zones, minuteOfYear, (zone, minute) => {
      const local = Date.UTC(2026, 0, 1) + minute * 60_000;
      const first = firstInstantOf(zone, local);
      expect(toLocal(zone, first)).toBeGreaterThanOrEqual(local);
      expect(toLocal(zone, first - 1)).toBeLessThan(local);
      const earlier = [5, 30, 59, 60, 61, 120].map((minutes) =>
        toLocal(zone, first - minutes * 60_000),
      );
      expect(Math.max(...earlier)).toBeLessThan(local);
    }),
    { numRuns: 300 },
  );
});

test("knows which names are time zones", () => {
  expect(["Europe/Berlin", "UTC", "Mars/Base", ""].map(isTimeZone)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
