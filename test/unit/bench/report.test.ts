import { expect, test } from "vitest";
import { throughputChart } from "../../bench/chart.ts";
import { throughputTable } from "../../bench/report.ts";
import type { ThroughputRow } from "../../bench/throughput.ts";

const spread = (median: number) => ({ median, min: median / 2, max: median * 2 });

const row = (some: Partial<ThroughputRow>): ThroughputRow => ({
  contender: "gateway",
  connections: 32,
  perSecond: spread(800),
  p50: spread(40),
  p99: spread(60),
  ofReference: { perSecond: spread(1.5), p50: spread(0.7), p99: spread(0.9) },
  nodeCpu: spread(0.6),
  redisCpu: spread(0.4),
  syncs: spread(2),
  requests: 4_000,
  errors: 0,
  emptyRuns: 0,
  answeredEarly: 3,
  ...some,
});

const lineOf = (one: ThroughputRow) =>
  throughputTable({ rows: [one], rounds: 5, seconds: 5 })
    .split("\n")
    .at(-1);

test("a row shows figures and ratios with their spread", () => {
  expect(lineOf(row({}))).toBe(
    "| gateway | 32 | 800 (400–1600) | 1.50 (0.75–3.00) | 40.0 (20.0–80.0) | 0.70 (0.35–1.40) | 60.0 (30.0–120.0) | 0.90 (0.45–1.80) | 0.60 | 0.40 | 2.00 | 3 |",
  );
});

test.each([{ errors: 1 }, { emptyRuns: 1 }])(
  "a row with %j has failed, and shows nothing",
  (some) => {
    expect(lineOf(row(some))).toMatch(/^\| gateway \| 32 \| \*\*failed\*\*: [^|]+ \|( – \|){9}$/);
    expect(throughputChart([row({}), row({ connections: 7, ...some })])).not.toContain(">7<");
  },
);

test("the chart draws the gateways alone", () => {
  const chart = throughputChart([row({}), row({ contender: "koa" })]);
  expect(chart).toContain(">gateway<");
  expect(chart).toContain(">1.50<");
  expect(chart).not.toContain(">koa<");
});
