import type { AccountId, ClOrdId, IntentId } from "../domain/ids.ts";
import type { IntentRecord, IntentState, LegPlan, Outcome } from "../domain/intent.ts";
import type { NewIntent } from "../trading/store-ports.ts";

/** The part of a record that never changes, as it is stored. */
type FixedPart = Pick<IntentRecord, "intentId" | "userId" | "source" | "requestId" | "intent">;

/** Records are written by this gateway alone, so reading them back is a cast, not a validation. */
export function encodeIntent({ intentId, userId, source, requestId, intent }: NewIntent): string {
  return JSON.stringify({ intentId, userId, source, requestId, intent } satisfies FixedPart);
}

/** Undefined for the empty hash of an intent that is not there. */
export function decodeIntent(
  accountId: AccountId,
  hash: Readonly<Record<string, string>>,
): IntentRecord | undefined {
  const { record, state, acceptedAt, entryExpiresAt, exitExpiresAt } = hash;
  if (record === undefined || state === undefined) return undefined;

  const fixed = JSON.parse(record) as FixedPart;
  const { clOrdIds = "", sentAt, settledAt, outcome, plan } = hash;
  return {
    ...fixed,
    accountId,
    state: state as IntentState,
    clOrdIds: clOrdIds === "" ? [] : (clOrdIds.split(",") as ClOrdId[]),
    acceptedAt: Number(acceptedAt),
    entryExpiresAt: Number(entryExpiresAt),
    exitExpiresAt: Number(exitExpiresAt),
    ...(sentAt !== undefined && { sentAt: Number(sentAt) }),
    ...(settledAt !== undefined && { settledAt: Number(settledAt) }),
    ...(plan !== undefined && { plan: JSON.parse(plan) as LegPlan }),
    ...(outcome !== undefined && { outcome: JSON.parse(outcome) as Outcome }),
  };
}

/** The order in which the account's intents were accepted: 1, 2, 3, … */
export function sequenceOf(hash: Readonly<Record<string, string>>): number {
  return Number(hash["seq"] ?? 0);
}

/** Ids come from `open` sets that hold nothing else. */
export const toIntentId = (text: string): IntentId => text as IntentId;
