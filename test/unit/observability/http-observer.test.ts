import { expect, onTestFinished, test } from "vitest";
import { createHttpObserver } from "../../../src/observability/http-observer.ts";
import type { FinishedRequest } from "../../../src/http/finished-request.ts";
import { createLogger } from "../../../src/observability/logger.ts";
import { createMetrics } from "../../../src/observability/metrics.ts";

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
  const metrics = createMetrics("1.2.3");
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
