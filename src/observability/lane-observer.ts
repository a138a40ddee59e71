import { missingExits } from "../domain/asked-exits.ts";
import type { AccountId } from "../domain/ids.ts";
import { type IntentRecord, type IntentResult, isUnsettled } from "../domain/intent.ts";
import type { LegCut, LegCutReason } from "../domain/legs.ts";
import type { ErrorCode } from "../errors.ts";
import type { StreamObserver } from "../http/stream/health-hub.ts";
import type { HttpObserver } from "../http/observer.ts";
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";
import type { LogFields } from "./log-fields.ts";
import type { Difference, ReconcileObserver } from "../trading/lane/reconcile/reconcile-account.ts";
import type { LegObserver } from "../trading/lane/legs/leg-keeper.ts";
import type { LaneObserver } from "../trading/lane/run-intent.ts";
import type { ChangeFeed } from "../trading/changes.ts";
import type { BrokerOpening } from "../brokers/broker-kind.ts";
import type { UnprotectedPositions } from "../trading/lane/legs/unprotected-positions.ts";
import type { QueueObserver } from "../app/work-lanes.ts";

const MS_PER_SECOND = 1_000;

/** The store did not answer, or refused to write. */
const STORE_FAILED: ReadonlySet<ErrorCode> = new Set(["STORE_UNAVAILABLE", "ACCEPTANCE_UNKNOWN"]);

/** Writes what the HTTP room tells into the log and the metrics. */
export function createHttpObserver(log: Logger, metrics: Metrics): HttpObserver & StreamObserver {
  return {
    requestFinished: ({ method, route, status, seconds, isUnattended, ...who }) => {
      metrics.httpRequests.inc({ method, route, status });
      metrics.httpRequestSeconds.observe({ method, route }, seconds);
      // What the console asks by itself would bury all else; what it changes, or fails at, is told.
      const isPolling = isUnattended === true && method === "GET" && status < 400;
      log[isPolling ? "debug" : "info"]("Request answered", {
        method,
        route,
        status,
        seconds,
        ...who,
      });
      if (who.errorCode !== undefined && STORE_FAILED.has(who.errorCode)) {
        metrics.storeErrors("request");
      }
    },
    requestFailed: (error, where) => log.error("Request failed", { error, ...where }),
    changeMade: ({ message, level = "warn" }, who, changed) =>
      log[level](message, { ...who, ...changed }),
    authFailed: (kind) => metrics.authFailures(kind),
    rateLimited: (kind) => metrics.rateLimited(kind),
    streamsOpen: (count) => metrics.streamsOpen(count),
    streamDropped: ({ userId, credentialId, requestId }) => {
      metrics.streamDropped();
      const message = "A stream was dropped because its client does not read";
      log.warn(message, { userId, credentialId, requestId });
    },
  };
}

/** Where the owner's side tells what it sees. */
export interface ObserverDeps {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly unprotected: UnprotectedPositions;
  readonly changes: Pick<ChangeFeed, "publish">;
}

/** Writes what became of intents, and of legs, into the log and the metrics. */
export function createLaneObserver(deps: ObserverDeps): LaneObserver & LegObserver & QueueObserver {
  const { log, metrics, unprotected, changes } = deps;
  return {
    ...createLegObserver(deps),
    ...createQueueObserver(deps),
    intentSettled: (record) => {
      unprotected.settled(record);
      const { outcome, intent, intentId, accountId, requestId } = record;
      changes.publish({ accountId }, "orders", "alerts", "overview");
      // Of a test nothing was to be sent, so nothing of it went right or wrong.
      if (outcome === undefined || record.test === true) return;
      metrics.intentSettled(intent.kind, outcome.kind);
      observeStages(record, metrics);
      const fields = { intentId, accountId, requestId, kind: intent.kind, outcome: outcome.kind };
      const reason = "reason" in outcome ? { reason: outcome.reason } : {};
      const say = needsAPerson(record) ? log.error : log.info;
      say("Intent settled", { ...fields, ...reason });
    },
    intentStillOpen: (record) => {
      unprotected.settled(record);
      const { outcome, intent, intentId, accountId, requestId } = record;
      changes.publish({ accountId }, "orders", "alerts", "overview");
      const reason = outcome !== undefined && "reason" in outcome ? outcome.reason : undefined;
      const fields = { intentId, accountId, requestId, kind: intent.kind };
      log.warn("An intent is not settled yet", { ...fields, ...(reason && { reason }) });
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
  killSwitchOn: "The kill switch is on, and it could open or grow a position",
};

function createQueueObserver({ log, metrics }: ObserverDeps): QueueObserver {
  return {
    laneFailed: (error, accountId) => {
      if (error instanceof StoreError) metrics.storeErrors("lane");
      const where = accountId === undefined ? {} : { accountId };
      log.error("A lane failed and is tried again", { error, ...where });
    },
    jobDropped: (accountId, intentId) => {
      metrics.deadLetter();
      log.error("A job on a lane could not be read and was dropped", { accountId, intentId });
    },
  };
}

function createLegObserver({ log, metrics, unprotected }: ObserverDeps): LegObserver {
  const fieldsOf = (accountId: AccountId, { leg, leavesQty }: LegCut) => {
    const { orderId, contract: symbol, role: kind } = leg;
    return { accountId, orderId, symbol, kind, qty: leavesQty };
  };
  return {
    legKept: (accountId, cut) => {
      unprotected.cut(accountId, cut);
      const isEnded = cut.leavesQty === 0;
      metrics.legsKept(isEnded ? "cancel" : "resize");
      // What fills from here on stands unprotected: somebody must know.
      const say = cut.why === "entryGoesOn" ? log.error : log.info;
      const what = cut.leg.role === "ORDER" ? "An order" : "A leg";
      const message = isEnded ? `${what} was cancelled` : `${what} was made smaller`;
      say(message, { ...fieldsOf(accountId, cut), reason: CUT_REASONS[cut.why] });
    },
    legLost: (accountId, { contract, role, orderId }) => {
      if (role === "ORDER") return;
      unprotected.missing(accountId, { contract, exits: [role] });
      const message =
        "A leg was cancelled right after it, or the other one of its pair, was changed";
      log.error(message, { accountId, orderId, symbol: contract, kind: role });
    },
    positionTurned: (accountId, { contract: symbol, netQty: qty }) => {
      metrics.reconciliationDifferences("turned");
      log.error("An exit and what filled beside it turned a position around", {
        accountId,
        symbol,
        qty,
      });
    },
    legStuck: (accountId, cut, reason) =>
      log.error("Legs that could open a position could not be cancelled", {
        ...fieldsOf(accountId, cut),
        reason: `${CUT_REASONS[cut.why]}; the last answer: ${reason}`,
      }),
  };
}

/** A broker's feed that is silent or wrong is what our own records stand on: a person must look. */
export function createFeedAlarm(log: Logger, metrics: Metrics): BrokerOpening["feedFailed"] {
  return (connectionId, reason) => {
    metrics.reconciliationDifferences("feed");
    log.error("The broker's feed cannot be relied on; entries wait until it can", {
      connectionId,
      reason,
    });
  };
}

/** Writes what comparing accounts with their brokers brings into the log and the metrics. */
export function createReconcileObserver({
  log,
  metrics,
  unprotected,
  changes,
}: ObserverDeps): ReconcileObserver {
  const failing = new Set<AccountId>();
  return {
    reconciled: (accountId, { adoptedFills, differences }) => {
      if (failing.delete(accountId)) changes.publish({ accountId }, "overview");
      metrics.reconciliations("done");
      metrics.reconciledAt(Date.now());
      unprotected.look(accountId);
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
      failing.add(accountId);
      changes.publish({ accountId }, "overview");
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
function needsAPerson(record: IntentRecord): boolean {
  const { outcome, state } = record;
  if (outcome === undefined || isUnsettled(state)) return true;
  switch (outcome.kind) {
    case "unprotected":
    case "unknown":
    case "lost":
      return true;
    case "expired":
      return mayBeExit(record) || waitedAsExit(record);
    case "notSent":
    case "withdrawn":
      return mayBeExit(record) || missingExits(record).length > 0;
    case "done":
      return leftSomething(outcome.result) || missingExits(record).length > 0;
    case "rejected":
      return record.plan !== undefined && missingExits(record).length > 0;
    case "denied":
    case "overtaken":
      return false;
  }
}

const mayBeExit = ({ intent }: IntentRecord): boolean =>
  intent.kind !== "PLACE" && intent.kind !== "ADJUST";

/** Nobody could tell until the end whether it was to close something: it may have been a way out. */
function waitedAsExit({ source, settledAt = 0, exitExpiresAt }: IntentRecord): boolean {
  const mayWait = source.kind !== "api" && source.kind !== "operator";
  return mayWait && settledAt >= exitExpiresAt;
}

/** What was to be closed and is not. */
const leftSomething = (result: IntentResult): boolean =>
  result.kind === "FLATTEN" && (result.remaining.length > 0 || result.remainingOrderIds.length > 0);

function observeStages(record: IntentRecord, metrics: Metrics): void {
  const { acceptedAt, sentAt, settledAt } = record;
  if (settledAt === undefined) return;
  metrics.stageSeconds("accepted_to_settled", (settledAt - acceptedAt) / MS_PER_SECOND);
  if (sentAt === undefined) return;
  metrics.stageSeconds("accepted_to_sent", (sentAt - acceptedAt) / MS_PER_SECOND);
  metrics.stageSeconds("sent_to_settled", (settledAt - sentAt) / MS_PER_SECOND);
}
