import { describe, expect, test } from "vitest";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import type { EconomicCalendar } from "../../../../src/domain/guards/economic-calendar.ts";
import type {
  FlatByRule,
  NewsRule,
  WindowRule,
} from "../../../../src/domain/guards/schedule-rule.ts";
import { createSchedules } from "../../../../src/trading/guards/schedules.ts";
import { scheduleDeps } from "../../../support/schedule-deps.ts";

const ES = "ESZ2026" as ContractCode;
const WORKDAYS = ["mon", "tue", "wed", "thu", "fri"] as const;

const rule: WindowRule = {
  kind: "window",
  zone: "America/New_York",
  windows: [{ days: WORKDAYS, from: "09:30", to: "16:00" }],
};

const next = (instant: string) =>
  createSchedules(scheduleDeps(), () => ES).next(new Map(), rule, Date.parse(instant));

describe("what is shown of a schedule", () => {
  test("is what it forbids now, until that is over", () => {
    const at = "2026-12-09T21:30:00Z";
    const { since = NaN, until = NaN, forbids } = next(at) ?? {};
    expect(since).toBeLessThanOrEqual(Date.parse(at));
    expect([forbids, until]).toEqual(["entries", Date.parse("2026-12-10T14:30:00Z")]);
  });

  test("is what comes next while it forbids nothing", () => {
    expect(next("2026-12-09T20:00:00Z")).toMatchObject({
      forbids: "entries",
      since: Date.parse("2026-12-09T21:00:00Z"),
    });
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
