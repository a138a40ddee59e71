import type { AccountId, IntentId, UserId } from "../domain/ids.ts";
import type { Intent, IntentSource } from "../domain/intent.ts";
import type { Side } from "../domain/order.ts";
import { errors } from "../errors.ts";
import {
  acceptanceUnknown,
  createRepeatIntent,
  isLost,
  keyReused,
  type RepeatIntentDeps,
  submitted,
  type Submitted,
} from "./repeat-intent.ts";
import {
  type Acceptance,
  type Idempotency,
  type Lanes,
  type NewIntent,
  StoreError,
} from "./store-ports.ts";

export interface SubmitIntentDeps extends RepeatIntentDeps {
  readonly lanes: Lanes;
  readonly newIntentId: () => IntentId;
  /** Milliseconds that only ever grow. */
  readonly elapsed: () => number;
  /** Withdraws an unsent intent as soon as the store can be reached; never fails. */
  readonly abandon: (account: AccountId, id: IntentId, reason: string) => void;
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
  readonly idempotency?: Idempotency;
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

export type SubmitIntent = (submission: Submission) => Promise<Submitted>;

/** Makes an intent durable, puts it on its account's lane, and waits for its outcome. */
export function createSubmitIntent(deps: SubmitIntentDeps): SubmitIntent {
  const { intents, lanes, outcomes, newIntentId, elapsed, abandon } = deps;
  const repeat = createRepeatIntent(deps);

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
          return submitted(intentId, await expected.within(leftMs), false);
        case "known": {
          const earlier = await repeat(accountId, acceptance.intentId, leftMs);
          // The intent of an event is that event's one attempt.
          if (!isLost(earlier) || submission.intentId !== undefined) return earlier;
          return await submit({ ...submission, waitMs: leftMs });
        }
        case "keyReused":
          throw keyReused();
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
    return acceptanceUnknown(cause, { intentId });
  }
}

const LOST_ANSWER = "The gateway's store failed while the intent was being accepted";
