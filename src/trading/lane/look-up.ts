import { type IntentRecord, isUnsettled, type Outcome } from "../../domain/intent.ts";
import { adjustmentOf, answerFor } from "./adjust/turned-order.ts";
import type { LaneConnection } from "./connected.ts";
import type { LaneDeps, LaneTask } from "./lane-deps.ts";
import { goOnAdjusting } from "./run-adjust.ts";
import { runCancelEntries } from "./run-cancel-entries.ts";
import { runFlatten } from "./run-flatten.ts";
import { goesOn } from "./settle/goes-on.ts";
import type { UnknownSettler } from "./settle/settle-unknown.ts";
import { runTimeout } from "./timeouts/run-timeout.ts";
import { takeUp } from "./take-up.ts";

export interface LookUpDeps extends LaneDeps {
  readonly settler: UnknownSettler;
}

/**
 * Finds the outcome of an intent that was begun. An order is looked up and never sent again. An exit
 * continues from where it was, in the lane's turn: it is done once what it closes is flat and nothing
 * accepted before it can open that again. It does not expire: an exit that was begun must be completed.
 */
export async function lookUp(
  deps: LookUpDeps,
  record: IntentRecord,
  connection: LaneConnection,
): Promise<IntentRecord> {
  const { broker } = connection;
  if (!goesOn(record)) return await deps.settler.settle(record, broker);
  const context = await deps.intents.loadForLane(record.accountId, record.intentId);
  if (context === undefined || !isUnsettled(context.record.state)) return record;
  const task = { context, record: context.record, connection, broker, isBegun: true };
  return await deps.intents.settle(context.record, await goOn(deps, task));
}

async function goOn(deps: LookUpDeps, task: LaneTask): Promise<Outcome> {
  const { intent, exitPlan, outcome } = task.record;
  if (intent.kind === "CANCEL_ENTRIES") return await runCancelEntries(deps, task, intent);
  if (intent.kind === "TIMEOUT") {
    const look = deps.settler.look(task.record);
    const isProvenGone = (missed: string) => deps.settler.isProven(task.record, look, missed);
    return await runTimeout(deps, task, intent, isProvenGone);
  }
  if (outcome !== undefined && !deps.settler.isDue(task.record)) return outcome;
  const { progress, missing } = await takeUp(task, deps.settler);
  // What an older version began is not recorded completely: any close may be missing.
  if (missing !== undefined && exitPlan === undefined) return { kind: "unknown", reason: missing };
  if (intent.kind === "FLATTEN") return await runFlatten(deps, task, intent, progress);
  const adjustment = adjustmentOf(task.record);
  if (adjustment === undefined) throw new Error(`a ${intent.kind} does not go on`);
  return answerFor(task.record, await goOnAdjusting(deps, task, adjustment, progress));
}
