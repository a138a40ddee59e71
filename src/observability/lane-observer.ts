import type { AccountId } from "../domain/ids.ts";
import type { IntentRecord } from "../domain/intent.ts";
import type { LegCut, LegCutReason } from "../domain/legs.ts";
import type { Alarms } from "../trading/alarms/alarm.ts";
import { alarmOfIntent } from "../trading/alarms/intent-alarm.ts";
import type { ChangeFeed } from "../trading/changes.ts";
import type { PlanKeeper } from "../trading/lane/exits/plan-keeper.ts";
import type { LegObserver } from "../trading/lane/legs/leg-keeper.ts";
import type { UnprotectedPositions } from "../trading/lane/legs/unprotected-positions.ts";
import type { LaneObserver } from "../trading/lane/run-intent.ts";
import { StoreError } from "../trading/store-error.ts";
import type { LogFields } from "./log-fields.ts";
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";
import type { Traces } from "./traces.ts";

const MS_PER_SECOND = 1_000;

/** Called with what goes wrong on the lanes beside intents. */
export interface QueueObserver {
  /** Of one account, or of all lanes. It is tried again. */
  readonly laneFailed: (error: unknown, account?: AccountId) => void;
  readonly jobDropped: (account: AccountId, jobId: string) => void;
}

interface LaneObserverDeps {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly traces?: Traces | undefined;
  readonly alarms: Pick<Alarms, "raise">;
  readonly unprotected: Pick<UnprotectedPositions, "settled">;
  readonly exits: Pick<PlanKeeper, "settled">;
  readonly changes: Pick<ChangeFeed, "publish">;
}

export const SETTLED = "Intent settled";

/** Writes what became of intents, and of legs, into the log and the metrics, or raises it. */
export function createLaneObserver({
  log,
  metrics,
  traces,
  alarms,
  unprotected,
  exits,
  changes,
}: LaneObserverDeps): LaneObserver & LegObserver & QueueObserver {
  return {
    intentSettled: (record, takenAt) => {
      unprotected.settled(record);
      exits.settled(record);
      const { outcome, intent, accountId } = record;
      changes.publish({ accountId }, "orders", "alerts", "overview");
      // Of a test nothing was to be sent, so nothing of it went right or wrong.
      if (outcome === undefined || record.test === true) return;
      metrics.intentSettled(intent.kind, outcome.kind);
      // It is not so yet while its outcome is unknown.
      if (record.settledAt !== undefined) {
        observeStages(record, metrics, traces?.intentSettled(record, takenAt));
      }
      const alarm = alarmOfIntent(record);
      if (alarm === undefined) log.info(SETTLED, fieldsOfIntent(record));
      else alarms.raise(alarm);
    },
    intentStillOpen: (record) => {
      unprotected.settled(record);
      changes.publish({ accountId: record.accountId }, "orders", "alerts", "overview");
      const { outcome: _, ...fields } = fieldsOfIntent(record);
      log.warn("An intent is not settled yet", fields);
    },
    intentFailed: ({ intentId, accountId, requestId }, error) =>
      log.error("Intent failed inside the gateway", { intentId, accountId, requestId, error }),
    legKept: (accountId, cut) => {
      metrics.legsKept(cut.leavesQty === 0 ? "cancel" : "resize");
      // It is an alarm otherwise.
      if (cut.why !== "entryGoesOn") log.info(cutMessage(cut), fieldsOfCut(accountId, cut));
    },
    laneFailed: (error, accountId) => {
      if (error instanceof StoreError) metrics.storeErrors("lane");
      const where = accountId === undefined ? {} : { accountId };
      log.error("A lane failed and is tried again", { error, ...where });
    },
    jobDropped: (accountId, jobId) => alarms.raise({ kind: "jobDropped", accountId, jobId }),
  };
}

export function fieldsOfIntent(record: IntentRecord): LogFields {
  const { intentId, accountId, requestId, intent, outcome } = record;
  return {
    intentId,
    accountId,
    requestId,
    kind: intent.kind,
    outcome: outcome?.kind,
    reason: outcome !== undefined && "reason" in outcome ? outcome.reason : undefined,
  };
}

export const CUT_REASONS: Readonly<Record<LegCutReason, string>> = {
  noPosition: "Its position is closed",
  opposesPosition: "It would grow the position and not close it",
  entryGoesOn:
    "Nothing is left for it to close; what its entry still fills has no such exit any more",
  siblingFilled: "The other leg of its pair was filled",
  positionIsSmaller: "The position is smaller than what its legs were for",
  killSwitchOn: "The kill switch is on, and it could open or grow a position",
};

export function cutMessage({ leg, leavesQty }: LegCut): string {
  const what = leg.role === "ORDER" ? "An order" : "A leg";
  return leavesQty === 0 ? `${what} was cancelled` : `${what} was made smaller`;
}

export function fieldsOfCut(accountId: AccountId, { leg, leavesQty: qty, why }: LegCut): LogFields {
  const { orderId, contract: symbol, role: kind } = leg;
  return { accountId, orderId, symbol, kind, qty, reason: CUT_REASONS[why] };
}

function observeStages(record: IntentRecord, metrics: Metrics, traceId: string | undefined): void {
  const { acceptedAt, sentAt, settledAt = acceptedAt } = record;
  metrics.stageSeconds("accepted_to_settled", (settledAt - acceptedAt) / MS_PER_SECOND, traceId);
  if (sentAt === undefined) return;
  metrics.stageSeconds("accepted_to_sent", (sentAt - acceptedAt) / MS_PER_SECOND, traceId);
  metrics.stageSeconds("sent_to_settled", (settledAt - sentAt) / MS_PER_SECOND, traceId);
}
