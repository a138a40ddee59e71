import type { Outcome } from "../../domain/intent.ts";
import type { IntentResult } from "../../domain/intent-result.ts";
import { mayStillOpen } from "../../domain/overtaking.ts";
import type { LaneTask } from "./lane-deps.ts";

/** Whether an earlier order of unknown outcome may still open what the exit or cancel is about. */
export function awaitsOutcome({ record, context }: LaneTask): boolean {
  return context.unknown.some((one) => mayStillOpen(record.intent, one));
}

/**
 * An exit or a cancel is not over while something may still open what it closes. It has done what
 * could be done by now, and goes on once that is known (`look-up.ts`).
 */
export function untilKnown(task: LaneTask, outcome: Outcome): Outcome {
  if (outcome.kind !== "done" || !awaitsOutcome(task)) return outcome;
  return unsettled(outcome.result, task.record.intent.kind === "CANCEL_ENTRIES" ? CANCELS : CLOSES);
}

/** Nothing is held that it could close, yet. */
export const nothingYet: Outcome = {
  kind: "unknown",
  reason:
    "Nothing is held that it could close; the outcome of an earlier order is not known yet, and what that opens is closed once it is",
};

const CLOSES =
  "What is held was closed; the outcome of an earlier order is not known yet, and what that opens is closed once it is";
const CANCELS =
  "What rests was cancelled; the outcome of an earlier order is not known yet, and where it rests it is cancelled once it is";

/** Its problems, where it has some, say more than that it waits. */
function unsettled(soFar: IntentResult, reason: string): Outcome {
  const problems = "problems" in soFar ? soFar.problems : [];
  return { kind: "unknown", reason: [reason, ...problems].join(". "), soFar };
}
