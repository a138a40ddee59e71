import { describe, expect, test } from "vitest";
import {
  createSessionClock,
  ROUND_THE_CLOCK,
  sessionState,
} from "../../../../src/brokers/paper/exchange/session-hours.ts";

const GLOBEX = { timeZone: "America/Chicago", parts: [{ opens: "17:00", closes: "16:00" }] };
const GRAINS = {
  timeZone: "America/Chicago",
  parts: [
    { opens: "19:00", closes: "07:45" },
    { opens: "08:30", closes: "13:20" },
  ],
};
const at = (text: string) => Date.parse(text);
const show = (hours: typeof GLOBEX, text: string) => {
  const { isOpen, changesAt, endsAt } = sessionState(hours, at(text));
  return [isOpen, new Date(changesAt).toISOString(), new Date(endsAt).toISOString()];
};

describe("sessionState", () => {
  test.each([
    ["2026-07-15T14:00:00Z", true, "2026-07-15T21:00", "2026-07-15T21:00"],
    // In the daily break the next trade day is the one that counts.
    ["2026-07-15T21:30:00Z", false, "2026-07-15T22:00", "2026-07-16T21:00"],
    ["2026-07-17T21:00:00Z", false, "2026-07-19T22:00", "2026-07-20T21:00"],
    ["2026-07-19T22:00:00Z", true, "2026-07-20T21:00", "2026-07-20T21:00"],
    // Winter time, and the weekend of the change to daylight saving time.
    ["2026-01-14T15:00:00Z", true, "2026-01-14T22:00", "2026-01-14T22:00"],
    ["2026-03-07T12:00:00Z", false, "2026-03-08T22:00", "2026-03-09T21:00"],
  ])("Globex at %s", (now, isOpen, changesAt, endsAt) => {
    expect(show(GLOBEX, now)).toEqual([isOpen, `${changesAt}:00.000Z`, `${endsAt}:00.000Z`]);
  });

  test.each([
    ["2026-07-15T12:00:00Z", true, "2026-07-15T12:45"],
    ["2026-07-15T13:00:00Z", false, "2026-07-15T13:30"],
    ["2026-07-15T14:00:00Z", true, "2026-07-15T18:20"],
  ])("grains with their pause at %s", (now, isOpen, changesAt) => {
    const endsAt = "2026-07-15T18:20:00.000Z";
    expect(show(GRAINS, now)).toEqual([isOpen, `${changesAt}:00.000Z`, endsAt]);
  });

  test("a holiday is passed over", () => {
    const hours = { ...GLOBEX, closedOn: new Set(["2026-12-25"]) };
    const state = sessionState(hours, at("2026-12-25T15:00:00Z"));
    expect(state).toMatchObject({ isOpen: false, changesAt: at("2026-12-27T23:00:00Z") });
  });

  test("hours without any trade day are closed", () => {
    const closedOn = { has: () => true } as unknown as ReadonlySet<string>;
    expect(sessionState({ ...GLOBEX, closedOn }, 0).isOpen).toBe(false);
  });

  test("round the clock is open at any time, and its day ends at 17:00 in New York", () => {
    for (let now = at("2026-07-17T00:00:00Z"); now < at("2026-07-20T00:00:00Z"); now += 1_800_000) {
      expect(sessionState(ROUND_THE_CLOCK, now).isOpen).toBe(true);
    }
    const saturday = sessionState(ROUND_THE_CLOCK, at("2026-07-18T12:00:00Z"));
    expect(saturday.endsAt).toBe(at("2026-07-18T21:00:00Z"));
  });
});

test("the clock remembers a state no longer than it holds", () => {
  const clock = createSessionClock();
  const open = clock(GLOBEX, at("2026-07-15T14:00:00Z"));
  expect(clock(GLOBEX, at("2026-07-15T20:59:59Z"))).toBe(open);
  expect(clock(GLOBEX, at("2026-07-15T21:00:00Z")).isOpen).toBe(false);
  expect(clock(GLOBEX, at("2026-07-15T14:00:00Z")).isOpen).toBe(true);
});
