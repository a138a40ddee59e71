import { isUnsettled, type IntentRecord } from "../domain/intent.ts";
import type { HttpObserver } from "../http/observer.ts";
import type { Logger } from "../observability/logger.ts";
import type { MetricReaders, Metrics } from "../observability/metrics.ts";
import { readLaneFigures } from "../store/redis-lane-figures.ts";
import type { LaneObserver } from "../trading/lane/run-intent.ts";
import type { OpenStore } from "./open-store.ts";
import type { LaneWorks } from "./work-lanes.ts";

const MS_PER_SECOND = 1_000;

/** Writes what the HTTP room tells into the log and the metrics. */
export function createHttpObserver(log: Logger, metrics: Metrics): HttpObserver {
  return {
    requestFinished: ({ method, route, status, seconds, ...who }) => {
      metrics.httpRequests.inc({ method, route, status });
      metrics.httpRequestSeconds.observe({ method, route }, seconds);
      log.info("Request answered", { method, route, status, seconds, ...who });
    },
    requestFailed: (error, where) => log.error("Request failed", { error, ...where }),
    authFailed: (kind) => metrics.authFailures(kind),
    rateLimited: (kind) => metrics.rateLimited(kind),
  };
}

/** Writes what became of intents into the log and the metrics. */
export function createLaneObserver(log: Logger, metrics: Metrics): LaneObserver {
  return {
    intentSettled: (record) => {
      const { outcome, intent, intentId, accountId, requestId } = record;
      if (outcome === undefined) return;
      metrics.intentSettled(intent.kind, outcome.kind);
      observeStages(record, metrics);
      const fields = { intentId, accountId, requestId, kind: intent.kind, outcome: outcome.kind };
      const reason = "reason" in outcome ? { reason: outcome.reason } : {};
      const say = needsAPerson(record) ? log.error : log.info;
      say("Intent settled", { ...fields, ...reason });
    },
    intentFailed: ({ intentId, accountId, requestId }, error) =>
      log.error("Intent failed inside the gateway", { intentId, accountId, requestId, error }),
  };
}

/** Unknown, unprotected, and an exit that was never sent: a person must look. */
function needsAPerson({ outcome, state, intent }: IntentRecord): boolean {
  if (outcome?.kind === "unprotected" || isUnsettled(state)) return true;
  return outcome?.kind === "expired" && intent.kind !== "PLACE";
}

function observeStages(record: IntentRecord, metrics: Metrics): void {
  const { acceptedAt, sentAt, settledAt } = record;
  if (settledAt === undefined) return;
  metrics.stageSeconds("accepted_to_settled", (settledAt - acceptedAt) / MS_PER_SECOND);
  if (sentAt === undefined) return;
  metrics.stageSeconds("accepted_to_sent", (sentAt - acceptedAt) / MS_PER_SECOND);
  metrics.stageSeconds("sent_to_settled", (settledAt - sentAt) / MS_PER_SECOND);
}

/** What the metrics read when Prometheus asks. */
export function metricReaders(store: OpenStore, works: () => LaneWorks): MetricReaders {
  const { request: redis, keys } = store;
  const figures = async () => await readLaneFigures(redis, keys);
  return {
    laneWaitingIntents: async () => (await figures()).waiting,
    laneActiveIntents: () => works().dispatcher.busy,
    unknownOutcomes: async () => (await figures()).unknown,
    activeKillSwitches: async () => await redis.scard(keys.activeKillSwitches),
    connections: () => works().pool.statuses(),
  };
}
