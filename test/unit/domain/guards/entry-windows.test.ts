import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addDays, isoDate, parseIsoDate } from "../../../../src/domain/calendar/civil-day.ts";
import { firstInstantOf, toLocal } from "../../../../src/domain/calendar/local-time.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { weekdayName } from "../../../../src/domain/guards/clock-times.ts";
import { nextRestriction, restrictionAt } from "../../../../src/domain/guards/restrictions.ts";
import {
  type EntryWindow,
  WEEKDAYS,
  type WeekdayName,
  type WindowRule,
  WITHOUT_END,
} from "../../../../src/domain/guards/schedule-rule.ts";
import { scheduleDeps } from "../../../support/schedule-deps.ts";

const ES = "ESZ2026" as ContractCode;
const deps = scheduleDeps();
const MINUTE_MS = 60_000;
const WORKDAYS: readonly WeekdayName[] = ["mon", "tue", "wed", "thu", "fri"];

function ruleOf(zone: string, from: string, to: string, days = WORKDAYS): WindowRule {
  return { kind: "window", zone, windows: [{ days, from, to }] };
}

function entries(rule: WindowRule, instant: string): string {
  const found = restrictionAt(rule, ES, Date.parse(instant), deps);
  if (found === undefined) return "free";
  return `${found.forbids} until ${new Date(found.until).toISOString()}`;
}

describe("entries", () => {
  test.each([
    [
      "America/New_York",
      "09:30",
      "16:00",
      "2026-12-09T14:29:59.999Z",
      "entries until 2026-12-09T14:30:00.000Z",
    ],
    ["America/New_York", "09:30", "16:00", "2026-12-09T14:30:00Z", "free"],
    ["America/New_York", "09:30", "16:00", "2026-12-09T20:59:59.999Z", "free"],
    [
      "America/New_York",
      "09:30",
      "16:00",
      "2026-12-09T21:00:00Z",
      "entries until 2026-12-10T14:30:00.000Z",
    ],
    [
      "America/New_York",
      "09:30",
      "16:00",
      "2026-12-12T12:00:00Z",
      "entries until 2026-12-14T14:30:00.000Z",
    ],
    // The clocks of the United States have changed, those of Europe have not.
    ["America/New_York", "09:30", "16:00", "2027-03-15T13:30:00Z", "free"],
    ["Europe/Berlin", "09:00", "17:30", "2027-03-15T08:00:00Z", "free"],
    ["Europe/Berlin", "09:00", "17:30", "2027-03-30T07:00:00Z", "free"],
    // Over midnight: it belongs to the day on which it begins, so Friday's ends on Saturday.
    ["America/Chicago", "17:00", "02:00", "2026-12-12T07:59:59Z", "free"],
    [
      "America/Chicago",
      "17:00",
      "02:00",
      "2026-12-12T08:00:00Z",
      "entries until 2026-12-14T23:00:00.000Z",
    ],
    [
      "America/Chicago",
      "17:00",
      "02:00",
      "2026-12-14T06:00:00Z",
      "entries until 2026-12-14T23:00:00.000Z",
    ],
    // Around the clock from Monday to Saturday morning.
    ["America/Chicago", "08:00", "08:00", "2026-12-12T13:59:59Z", "free"],
    [
      "America/Chicago",
      "08:00",
      "08:00",
      "2026-12-12T14:00:00Z",
      "entries until 2026-12-14T14:00:00.000Z",
    ],
    [
      "America/New_York",
      "09:30:30",
      "16:00",
      "2026-12-09T14:30:29Z",
      "entries until 2026-12-09T14:30:30.000Z",
    ],
  ])("in %s from %s to %s, at %s: %s", (zone, from, to, instant, expected) => {
    expect(entries(ruleOf(zone, from, to), instant)).toBe(expected);
  });

  test.each([
    // Clocks go from 02:00 to 03:00: what begins at 02:30 begins at 03:00, and what lies in between is not.
    ["2027-03-14", "02:30", "04:00", "2027-03-14T07:00:00.000Z", "2027-03-14T08:00:00.000Z"],
    ["2027-03-14", "01:00", "02:30", "2027-03-14T06:00:00.000Z", "2027-03-14T07:00:00.000Z"],
    ["2027-03-14", "02:10", "02:50", undefined, undefined],
    // And from 02:00 to 01:00: both ends are the first of the two.
    ["2027-11-07", "01:30", "03:00", "2027-11-07T05:30:00.000Z", "2027-11-07T08:00:00.000Z"],
    ["2027-11-07", "00:30", "01:30", "2027-11-07T04:30:00.000Z", "2027-11-07T05:30:00.000Z"],
    ["2027-11-07", "23:00", "01:30", "2027-11-08T04:00:00.000Z", "2027-11-08T06:30:00.000Z"],
  ])(
    "on %s from %s to %s in New York are allowed from %s to %s",
    (day, from, to, opens, closes) => {
      const rule = ruleOf("America/New_York", from, to, ["sun"]);
      const minutes = Array.from(
        { length: 28 * 60 },
        (_, n) => Date.parse(`${day}T04:00Z`) + n * MINUTE_MS,
      );
      const allowed = minutes.filter((at) => restrictionAt(rule, ES, at, deps) === undefined);
      const [first, last] = [allowed[0], allowed.at(-1)];
      expect(first === undefined ? undefined : new Date(first).toISOString()).toBe(opens);
      expect(last === undefined ? undefined : new Date(last + MINUTE_MS).toISOString()).toBe(
        closes,
      );
    },
  );

  test("are never allowed without a window", () => {
    const found = restrictionAt({ kind: "window", zone: "UTC", windows: [] }, ES, 1, deps);
    expect(found).toMatchObject({ forbids: "entries", until: WITHOUT_END });
  });

  test("end next where the window does, for reasons that name it", () => {
    const rule = ruleOf("America/New_York", "09:30", "16:00", ["wed"]);
    expect(nextRestriction(rule, ES, Date.parse("2026-12-09T15:00:00Z"), deps)).toEqual({
      forbids: "entries",
      since: Date.parse("2026-12-09T21:00:00Z"),
      until: Date.parse("2026-12-16T14:30:00Z"),
      reason: "entries only wed 09:30–16:00 (America/New_York)",
    });
  });
});

function dayOf(date: string) {
  const day = parseIsoDate(date);
  if (day === undefined) throw new Error(date);
  return day;
}

/** By the clock alone: a window opens with the first minute that shows its time or more, and closes likewise. */
function isOpenByTheClock(
  minutes: readonly { at: number; shows: string }[],
  windows: readonly EntryWindow[],
) {
  const first = (text: string) => minutes.find(({ shows }) => shows >= text)?.at ?? Infinity;
  const days = [...new Set(minutes.map(({ shows }) => shows.slice(0, 10)))].slice(0, -1);
  const open = days.flatMap((date) => {
    const day = dayOf(date);
    return windows
      .filter((window) => window.days.includes(weekdayName(day)))
      .map(({ from, to }) => ({
        from: first(`${date} ${from}`),
        until: first(`${to > from ? date : isoDate(addDays(day, 1))} ${to}`),
      }));
  });
  return (at: number) => open.some(({ from, until }) => from <= at && at < until);
}

test("in any windows are as the clock alone has it, minute by minute", () => {
  const two = (n: number) => String(n).padStart(2, "0");
  const time = fc
    .tuple(fc.nat(23), fc.nat(59))
    .map(([hour, minute]) => `${two(hour)}:${two(minute)}`);
  const window = fc.record({
    days: fc.subarray([...WEEKDAYS], { minLength: 1 }),
    from: time,
    to: time,
  });
  const zones = fc.constantFrom("America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "UTC");
  // Days with a change of clocks on one continent or the other, and any other one.
  const days = fc.oneof(
    fc.constantFrom(
      "2027-03-14",
      "2027-03-28",
      "2027-04-04",
      "2027-10-03",
      "2027-10-31",
      "2027-11-07",
    ),
    fc.nat(365).map((day) => new Date(Date.UTC(2027, 0, 1 + day)).toISOString().slice(0, 10)),
  );
  fc.assert(
    fc.property(zones, days, fc.array(window, { maxLength: 3 }), (zone, date, windows) => {
      // Three days, of which the second is looked at.
      const begins = firstInstantOf(zone, Date.parse(`${date}T00:00Z`) - 24 * 60 * MINUTE_MS);
      const minutes = Array.from({ length: 75 * 60 }, (_, n) => {
        const at = begins + n * MINUTE_MS;
        return {
          at,
          shows: new Date(toLocal(zone, at)).toISOString().slice(0, 16).replace("T", " "),
        };
      });
      const isOpen = isOpenByTheClock(minutes, windows);
      const rule: WindowRule = { kind: "window", zone, windows };
      const wrong = minutes
        .filter(({ shows }, n) => shows.startsWith(date) && n % 11 === 0)
        .filter(({ at }) => (restrictionAt(rule, ES, at, deps) === undefined) !== isOpen(at));
      expect(wrong).toEqual([]);
    }),
    { numRuns: 20 },
  );
});
