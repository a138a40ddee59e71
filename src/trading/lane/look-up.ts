import {
  type IntentRecord,
  isGoingOn,
  isUnsettled,
  type Outcome,
  soFarOf,
} from "../../domain/intent.ts";
import { adjustmentOf, answerFor } from "./adjust/turned-order.ts";
import { AFTER_OPENING_MS, GOES_ON_FOR_MS } from "./closing/going-on.ts";
import { BrokerReadError } from "../ports.ts";
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
  const task: LaneTask = { context, record: context.record, connection, broker, isBegun: true };
  if (isGoingOn(task.record.state)) {
    const ended = (await takenBack(deps, task)) ?? tooLong(task);
    if (ended !== undefined) return await deps.intents.settle(context.record, ended);
    if (!isTime(deps, task)) return context.record;
  }
  const outcome = await goOn(deps, task).catch((error: unknown) => lost(task, error));
  deps.settler.noteTry(context.record, outcome);
  return await deps.intents.settle(context.record, outcome);
}

/** Something was sent in this attempt, and the broker cannot be read: entries wait until that is known. */
function lost({ hasSent, record }: LaneTask, error: unknown): Outcome {
  if (!(error instanceof BrokerReadError) || hasSent !== true) throw error;
  return {
    kind: "unknown",
    reason: "The broker's answer was lost; it is looked up",
    ...doneBy(record),
  };
}

async function takenBack({ intents }: LookUpDeps, { record }: LaneTask) {
  const { accountId, intentId } = record;
  if (!(await intents.isStopped(accountId, intentId))) return undefined;
  return { kind: "withdrawn", reason: "A person took it back", ...doneBy(record) } as const;
}

/** It has been tried for as long as it may. */
function tooLong({ record, context: { now } }: LaneTask): Outcome | undefined {
  if (now < record.acceptedAt + GOES_ON_FOR_MS) return undefined;
  const reason = "It was tried for seven days and is not done";
  return { kind: "expired", reason, ...doneBy(record) };
}

function doneBy({ outcome }: IntentRecord) {
  const soFar = soFarOf(outcome);
  return soFar === undefined ? {} : { soFar };
}

/** One that waits for its market begins a little after that opens; one that was refused, ever more slowly. */
function isTime({ settler, now }: LookUpDeps, { record }: LaneTask): boolean {
  const { outcome } = record;
  const opensAt = outcome !== undefined && "opensAt" in outcome ? outcome.opensAt : undefined;
  const hasOpened = opensAt !== undefined && now() >= opensAt + AFTER_OPENING_MS;
  return hasOpened || (outcome?.kind !== "held" && settler.isDue(record));
}

async function goOn(deps: LookUpDeps, task: LaneTask): Promise<Outcome> {
  const { intent, exitPlan, outcome } = task.record;
  if (intent.kind === "CANCEL_ENTRIES") return await runCancelEntries(deps, task, intent);
  if (intent.kind === "TIMEOUT") {
    const look = deps.settler.look(task.record);
    const isProvenGone = (missed: string) => deps.settler.isProven(task.record, look, missed);
    return await runTimeout(deps, task, intent, isProvenGone);
  }
  // The caller knows already that it is time for an exit that goes on.
  const isAsked = isGoingOn(task.record.state) || deps.settler.isDue(task.record);
  if (outcome !== undefined && !isAsked) return outcome;
  const { progress, missing } = await takeUp(task, deps.settler);
  // What an older version began is not recorded completely: any close may be missing.
  if (missing !== undefined && exitPlan === undefined) return { kind: "unknown", reason: missing };
  if (intent.kind === "FLATTEN") return await runFlatten(deps, task, intent, progress);
  const adjustment = adjustmentOf(task.record);
  if (adjustment === undefined) throw new Error(`a ${intent.kind} does not go on`);
  return answerFor(task.record, await goOnAdjusting(deps, task, adjustment, progress));
}
