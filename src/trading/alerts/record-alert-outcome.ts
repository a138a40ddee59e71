import type { Logger } from "../../observability/logger.ts";
import type { KeepEnding } from "./receive-alerts.ts";
import type { AlertLog } from "./alert-log.ts";

/** How many endings wait for a store that is away; what goes beyond is in the process' log only. */
const MOST_WAITING = 1_000;

/**
 * Writes endings into the alert log before their sender is answered, so that whoever looks finds
 * them. Where the store has just failed, its sender is not kept waiting for it again: `patient`
 * writes as soon as the store is back.
 */
export function createKeepEndings({
  prompt,
  patient,
  log,
}: {
  readonly prompt: AlertLog;
  readonly patient: AlertLog;
  readonly log: Logger;
}): KeepEnding {
  let waiting = 0;

  return async function keepEnding(entry, ending) {
    const storeFailed = ending.kind === "refused" && ending.status >= 500;
    const isKept = !storeFailed && (await isDone(prompt.end(entry, ending)));
    if (!isKept) keepLater(entry, ending);
  };

  function keepLater(...[entry, ending]: Parameters<KeepEnding>): void {
    const { alertId, accountId, requestId } = entry;
    const lost = (error: unknown) =>
      log.error("An alert is missing in the alert log", {
        intentId: alertId,
        accountId,
        requestId,
        error,
      });
    if (waiting >= MOST_WAITING) return lost(new Error("too many wait for the store"));
    waiting += 1;
    patient
      .end(entry, ending)
      .catch(lost)
      .finally(() => (waiting -= 1));
  }
}

async function isDone(write: Promise<void>): Promise<boolean> {
  return await write.then(
    () => true,
    () => false,
  );
}
