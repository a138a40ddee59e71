import { expect, test } from "vitest";
import { createScheduleLookups } from "../../../../src/app/schedule-lookups.ts";
import type { EconomicCalendar } from "../../../../src/domain/guards/economic-calendar.ts";
import type { NewsRule, WindowRule } from "../../../../src/domain/guards/schedule-rule.ts";
import { createSchedules, isSchedule } from "../../../../src/trading/guards/schedules.ts";
import { count, NOON } from "../../domain/guards/kit.ts";
import { ES } from "../lane-kit.ts";

const RULE: NewsRule = {
  kind: "news",
  calendar: "us",
  beforeSeconds: 120,
  afterSeconds: 120,
  forbids: "positions",
  whenExpired: "tell",
};
const calendarsAt = (...startsAt: readonly number[]) =>
  new Map<string, EconomicCalendar>([
    [
      "us",
      { name: "us", savedAt: 0, events: startsAt.map((at) => ({ startsAt: at, title: "CPI" })) },
    ] as never,
  ]);

const schedules = createSchedules(createScheduleLookups(), () => ES);

test("a restriction begins and ends at its second exactly", () => {
  const calendars = calendarsAt(NOON);
  const at = (ms: number) => schedules.restriction(calendars, RULE, ES, NOON + ms)?.forbids;
  expect([at(-120_001), at(-120_000), at(119_999), at(120_000)]).toEqual([
    undefined,
    "positions",
    "positions",
    undefined,
  ]);
});

test("a calendar that was saved anew counts within the same second", () => {
  const rule = { ...RULE };
  expect(schedules.restriction(calendarsAt(), rule, ES, NOON)?.forbids).toBeUndefined();
  expect(schedules.restriction(calendarsAt(NOON), rule, ES, NOON)?.forbids).toBe("positions");
});

test("the next one is shown, also of a calendar that has changed, and once the clock went back", () => {
  const rule = { ...RULE };
  const far = NOON + 3_600_000;
  const shown = (calendars: ReturnType<typeof calendarsAt>, at = NOON) =>
    schedules.next(calendars, rule, at)?.since;
  const calendars = calendarsAt(far);
  expect([shown(calendars), shown(calendars, NOON + 59_999)]).toEqual([
    far - 120_000,
    far - 120_000,
  ]);
  expect(shown(calendars, far)).toBe(far - 120_000);
  expect(shown(calendars, far + 120_000)).toBeUndefined();
  expect(shown(calendars)).toBe(far - 120_000);
  expect(shown(calendarsAt(far + 1_000))).toBe(far - 119_000);
});

test("rules of the clock are told from those of figures", () => {
  expect([isSchedule(RULE), isSchedule(count())]).toEqual([true, false]);
});

test("what it forbids now is shown until that is over, and else what comes next", () => {
  const rule: WindowRule = {
    kind: "window",
    zone: "America/New_York",
    windows: [{ days: ["mon", "tue", "wed", "thu", "fri"], from: "09:30", to: "16:00" }],
  };
  const next = (instant: string) => schedules.next(new Map(), rule, Date.parse(instant));
  const at = "2026-12-09T21:30:00Z";
  const { since = Number.NaN, until, forbids } = next(at) ?? {};
  expect(since).toBeLessThanOrEqual(Date.parse(at));
  expect([forbids, until]).toEqual(["entries", Date.parse("2026-12-10T14:30:00Z")]);
  expect(next("2026-12-09T20:00:00Z")).toMatchObject({
    forbids: "entries",
    since: Date.parse("2026-12-09T21:00:00Z"),
  });
});
