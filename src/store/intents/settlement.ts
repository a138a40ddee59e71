import type { AccountId, IntentId } from "../../domain/ids.ts";
import type { Intent, IntentRecord, Outcome } from "../../domain/intent.ts";
import { OVERTAKEN } from "../../domain/overtaking.ts";
import { TRIED_ANEW } from "../../domain/repeat.ts";
import { endingOf } from "../alerts/alert-endings.ts";
import type { Keys } from "../keys.ts";
import { decodeIntent, endedRecord, type Fields } from "./intent-record.ts";
import { encodeOutcome, stateOf } from "./outcome-record.ts";

/** The KEYS of `settle`. */
export const settleKeys = (keys: Keys, account: AccountId): readonly string[] => [
  keys.counters(account),
  keys.unknown(account),
  keys.sending(account),
  keys.parked(account),
  keys.open(account),
  keys.acceptedAlerts(account),
];

export interface Ending {
  readonly accountId: AccountId;
  /** Where it is known, what it says need not be stored of how it was carried out. */
  readonly intent?: Intent;
  readonly outcome: Outcome;
  readonly onlyUnsent: boolean;
}

/** What `settle` takes after the intent's id. */
export function settleArguments(
  { accountId, intent, outcome, onlyUnsent }: Ending,
  { keys, retentionMs }: { readonly keys: Keys; readonly retentionMs: number },
): readonly (string | number)[] {
  return [
    stateOf(outcome),
    encodeOutcome(outcome, intent),
    retentionMs,
    onlyUnsent ? "PREPARED" : "",
    onlyUnsent && TRIED_ANEW[outcome.kind] ? encodeOutcome(OVERTAKEN) : "",
    endingOf(outcome),
    keys.alertsEndedAs(accountId, ""),
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
