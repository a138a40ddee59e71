import type { AccountId, ClOrdId, CredentialId, IntentId } from "../../domain/ids.ts";
import type {
  Intent,
  IntentRecord,
  IntentSource,
  IntentState,
  Outcome,
} from "../../domain/intent.ts";
import { decodeOutcome, stateOf } from "./outcome-record.ts";
import type { ExitPlan, LegPlan } from "../../domain/carried-plan.ts";
import type { IntentProgress, NewIntent } from "../../trading/orders/ports.ts";

/** The part of a record that never changes, as it is stored. */
type FixedPart = Pick<
  IntentRecord,
  "userId" | "requestId" | "intent" | "test" | "entrySide" | "exitsOnly" | "exitsOnlyCode" | "copy"
> &
  // Of an alert, its webhook says where it came from.
  ({ readonly source: IntentSource } | { readonly webhookId: CredentialId });

type Draft = { -readonly [Key in keyof IntentRecord]: IntentRecord[Key] };

/** What Redis answers for fields of a hash, in the order they were asked for. */
export type Fields = readonly (string | null | undefined)[];

/** What sending adds to a record. */
const SENDING_FIELDS = ["sentAt", "clOrdIds", "plan", "exitPlan"] as const;

/** The fields of an intent's hash that make its record, in the order `decodeIntent` reads them. */
export const RECORD_FIELDS = [
  ...SENDING_FIELDS,
  "record",
  "state",
  "acceptedAt",
  "entryExpiresAt",
  "exitExpiresAt",
  "settledAt",
  "outcome",
] as const;

const quoted = (names: readonly string[]) => names.map((name) => `'${name}'`).join(", ");

/** The same fields as arguments inside a script. */
export const recordFieldsInLua = quoted(RECORD_FIELDS);
export const sendingFieldsInLua = quoted(SENDING_FIELDS);

/**
 * What the record's key names is not in it; in older ones it is. Records are written by this gateway
 * alone, so reading them back is a cast, not a validation.
 */
export function encodeIntent(newIntent: NewIntent): string {
  const { userId, source, requestId, intent } = newIntent;
  const { test, entrySide, exitsOnly, exitsOnlyCode, copy } = newIntent;
  const fixed: FixedPart = {
    userId,
    ...storedSource(source),
    requestId,
    intent,
    ...(test === true && { test }),
    ...(entrySide !== undefined && { entrySide }),
    ...(exitsOnly !== undefined && { exitsOnly }),
    ...(exitsOnlyCode !== undefined && { exitsOnlyCode }),
    ...(copy !== undefined && { copy }),
  };
  return JSON.stringify(fixed);
}

const storedSource = (source: IntentSource) =>
  source.kind === "webhook" && source.credentialId !== undefined
    ? { webhookId: source.credentialId }
    : { source };

const webhook = (credentialId: CredentialId): IntentSource => ({ kind: "webhook", credentialId });

/** Takes `RECORD_FIELDS`. Undefined for those of an intent that is not there. */
export function decodeIntent(
  accountId: AccountId,
  intentId: IntentId,
  fields: Fields,
): IntentRecord | undefined {
  const [, , , , record, state, acceptedAt, entryExpiresAt, exitExpiresAt, settledAt, outcome] =
    fields;
  if (!record || !state) return undefined;

  const fixed = JSON.parse(record) as FixedPart;
  const draft: Draft = {
    intentId,
    accountId,
    userId: fixed.userId,
    source: "source" in fixed ? fixed.source : webhook(fixed.webhookId),
    requestId: fixed.requestId,
    intent: fixed.intent,
    state: state as IntentState,
    clOrdIds: [],
    acceptedAt: Number(acceptedAt),
    entryExpiresAt: Number(entryExpiresAt),
    exitExpiresAt: Number(exitExpiresAt),
  };
  if (fixed.test === true) draft.test = true;
  if (fixed.entrySide !== undefined) draft.entrySide = fixed.entrySide;
  if (fixed.exitsOnly !== undefined) draft.exitsOnly = fixed.exitsOnly;
  if (fixed.exitsOnlyCode !== undefined) draft.exitsOnlyCode = fixed.exitsOnlyCode;
  if (fixed.copy !== undefined) draft.copy = fixed.copy;
  addSending(draft, fields);
  if (settledAt) draft.settledAt = Number(settledAt);
  if (outcome) draft.outcome = decodeOutcome(draft, outcome);
  return draft;
}

/** Takes `RECORD_FIELDS` as a script writes them in JSON, where one that is absent is false. */
export const decodeTold = (
  accountId: AccountId,
  intentId: IntentId,
  fields: readonly (string | false)[],
): IntentRecord | undefined =>
  decodeIntent(
    accountId,
    intentId,
    fields.map((field) => (field === false ? undefined : field)),
  );

/** What is wanted by the intent of which this is the part that never changes. */
export const decodeWanted = (record: string): Intent => (JSON.parse(record) as FixedPart).intent;

/** Undefined for that of an intent that is not there. */
export function decodeProgress(
  state: Fields[number],
  clOrdIds: Fields[number],
): IntentProgress | undefined {
  if (!state) return undefined;
  return { state: state as IntentState, clOrdIds: clOrdIds ? toClOrdIds(clOrdIds) : [] };
}

/** The record at hand as it stands once it ended. Takes the fields of `sendingFieldsInLua`. */
export function endedRecord(
  record: IntentRecord,
  outcome: Outcome,
  settledAt: number,
  sending: Fields,
): IntentRecord {
  const state = stateOf(outcome);
  const draft: Draft = { ...record, state, outcome };
  addSending(draft, sending);
  if (state !== "UNKNOWN") draft.settledAt = settledAt;
  return draft;
}

function addSending(draft: Draft, [sentAt, clOrdIds, plan, exitPlan]: Fields): void {
  if (sentAt) draft.sentAt = Number(sentAt);
  if (clOrdIds) draft.clOrdIds = toClOrdIds(clOrdIds);
  if (plan) draft.plan = JSON.parse(plan) as LegPlan;
  if (exitPlan) draft.exitPlan = JSON.parse(exitPlan) as ExitPlan;
}

const toClOrdIds = (text: string): ClOrdId[] => text.split(",") as ClOrdId[];

/** Ids come from sets that hold nothing else. */
export const toIntentId = (text: string): IntentId => text as IntentId;
