import type { AccountId, IntentId, UserId } from "../domain/ids.ts";
import {
  type Intent,
  type IntentRecord,
  type IntentSource,
  isUnsettled,
} from "../domain/intent.ts";
import type { Side } from "../domain/order.ts";
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
  /** Milliseconds that only ever grow. */
  readonly elapsed: () => number;
  /** Withdraws an unsent intent as soon as the store can be reached; never fails. */
  readonly abandon: (account: AccountId, id: IntentId, reason: string) => void;
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
  /** Follows from an event: submitted again, it is the same intent. Absent: a new one. */
  readonly intentId?: IntentId;
  readonly idempotency?: NonNullable<NewIntent["idempotency"]>;
  readonly test?: true;
  readonly entrySide?: Side;
  readonly exitsOnly?: string;
  /** Of an alert; its entry's id is the intent's. */
  readonly alert?: NonNullable<NewIntent["alert"]>;
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
  const { intents, lanes, outcomes, newIntentId, elapsed, abandon, settleNow } = deps;

  return submit;

  async function submit(submission: Submission): Promise<Submitted> {
    const { accountId, alert } = submission;
    const intentId = submission.intentId ?? alert?.entry.alertId ?? newIntentId();
    const startedAt = elapsed();
    const expected = outcomes.expect(accountId, intentId);
    try {
      const acceptance = await enqueue(submission, intentId);
      const leftMs = Math.max(0, submission.waitMs - (elapsed() - startedAt));
      switch (acceptance.kind) {
        case "accepted":
          return answer(intentId, await expected.within(leftMs), false);
        case "known":
          return await repeat({ ...submission, waitMs: leftMs }, acceptance.intentId);
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

  async function enqueue(submission: Submission, intentId: IntentId): Promise<Acceptance> {
    const { accountId } = submission;
    lanes.prepare(accountId);
    try {
      const isDerived = submission.intentId !== undefined;
      const intent = { ...submission, intentId, ...(isDerived && { isDerived }) };
      const acceptance = await intents.accept(intent, () => lanes.add(accountId, intentId));
      if (acceptance.kind === "accepted") lanes.ring(accountId, intentId);
      return acceptance;
    } catch (error) {
      throw acceptanceFailed(error, submission, intentId);
    }
  }

  /** The answer of the write was lost: it may have happened. Withdrawn, it comes to nothing. */
  function acceptanceFailed(
    cause: unknown,
    { accountId }: Submission,
    intentId: IntentId,
  ): unknown {
    if (!(cause instanceof StoreError)) return cause;
    if (cause.certainlyNotWritten) return errors.storeUnavailable(cause);
    abandon(accountId, intentId, LOST_ANSWER);
    return acceptanceUnknown(cause, intentId);
  }

  /** An earlier request with the same Idempotency-Key, or of the same event: its answer is this one's. */
  async function repeat(submission: Submission, intentId: IntentId): Promise<Submitted> {
    const { accountId, waitMs } = submission;
    const expected = outcomes.expect(accountId, intentId);
    try {
      const record = await intents.find(accountId, intentId);
      if (record === undefined) return { intentId };
      if (!isUnsettled(record.state)) return answer(intentId, record, true);
      if (record.state !== "UNKNOWN") return answer(intentId, await expected.within(waitMs), true);

      const settled = await Promise.race([
        settleNow(record).catch(() => record),
        expected.within(waitMs),
      ]);
      // Proven absent at the broker: this request is a new attempt, with an identifier of its own.
      const isNewAttempt = settled?.state === "LOST" && submission.intentId === undefined;
      if (isNewAttempt) return await submit(submission);
      return answer(intentId, settled ?? record, true);
    } catch (error) {
      // The earlier request was accepted: only how it ended cannot be read.
      throw error instanceof StoreError ? acceptanceUnknown(error, intentId) : error;
    } finally {
      expected.stop();
    }
  }
}

const LOST_ANSWER = "The gateway's store failed while the intent was being accepted";

function answer(
  intentId: IntentId,
  record: IntentRecord | undefined,
  replayed: boolean,
): Submitted {
  const { outcome } = record ?? {};
  if (record === undefined || outcome === undefined) return { intentId };
  return { intentId, settled: { record: { ...record, outcome }, replayed } };
}

function acceptanceUnknown(cause: unknown, intentId: IntentId): GatewayError {
  return new GatewayError(
    "INTERNAL_ERROR",
    "The gateway's store did not answer; look the intent up before trying again",
    { cause, facts: { intentId } },
  );
}
