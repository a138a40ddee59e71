import type { LogFields } from "./log-fields.ts";
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";
import type { ChangeFeed } from "../trading/changes.ts";
import type { CopyObserver } from "../trading/copying/copy-outcomes.ts";
import type { CopyEntry } from "../trading/copying/ports.ts";
import { StoreError } from "../trading/store-error.ts";

const MS_PER_SECOND = 1_000;

interface CopyObserverDeps {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly changes: Pick<ChangeFeed, "publish">;
}

/** Writes what copying reports into the log and the metrics. */
export function createCopyObserver({ log, metrics, changes }: CopyObserverDeps): CopyObserver {
  const changed = ({ follower }: CopyEntry) => changes.publish({ accountId: follower }, "overview");
  return {
    copySkipped: (entry, reason) => {
      changed(entry);
      metrics.copyEnded(entry.cause, "skipped");
      log.info("Nothing was copied", { ...fieldsOfCopy(entry), reason });
    },
    copyEnded: (entry, { outcome }, { sentMs, slippageTicks }) => {
      changed(entry);
      if (outcome === undefined) return;
      metrics.copyEnded(entry.cause, outcome.kind);
      if (sentMs !== undefined && entry.cause === "fill") {
        metrics.copySentSeconds(sentMs / MS_PER_SECOND);
      }
      if (slippageTicks !== undefined) metrics.copySlippage(slippageTicks);
      const reason = "reason" in outcome ? { reason: outcome.reason } : {};
      log.info("Copied", { ...fieldsOfCopy(entry), outcome: outcome.kind, ...reason });
    },
    copyUnsure: (entry) => {
      changed(entry);
      metrics.copyEnded(entry.cause, "unknown");
      log.warn("Whether a copy was carried out is not known yet", fieldsOfCopy(entry));
    },
    copyingFailed: (error, accountId) => {
      if (error instanceof StoreError) metrics.storeErrors("copy");
      log.warn("Copying is tried again", { accountId, error });
    },
  };
}

export function fieldsOfCopy({
  copyId,
  groupId,
  leader,
  follower,
  contract,
  cause,
}: CopyEntry): LogFields {
  return {
    intentId: copyId,
    groupId,
    leaderId: leader,
    accountId: follower,
    kind: cause,
    ...(contract !== undefined && { symbol: contract }),
  };
}
