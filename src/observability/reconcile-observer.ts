import type { Alarms } from "../trading/alarms/alarm.ts";
import type { UnprotectedPositions } from "../trading/lane/legs/unprotected-positions.ts";
import type { ReconcileObserver } from "../trading/lane/reconcile/reconcile-account.ts";
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";

interface ReconcileObserverDeps {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly alarms: Pick<Alarms, "raise">;
  readonly unprotected: Pick<UnprotectedPositions, "look">;
}

/** Writes what comparing accounts with their brokers brings into the log and the metrics, or raises it. */
export function createReconcileObserver({
  log,
  metrics,
  alarms,
  unprotected,
}: ReconcileObserverDeps): ReconcileObserver {
  return {
    reconciled: (accountId, { adoptedFills, differences }) => {
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
        alarms.raise({ kind: "unexplained", accountId, difference });
      }
    },
    reconcileFailed: (accountId, error) => {
      metrics.reconciliations("failed");
      log.warn("An account could not be compared with its broker", { accountId, error });
    },
  };
}
