import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import { accountId } from "../../../src/domain/ids.ts";
import type { GuardAlarm } from "../../../src/trading/alarms/guard-alarms.ts";
import type { PlanAlarm } from "../../../src/trading/alarms/plan-alarms.ts";
import { createMetrics, type MetricReaders } from "../../../src/observability/metrics.ts";

const ofAccount = (id: string) => ({ accountId: accountId(id), reason: "The reason" });
const GUARD_ALARMS: readonly GuardAlarm[] = [
  { kind: "accountLocked", ...ofAccount("1") },
  { kind: "accountLocked", ...ofAccount("2") },
  { kind: "accountLocked", ...ofAccount("3") },
  { kind: "guardBlind", ...ofAccount("1") },
  { kind: "guardBlind", ...ofAccount("2") },
  { kind: "guardNotFlat", ...ofAccount("1") },
  { kind: "calendarExpired", ...ofAccount("1"), calendar: "fed" },
  { kind: "calendarExpired", ...ofAccount("1"), calendar: "news" },
];

const HELD = { kind: "exitPlanHeld", contract: "ESZ2026" as ContractCode } as const;
const PLAN_ALARMS: readonly PlanAlarm[] = [
  { ...HELD, what: "blind", ...ofAccount("1") },
  { ...HELD, what: "blind", ...ofAccount("2") },
  { ...HELD, what: "stuck", ...ofAccount("1") },
];

const READERS: MetricReaders = {
  laneIntents: async () => ({ waiting: 3, held: 2, sending: 1 }),
  laneIntentsByAccount: undefined,
  laneActiveIntents: () => 1,
  oldestIntentSeconds: async () => 1.5,
  oldestWorkedSeconds: async () => 0.5,
  unknownOutcomes: async () => 0,
  unfinishedExits: async () => 2,
  heldExits: async () => 1,
  unprotectedPositions: async () => 4,
  accountsOutOfStep: () => 5,
  activeKillSwitches: () => 0,
  redisIsDurable: () => true,
  storeIsKnown: () => true,
  storeDiskFreeBytes: () => 1e9,
  storeMemoryShare: () => 0.5,
  storeSlowestSeconds: () => 0,
  oldestReconciliationSeconds: () => 12,
  suspectedPositions: () => 2,
  copying: () => ({ contracts: 3, followers: new Map([["joining", 2]]) }),
  money: () => ({ watched: 9, stale: 3, staleHeld: 2, told: 40, differing: 1 }),
  notifying: async () => ({ waiting: 0, undelivered: 0, disabled: 0, oldestDueSeconds: 0 }),
  guardAlarms: () => GUARD_ALARMS,
  planAlarms: () => PLAN_ALARMS,
  sharing: () => ({ owned: 3, withoutRoom: 1 }),
  connections: () => [{ connectionId: "paper", status: "CONNECTED" }],
};

function metrics(readers: Partial<MetricReaders> = {}) {
  const created = createMetrics("1.2.3");
  created.read({ ...READERS, ...readers });
  onTestFinished(() => created.close());
  return created;
}

test("what is counted is what is shown", async () => {
  const { httpRequests, requestSeconds, alerts, intentSettled, ...rest } = metrics();
  httpRequests.inc({ method: "POST", route: "/hooks/:token", status: 200 });
  requestSeconds({ method: "POST", route: "/hooks/:token" }, 0.004);
  alerts("done");
  intentSettled("PLACE", "rejected");
  rest.stageSeconds("sent_to_settled", 0.02);
  rest.authFailures("keyUnknown");
  rest.rateLimited("webhook");
  rest.adoptedFills(2);
  rest.reconciliationDifferences("position");
  rest.reconciliations("failed");
  rest.legsKept("resize");
  rest.reconciledAt(1_700_000_000_500);
  rest.deadLetter();
  rest.storeErrors("lane");
  rest.copyEnded("drift", "rejected");
  rest.copyEnded("fill", "skipped");
  rest.copySentSeconds(0.02);
  rest.copySlippage(-3);
  rest.copyDrifted();
  rest.followerStopped();
  rest.strategyEvaluated("schedule", "enterLong");
  rest.strategyEvaluated("schedule", "enterLong");
  rest.strategyEvaluated("request", "stale");
  rest.strategySlotsMissed(7);
  rest.strategySlotsMissed(1);
  rest.strategyUnsent("exit");
  rest.strategyDecisionSeconds(0.004);
  rest.strategyDecisionSeconds(0.25);

  const text = await rest.text();
  expect(text.split("\n")).toEqual(
    expect.arrayContaining([
      'gateway_http_requests_total{method="POST",route="/hooks/:token",status="200"} 1',
      'gateway_http_request_duration_seconds_bucket{le="0.005",method="POST",route="/hooks/:token"} 1',
      'gateway_alerts_total{outcome="done"} 1',
      'gateway_intents_total{kind="PLACE",outcome="rejected"} 1',
      'gateway_intent_stage_seconds_sum{stage="sent_to_settled"} 0.02',
      'gateway_auth_failures_total{kind="keyUnknown"} 1',
      'gateway_rate_limited_total{kind="webhook"} 1',
      "gateway_redis_durable 1",
      "gateway_reconciliation_adopted_fills_total 2",
      'gateway_reconciliation_differences_total{kind="position"} 1',
      'gateway_reconciliations_total{result="failed"} 1',
      'gateway_legs_kept_total{action="resize"} 1',
      "gateway_oldest_reconciliation_seconds 12",
      "gateway_suspected_positions 2",
      'gateway_lane_intents{state="waiting"} 3',
      'gateway_lane_intents{state="held"} 2',
      "gateway_lane_oldest_intent_seconds 1.5",
      "gateway_unprotected_positions 4",
      "gateway_accounts_out_of_step 5",
      "gateway_quotes_watched 9",
      "gateway_quotes_stale 3",
      "gateway_quotes_stale_held 2",
      "gateway_quotes_total 40",
      "gateway_accounts_money_differs 1",
      "gateway_locked_accounts 3",
      "gateway_guard_blind_accounts 2",
      "gateway_guard_not_flat_accounts 1",
      "gateway_guards_unjudged_accounts 0",
      "gateway_guard_calendars_expired 2",
      "gateway_exit_plans_blind 2",
      "gateway_exit_plans_stuck 1",
      "gateway_reconciliation_last_success_timestamp_seconds 1700000000.5",
      "gateway_dead_letters_total 1",
      'gateway_store_errors_total{kind="lane"} 1',
      'gateway_copies_total{cause="drift",outcome="rejected"} 1',
      'gateway_copies_total{cause="fill",outcome="skipped"} 1',
      "gateway_copy_sent_seconds_sum 0.02",
      "gateway_copy_slippage_ticks_sum -3",
      "gateway_copy_drifts_total 1",
      "gateway_copy_stops_total 1",
      "gateway_copy_drift_contracts 3",
      'gateway_copy_followers{state="joining"} 2',
      'gateway_copy_followers{state="stopped"} 0',
      'gateway_strategy_evaluations_total{trigger="schedule",verdict="enterLong"} 2',
      'gateway_strategy_evaluations_total{trigger="request",verdict="enterLong"} 0',
      'gateway_strategy_evaluations_total{trigger="request",verdict="stale"} 1',
      "gateway_strategy_missed_slots_total 8",
      'gateway_strategy_unsent_total{decision="exit"} 1',
      'gateway_strategy_unsent_total{decision="entry"} 0',
      'gateway_strategy_decision_seconds_bucket{le="0.0025"} 0',
      'gateway_strategy_decision_seconds_bucket{le="0.005"} 1',
      'gateway_strategy_decision_seconds_bucket{le="0.25"} 2',
      "gateway_strategy_decision_seconds_sum 0.254",
      "gateway_lane_active_intents 1",
      'gateway_connection_state{connection_id="paper",state="CONNECTED"} 1',
      'gateway_connection_state{connection_id="paper",state="FATAL_ERROR"} 0',
      `gateway_build_info{version="1.2.3",node_version="${process.version}"} 1`,
    ]),
  );
  expect(text).toMatch(/^process_resident_memory_bytes [1-9]\d+$/m);
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
});

describe("for who asks for OpenMetrics", () => {
  const samples = (text: string) => text.split("\n").filter((line) => /^[a-z]/.test(line));

  test.each([false, true])(
    "the figures are the same, where traces are on: %s",
    async (isTraced) => {
      const created = createMetrics("1.2.3", { isTraced });
      onTestFinished(() => created.close());
      created.read(READERS);
      created.alerts("done");
      created.stageSeconds("sent_to_settled", 0.02);
      // What is measured anew by each scrape.
      const isFixed = (line: string) =>
        !/^(process|nodejs)_|^gateway_copy_slippage_ticks_(sum|count)/.test(line);
      const [plain, open, again] = [
        await created.text(),
        await created.text("openMetrics"),
        await created.text(),
      ];
      expect(samples(open).filter(isFixed)).toEqual(samples(plain).filter(isFixed));
      expect(samples(again).filter(isFixed)).toEqual(samples(plain).filter(isFixed));
      expect(open).toContain("# TYPE gateway_alerts counter\ngateway_alerts_total{");
      expect(open).toMatch(/[^\n]\n# EOF\n$/);
      expect(open).not.toContain("\n\n");
    },
  );

  test("what may be negative has no sum, and so no count: the format forbids it", async () => {
    const created = metrics();
    created.copySlippage(-3);
    created.copySentSeconds(0.02);
    const isOfCopies = (line: string) => /^gateway_copy_(slippage_ticks|sent_seconds)/.test(line);
    const named = async (format?: "openMetrics") => {
      const lines = samples(await created.text(format)).filter(isOfCopies);
      return new Set(lines.map((line) => line.split(/[{ ]/)[0]));
    };
    const shown = [
      "gateway_copy_sent_seconds_bucket",
      "gateway_copy_sent_seconds_sum",
      "gateway_copy_sent_seconds_count",
      "gateway_copy_slippage_ticks_bucket",
    ];
    expect(await named("openMetrics")).toEqual(new Set(shown));
    const left = ["gateway_copy_slippage_ticks_sum", "gateway_copy_slippage_ticks_count"];
    expect(await named()).toEqual(new Set([...shown, ...left]));
  });

  test("a latency names the trace that it was of last, where traces are on", async () => {
    const created = createMetrics("1.2.3", { isTraced: true });
    onTestFinished(() => created.close());
    created.stageSeconds("sent_to_settled", 0.02, "ab".repeat(16));
    created.stageSeconds("sent_to_settled", 0.021);
    const text = await created.text("openMetrics");
    const named = text.split("\n").filter((line) => line.includes("trace_id"));
    expect(named).toEqual([
      expect.stringMatching(
        /^gateway_intent_stage_seconds_bucket\{le="0\.025",stage="sent_to_settled"\} 2 # \{trace_id="(ab){16}"\} 0\.02 \d+\.\d+$/,
      ),
    ]);
    expect(await created.text()).not.toContain("trace_id");
  });
});

test("a number that cannot be read is left out, and the others are shown", async () => {
  let isDown = false;
  const { text } = metrics({
    unknownOutcomes: async () => {
      if (isDown) throw new Error("Redis is down");
      return 3;
    },
    laneIntents: async () => {
      if (isDown) throw new Error("Redis is down");
      return { waiting: 3, held: 0, sending: 0 };
    },
  });
  expect(await text()).toMatch(/^gateway_unknown_outcomes 3$/m);
  expect(await text()).toMatch(/^gateway_lane_intents\{state="waiting"\} 3$/m);
  isDown = true;
  expect(await text()).not.toMatch(/^gateway_unknown_outcomes \d/m);
  expect(await text()).not.toMatch(/^gateway_lane_intents\{/m);
  expect(await text()).toMatch(/^gateway_lane_active_intents 1$/m);
});

test("a connection that is gone is shown no longer", async () => {
  const connections = [{ connectionId: "paper", status: "CONNECTED" as const }];
  const { text } = metrics({ connections: () => connections });
  expect(await text()).toContain('connection_id="paper"');
  connections.pop();
  expect(await text()).not.toContain('connection_id="paper"');
});

test("followers that are so no longer are shown as none, and what is nowhere is 0", async () => {
  const followers = new Map([["drifted", 2]]);
  const { text } = metrics({ copying: () => ({ contracts: 5, followers }) });
  expect(await text()).toMatch(/^gateway_copy_followers\{state="drifted"\} 2$/m);
  followers.clear();
  const shown = (await text()).match(/^gateway_copy_followers\{.*$/gm) ?? [];
  expect(shown).toEqual(
    ["following", "joining", "drifted", "stopped", "offline", "off"].map(
      (state) => `gateway_copy_followers{state="${state}"} 0`,
    ),
  );
});

test("a stall of the event loop is shown once", async () => {
  const { text } = metrics();
  await sleep(60);
  const until = performance.now() + 150;
  while (performance.now() < until);
  await sleep(60);

  const lag = async (which: string) =>
    Number(
      new RegExp(`^nodejs_eventloop_lag_${which}_seconds (\\S+)$`, "m").exec(await text())?.[1],
    );
  expect(await lag("max")).toBeGreaterThan(0.1);
  expect(await lag("max")).toBeLessThan(0.1);
});

test("two gateways in one process share nothing", async () => {
  const [one, other] = [metrics(), metrics()];
  one.alerts("done");
  expect(await other.text()).toContain('gateway_alerts_total{outcome="done"} 0');
});

test("what an alarm counts is 0 from the start, or its first would not be seen", async () => {
  const text = await metrics().text();
  for (const series of [
    'gateway_intents_total{kind="PLACE",outcome="unknown"}',
    'gateway_reconciliation_differences_total{kind="lateOrder"}',
    'gateway_auth_failures_total{kind="tokenUnknown"}',
    'gateway_store_errors_total{kind="connection"}',
    "gateway_dead_letters_total",
    'gateway_copies_total{cause="fill",outcome="rejected"}',
    'gateway_copies_total{cause="drift",outcome="lost"}',
    "gateway_copy_stops_total",
    'gateway_copy_followers{state="stopped"}',
  ]) {
    expect(text).toContain(`\n${series} 0\n`);
  }
});

test("whatever is counted of strategies is 0 from the start, under every label value", async () => {
  const text = await metrics().text();
  const shown = text.split("\n").filter((line) => /^gateway_strategy_(?!.*_bucket)/.test(line));
  const decisions = ["enterLong", "enterShort", "exit", "hold"];
  const undecided = ["notReady", "stale", "failed", "missed", "skipped"];
  expect(shown.toSorted()).toEqual(
    [
      ...["schedule", "request"].flatMap((trigger) =>
        [...decisions, ...undecided].map(
          (verdict) =>
            `gateway_strategy_evaluations_total{trigger="${trigger}",verdict="${verdict}"} 0`,
        ),
      ),
      "gateway_strategy_missed_slots_total 0",
      'gateway_strategy_unsent_total{decision="entry"} 0',
      'gateway_strategy_unsent_total{decision="exit"} 0',
      "gateway_strategy_decision_seconds_count 0",
      "gateway_strategy_decision_seconds_sum 0",
    ].toSorted(),
  );
});

test("an account is a label only where the operator wants it", async () => {
  expect(await metrics().text()).not.toContain("account_id=");
  const { text } = metrics({
    laneIntentsByAccount: async () => [{ accountId: "paper-1", waiting: 2, held: 0, sending: 0 }],
  });
  expect(await text()).toContain(
    'gateway_account_lane_intents{account_id="paper-1",state="waiting"} 2',
  );
});

test("names are as promtool's linter wants them", async () => {
  const text = await metrics().text();
  const kinds = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, kind]) => ({
    name,
    kind,
  }));
  expect(kinds.length).toBeGreaterThan(15);
  for (const { name = "", kind } of kinds) {
    expect(name).toMatch(/^(gateway|process|nodejs)_[a-z0-9_]+$/);
    expect(name.endsWith("_total")).toBe(kind === "counter");
    expect(name).not.toMatch(/_(ms|milliseconds|count|sum|bucket|gauge|histogram|counter)$/);
  }
});

test("connections show how often they were begun anew, when their broker was heard of, and its clock", async () => {
  const { text } = metrics({
    connections: () => [
      {
        connectionId: "sim-1",
        status: "CONNECTED",
        retries: 3,
        lastMessageAt: 1_500,
        clockOffsetMs: -31_000,
      },
      { connectionId: "sim-2", status: "CONNECTING", retries: 0, lastMessageAt: undefined },
    ],
  });
  for (const shown of [await text(), await text()]) {
    expect(
      shown.split("\n").filter((line) => /^gateway_connection_(re|last|clock)/.test(line)),
    ).toEqual([
      'gateway_connection_reconnects_total{connection_id="sim-1"} 3',
      'gateway_connection_reconnects_total{connection_id="sim-2"} 0',
      'gateway_connection_last_message_timestamp_seconds{connection_id="sim-1"} 1.5',
      'gateway_connection_clock_offset_seconds{connection_id="sim-1"} -31',
    ]);
  }
});
