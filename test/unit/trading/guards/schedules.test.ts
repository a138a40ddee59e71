import { describe, expect, test } from "vitest";
import { createScheduleLookups } from "../../../../src/app/schedule-lookups.ts";
import type { EconomicCalendar } from "../../../../src/domain/guards/economic-calendar.ts";
import type {
  FlatByRule,
  NewsRule,
  WindowRule,
} from "../../../../src/domain/guards/schedule-rule.ts";
import { createSchedules, isSchedule } from "../../../../src/trading/guards/schedules.ts";
import { scheduleDeps } from "../../../support/schedule-deps.ts";
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

const flatBy: FlatByRule = {
  kind: "flatBy",
  zone: "America/Chicago",
  time: "15:10",
  entriesOffMinutes: 5,
  flattenSeconds: 120,
};
const NONE = new Map();

/** How often something was worked out: each time the product is looked up. */
function counted() {
  let times = 0;
  const deps = scheduleDeps();
  const productOf: typeof deps.productOf = (root) => {
    times += 1;
    return deps.productOf(root);
  };
  const schedules = createSchedules({ ...deps, productOf }, () => ES);
  return { schedules, times: () => times };
}

describe("what is remembered of a schedule", () => {
  test("is worked out once for all accounts whose rules say the same", () => {
    const { schedules, times } = counted();
    const at = Date.parse("2026-12-09T15:00:00Z");
    for (let count = 0; count < 300; count += 1) {
      const own = { ...flatBy, id: `rule-${count}`, mode: "on", lock: "soft" };
      expect(schedules.restriction(NONE, own, ES, at + count * 1_000)).toBeUndefined();
    }
    expect(times()).toBe(1);
    const other = { ...flatBy, time: "15:11" };
    schedules.restriction(NONE, other, ES, at);
    expect(times()).toBe(2);
  });

  test("ends to the millisecond where something begins or is over", () => {
    const { schedules } = counted();
    const said = (text: string) =>
      schedules.restriction(NONE, flatBy, ES, Date.parse(text))?.forbids ?? "free";
    const asked = [
      "2026-12-09T20:00:00Z",
      "2026-12-09T21:04:59.999Z",
      "2026-12-09T21:05:00Z",
      "2026-12-09T21:07:59.999Z",
      "2026-12-09T21:08:00Z",
      "2026-12-09T22:59:59.999Z",
      "2026-12-09T23:00:00Z",
      // A clock that was set back.
      "2026-12-09T21:06:00Z",
    ];
    expect(asked.map(said)).toEqual([
      "free",
      "free",
      "entries",
      "entries",
      "positions",
      "positions",
      "free",
      "entries",
    ]);
  });

  test("is forgotten with the calendar that it was read from", () => {
    const { schedules } = counted();
    const at = Date.parse("2026-12-10T13:30:00Z");
    const news: NewsRule = {
      kind: "news",
      calendar: "us",
      beforeSeconds: 120,
      afterSeconds: 120,
      forbids: "positions",
      whenExpired: "tell",
    };
    const said = (...startsAt: readonly number[]) => {
      const events = startsAt.map((one) => ({ title: "CPI", startsAt: one }));
      const calendar: EconomicCalendar = { name: "us", savedAt: 0, events };
      return schedules.restriction(new Map([["us", calendar]]), news, ES, at)?.forbids;
    };
    expect([said(at + 86_400_000), said(at), said(at + 60_000), said()]).toEqual([
      undefined,
      "positions",
      "positions",
      undefined,
    ]);
    expect(schedules.restriction(NONE, { ...news, whenExpired: "refuse" }, ES, at)?.forbids).toBe(
      "entries",
    );
  });

  test("finds each close that was missed, whoever asked before", () => {
    const { schedules, times } = counted();
    const due = Date.parse("2026-12-09T21:08:00Z");
    const missed = (after: number, at: number) => schedules.missed(NONE, flatBy, ES, { after, at });
    schedules.restriction(NONE, flatBy, ES, due - 3_600_000);
    expect(missed(due - 600_000, due - 599_000)).toBeUndefined();
    expect(times()).toBe(1);
    expect(missed(due - 1_000, due)).toBe(due);
    expect(missed(due - 5_000, due + 600_000)).toBe(due);
    expect(missed(due, due + 600_000)).toBeUndefined();
    expect(missed(due - 86_400_000, due + 600_000)).toBe(due);
  });

  test("is shown no longer than it holds", () => {
    const { schedules } = counted();
    const shown = (text: string) => schedules.next(NONE, flatBy, Date.parse(text))?.forbids;
    expect(shown("2026-12-09T21:07:59Z")).toBe("entries");
    expect(shown("2026-12-09T21:08:00Z")).toBe("positions");
  });
});
