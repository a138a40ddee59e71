import type { AccountId, IntentId, UserId } from "../domain/ids.ts";
import type { Intent, IntentOwner, IntentRecord, IntentSource } from "../domain/intent.ts";
import { isUnsettled } from "../domain/intent.ts";
import { errors, GatewayError } from "../errors.ts";
import type { Settled } from "./gateway.ts";
import {
  type Acceptance,
  type IntentStore,
  type Lanes,
  type NewIntent,
  type Outcomes,
  StoreError,
} from "./store-ports.ts";

export interface SubmitIntentDeps {
  readonly intents: IntentStore;
  readonly lanes: Lanes;
  readonly outcomes: Outcomes;
  readonly newIntentId: () => IntentId;
  /** Looks an unknown outcome up at the broker, now. */
  readonly settleNow: (record: IntentRecord) => Promise<IntentRecord>;
}

export interface Submission {
  readonly accountId: AccountId;
  readonly userId: UserId;
  readonly source: IntentSource;
  readonly requestId: string;
  readonly receivedAt: number;
  readonly intent: Intent;
  readonly idempotency?: NonNullable<NewIntent["idempotency"]>;
  /** How long the caller waits for the outcome. */
  readonly waitMs: number;
  /** How old it may become unsent, if it opens or grows a position, and if it reduces one. */
  readonly entryMaxAgeMs: number;
  readonly exitMaxAgeMs: number;
}

export interface Submitted {
  readonly intentId: IntentId;
  /** Absent when the caller's time ran out. */
  readonly settled?: Settled;
}

export type SubmitIntent = (submission: Submission) => Promise<Submitted>;

/** Makes an intent durable, puts it on its account's lane, and waits for its outcome. */
export function createSubmitIntent(deps: SubmitIntentDeps): SubmitIntent {
  const { intents, lanes, outcomes, newIntentId, settleNow } = deps;

  return submit;

  async function submit(submission: Submission): Promise<Submitted> {
    const { accountId } = submission;
    const intentId = newIntentId();
    const expected = outcomes.expect(accountId, intentId);
    try {
      const acceptance = await enqueue(submission, intentId);
      switch (acceptance.kind) {
        case "accepted":
          return answer(intentId, await expected.within(submission.waitMs), false);
        case "known":
          return await repeat(submission, acceptance.intentId);
        case "keyReused":
          throw new GatewayError(
            "IDEMPOTENCY_KEY_REUSED",
            "The Idempotency-Key was used before with another body; use a new key",
          );
        case "tooLate":
          throw errors.storeUnavailable(undefined);
      }
    } finally {
      expected.stop();
    }
  }

  /** Both steps go out at once: the connection keeps their order, and either may fail alone. */
  async function enqueue(submission: Submission, intentId: IntentId): Promise<Acceptance> {
    const [accepted, added] = await Promise.allSettled([
      intents.accept({ ...submission, intentId }),
      lanes.add(submission.accountId, intentId, ownerOf(submission)),
    ]);
    if (accepted.status === "rejected") {
      throw acceptanceFailed(accepted.reason, intentId, () => giveUp(submission, intentId));
    }
    if (added.status === "rejected" && accepted.value.kind === "accepted") {
      await withdrawUnqueued(submission, intentId, added.reason);
    }
    return accepted.value;
  }

  /** The pointer may or may not be on the lane. Withdrawn, the intent does nothing either way. */
  async function withdrawUnqueued(submission: Submission, intentId: IntentId, cause: unknown) {
    const withdrawn = await giveUp(submission, intentId).catch(() => undefined);
    if (withdrawn === true) throw errors.storeUnavailable(cause);
    if (withdrawn === undefined) throw acceptanceUnknown(cause, intentId);
  }

  async function giveUp({ accountId }: Submission, intentId: IntentId): Promise<boolean> {
    const reason = "The gateway's store failed while the intent was being accepted";
    return await intents.withdraw(accountId, intentId, { kind: "withdrawn", reason });
  }

  /** An earlier request with the same Idempotency-Key: its answer is this one's. */
  async function repeat(submission: Submission, intentId: IntentId): Promise<Submitted> {
    const { accountId, waitMs } = submission;
    const expected = outcomes.expect(accountId, intentId);
    try {
      const record = await intents.find(accountId, intentId);
      const unknown = record?.state === "UNKNOWN";
      const settled = unknown ? await settleNow(record) : undefined;
      // Proven absent at the broker: this request is a new attempt, with an identifier of its own.
      if (settled?.state === "LOST") return await submit(submission);
      if (record !== undefined && !isUnsettled(record.state)) return answer(intentId, record, true);
      return answer(intentId, settled ?? (await expected.within(waitMs)), true);
    } finally {
      expected.stop();
    }
  }
}

function ownerOf({ userId, source: { credentialId } }: Submission): IntentOwner {
  return { userId, ...(credentialId !== undefined && { credentialId }) };
}

function answer(
  intentId: IntentId,
  record: IntentRecord | undefined,
  replayed: boolean,
): Submitted {
  const { outcome } = record ?? {};
  if (record === undefined || outcome === undefined) return { intentId };
  return { intentId, settled: { record: { ...record, outcome }, replayed } };
}

/** Sends a withdrawal after a write whose answer was lost, without making the caller wait for it. */
function acceptanceFailed(
  cause: unknown,
  intentId: IntentId,
  giveUp: () => Promise<unknown>,
): unknown {
  if (!(cause instanceof StoreError)) return cause;
  if (cause.certainlyNotWritten) return errors.storeUnavailable(cause);
  giveUp().catch(() => undefined);
  return acceptanceUnknown(cause, intentId);
}

function acceptanceUnknown(cause: unknown, intentId: IntentId): GatewayError {
  return new GatewayError(
    "INTERNAL_ERROR",
    "The gateway's store did not answer; look the intent up before trying again",
    { cause, facts: { intentId } },
  );
}
