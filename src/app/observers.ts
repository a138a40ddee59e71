import {
  type LaneFigureDeps,
  type LaneFigures,
  readLaneFigures,
} from "../../queues/lane-figures.ts";
import type { AccountId } from "../domain/ids.ts";
import { type IntentRecord, type IntentResult, isUnsettled } from "../domain/intent.ts";
import type { LegCut, LegCutReason } from "../domain/legs.ts";
import type { Redis } from "ioredis";
import type { ErrorCode } from "../errors.ts";
import type { HttpObserver } from "../http/observer.ts";
import type { Logger } from "../observability/logger.ts";
import type { AlertOutcome, MetricReaders, Metrics } from "../observability/metrics.ts";
import type { LogFields } from "../observability/log-fields.ts";
import type { Difference, ReconcileObserver } from "../trading/lane/reconcile/reconcile-account.ts";
import type { LegObserver } from "../trading/lane/legs/leg-keeper.ts";
import type { LaneObserver } from "../trading/lane/run-intent.ts";
import type { OpenStore } from "./open-store.ts";
import type { LaneWorks } from "./work-lanes.ts";

const MS_PER_SECOND = 1_000;

const ALERT_ROUTE = "/hooks/{token}";

/** What a refusal's code says became of the alert; every other one was refused. */
const ALERT_OUTCOMES: Readonly<Partial<Record<ErrorCode, AlertOutcome>>> = {
  BROKER_ORDER_REJECTED: "rejected",
  PROTECTION_REPLACE_FAILED: "unprotected",
  LIMIT_EXCEEDED: "denied",
  KILL_SWITCH_ON: "denied",
  SYMBOL_MISMATCH: "denied",
  INTENT_EXPIRED: "expired",
  BROKER_UNAVAILABLE: "notSent",
  STORE_UNAVAILABLE: "notSent",
  ACCEPTANCE_UNKNOWN: "unknown",
};

/** How an alert was answered, as far as its sender was told. */
function alertOutcome(status: number, errorCode: ErrorCode | undefined): AlertOutcome {
  if (errorCode !== undefined) return ALERT_OUTCOMES[errorCode] ?? "refused";
  return status === 202 ? "pending" : "done";
}

/** Writes what the HTTP room tells into the log and the metrics. */
export function createHttpObserver(log: Logger, metrics: Metrics): HttpObserver {
  return {
    requestFinished: ({ method, route, status, seconds, ...who }) => {
      metrics.httpRequests.inc({ method, route, status });
      metrics.httpRequestSeconds.observe({ method, route }, seconds);
      log.info("Request answered", { method, route, status, seconds, ...who });
      // A token that is none of ours is no alert; it is counted as a failed admission.
      if (route === ALERT_ROUTE && who.credentialId !== undefined) {
        metrics.alerts(alertOutcome(status, who.errorCode));
      }
    },
    requestFailed: (error, where) => log.error("Request failed", { error, ...where }),
    authFailed: (kind) => metrics.authFailures(kind),
    rateLimited: (kind) => metrics.rateLimited(kind),
  };
}

/** Writes what became of intents, and of legs, into the log and the metrics. */
export function createLaneObserver(log: Logger, metrics: Metrics): LaneObserver & LegObserver {
  return {
    ...createLegObserver(log, metrics),
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

const CUT_REASONS: Readonly<Record<LegCutReason, string>> = {
  noPosition: "Its position is closed",
  opposesPosition: "It would grow the position and not close it",
  entryGoesOn: "It has no position to close; what its entry still fills has no such exit any more",
  siblingFilled: "The other leg of its pair was filled",
  positionIsSmaller: "The position is smaller than what its legs were for",
};

function createLegObserver(log: Logger, metrics: Metrics): LegObserver {
  const fieldsOf = (accountId: AccountId, { leg, leavesQty }: LegCut) => {
    const { orderId, contract: symbol, role: kind } = leg;
    return { accountId, orderId, symbol, kind, qty: leavesQty };
  };
  return {
    legKept: (accountId, cut) => {
      const isEnded = cut.leavesQty === 0;
      metrics.legsKept(isEnded ? "cancel" : "resize");
      // What fills from here on stands unprotected: somebody must know.
      const say = cut.why === "entryGoesOn" ? log.error : log.info;
      const message = isEnded ? "A leg was cancelled" : "A leg was made smaller";
      say(message, { ...fieldsOf(accountId, cut), reason: CUT_REASONS[cut.why] });
    },
    legStuck: (accountId, cut, reason) =>
      log.error("Legs that could open a position could not be cancelled", {
        ...fieldsOf(accountId, cut),
        reason: `${CUT_REASONS[cut.why]}; the last answer: ${reason}`,
      }),
  };
}

/** Writes what comparing accounts with their brokers brings into the log and the metrics. */
export function createReconcileObserver(log: Logger, metrics: Metrics): ReconcileObserver {
  return {
    reconciled: (accountId, { adoptedFills, differences }) => {
      metrics.reconciliations("done");
      if (adoptedFills > 0) {
        metrics.adoptedFills(adoptedFills);
        log.warn("Fills were found that the broker had not reported", {
          accountId,
          count: adoptedFills,
        });
      }
      for (const difference of differences) {
        metrics.reconciliationDifferences(difference.kind);
        log.error("The broker shows what our records do not explain", {
          accountId,
          ...describeDifference(difference),
        });
      }
    },
    reconcileFailed: (accountId, error) => {
      metrics.reconciliations("failed");
      log.warn("An account could not be compared with its broker", { accountId, error });
    },
  };
}

function describeDifference(difference: Difference): LogFields {
  const { kind, contract } = difference;
  if (kind === "position") {
    const { expectedQty, foundQty } = difference;
    const reason = `The broker holds ${foundQty}, and ${expectedQty} is explained; taken over`;
    return { kind, symbol: contract, qty: foundQty, reason };
  }
  const { intentId, orderId, clOrdId } = difference;
  const reason =
    kind === "lateOrder"
      ? `The order works or was filled, and its intent had ended as ${difference.state}`
      : "The order carries an identifier of this gateway, and no intent sent it";
  return { kind, symbol: contract, intentId, orderId, clOrdId, reason };
}

/** Money may not be where its owner believes it to be: a person must look. */
function needsAPerson({ outcome, state, intent }: IntentRecord): boolean {
  if (outcome === undefined || isUnsettled(state)) return true;
  const isEntry = intent.kind === "PLACE";
  switch (outcome.kind) {
    case "unprotected":
    case "unknown":
    case "lost":
      return true;
    case "expired":
    case "notSent":
    case "withdrawn":
      return !isEntry;
    case "done":
      return leftSomething(outcome.result);
    case "denied":
    case "rejected":
      return false;
  }
}

/** A flatten that left a position, or a bracket whose legs were not confirmed. */
function leftSomething(result: IntentResult): boolean {
  if (result.kind === "FLATTEN") return result.remaining.length > 0;
  return result.kind === "PLACE" && result.order.legsUnconfirmed === true;
}

function observeStages(record: IntentRecord, metrics: Metrics): void {
  const { acceptedAt, sentAt, settledAt } = record;
  if (settledAt === undefined) return;
  metrics.stageSeconds("accepted_to_settled", (settledAt - acceptedAt) / MS_PER_SECOND);
  if (sentAt === undefined) return;
  metrics.stageSeconds("accepted_to_sent", (sentAt - acceptedAt) / MS_PER_SECOND);
  metrics.stageSeconds("sent_to_settled", (settledAt - sentAt) / MS_PER_SECOND);
}

function laneFigureDeps({ keys }: OpenStore, redis: Redis): LaneFigureDeps {
  const { lanes: prefix, laneNames: laneNamesKey, unknown: unknownKeyOf } = keys;
  return { redis, prefix, laneNamesKey, unknownKeyOf };
}

/** What the metrics read when Prometheus asks. */
export function metricReaders(store: OpenStore, works: () => LaneWorks | undefined): MetricReaders {
  const { request: redis, keys } = store;
  // Two metrics of one scrape come from one reading of every lane.
  let reading: Promise<LaneFigures> | undefined;
  const figures = () =>
    (reading ??= readLaneFigures(laneFigureDeps(store, redis)).finally(
      () => (reading = undefined),
    ));
  return {
    laneWaitingIntents: async () => (await figures()).waiting,
    laneActiveIntents: () => works()?.dispatcher.busy ?? 0,
    unknownOutcomes: async () => (await figures()).unknown,
    activeKillSwitches: async () => await redis.scard(keys.activeKillSwitches),
    oldestReconciliationSeconds: () =>
      (works()?.reconciler.figures().oldestMs ?? 0) / MS_PER_SECOND,
    suspectedPositions: () => works()?.reconciler.figures().suspected ?? 0,
    connections: () => works()?.pool.statuses() ?? [],
  };
}

/** What a process leaves behind when it ends. Redis may just be coming back: it is waited for. */
export async function reportRest(store: OpenStore, log: Logger): Promise<void> {
  const { waiting, unknown } = await readLaneFigures(laneFigureDeps(store, store.worker));
  if (waiting > 0) log.warn("Intents wait on their lanes for the next start", { count: waiting });
  if (unknown > 0) log.error("Intents have an unknown outcome", { count: unknown });
}
