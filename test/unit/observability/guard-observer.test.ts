// The goal: what guards do is in the log and in the metrics, and the overview is read again.
import { expect, onTestFinished, test } from "vitest";
import type { RuleKind } from "../../../src/domain/guards/rule.ts";
import type { Verdict } from "../../../src/domain/guards/verdict.ts";
import { accountId } from "../../../src/domain/ids.ts";
import { createGuardObserver } from "../../../src/observability/guard-observer.ts";
import { createLogger } from "../../../src/observability/logger.ts";
import { createMetrics } from "../../../src/observability/metrics.ts";

const ACCOUNT = accountId("paper-1");

const verdict = (kind: RuleKind, usedPercent?: number, isShadow = false): Verdict => ({
  ruleId: kind,
  kind,
  isShadow,
  level: "ok",
  unit: "money",
  source: "gateway",
  asOf: 0,
  reason: "The reason",
  ...(usedPercent !== undefined && { usedPercent }),
});

function observe() {
  const written: string[] = [];
  const news: unknown[] = [];
  const metrics = createMetrics("1.2.3");
  onTestFinished(() => metrics.close());
  const observer = createGuardObserver({
    log: createLogger("debug", { write: (line) => void written.push(line) }),
    metrics,
    changes: { publish: (...what) => void news.push(what) },
  });
  const shown = async () =>
    (await metrics.text()).split("\n").filter((line) => line.startsWith("gateway_guard"));
  const lines = () => written.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { observer, shown, lines, news };
}

test("a decision is logged with its rule and its reason, counted, and news of its account", async () => {
  const { observer, shown, lines, news } = observe();
  expect(await shown()).toContain('gateway_guard_decisions_total{what="locked"} 0');
  observer.decided(ACCOUNT, { at: 0, what: "locked", ruleId: "day-loss", reason: "Too much" });
  observer.decided(ACCOUNT, { at: 0, what: "wouldRefuse", reason: "Too many" });
  expect(lines()).toEqual([
    expect.objectContaining({
      level: "warn",
      msg: "An account was locked",
      accountId: ACCOUNT,
      kind: "locked",
      ruleId: "day-loss",
      reason: "Too much",
    }),
    expect.objectContaining({ level: "info", kind: "wouldRefuse", reason: "Too many" }),
  ]);
  expect(await shown()).toEqual(
    expect.arrayContaining([
      'gateway_guard_decisions_total{what="locked"} 1',
      'gateway_guard_decisions_total{what="wouldRefuse"} 1',
      'gateway_guard_decisions_total{what="warned"} 0',
    ]),
  );
  expect(news).toEqual([
    [{ accountId: ACCOUNT }, "overview"],
    [{ accountId: ACCOUNT }, "overview"],
  ]);
});

test("how long a look and a close took is measured in seconds", async () => {
  const { observer, shown, lines } = observe();
  observer.judged(ACCOUNT, 4);
  observer.flattened(ACCOUNT, 2_500);
  expect(await shown()).toEqual(
    expect.arrayContaining([
      'gateway_guard_judge_seconds_bucket{le="0.0025"} 0',
      'gateway_guard_judge_seconds_bucket{le="0.005"} 1',
      'gateway_guard_flatten_seconds_bucket{le="2"} 0',
      'gateway_guard_flatten_seconds_bucket{le="3"} 1',
      "gateway_guard_flatten_seconds_sum 2.5",
    ]),
  );
  expect(lines()).toEqual([expect.objectContaining({ accountId: ACCOUNT, delayMs: 2_500 })]);
});

test("of each kind of rule the account that is nearest to its limit is shown", async () => {
  const { observer, shown } = observe();
  expect(await shown()).toContain("gateway_guarded_accounts 0");
  const verdicts = [
    verdict("loss", 60),
    verdict("loss", 75),
    verdict("loss", 99, true),
    verdict("drawdown", 130),
    verdict("window"),
  ];
  observer.figuresFrom(() => ({ guarded: 3, verdicts }));
  const room = (await shown()).filter((line) => line.startsWith("gateway_guard_room_ratio{"));
  expect(room).toEqual([
    'gateway_guard_room_ratio{rule="loss"} 0.25',
    'gateway_guard_room_ratio{rule="drawdown"} 0',
  ]);
  expect(await shown()).toContain("gateway_guarded_accounts 3");
  verdicts.length = 0;
  expect((await shown()).some((line) => line.startsWith("gateway_guard_room_ratio{"))).toBe(false);
});
