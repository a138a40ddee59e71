import { isMeantBy, mayOpen, planAdjust } from "./adjust.ts";
import type { OpenPosition } from "./contracts/exit-contract.ts";
import { denialOf } from "./denials.ts";
import type { Intent, IntentRecord, Outcome } from "./intent.ts";
import type { IntentResult } from "./intent-result.ts";
import { hasLeft } from "./notify/told-outcome.ts";
import { isInScope } from "./overtaking.ts";
import { sign } from "./order.ts";

/**
 * The purpose of an intent. How much it matters that it was not carried out follows from this alone, in
 * whatever form it came.
 */
export type Purpose =
  /** Out of a position, or no further into one. */
  | "close"
  /** Exits for what is held. */
  | "protect"
  /** The end of a working order, or a change of it. */
  | "change"
  | "open";

export function purposeOf({ intent, outcome }: Pick<IntentRecord, "intent" | "outcome">): Purpose {
  switch (intent.kind) {
    case "FLATTEN":
    case "CANCEL_ENTRIES":
      return "close";
    case "PROTECT":
      return "protect";
    case "CANCEL":
    case "MODIFY":
    case "TIMEOUT":
      return "change";
    case "ADJUST":
      return !mayOpen(intent.aim) || closed(outcome) ? "close" : "open";
    case "PLACE":
      return closed(outcome) ? "close" : "open";
  }
}

const closed = (outcome: Outcome | undefined): boolean =>
  outcome !== undefined && "closes" in outcome && outcome.closes === true;

/** Whether something may be open that an intent was to close, or unprotected, since it ended so. */
export function leavesUndone(outcome: Outcome, intent: Intent): boolean {
  switch (outcome.kind) {
    case "denied":
      return mayHoldAnother(outcome, intent) ? closed(outcome) : denialOf(outcome.code).leavesOpen;
    case "rejected":
    case "notSent":
    case "expired":
    case "withdrawn":
      return true;
    // A later intent does it instead, or it has an alarm of its own.
    case "overtaken":
    case "done":
    case "unprotected":
    case "unknown":
    case "unfinished":
    case "held":
    case "lost":
      return false;
  }
}

/** The symbol that an exit names may be flat, and another one held. */
const mayHoldAnother = (outcome: Outcome, intent: Intent): boolean =>
  outcome.kind === "denied" && outcome.code === "SYMBOL_MISMATCH" && intent.kind === "FLATTEN";

/** The outcome of what was not carried out, with whether it would have closed something of that. */
export function endedWith<Ended extends Outcome>(
  outcome: Ended,
  intent: Intent,
  positions: readonly OpenPosition[],
): Ended {
  return wouldClose(intent, positions) ? { ...outcome, closes: true } : outcome;
}

/** Whether only what is held shows if an exit is left undone. */
export const dependsOnHeld = (outcome: Outcome, intent: Intent): boolean =>
  mayHoldAnother(outcome, intent) ||
  (purposeOf({ intent }) === "open" && leavesUndone(outcome, intent));

/** Whether an intent would close something of these positions. */
export function wouldClose(intent: Intent, positions: readonly OpenPosition[]): boolean {
  if (intent.kind === "PLACE") {
    const { isFrontMonth, order } = intent;
    const meant = { contract: order.contract, ...(isFrontMonth && { isFrontMonth }) };
    return positions.some(
      ({ contract, netQty }) => isMeantBy(meant, contract) && netQty * sign(order.side) < 0,
    );
  }
  if (intent.kind === "FLATTEN") {
    const of = intent.contract ?? intent.root ?? intent.mustHold;
    return positions.some(
      ({ contract, netQty }) =>
        netQty !== 0 && isInScope(of === undefined ? "account" : { of }, contract),
    );
  }
  if (intent.kind !== "ADJUST") return false;
  const plan = planAdjust(intent, { positions, working: [] }, String);
  return plan.kind === "steps" && (plan.closes.length > 0 || plan.reduce !== undefined);
}

/** Whether something is left open that an intent was to close, by what it came to. */
export function leftOpen(intent: Intent, result: IntentResult): boolean {
  if (result.kind === "FLATTEN") return hasLeft(result);
  if (result.kind !== "ADJUST" || intent.kind !== "ADJUST") return false;
  const { problems, netQty } = result;
  if (problems.length === 0 || netQty === 0) return false;
  const { aim } = intent;
  if (!mayOpen(aim)) return true;
  // Unknown is not flat, and it may be the entry alone that was not carried out.
  if (netQty === undefined) return false;
  if (aim.to === "position") {
    return netQty * aim.netQty < 0 || Math.abs(netQty) > Math.abs(aim.netQty);
  }
  const isUntouched = result.closed.length === 0 && result.order === undefined;
  if ("side" in aim) return isUntouched && netQty * sign(aim.side) < 0;
  return isUntouched && aim.to === "reverse";
}
