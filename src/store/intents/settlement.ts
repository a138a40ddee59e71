import type { AccountId, IntentId } from "../../domain/ids.ts";
import { type Intent, type IntentRecord, type Outcome, stateOf } from "../../domain/intent.ts";
import { isTold } from "../../domain/notify/told-outcome.ts";
import { OVERTAKEN } from "../../domain/overtaking.ts";
import { TRIED_ANEW } from "../../domain/repeat.ts";
import { endingOf } from "../alerts/alert-endings.ts";
import type { Sent } from "../redis/named-arguments.ts";
import { decodeIntent, endedRecord, type Fields } from "./intent-record.ts";
import { encodeOutcome } from "./outcome-record.ts";

export interface Ending {
  /** Where it is known, what it says need not be stored of how it was carried out. */
  readonly intent?: Intent;
  readonly outcome: Outcome;
  readonly onlyUnsent: boolean;
}

/** What `settle` takes after the intent's id. */
export function settleArguments(
  { intent, outcome, onlyUnsent }: Ending,
  retentionMs: number,
): Sent {
  return [
    stateOf(outcome),
    encodeOutcome(outcome, intent),
    retentionMs,
    onlyUnsent ? "PREPARED" : "",
    onlyUnsent && TRIED_ANEW[outcome.kind] ? encodeOutcome(OVERTAKEN) : "",
    endingOf(outcome),
    isTold(outcome, intent) ? 1 : 0,
  ];
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
