import { expect, onTestFinished, test } from "vitest";
import { createHttpObserver } from "../../../src/observability/http-observer.ts";
import type { FinishedRequest } from "../../../src/http/observer.ts";
import { createLogger } from "../../../src/observability/logger.ts";
import { createMetrics, type MetricReaders } from "../../../src/observability/metrics.ts";

const READERS: MetricReaders = {
  laneIntents: async () => ({ waiting: 0, held: 0, sending: 0 }),
  laneIntentsByAccount: undefined,
  laneActiveIntents: () => 0,
  oldestIntentSeconds: async () => 0,
  unknownOutcomes: async () => 0,
  unprotectedPositions: async () => 0,
  accountsOutOfStep: () => 0,
  activeKillSwitches: () => 0,
  redisIsDurable: () => true,
  storeIsKnown: () => true,
  storeDiskFreeBytes: () => 1e9,
  oldestReconciliationSeconds: () => 0,
  suspectedPositions: () => 0,
  copying: () => ({ contracts: 0, followers: new Map() }),
  connections: () => [],
};

const READ: FinishedRequest = {
  method: "GET",
  route: "/v1/overview",
  status: 200,
  seconds: 0.01,
  requestId: "r1",
};

function observe() {
  const written: string[] = [];
  const log = createLogger("debug", { write: (line) => void written.push(line) });
  const metrics = createMetrics({ version: "1.2.3", readers: READERS });
  onTestFinished(() => metrics.close());
  const { requestFinished } = createHttpObserver(log, metrics);
  const levels = () => written.map((line) => (JSON.parse(line) as { level: string }).level);
  return { requestFinished, levels };
}

test("what the console reads by itself is logged for who looks closely only", () => {
  const { requestFinished, levels } = observe();
  requestFinished({ ...READ, isUnattended: true });
  requestFinished(READ);
  requestFinished({ ...READ, isUnattended: true, method: "POST" });
  requestFinished({ ...READ, isUnattended: true, status: 503 });
  expect(levels()).toEqual(["debug", "info", "info", "info"]);
});
