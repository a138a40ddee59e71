import { describe, expect, test } from "vitest";
import { holidays } from "../../../config/holidays.ts";
import { createBusinessCalendar } from "../../../src/domain/calendar/business-days.ts";
import {
  addDays,
  type CivilDay,
  civilDay,
  isoDate,
  parseIsoDate,
  weekdayOf,
} from "../../../src/domain/calendar/civil-day.ts";

/** The weekdays of a year on which a calendar is closed. */
function closedDays(name: keyof typeof holidays, year: number): string[] {
  const calendar = createBusinessCalendar(holidays[name]);
  const closed: string[] = [];
  for (let day = civilDay(year, 1, 1); day < civilDay(year + 1, 1, 1); day = addDays(day, 1)) {
    if (weekdayOf(day) <= 5 && !calendar.isBusinessDay(day)) closed.push(isoDate(day).slice(5));
  }
  return closed;
}

const date = (text: string): CivilDay => {
  const parsed = parseIsoDate(text);
  if (parsed === undefined) throw new Error(text);
  return parsed;
};

describe("the American exchanges", () => {
  test.each([
    [2015, "01-01 01-19 02-16 04-03 05-25 07-03 09-07 11-26 12-25"],
    [2016, "01-01 01-18 02-15 03-25 05-30 07-04 09-05 11-24 12-26"],
    [2017, "01-02 01-16 02-20 04-14 05-29 07-04 09-04 11-23 12-25"],
    [2018, "01-01 01-15 02-19 03-30 05-28 07-04 09-03 11-22 12-25"],
    [2019, "01-01 01-21 02-18 04-19 05-27 07-04 09-02 11-28 12-25"],
    [2020, "01-01 01-20 02-17 04-10 05-25 07-03 09-07 11-26 12-25"],
    [2021, "01-01 01-18 02-15 04-02 05-31 07-05 09-06 11-25 12-24"],
    [2022, "01-17 02-21 04-15 05-30 06-20 07-04 09-05 11-24 12-26"],
    [2023, "01-02 01-16 02-20 04-07 05-29 06-19 07-04 09-04 11-23 12-25"],
    [2024, "01-01 01-15 02-19 03-29 05-27 06-19 07-04 09-02 11-28 12-25"],
    [2025, "01-01 01-20 02-17 04-18 05-26 06-19 07-04 09-01 11-27 12-25"],
    [2026, "01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25"],
    [2027, "01-01 01-18 02-15 03-26 05-31 06-18 07-05 09-06 11-25 12-24"],
  ])("are closed in %i on %s", (year, days) => {
    expect(closedDays("CME", year)).toEqual(days.split(" "));
    expect(closedDays("ICE_US", year)).toEqual(days.split(" "));
    expect(closedDays("CFE", year)).toEqual(days.split(" "));
  });

  test("their days of mourning are business days", () => {
    const calendar = createBusinessCalendar(holidays.CME);
    expect(calendar.isBusinessDay(date("2018-12-05"))).toBe(true);
    expect(calendar.isBusinessDay(date("2025-01-09"))).toBe(true);
  });

  test("currencies keep Columbus Day and Veterans Day besides", () => {
    expect(closedDays("CME_FX", 2025)).toEqual(
      "01-01 01-20 02-17 04-18 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25".split(" "),
    );
  });
});

describe("London", () => {
  test.each([
    [2016, "01-01 03-25 03-28 05-02 05-30 08-29 12-26 12-27"],
    [2020, "01-01 04-10 04-13 05-08 05-25 08-31 12-25 12-28"],
    [2021, "01-01 04-02 04-05 05-03 05-31 08-30 12-27 12-28"],
    [2022, "01-03 04-15 04-18 05-02 06-02 06-03 08-29 09-19 12-26 12-27"],
    [2023, "01-02 04-07 04-10 05-01 05-08 05-29 08-28 12-25 12-26"],
    [2026, "01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28"],
  ])("is closed in %i on %s", (year, days) => {
    expect(closedDays("LONDON", year)).toEqual(days.split(" "));
    expect(closedDays("ICE_EU", year)).toEqual(days.split(" "));
  });
});

test("Eurex is closed on the eves of Christmas and of the new year", () => {
  expect(closedDays("EUREX", 2025)).toEqual(
    "01-01 04-18 04-21 05-01 12-24 12-25 12-26 12-31".split(" "),
  );
});
