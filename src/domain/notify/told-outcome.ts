import { exitsMissingIn } from "../asked-exits.ts";
import type { OrderId } from "../ids.ts";
import type { Intent, Outcome } from "../intent.ts";
import type { IntentResult } from "../intent-result.ts";
import { isClosed } from "../order.ts";

/** Whether somebody is to be told how an intent ended. What it filled is told by its fills. */
export function isTold(outcome: Outcome, intent: Intent | undefined): boolean {
  if (outcome.kind !== "done") return true;
  const { result } = outcome;
  if (canceledIn(result).length > 0) return true;
  if ("problems" in result && (result.problems?.length ?? 0) > 0) return true;
  if (hasLeft(result)) return true;
  return intent !== undefined && exitsMissingIn(result, intent).length > 0;
}

/** Whether a flatten has left something of what it was to end, or may have: its problems say what cannot be read. */
export const hasLeft = (result: IntentResult): boolean =>
  result.kind === "FLATTEN" &&
  result.remaining.length + result.remainingOrderIds.length + result.problems.length > 0;

/** Its order is not there any more, and has not filled: its broker has cancelled it. */
const hasEndedUnfilled = (result: IntentResult): boolean =>
  "order" in result &&
  result.order !== undefined &&
  result.order.ordStatus !== "FILLED" &&
  isClosed(result.order.ordStatus);

/** The orders that were cancelled by it, or by the broker. */
export function canceledIn(result: IntentResult): readonly OrderId[] {
  if (hasEndedUnfilled(result) && "order" in result && result.order !== undefined) {
    return [result.order.orderId];
  }
  switch (result.kind) {
    case "CANCEL":
      return [result.orderId];
    case "FLATTEN":
    case "CANCEL_ENTRIES":
    case "ADJUST":
    case "TIMEOUT":
      return result.canceledOrderIds;
    case "PLACE":
    case "MODIFY":
    case "PROTECT":
    case "TEST":
      return [];
  }
}
