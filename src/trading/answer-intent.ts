import type { AccountId, IntentId } from "../domain/ids.ts";
import { type IntentSource, isUnsettled } from "../domain/intent.ts";
import { GatewayError } from "../errors.ts";
import type { Caller, Settled } from "./gateway.ts";
import { type IntentStore, StoreError } from "./store-ports.ts";
import type { Submission, Submitted, SubmitIntent } from "./submit-intent.ts";

/** An intent of `/v1` is not sent later than this (decision "when POST /orders answers"). */
const SEND_WITHIN_MS = 5_000;
/** How long its caller waits for the outcome: what is left is for withdrawing it. */
const ANSWER_WITHIN_MS = 4_500;

export interface AnswerIntentDeps {
  readonly intents: IntentStore;
  readonly submit: SubmitIntent;
}

export type AnswerIntent = (
  caller: Caller,
  request: Pick<Submission, "accountId" | "intent" | "idempotency" | "intentId"> & {
    /** Absent: the caller asks for it themselves. */
    readonly kind?: IntentSource["kind"];
  },
) => Promise<Settled>;

/**
 * Submits an intent of `/v1` and always has an answer within the time limit: an intent that was not
 * sent by then is withdrawn, one that was sent is answered with its id to look up.
 */
export function createAnswerIntent({ intents, submit }: AnswerIntentDeps): AnswerIntent {
  return async function answerIntent(caller, { kind = "api", ...request }) {
    const submitted = await submit({
      ...request,
      userId: caller.userId,
      source: { kind, credentialId: caller.credentialId },
      requestId: caller.requestId,
      receivedAt: caller.receivedAt,
      waitMs: ANSWER_WITHIN_MS,
      // Its caller is gone after that: whatever it is, it is not sent any more.
      entryMaxAgeMs: SEND_WITHIN_MS,
      exitMaxAgeMs: SEND_WITHIN_MS,
    });
    return submitted.settled ?? (await withdraw(request.accountId, submitted));
  };

  async function withdraw(account: AccountId, { intentId }: Submitted): Promise<Settled> {
    const reason = "It was not sent in time and was withdrawn; nothing was sent";
    try {
      const record = await intents.withdraw(account, intentId, { kind: "withdrawn", reason });
      const { outcome } = record;
      if (outcome === undefined || isUnsettled(record.state)) throw stillOpen(intentId);
      return { record: { ...record, outcome }, replayed: false };
    } catch (error) {
      // It was accepted: a store that fails now only keeps us from knowing how it ended.
      throw error instanceof StoreError ? stillOpen(intentId) : error;
    }
  }
}

function stillOpen(intentId: IntentId): GatewayError {
  return new GatewayError(
    "OUTCOME_UNKNOWN",
    `How it ended is not known yet; look up intent ${intentId} before trying again`,
    { facts: { intentId } },
  );
}
