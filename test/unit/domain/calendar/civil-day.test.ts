import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addDays,
  type CivilDay,
  civilDay,
  isoDate,
  nthWeekday,
  parseIsoDate,
  toYearMonthDay,
  weekdayOf,
} from "../../../../src/domain/calendar/civil-day.ts";

const anyDay = fc.integer({ min: -400_000, max: 400_000 }).map((day) => day as CivilDay);

describe("a civil day", () => {
  test("is the day that the platform's calendar counts", () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        const date = new Date(day * 86_400_000);
        expect(toYearMonthDay(day)).toEqual({
          year: date.getUTCFullYear(),
          month: date.getUTCMonth() + 1,
          day: date.getUTCDate(),
        });
        expect(weekdayOf(day)).toBe(date.getUTCDay() === 0 ? 7 : date.getUTCDay());
      }),
    );
  });

  test("is made again from its year, month and day", () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        const { year, month, day: dayOfMonth } = toYearMonthDay(day);
        expect(civilDay(year, month, dayOfMonth)).toBe(day);
      }),
    );
  });

  test("counts months on into the next year and back into the last", () => {
    expect(civilDay(2026, 13, 1)).toBe(civilDay(2027, 1, 1));
    expect(civilDay(2026, 0, 31)).toBe(civilDay(2025, 12, 31));
    expect(civilDay(2026, -1, 30)).toBe(civilDay(2025, 11, 30));
    expect(isoDate(civilDay(2028, 3, 0))).toBe("2028-02-29");
  });

  test("prints as ISO 8601 and is read back", () => {
    const days = fc.integer({ min: -100_000, max: 100_000 });
    fc.assert(
      fc.property(days, (day) => {
        expect(parseIsoDate(isoDate(day as CivilDay))).toBe(day);
      }),
    );
  });

  test.each(["", "2026-02-30", "2026-13-01", "2026-1-1", "2026-01-01T00:00:00Z", "26-01-01"])(
    "is not read from %j",
    (text) => expect(parseIsoDate(text)).toBeUndefined(),
  );
});

describe("the nth weekday of a month", () => {
  test.each([
    [2026, 12, 5, 3, "2026-12-18"],
    [2026, 5, 5, 1, "2026-05-01"],
    [2026, 11, 4, 4, "2026-11-26"],
    [2026, 5, 1, "last", "2026-05-25"],
    [2021, 5, 1, "last", "2021-05-31"],
    [2026, 13, 5, 3, "2027-01-15"],
  ] as const)("%i-%i, weekday %i, nth %s: %s", (year, month, weekday, nth, day) => {
    expect(isoDate(nthWeekday({ year, month }, weekday, nth))).toBe(day);
  });
});

test("days are added across months", () => {
  expect(isoDate(addDays(civilDay(2026, 12, 31), 1))).toBe("2027-01-01");
});
