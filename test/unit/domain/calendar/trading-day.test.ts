import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contracts } from "../../../../config/contracts.ts";
import { closures, holidays } from "../../../../config/holidays.ts";
import { sessionState } from "../../../../src/brokers/paper/exchange/session-hours.ts";
import { isoDate } from "../../../../src/domain/calendar/civil-day.ts";
import { createTradingDay } from "../../../../src/domain/calendar/trading-day.ts";

const tradingDay = createTradingDay({ holidays: closures });
const CALENDARS = Object.keys(holidays);
const calendars = fc.constantFrom(...CALENDARS);
const instants = fc.integer({ min: Date.UTC(2016, 0, 1), max: Date.UTC(2040, 0, 1) });
const minutes = (count: number) => count * 60_000;

describe("the trading day", () => {
  test.each([
    // A Wednesday in summer, and one in winter.
    ["2026-07-15T21:59:59.999Z", "2026-07-15", "2026-07-14T22:00:00.000Z"],
    ["2026-07-15T22:00:00.000Z", "2026-07-16", "2026-07-15T22:00:00.000Z"],
    ["2026-12-09T22:59:59.999Z", "2026-12-09", "2026-12-08T23:00:00.000Z"],
    ["2026-12-09T23:00:00.000Z", "2026-12-10", "2026-12-09T23:00:00.000Z"],
    // From Friday evening until Monday evening.
    ["2026-07-17T21:59:59.999Z", "2026-07-17", "2026-07-16T22:00:00.000Z"],
    ["2026-07-17T22:00:00.000Z", "2026-07-20", "2026-07-17T22:00:00.000Z"],
    ["2026-07-19T12:00:00.000Z", "2026-07-20", "2026-07-17T22:00:00.000Z"],
    ["2026-07-19T22:00:00.000Z", "2026-07-20", "2026-07-17T22:00:00.000Z"],
    ["2026-07-20T21:59:59.999Z", "2026-07-20", "2026-07-17T22:00:00.000Z"],
    // Clocks change in the United States: 8 March and 1 November; in Europe: 29 March and 25 October.
    ["2026-03-06T23:00:00.000Z", "2026-03-09", "2026-03-06T23:00:00.000Z"],
    ["2026-03-09T21:59:59.999Z", "2026-03-09", "2026-03-06T23:00:00.000Z"],
    ["2026-03-09T22:00:00.000Z", "2026-03-10", "2026-03-09T22:00:00.000Z"],
    ["2026-10-30T22:00:00.000Z", "2026-11-02", "2026-10-30T22:00:00.000Z"],
    ["2026-11-02T22:59:59.999Z", "2026-11-02", "2026-10-30T22:00:00.000Z"],
    ["2026-11-02T23:00:00.000Z", "2026-11-03", "2026-11-02T23:00:00.000Z"],
    // Thanksgiving belongs to Friday, which closes early and is a day until 17:00 all the same.
    ["2026-11-25T23:00:00.000Z", "2026-11-27", "2026-11-25T23:00:00.000Z"],
    ["2026-11-26T15:00:00.000Z", "2026-11-27", "2026-11-25T23:00:00.000Z"],
    ["2026-11-27T22:59:59.999Z", "2026-11-27", "2026-11-25T23:00:00.000Z"],
    // Martin Luther King Day, after a weekend.
    ["2026-01-18T23:00:00.000Z", "2026-01-20", "2026-01-16T23:00:00.000Z"],
    // The turn of the year: Thursday, the holiday on Friday, the weekend.
    ["2026-12-31T22:59:59.999Z", "2026-12-31", "2026-12-30T23:00:00.000Z"],
    ["2026-12-31T23:00:00.000Z", "2027-01-04", "2026-12-31T23:00:00.000Z"],
  ])("of %s is %s, which began at %s", (instant, day, beganAt) => {
    const found = tradingDay(Date.parse(instant), "CME");
    expect([isoDate(found.day), new Date(found.beganAt).toISOString()]).toEqual([day, beganAt]);
  });

  test.each([
    // Good Friday closes all of them, Easter Monday and the 24th of December only Eurex.
    ["EUREX", "2026-04-03T12:00:00Z", "2026-04-07"],
    ["CME", "2026-04-03T12:00:00Z", "2026-04-06"],
    ["EUREX", "2026-12-24T12:00:00Z", "2026-12-28"],
    ["CME", "2026-12-24T12:00:00Z", "2026-12-24"],
    ["EUREX", "2026-11-26T12:00:00Z", "2026-11-26"],
    // Eurex has 23:00 at 17:00 in Chicago in these weeks: its day is over all the same.
    ["EUREX", "2026-03-12T20:59:59Z", "2026-03-12"],
    ["EUREX", "2026-03-12T22:00:00Z", "2026-03-13"],
    ["EUREX", "2026-10-27T22:00:00Z", "2026-10-28"],
    // Exchanges trade on holidays of banks, and in London's oil on those of Britain.
    ["CME_FX", "2026-10-12T15:00:00Z", "2026-10-12"],
    ["ICE_US_FX", "2026-11-11T15:00:00Z", "2026-11-11"],
    ["ICE_EU", "2026-08-31T12:00:00Z", "2026-08-31"],
    ["ICE_EU", "2026-12-25T12:00:00Z", "2026-12-28"],
    ["LONDON", "2026-08-31T12:00:00Z", "2026-08-31"],
  ])("of %s at %s is %s", (calendar, instant, day) => {
    expect(isoDate(tradingDay(Date.parse(instant), calendar).day)).toBe(day);
  });

  test("is none of an unknown calendar", () => {
    const at = Date.parse("2026-11-26T12:00:00Z");
    expect(() => tradingDay(at, "MARS")).toThrow('"MARS"');
  });

  test("begins with its first instant, ends where the next begins, and never goes back", () => {
    fc.assert(
      fc.property(calendars, instants, (calendar, at) => {
        const now = tradingDay(at, calendar);
        expect(now.beganAt <= at && at < now.endsAt).toBe(true);
        expect(tradingDay(now.beganAt, calendar)).toEqual(now);
        expect(tradingDay(now.endsAt - 1, calendar)).toEqual(now);
        const [before, after] = [now.beganAt - 1, now.endsAt].map((t) => tradingDay(t, calendar));
        expect(before?.day).toBeLessThan(now.day);
        expect(before?.endsAt).toBe(now.beganAt);
        expect(after?.day).toBeGreaterThan(now.day);
        expect(after?.beganAt).toBe(now.endsAt);
      }),
      { numRuns: 300 },
    );
  });

  test("is the same whatever was asked before", () => {
    const asked = fc.array(instants, { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(calendars, asked, (calendar, all) => {
        const remembering = createTradingDay({ holidays: closures });
        for (const at of all) {
          const fresh = createTradingDay({ holidays: closures });
          expect(remembering(at, calendar)).toEqual(fresh(at, calendar));
        }
      }),
      { numRuns: 30 },
    );
  });

  test("turns while no exchange has a session", () => {
    const hours = new Map(contracts.map((product) => [product.hours, product.root]));
    for (const [known, root] of hours) {
      // Every day of a year, also in the weeks in which clocks differ.
      for (let day = 0; day < 365; day += 1) {
        const { beganAt } = tradingDay(Date.UTC(2026, 0, 1) + day * minutes(1_440), "CME");
        const before = sessionState(known, beganAt - 1);
        const isAcross = before.isOpen && before.changesAt > beganAt;
        expect(isAcross, `${root} at ${new Date(beganAt).toISOString()}`).toBe(false);
      }
    }
  });
});

test("a closure of an exchange is a holiday of it", () => {
  expect(Object.keys(closures)).toEqual(CALENDARS);
});
