import { describe, expect, test } from "vitest";
import { contracts } from "../../../../config/contracts.ts";
import { closures } from "../../../../config/holidays.ts";
import { type CivilDay, parseIsoDate } from "../../../../src/domain/calendar/civil-day.ts";
import { productOf, scheduleDeps } from "../../../support/schedule-deps.ts";

const { sessionsOf } = scheduleDeps();

function dayOf(text: string): CivilDay {
  const day = parseIsoDate(text);
  if (day === undefined) throw new Error(text);
  return day;
}

function sessionOn(root: string, day: string) {
  const session = sessionsOf(productOf(root)).onDay(dayOf(day));
  if (session === undefined) return "closed";
  const [from, until] = [session.opensAt, session.closesAt].map((at) => new Date(at).toISOString());
  return `${from?.slice(5, 16)} ${until?.slice(5, 16)}${session.isEarly ? " early" : ""}`;
}

describe("a session", () => {
  test.each([
    ["ES", "2026-11-25", "11-24T23:00 11-25T22:00"],
    // Thanksgiving halts at 12:00 in Chicago, and the day after it at 12:15.
    ["ES", "2026-11-26", "11-25T23:00 11-26T18:00 early"],
    ["ES", "2026-11-27", "11-26T23:00 11-27T18:15 early"],
    ["6E", "2026-11-26", "11-25T23:00 11-26T18:00 early"],
    ["CL", "2026-11-27", "11-26T23:00 11-27T18:45 early"],
    ["ZC", "2026-11-26", "closed"],
    ["ZC", "2026-11-27", "11-27T01:00 11-27T18:00 early"],
    ["LE", "2026-11-27", "11-27T14:30 11-27T18:00 early"],
    ["FDAX", "2026-11-26", "11-26T00:10 11-26T21:00"],
    // Christmas: Eve on a Thursday, and in 2027 on the Friday that is the holiday.
    ["ES", "2026-12-24", "12-23T23:00 12-24T18:15 early"],
    ["ES", "2026-12-25", "closed"],
    ["FDAX", "2026-12-24", "closed"],
    ["ES", "2027-12-24", "closed"],
    ["ES", "2027-12-23", "12-22T23:00 12-23T22:00"],
    ["FDAX", "2026-12-30", "12-30T00:10 12-30T21:00"],
    ["FDAX", "2026-12-31", "closed"],
    ["B", "2026-12-31", "12-31T01:00 12-31T18:00 early"],
    ["ES", "2027-01-01", "closed"],
    ["ES", "2027-01-18", "01-17T23:00 01-18T18:00 early"],
    ["ES", "2027-03-26", "closed"],
    // Independence Day on a Sunday: Monday halts, and Friday is a day like any other.
    ["ES", "2027-07-05", "07-04T22:00 07-05T17:00 early"],
    ["ES", "2027-07-02", "07-01T22:00 07-02T21:00"],
    // On a Saturday: Friday the 3rd is the holiday.
    ["ES", "2026-07-03", "07-02T22:00 07-03T17:00 early"],
    ["ES", "2028-07-03", "07-02T22:00 07-03T17:15 early"],
    ["CL", "2028-07-03", "07-02T22:00 07-03T21:00"],
    ["VX", "2026-11-26", "11-25T23:00 11-26T16:30 early"],
    ["DX", "2026-11-26", "11-26T01:00 11-26T18:00 early"],
    ["KC", "2026-11-26", "closed"],
    ["ES", "2026-11-28", "closed"],
    // One continent alone has changed its clocks.
    ["FDAX", "2027-03-16", "03-16T00:10 03-16T21:00"],
    ["ES", "2027-03-16", "03-15T22:00 03-16T21:00"],
  ])("of %s on %s is %s", (root, day, expected) => {
    expect(sessionOn(root, day)).toBe(expected);
  });

  test("of grains has a pause, which an early close in it ends", () => {
    const { pauses } = sessionsOf(productOf("ZC")).onDay(dayOf("2026-12-09")) ?? {};
    expect(pauses).toEqual([
      { from: Date.parse("2026-12-09T13:45:00Z"), until: Date.parse("2026-12-09T14:30:00Z") },
    ]);
  });

  test.each([
    ["2026-11-25T21:59:59.999Z", "open"],
    ["2026-11-25T22:00:00.000Z", "closed 11-25T22:00 11-25T23:00"],
    ["2026-11-25T23:00:00.000Z", "open"],
    ["2026-11-26T18:00:00.000Z", "closed 11-26T18:00 11-26T23:00"],
    ["2026-11-28T12:00:00.000Z", "closed 11-27T18:15 11-29T23:00"],
    ["2026-12-25T12:00:00.000Z", "closed 12-24T18:15 12-27T23:00"],
  ])("of ES at %s is %s", (at, expected) => {
    const state = sessionsOf(productOf("ES")).at(Date.parse(at));
    const text =
      state.kind === "open"
        ? "open"
        : `closed ${[state.since, state.until].map((t) => new Date(t).toISOString().slice(5, 16)).join(" ")}`;
    expect(text).toBe(expected);
  });

  test("is that of CME Globex where the product is not known, and says so", () => {
    const [unknown, known] = [sessionsOf(undefined), sessionsOf(productOf("ES"))];
    expect([unknown.areGuessed, known.areGuessed]).toEqual([true, false]);
    const day = dayOf("2026-11-26");
    expect(unknown.onDay(day)).toEqual(known.onDay(day));
  });

  test("of every product comes back within days, and one never begins before another ends", () => {
    const kinds = new Map(
      contracts.map((one) => [JSON.stringify([one.hours, one.shortDays, one.calendar]), one]),
    );
    for (const product of kinds.values()) {
      const sessions = sessionsOf(product);
      let session = sessions.onDay(dayOf("2026-11-02"));
      for (let count = 0; session !== undefined && count < 260; count += 1) {
        const next = sessions.next(session);
        const hours = (next.opensAt - session.closesAt) / 3_600_000;
        if (hours <= 0 || hours > 120) throw new Error(`${product.root}: ${hours} h shut`);
        session = next;
      }
    }
    expect(kinds.size).toBeGreaterThan(8);
  });

  test("needs closures for each calendar of the table", () => {
    expect(contracts.filter(({ calendar }) => !(calendar in closures))).toEqual([]);
  });
});
