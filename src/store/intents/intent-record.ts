import type { AccountId, ClOrdId, CredentialId, IntentId, UserId } from "../../domain/ids.ts";
import type { Draft } from "../../domain/draft.ts";
import {
  isUnsettled,
  clOrdIdOf,
  type Intent,
  type IntentRecord,
  type IntentState,
  stateOf,
  type Outcome,
} from "../../domain/intent.ts";
import { decodeOutcome } from "./outcome-record.ts";
import { readIntent, storedIntent, type StoredIntent } from "./stored-intent.ts";
import type { ExitPlan, LegPlan } from "../../domain/carried-plan.ts";
import type { IntentProgress, NewIntent } from "../../trading/orders/ports.ts";

/** The part of a record that never changes, as it is stored. */
type FixedPart = Pick<
  IntentRecord,
  "test" | "entrySide" | "exitsOnly" | "exitsOnlyCode" | "copy"
> & { readonly intent: StoredIntent; readonly signalPrice?: string } & (
    | Origin
    | FromWebhook
    | FormerFromWebhook
  );

type Origin = Pick<IntentRecord, "userId" | "source" | "requestId">;

/** Of an alert, its webhook says where it came from. */
interface FromWebhook {
  readonly from: readonly [userId: UserId, webhookId: CredentialId, requestId: string];
}

/** In records of before. */
type FormerFromWebhook = Omit<Origin, "source"> & { readonly webhookId: CredentialId };

type RecordDraft = Draft<IntentRecord>;

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
  "maxAges",
  "settledAt",
  "outcome",
  // Of before, instead of the ages.
  "entryExpiresAt",
  "exitExpiresAt",
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
  const { intent, test, entrySide, exitsOnly, exitsOnlyCode, copy, signalPrice } = newIntent;
  const fixed = {
    intent: storedIntent(intent),
    test,
    entrySide,
    exitsOnly,
    exitsOnlyCode,
    copy,
    signalPrice,
    ...storedOrigin(newIntent),
  } satisfies { [Name in keyof FixedPart]: FixedPart[Name] | undefined };
  return JSON.stringify(fixed);
}

function storedOrigin({ userId, source, requestId }: Origin): Origin | FromWebhook {
  return source.kind === "webhook" && source.credentialId !== undefined
    ? { from: [userId, source.credentialId, requestId] }
    : { userId, source, requestId };
}

function readOrigin(fixed: FixedPart): Origin {
  if ("source" in fixed) return fixed;
  const [userId, webhookId, requestId] =
    "from" in fixed ? fixed.from : [fixed.userId, fixed.webhookId, fixed.requestId];
  return { userId, source: { kind: "webhook", credentialId: webhookId }, requestId };
}

/** Takes `RECORD_FIELDS`. Undefined for those of an intent that is not there. */
export function decodeIntent(
  accountId: AccountId,
  intentId: IntentId,
  fields: Fields,
): IntentRecord | undefined {
  const [, , , , record, state, accepted, maxAges, settledAt, outcome, ...formerly] = fields;
  if (!record || !state) return undefined;

  const fixed = JSON.parse(record) as FixedPart;
  const { userId, source, requestId } = readOrigin(fixed);
  const acceptedAt = Number(accepted);
  const [entryExpiresAt = NaN, exitExpiresAt = NaN] = maxAges
    ? maxAges.split(" ").map((ms) => acceptedAt + Number(ms))
    : formerly.map(Number);
  const draft: RecordDraft = {
    intentId,
    accountId,
    userId,
    source,
    requestId,
    intent: readIntent(fixed.intent),
    state: state as IntentState,
    clOrdIds: [],
    acceptedAt,
    entryExpiresAt,
    exitExpiresAt,
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
export const decodeWanted = (record: string): Intent =>
  readIntent((JSON.parse(record) as FixedPart).intent);

/** Undefined for that of an intent that is not there. */
export function decodeProgress(
  intent: IntentId,
  state: Fields[number],
  clOrdIds: Fields[number],
): IntentProgress | undefined {
  if (!state) return undefined;
  return { state: state as IntentState, clOrdIds: clOrdIds ? toClOrdIds(intent, clOrdIds) : [] };
}

/** The record at hand as it stands once it ended. Takes the fields of `sendingFieldsInLua`. */
export function endedRecord(
  record: IntentRecord,
  outcome: Outcome,
  settledAt: number,
  sending: Fields,
): IntentRecord {
  const state = stateOf(outcome);
  const draft: RecordDraft = Object.assign({}, record);
  draft.state = state;
  draft.outcome = outcome;
  addSending(draft, sending);
  if (!isUnsettled(state)) draft.settledAt = settledAt;
  return draft;
}

function addSending(draft: RecordDraft, [sentAt, clOrdIds, plan, exitPlan]: Fields): void {
  if (sentAt) draft.sentAt = Number(sentAt);
  if (clOrdIds) draft.clOrdIds = toClOrdIds(draft.intentId, clOrdIds);
  if (plan) draft.plan = JSON.parse(plan) as LegPlan;
  if (exitPlan) draft.exitPlan = JSON.parse(exitPlan) as ExitPlan;
}

/** What is stored of a settled intent that sent no more than its first order. */
export const FIRST_ALONE = "1";

function toClOrdIds(intent: IntentId, text: string): readonly ClOrdId[] {
  return text === FIRST_ALONE ? [clOrdIdOf(intent, 1)] : (text.split(",") as ClOrdId[]);
}

/** Ids come from sets that hold nothing else. */
export const toIntentId = (text: string): IntentId => text as IntentId;
