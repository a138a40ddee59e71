import { describe, expect, test } from "vitest";
import { createBusinessCalendar } from "../../../../src/domain/calendar/business-days.ts";
import { type CivilDay, isoDate, parseIsoDate } from "../../../../src/domain/calendar/civil-day.ts";
import {
  easterSunday,
  type HolidayCalendar,
  holidaysOfYear,
} from "../../../../src/domain/calendar/holidays.ts";

const date = (text: string): CivilDay => {
  const parsed = parseIsoDate(text);
  if (parsed === undefined) throw new Error(`${text} is no date`);
  return parsed;
};

const christmas: HolidayCalendar = {
  rules: [{ kind: "date", month: 12, day: 25, observed: "nearest-weekday" }],
  closed: ["2026-12-30"],
};

describe("a business calendar", () => {
  const calendar = createBusinessCalendar(christmas);

  test("skips weekends, holidays and one-off days", () => {
    // Friday the 25th is Christmas, Wednesday the 30th is closed by decree.
    expect(isoDate(calendar.before(date("2026-12-31"), 1))).toBe("2026-12-29");
    expect(isoDate(calendar.before(date("2026-12-31"), 3))).toBe("2026-12-24");
    expect(isoDate(calendar.onOrBefore(date("2026-12-27")))).toBe("2026-12-24");
    expect(isoDate(calendar.onOrAfter(date("2026-12-25")))).toBe("2026-12-28");
    expect(isoDate(calendar.onOrAfter(date("2026-12-28")))).toBe("2026-12-28");
  });

  test("counts from both ends of a month", () => {
    expect(isoDate(calendar.nthOfMonth({ year: 2026, month: 12 }, 1))).toBe("2026-12-01");
    expect(isoDate(calendar.nthLastOfMonth({ year: 2026, month: 12 }, 2))).toBe("2026-12-29");
    expect(isoDate(calendar.nthLastOfMonth({ year: 2027, month: 0 }, 1))).toBe("2026-12-31");
  });
});

describe("a holiday on a weekend", () => {
  const observed = (rule: HolidayCalendar["rules"][number], year: number) =>
    [...holidaysOfYear({ rules: [rule] }, year)].map(isoDate);

  test.each([
    ["none", 2027, "2027-12-25"],
    ["nearest-weekday", 2027, "2027-12-24"],
    ["nearest-weekday", 2022, "2022-12-26"],
    ["sunday-to-monday", 2027, "2027-12-25"],
    ["sunday-to-monday", 2022, "2022-12-26"],
    ["next-free-weekday", 2027, "2027-12-27"],
  ] as const)("observed by %s in %i is %s", (observance, year, day) => {
    expect(observed({ kind: "date", month: 12, day: 25, observed: observance }, year)).toEqual([
      day,
    ]);
  });

  test("is kept only in the years of its rule", () => {
    const rule = { kind: "easter", daysAfter: 0, from: 2022, until: 2023 } as const;
    expect(observed(rule, 2021)).toEqual([]);
    expect(observed(rule, 2023)).toEqual(["2023-04-09"]);
    expect(observed(rule, 2024)).toEqual([]);
  });

  test("named by no real date is an error of the table", () => {
    expect(() => holidaysOfYear({ rules: [], closed: ["2026-02-30"] }, 2026)).toThrow("is no date");
  });
});

test.each([
  "2015-04-05 2016-03-27 2017-04-16 2018-04-01 2019-04-21 2020-04-12 2021-04-04 2022-04-17",
  "2023-04-09 2024-03-31 2025-04-20 2026-04-05 2027-03-28 2028-04-16 2029-04-01 2030-04-21",
  "2031-04-13 2032-03-28 2033-04-17 2034-04-09 2035-03-25 2036-04-13 2037-04-05 2038-04-25",
])("Easter falls on %s", (list) => {
  for (const text of list.split(" ")) {
    expect(isoDate(easterSunday(Number(text.slice(0, 4))))).toBe(text);
  }
});
