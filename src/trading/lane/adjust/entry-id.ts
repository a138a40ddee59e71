import type { ClOrdId, IntentId } from "../../../domain/ids.ts";
import { clOrdIdOf } from "../../../domain/intent.ts";

/** Beyond all that an intent may send: its cancels and closes are counted from 1. */
const ENTRY_NTH = 100;

/**
 * The identifier of the order that an adjustment opens or grows with. It tells that order from the
 * closes before it, whatever else was kept of an adjustment that was interrupted.
 */
export const entryIdOf = (intentId: IntentId): ClOrdId => clOrdIdOf(intentId, ENTRY_NTH);
