import type { AccountId, IntentId } from "../../domain/ids.ts";
import { unseenExits } from "../../domain/exits/unseen-exits.ts";
import { type IntentRecord, type Outcome, stateOf } from "../../domain/intent.ts";
import { isTold } from "../../domain/notify/told-outcome.ts";
import { OVERTAKEN } from "../../domain/overtaking.ts";
import { TRIED_ANEW } from "../../domain/repeat.ts";
import { endingOf } from "../alerts/alert-endings.ts";
import type { Sent } from "../redis/named-arguments.ts";
import { decodeIntent, endedRecord, type Fields } from "./intent-record.ts";
import { encodeOutcome } from "./outcome-record.ts";

export interface Ending {
  /** Where it is known, what it says need not be stored of how it was carried out. */
  readonly record?: IntentRecord;
  readonly outcome: Outcome;
  readonly onlyUnsent: boolean;
}

/** What `settle` takes after the intent's id. */
export function settleArguments(
  { record, outcome, onlyUnsent }: Ending,
  retentionMs: number,
): Sent {
  const intent = record?.intent;
  return [
    stateOf(outcome),
    encodeOutcome(outcome, intent),
    retentionMs,
    onlyUnsent ? "PREPARED" : "",
    onlyUnsent && TRIED_ANEW[outcome.kind] ? encodeOutcome(OVERTAKEN) : "",
    endingOf(outcome),
    isTold(outcome, intent) ? 1 : 0,
    unseenIn(record, outcome),
  ];
}

/** Exits of its order that were not seen, as they are kept until they stand; "" for none. */
export function unseenIn(record: IntentRecord | undefined, outcome: Outcome): string {
  const unseen = record && unseenExits({ ...record, outcome });
  return unseen === undefined ? "" : JSON.stringify(unseen);
}

/** What `settle` answers. */
export type SettleReply = readonly [isEnded: 0 | 1, now: number, fields: Fields];

/** The intent as it stands after `settle`; it may have been ended before, and otherwise. */
export function settledRecord(
  { record, outcome }: { readonly record: IntentRecord; readonly outcome: Outcome },
  [isEnded, now, fields]: SettleReply,
): IntentRecord {
  if (isEnded === 1) return endedRecord(record, outcome, now, fields);
  return standingRecord(record.accountId, record.intentId, fields);
}

export function standingRecord(account: AccountId, id: IntentId, fields: Fields): IntentRecord {
  const record = decodeIntent(account, id, fields);
  if (record === undefined) throw new Error(`intent ${id} of account ${account} is gone`);
  return record;
}
