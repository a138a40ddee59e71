import type { Alarms } from "../alarms/alarm.ts";
import type { AlertLog } from "./alert-log.ts";
import { isRefusedExit } from "./refused-exit.ts";

/** Writes an alert that has no intent into the log. Never fails: a store that is away has it later. */
export type RecordAlertOutcome = AlertLog["end"];

/** How many endings wait for a store that is away; what goes beyond is in the process' log only. */
const MOST_WAITING = 1_000;

/**
 * Writes endings into the alert log before their sender is answered, so that a reader finds them, and
 * raises an alarm for a way out that was refused. If the store has just failed, the sender does not
 * wait for it again: `patient` writes as soon as the store is back.
 */
export function createRecordAlertOutcome({
  prompt,
  patient,
  alarms,
}: {
  readonly prompt: AlertLog;
  readonly patient: AlertLog;
  readonly alarms: Pick<Alarms, "raise">;
}): RecordAlertOutcome {
  let waiting = 0;

  return async function recordAlertOutcome(entry, ending) {
    tellRefusedExit(entry, ending);
    const storeFailed = ending.kind === "refused" && ending.status >= 500;
    const isRecorded = !storeFailed && (await isDone(prompt.end(entry, ending)));
    if (!isRecorded) recordLater(entry, ending);
  };

  function tellRefusedExit(...[entry, ending]: Parameters<RecordAlertOutcome>): void {
    if (ending.kind !== "refused" || !isRefusedExit(entry, ending)) return;
    const { alertId: id, accountId, requestId } = entry;
    // Its message may repeat words of the body, which no line of the log holds.
    const { code: reason } = ending;
    alarms.raise({ kind: "exitAlertRefused", intentId: id, accountId, requestId, reason });
  }

  function recordLater(...[entry, ending]: Parameters<RecordAlertOutcome>): void {
    const { alertId, accountId, requestId } = entry;
    const lost = (error: unknown) =>
      alarms.raise({ kind: "alertNotLogged", intentId: alertId, accountId, requestId, error });
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
