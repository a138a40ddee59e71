import type { IntentRecord } from "../../../domain/intent.ts";
import { entryIdOf } from "../adjust/entry-id.ts";
import { restIdOf } from "../timeouts/run-timeout.ts";
import { adjustmentOf } from "../adjust/turned-order.ts";

/**
 * Whether an intent that was begun is carried on with, in its lane's turn (`look-up.ts`). An
 * adjustment whose order was sent has closed what it was to.
 */
export function goesOn(record: IntentRecord): boolean {
  const { intentId, clOrdIds, exitPlan } = record;
  switch (record.intent.kind) {
    case "FLATTEN":
    case "CANCEL_ENTRIES":
      return true;
    case "ADJUST":
      // One that a store forgot, and that was found begun at the broker, has no plan.
      if (exitPlan === undefined && clOrdIds.length > 0) return false;
      return !clOrdIds.includes(entryIdOf(intentId));
    case "PLACE":
      return adjustmentOf(record) !== undefined && !clOrdIds.includes(entryIdOf(intentId));
    case "TIMEOUT":
      return !clOrdIds.includes(restIdOf(intentId));
    case "CANCEL":
    case "MODIFY":
    case "PROTECT":
      return false;
  }
}
