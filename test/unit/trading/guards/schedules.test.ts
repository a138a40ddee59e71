import { describe, expect, test } from "vitest";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import type { WindowRule } from "../../../../src/domain/guards/schedule-rule.ts";
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
