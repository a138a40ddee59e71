// The goal: an instant belongs to exactly one day of an account, holidays, weekends and changes of clocks
// included. Another clock cuts no day short and gives no fill another day.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AccountDay,
  accountDayAt,
  accountWeekOf,
  changeClock,
  type DayClocks,
  dayOfBroker,
  holdsUntil,
  nameOf,
  STANDARD_CLOCKS,
} from "../../../../src/domain/calendar/account-day.ts";
import { isoDate } from "../../../../src/domain/calendar/civil-day.ts";

const HOUR_MS = 3_600_000;
const ZONES = [
  "America/Chicago",
  "America/New_York",
  "Europe/Berlin",
  "Asia/Tokyo",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago",
  "UTC",
];
const starts = fc.record({
  begins: fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom("00", "30"))
    .map(([hour, minute]) => `${String(hour).padStart(2, "0")}:${minute}`),
  zone: fc.constantFrom(...ZONES),
});
const instants = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2030, 0, 1) });

const shown = ({ day, beganAt, endsAt }: AccountDay) => [
  isoDate(day),
  new Date(beganAt).toISOString(),
  (endsAt - beganAt) / HOUR_MS,
];

test.each([
  ["a summer day", "2026-07-15T12:00:00Z", "2026-07-15", "2026-07-14T22:00:00.000Z", 24],
  ["its first instant", "2026-07-14T22:00:00Z", "2026-07-15", "2026-07-14T22:00:00.000Z", 24],
  ["the instant before", "2026-07-14T21:59:59.999Z", "2026-07-14", "2026-07-13T22:00:00.000Z", 24],
  ["Friday evening", "2026-07-17T22:00:00Z", "2026-07-18", "2026-07-17T22:00:00.000Z", 24],
  ["Sunday evening", "2026-07-19T22:00:00Z", "2026-07-20", "2026-07-19T22:00:00.000Z", 24],
  ["Thanksgiving", "2026-11-26T15:00:00Z", "2026-11-26", "2026-11-25T23:00:00.000Z", 24],
  ["Labor Day", "2026-09-07T12:00:00Z", "2026-09-07", "2026-09-06T22:00:00.000Z", 24],
  ["clocks put forward", "2026-03-08T12:00:00Z", "2026-03-08", "2026-03-07T23:00:00.000Z", 23],
  ["clocks put back", "2026-11-01T12:00:00Z", "2026-11-01", "2026-10-31T22:00:00.000Z", 25],
])("%s", (_, at, ...expected) => {
  expect(shown(accountDayAt(STANDARD_CLOCKS, Date.parse(at)))).toEqual(expected);
});

test.each([
  ["00:00", "Europe/Berlin", "2026-07-14T22:00:00Z", "2026-07-15"],
  ["11:30", "UTC", "2026-07-15T12:00:00Z", "2026-07-15"],
  ["12:00", "UTC", "2026-07-15T12:00:00Z", "2026-07-16"],
  // A begin that clocks leave out, and one that comes twice.
  ["02:30", "America/Chicago", "2026-03-08T08:00:00Z", "2026-03-08"],
  ["01:30", "America/Chicago", "2026-11-01T07:00:00Z", "2026-11-01"],
])("a day from %s in %s is named after the date that most of it has", (begins, zone, at, day) => {
  expect(nameOf(accountDayAt([{ begins, zone }], Date.parse(at)))).toBe(day);
});

/** A history of clocks, as people made it. */
const histories = fc
  .tuple(starts, fc.array(fc.tuple(starts, fc.integer({ min: 0, max: 90 })), { maxLength: 5 }))
  .map(([first, changes]) => {
    let now = Date.UTC(2026, 1, 20, 3);
    let clocks: DayClocks = [first];
    const history = changes.map(([next, hours]) => {
      now += hours * HOUR_MS;
      const before = clocks;
      clocks = changeClock(before, next, now);
      return { now, before, after: clocks, next };
    });
    return { first, clocks, history };
  });

/** Instants around all that happens in these histories. */
const nearby = fc
  .integer({ min: 0, max: 40 * 24 * 4 })
  .map((quarters) => Date.UTC(2026, 1, 17) + quarters * (HOUR_MS / 4));

describe("whatever clocks an account has had", () => {
  test("an instant belongs to one day, and days follow each other without a gap", () => {
    fc.assert(
      fc.property(histories, nearby, ({ clocks }, at) => {
        const day = accountDayAt(clocks, at);
        expect(day.beganAt <= at && at < day.endsAt).toBe(true);
        expect(accountDayAt(clocks, day.beganAt)).toEqual(day);
        expect(accountDayAt(clocks, day.endsAt - 1)).toEqual(day);
        const [before, after] = [day.beganAt - 1, day.endsAt].map((t) => accountDayAt(clocks, t));
        expect([before?.endsAt, after?.beganAt]).toEqual([day.beganAt, day.endsAt]);
        expect([Number(before?.day) < day.day, Number(after?.day) > day.day]).toEqual([true, true]);
        expect(day.endsAt - day.beganAt).toBeGreaterThanOrEqual(23 * HOUR_MS);
      }),
      { numRuns: 500 },
    );
  });

  test("a change gives no instant of before another day, and cuts no day short", () => {
    fc.assert(
      fc.property(histories, fc.nat(48), ({ history }, hoursAgo) => {
        for (const { now, before, after, next } of history) {
          const at = now - hoursAgo * HOUR_MS;
          const [was, is] = [before, after].map((clocks) => accountDayAt(clocks, at));
          expect([is?.day, is?.beganAt]).toEqual([was?.day, was?.beganAt]);
          // As it would have ended without any clock that came after it had begun.
          const today = accountDayAt(before, now);
          const began = before.filter(({ from = 0 }) => from <= today.beganAt);
          const { endsAt } = accountDayAt(began, today.beganAt);
          expect(accountDayAt(after, now).endsAt).toBeGreaterThanOrEqual(endsAt);
          expect(after.at(-1)).toMatchObject(next);
        }
      }),
      { numRuns: 300 },
    );
  });
});

test("another clock counts from the first of its days that begins after the present one has ended", () => {
  const now = Date.parse("2026-11-30T15:00:00Z");
  const changed = changeClock([], { begins: "18:00", zone: "Europe/Berlin" }, now);
  // Monday's would end at 23:00 UTC. In Berlin it is 18:00 again on Tuesday at 17:00 UTC.
  expect(shown(accountDayAt(changed, now))).toEqual(["2026-11-30", "2026-11-29T23:00:00.000Z", 42]);
  const tuesday = Date.parse("2026-12-01T17:00:00Z");
  expect(shown(accountDayAt(changed, tuesday))).toEqual([
    "2026-12-02",
    "2026-12-01T17:00:00.000Z",
    24,
  ]);
  expect(changeClock(changed, { begins: "17:00", zone: "America/Chicago" }, now)).toEqual(
    STANDARD_CLOCKS,
  );
});

test("another clock that is to begin at once cannot be taken back: fills may count by it", () => {
  const now = Date.parse("2026-11-30T15:00:00Z");
  const changed = changeClock([], { begins: "18:00", zone: "Europe/Berlin" }, now);
  const late = Date.parse("2026-11-30T22:55:00Z");
  const back = changeClock(changed, { begins: "17:00", zone: "America/Chicago" }, late);
  expect(accountDayAt(back, late)).toEqual(accountDayAt(changed, late));
  expect(back).toHaveLength(3);
});

test("is the same whatever was asked before", () => {
  fc.assert(
    fc.property(starts, fc.array(instants, { minLength: 1, maxLength: 40 }), (start, all) => {
      const found = all.map((at) => accountDayAt([start], at));
      const again = all.toReversed().map((at) => accountDayAt([start], at));
      expect(again.toReversed()).toEqual(found);
    }),
    { numRuns: 50 },
  );
});

test("a week is that of Monday to Sunday, also where a clock changes in it", () => {
  const now = Date.parse("2026-11-25T15:00:00Z");
  const clocks = changeClock([], { begins: "00:00", zone: "Europe/Berlin" }, now);
  for (const [known, ends] of [
    [STANDARD_CLOCKS, "2026-11-29T23:00:00.000Z"],
    [clocks, "2026-11-29T23:00:00.000Z"],
    [changeClock([], { begins: "00:00", zone: "UTC" }, now), "2026-11-30T00:00:00.000Z"],
  ] as const) {
    const { monday, endsAt } = accountWeekOf(known, accountDayAt(known, now));
    expect([isoDate(monday), new Date(endsAt).toISOString()]).toEqual(["2026-11-23", ends]);
  }
});

test.each([
  ["2026-11-25T15:00:00Z", "2026-11-25T23:00:00.000Z"],
  ["2026-11-28T15:00:00Z", "2026-11-30T23:00:00.000Z"],
  ["2026-11-29T22:59:00Z", "2026-11-30T23:00:00.000Z"],
])("a lock that is asked for at %s holds until %s", (at, until) => {
  expect(new Date(holdsUntil(STANDARD_CLOCKS, Date.parse(at))).toISOString()).toBe(until);
});

describe("the day that a broker speaks of", () => {
  const at = Date.parse("2026-11-30T15:00:00Z");
  const named = (clocks: DayClocks, tradingDay?: string) => {
    const said = tradingDay === undefined ? { at } : { at, tradingDay };
    const day = dayOfBroker(clocks, said);
    return day && nameOf(day);
  };

  test("is the account's of that name, or the one that goes on", () => {
    expect(named(STANDARD_CLOCKS)).toBe("2026-11-30");
    expect(named(STANDARD_CLOCKS, "2026-11-27")).toBe("2026-11-27");
  });

  test("is none where the account counts otherwise, or the name is no date", () => {
    expect(named([{ begins: "00:00", zone: "UTC" }])).toBeUndefined();
    expect(named(STANDARD_CLOCKS, "soon")).toBeUndefined();
    const changed = changeClock([], { begins: "18:00", zone: "Europe/Berlin" }, at);
    expect([named(changed), named(changed, "2026-11-27")]).toEqual([undefined, "2026-11-27"]);
  });
});
