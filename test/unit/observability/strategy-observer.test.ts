import { describe, expect, onTestFinished, test } from "vitest";
import { openAlarms } from "../../../src/observability/alarm-log.ts";
import { createAlarmMetrics } from "../../../src/observability/alarm-metrics.ts";
import { createStrategyObserver } from "../../../src/observability/strategy-observer.ts";
import { contractCode } from "../../../src/domain/contracts/contract.ts";
import { accountId, intentId, orderId, strategyId, userId } from "../../../src/domain/ids.ts";
import type { Outcome } from "../../../src/domain/intent.ts";
import type { Decision } from "../../../src/domain/strategies/strategy-decision.ts";
import type { Strategy } from "../../../src/domain/strategies/strategy.ts";
import { createLogger } from "../../../src/observability/logger.ts";
import { createMetrics } from "../../../src/observability/metrics.ts";
import type { LoggedEvaluation, Verdict } from "../../../src/trading/strategies/ports.ts";

const MNQ = contractCode({ root: "MNQ", year: 2026, month: 12 });

const STRATEGY: Strategy = {
  strategyId: strategyId("st_9b1c07d24e6f"),
  userId: userId("user_1"),
  version: 3,
  name: "EMA cross",
  accountId: accountId("paper-1"),
  symbol: "MNQ1!",
  barMinutes: 5,
  barCount: 200,
  indicators: {},
  conditions: { enterLong: "close[0] > open[0]" },
  qty: 1,
  mode: "trade",
  enabled: true,
  createdAt: 1_700_000_000_000,
  changedAt: 1_700_000_000_000,
};

const OBSERVING: Strategy = { ...STRATEGY, mode: "observe" };

const EVALUATION: LoggedEvaluation = {
  evaluationId: intentId("i5d20c7a91be3f684a0c9d1e8b7f2"),
  strategyId: STRATEGY.strategyId,
  userId: STRATEGY.userId,
  accountId: STRATEGY.accountId,
  version: 3,
  trigger: "schedule",
  slotAt: 1_790_001_000_000,
  openedAt: 1_790_001_000_004,
  endedAt: 1_790_001_000_035,
  verdict: "hold",
};

/** What every line says of it. */
const FIELDS = {
  strategyId: "st_9b1c07d24e6f",
  intentId: "i5d20c7a91be3f684a0c9d1e8b7f2",
  accountId: "paper-1",
  kind: "schedule",
};

const sent = (outcome: Outcome | undefined, verdict: Decision = "exit"): LoggedEvaluation => ({
  ...EVALUATION,
  verdict,
  reason: "exitLong is true, it holds long",
  contract: MNQ,
  targetQty: verdict === "exit" ? 0 : 1,
  sends: true,
  computeMs: 4,
  ...(outcome !== undefined && { outcome }),
});

const DONE = {
  kind: "done",
  result: {
    kind: "ADJUST",
    contract: MNQ,
    closed: [{ contract: MNQ, netQty: 1, orderId: orderId("o-1") }],
    canceledOrderIds: [],
    netQty: 0,
    problems: [] as readonly string[],
    exits: { kind: "none" as const },
  },
} satisfies Outcome;

function observe() {
  const written: string[] = [];
  const metrics = createMetrics("1.2.3");
  onTestFinished(() => metrics.close());
  const log = createLogger("debug", { write: (line) => void written.push(line) });
  const alarms = openAlarms(log);
  alarms.listen(createAlarmMetrics(metrics));
  const changes = { publish: () => undefined };
  const { evaluated } = createStrategyObserver({ log, metrics, alarms, changes });
  return {
    evaluated,
    lines: () =>
      written.map((line) => {
        const { time: _, ...said } = JSON.parse(line) as Record<string, unknown>;
        return said;
      }),
    /** What is not 0, but for the parts of histograms. */
    counted: async () =>
      (await metrics.text())
        .split("\n")
        .filter((line) => /^gateway_strategy_(?!.*_bucket)/.test(line) && !line.endsWith(" 0"))
        .map((line) => line.replace("gateway_strategy_", "")),
  };
}

describe("an evaluation that changes nothing", () => {
  test.each<Verdict>(["hold", "notReady", "stale", "skipped"])(
    "%s is told for debugging only",
    async (verdict) => {
      const { evaluated, lines, counted } = observe();
      evaluated(STRATEGY, { ...EVALUATION, verdict, reason: "Why", computeMs: 250 });
      expect(lines()).toEqual([
        {
          level: "debug",
          msg: "A strategy was evaluated",
          ...FIELDS,
          state: verdict,
          reason: "Why",
        },
      ]);
      expect(await counted()).toEqual([
        `evaluations_total{trigger="schedule",verdict="${verdict}"} 1`,
        "decision_seconds_sum 0.25",
        "decision_seconds_count 1",
      ]);
    },
  );

  test("a decision that is only observed, or that was only tried, is no order that is missing", async () => {
    const { evaluated, lines, counted } = observe();
    const decided = { ...EVALUATION, verdict: "enterShort" as const, targetQty: -1 };
    evaluated(OBSERVING, { ...decided, heldBack: "observe" });
    evaluated(STRATEGY, { ...decided, heldBack: "off" });
    evaluated(STRATEGY, { ...decided, trigger: "request", dryRun: true });
    expect(lines().map(({ level, msg, kind }) => ({ level, msg, kind }))).toEqual(
      ["schedule", "schedule", "request"].map((kind) => ({
        level: "debug",
        msg: "A strategy was evaluated",
        kind,
      })),
    );
    expect(await counted()).toEqual([
      'evaluations_total{trigger="schedule",verdict="enterShort"} 2',
      'evaluations_total{trigger="request",verdict="enterShort"} 1',
    ]);
  });
});

describe("a decision that is carried out", () => {
  test("is told with its contract and outcome", async () => {
    const { evaluated, lines, counted } = observe();
    evaluated(STRATEGY, sent(DONE));
    expect(lines()).toEqual([
      {
        level: "info",
        msg: "A strategy was evaluated",
        ...FIELDS,
        state: "exit",
        symbol: "MNQZ2026",
        outcome: "done",
        reason: "exitLong is true, it holds long",
      },
    ]);
    expect(await counted()).toEqual([
      'evaluations_total{trigger="schedule",verdict="exit"} 1',
      "decision_seconds_sum 0.004",
      "decision_seconds_count 1",
    ]);
  });

  test("or of which nobody knows yet, is not called one that was not: its lane alarms", async () => {
    const { evaluated, lines, counted } = observe();
    evaluated(STRATEGY, sent({ kind: "unknown", reason: "The answer was lost" }));
    evaluated(STRATEGY, sent(undefined));
    expect(lines()).toMatchObject([
      { level: "info", outcome: "unknown", reason: "exitLong is true, it holds long" },
      { level: "info", reason: "exitLong is true, it holds long" },
    ]);
    expect(lines()[1]).not.toHaveProperty("outcome");
    expect(await counted()).not.toContainEqual(expect.stringMatching(/^unsent_total/));
  });
});

describe("a decision that is not carried out", () => {
  test.each<Outcome>([
    { kind: "rejected", reason: "Insufficient margin" },
    { kind: "denied", code: "LIMIT_EXCEEDED", reason: "At most 2 contracts of MNQ" },
    { kind: "expired", reason: "It waited for 10 s" },
    { kind: "notSent", reason: "The connection was down" },
    { kind: "withdrawn", reason: "It was not sent in time" },
    { kind: "lost", reason: "The broker never had it" },
    { kind: "unprotected", canceled: "stop 25200", reason: "Refused", restored: false },
  ])("because it was $kind, is an error with the outcome's reason", async (outcome) => {
    const { evaluated, lines, counted } = observe();
    evaluated(STRATEGY, sent(outcome, "enterLong"));
    const { kind, reason } = outcome as Extract<Outcome, { reason: string }>;
    expect(lines()).toEqual([
      {
        level: "error",
        msg: "What a strategy decided was not carried out",
        ...FIELDS,
        state: "enterLong",
        symbol: "MNQZ2026",
        outcome: kind,
        reason,
      },
    ]);
    expect(await counted()).toEqual([
      'evaluations_total{trigger="schedule",verdict="enterLong"} 1',
      'unsent_total{decision="entry"} 1',
      "decision_seconds_sum 0.004",
      "decision_seconds_count 1",
    ]);
  });

  test("or only in part, is an error with what is missing", async () => {
    const { evaluated, lines, counted } = observe();
    const problems = ["MNQZ6: 1 contract is left", "its stop-loss was cancelled"];
    evaluated(STRATEGY, sent({ ...DONE, result: { ...DONE.result, problems } }));
    expect(lines()).toMatchObject([
      {
        level: "error",
        outcome: "done",
        reason: "MNQZ6: 1 contract is left; its stop-loss was cancelled",
      },
    ]);
    expect(await counted()).toContain('unsent_total{decision="exit"} 1');
  });
});

describe("a slot that was missed", () => {
  const MISSED: LoggedEvaluation = {
    ...EVALUATION,
    verdict: "missed",
    reason: "No process of the gateway was there",
  };

  test.each([
    ["error", STRATEGY],
    ["warn", OBSERVING],
  ])("is told as %s: who trades may have missed an exit", (level, strategy) => {
    const { evaluated, lines } = observe();
    evaluated(strategy, MISSED);
    expect(lines()).toEqual([
      {
        level,
        msg: "A strategy was not evaluated",
        ...FIELDS,
        state: "missed",
        count: 1,
        reason: "No process of the gateway was there",
      },
    ]);
  });

  test("counts as one; those that were missed together count as many as they are", async () => {
    const { evaluated, lines, counted } = observe();
    evaluated(STRATEGY, MISSED);
    evaluated(STRATEGY, { ...MISSED, missedFromAt: 1_790_000_000_000, missedSlots: 12 });
    expect(lines()).toMatchObject([{ count: 1 }, { count: 12 }]);
    expect(await counted()).toEqual([
      'evaluations_total{trigger="schedule",verdict="missed"} 2',
      "missed_slots_total 13",
    ]);
  });
});

test("an evaluation that fails is a warning with its reason, and no slot that was missed", async () => {
  const { evaluated, lines, counted } = observe();
  evaluated(STRATEGY, {
    ...EVALUATION,
    trigger: "request",
    verdict: "failed",
    reason: "enterLong: division by zero",
  });
  expect(lines()).toEqual([
    {
      level: "warn",
      msg: "A strategy could not be evaluated",
      ...FIELDS,
      kind: "request",
      state: "failed",
      reason: "enterLong: division by zero",
    },
  ]);
  expect(await counted()).toEqual(['evaluations_total{trigger="request",verdict="failed"} 1']);
});

test("a line stays whole without a reason, and says no empty one", () => {
  const { evaluated, lines } = observe();
  evaluated(STRATEGY, EVALUATION);
  evaluated(STRATEGY, { ...EVALUATION, reason: "" });
  const line = { level: "debug", msg: "A strategy was evaluated", ...FIELDS, state: "hold" };
  expect(lines()).toEqual([line, line]);
});
