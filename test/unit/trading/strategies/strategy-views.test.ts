import { beforeEach, describe, expect, test } from "vitest";
import { intentId } from "../../../../src/domain/ids.ts";
import type { Strategy } from "../../../../src/domain/strategies/strategy.ts";
import type { LoggedEvaluation } from "../../../../src/trading/strategies/ports.ts";
import {
  type StrategyView,
  viewStrategies,
} from "../../../../src/trading/strategies/strategy-views.ts";
import { Clock, MemoryStrategies, MinuteScheduler } from "./memory-strategies.ts";
import { evaluation, ID, MINUTE_MS, NOW, OTHER_ID, SCHEDULE, strategy } from "./strategy-kit.ts";

let clock: Clock;
let memory: MemoryStrategies;

beforeEach(() => {
  clock = new Clock();
  memory = new MemoryStrategies(clock);
});

const scheduled = (change: Partial<Strategy> = {}) => strategy({ schedule: SCHEDULE, ...change });

async function ended(change: Partial<LoggedEvaluation>, of: Strategy = scheduled()) {
  memory.put(of);
  const slot = { trigger: "schedule", slotAt: NOW, verdict: "hold" } as const;
  const whole = { ...evaluation({ strategyId: of.strategyId }), ...slot, ...change };
  await memory.log.open(whole);
  await memory.log.end(whole);
}

async function viewOf(one: Strategy): Promise<StrategyView | undefined> {
  const deps = { log: memory.log, scheduler: new MinuteScheduler(clock) };
  return (await viewStrategies(deps, [one]))[0];
}

describe("a strategy that was never evaluated", () => {
  test.each<[string, Strategy, Partial<StrategyView>]>([
    ["off", strategy({ enabled: false }), { state: "off" }],
    ["off, whatever its schedule says", scheduled({ enabled: false }), { state: "off" }],
    ["evaluated on request", strategy(), { state: "onRequest" }],
    ["scheduled", scheduled(), { state: "scheduled", nextAt: NOW + MINUTE_MS }],
    [
      "scheduled without a slot that is left",
      scheduled({ schedule: { ...SCHEDULE, cron: "never" } }),
      { state: "scheduled" },
    ],
  ])("is %s", async (_, one, expected) => {
    expect(await viewOf(one)).toEqual({ strategy: one, ...expected });
  });
});

describe("a strategy with a schedule", () => {
  test.each(["failed", "missed"] as const)("is failing after %s, and says why", async (verdict) => {
    await ended({ verdict, reason: "No broker reports its account" });
    expect(await viewOf(scheduled())).toMatchObject({
      state: "failing",
      reason: "No broker reports its account",
      nextAt: NOW + MINUTE_MS,
      newest: { evaluationId: "i1", verdict },
    });
  });

  test.each(["hold", "enterLong", "exit", "notReady", "stale", "skipped"] as const)(
    "is not after %s",
    async (verdict) => {
      await ended({ verdict, reason: "Why" });
      const view = await viewOf(scheduled());
      expect(view).toMatchObject({ state: "scheduled", newest: { verdict } });
      expect(view?.reason).toBeUndefined();
    },
  );

  test("is judged by its newest slot", async () => {
    await ended({ verdict: "failed", reason: "Why" });
    await ended({ evaluationId: intentId("i2"), verdict: "hold" });
    expect((await viewOf(scheduled()))?.state).toBe("scheduled");
    await ended({ evaluationId: intentId("i3"), verdict: "missed" });
    expect((await viewOf(scheduled()))?.state).toBe("failing");
  });

  test("that was switched off is not failing any more", async () => {
    await ended({ verdict: "failed" });
    expect((await viewOf(scheduled({ enabled: false })))?.state).toBe("off");
    expect((await viewOf(strategy()))?.state).toBe("onRequest");
  });

  test("is not failing because of what somebody asked for", async () => {
    await ended({ verdict: "failed", trigger: "request" });
    expect((await viewOf(scheduled()))?.state).toBe("scheduled");
  });
});

test("each strategy has its own newest evaluation", async () => {
  const other = scheduled({ strategyId: OTHER_ID });
  await ended({ verdict: "failed" }, other);
  memory.put(scheduled());
  const deps = { log: memory.log, scheduler: new MinuteScheduler(clock) };
  const views = await viewStrategies(deps, [scheduled(), other]);
  expect(views.map(({ state, strategy: { strategyId } }) => [strategyId, state])).toEqual([
    [ID, "scheduled"],
    [OTHER_ID, "failing"],
  ]);
});
