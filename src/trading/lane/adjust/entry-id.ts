import type { ClOrdId, IntentId } from "../../../domain/ids.ts";
import { clOrdIdOf } from "../../../domain/intent.ts";
import { ADJUST_ENTRY_NTH } from "../../../domain/superseded-orders.ts";

/**
 * The identifier of the order that an adjustment opens or grows with, beyond all that an intent may
 * send: its cancels and closes are counted from 1. It tells that order from the
 * closes before it, whatever else was kept of an adjustment that was interrupted.
 */
export const entryIdOf = (intentId: IntentId): ClOrdId => clOrdIdOf(intentId, ADJUST_ENTRY_NTH);
