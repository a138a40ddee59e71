import type { Draft } from "../../domain/draft.ts";
import type { AccountId, IntentId, UserId } from "../../domain/ids.ts";
import type { DenialCode } from "../../domain/denials.ts";
import type { Intent, IntentSource } from "../../domain/intent.ts";
import type { Side } from "../../domain/order.ts";
import { onlyReduces } from "../../domain/overtaking.ts";
import { errors, GatewayError } from "../../errors.ts";
import {
  acceptanceUnknown,
  createRepeatIntent,
  isLost,
  keyReused,
  type RepeatIntentDeps,
  submitted,
  type Submitted,
} from "./repeat-intent.ts";
import type { Acceptance, AdmittedWith, Idempotency, Lanes, NewIntent } from "./ports.ts";
import type { RunsAhead } from "../lane/run-ahead.ts";
import type { Stages } from "../stages.ts";
import { nothingStored } from "../public-error.ts";
import { StoreError, TOO_SLOW } from "../store-error.ts";

export interface SubmitIntentDeps extends RepeatIntentDeps {
  readonly lanes: Lanes;
  /** Absent where this process works no lanes. */
  readonly runsAhead?: Pick<RunsAhead, "accept"> | undefined;
  readonly newIntentId: () => IntentId;
  /** A monotonic clock, ms. */
  readonly elapsed: () => number;
}

export interface Submission {
  readonly accountId: AccountId;
  readonly userId: UserId;
  readonly source: IntentSource;
  readonly requestId: string;
  /** Given where the request is traced. */
  readonly stages?: Stages;
  readonly receivedAt: number;
  readonly acceptMs?: number | undefined;
  readonly intent: Intent;
  /** Given where the intent derives from an event: submitting it again is the same intent. */
  readonly intentId?: IntentId;
  readonly idempotency?: Idempotency;
  readonly test?: true;
  readonly entrySide?: Side;
  readonly exitsOnly?: string;
  readonly exitsOnlyCode?: DenialCode;
  readonly signalPrice?: string;
  readonly lookedUp?: readonly IntentId[];
  readonly admission?: AdmittedWith;
  /** Given for an alert; its entry's id is the intent's id. */
  readonly alert?: NonNullable<NewIntent["alert"]>;
  /** How long the caller waits for the outcome. */
  readonly waitMs: number;
  /** How long it may wait unsent: as an entry, and as an exit. */
  readonly entryMaxAgeMs: number;
  readonly exitMaxAgeMs: number;
}

function notLookedUp(intentId: IntentId): GatewayError {
  return new GatewayError(
    "BROKER_UNAVAILABLE",
    "An earlier attempt was lost, and the broker cannot be asked now whether it has the order; nothing was sent",
    { facts: { intentId } },
  );
}

/** Nothing was written: the sender has to be admitted, and then the request is carried out anew. */
export class AdmitFirstError extends Error {}

export type SubmitIntent = (submission: Submission) => Promise<Submitted>;

/** Makes an intent durable, puts it on its account's lane, and waits for its outcome. */
export function createSubmitIntent(deps: SubmitIntentDeps): SubmitIntent {
  const { intents, lanes, outcomes, runsAhead, newIntentId, elapsed } = deps;
  const repeat = createRepeatIntent(deps);

  return submit;

  async function submit(submission: Submission): Promise<Submitted> {
    const { accountId, alert, stages } = submission;
    const intentId = submission.intentId ?? alert?.entry.alertId ?? newIntentId();
    stages?.understood(intentId);
    const startedAt = elapsed();
    const expected = outcomes.expect(accountId, intentId);
    try {
      const acceptance = await enqueue(submission, intentId);
      stages?.accepted(intentId);
      const left = () => Math.max(0, submission.waitMs - (elapsed() - startedAt));
      const leftMs = left();
      switch (acceptance.kind) {
        case "accepted": {
          const record = await expected.within(leftMs);
          stages?.settled(intentId, record?.settledAt);
          return submitted(intentId, record, false);
        }
        case "known": {
          const earlier = await repeat(accountId, acceptance.intentId, leftMs);
          stages?.settled(intentId, undefined);
          // An event has one intent, which is its only attempt.
          if (!isLost(earlier) || submission.intentId !== undefined) return earlier;
          // A broker that cannot be asked must not hold up an exit.
          if (earlier.isUnsure && !onlyReduces(submission.intent)) throw notLookedUp(intentId);
          // Its sender was admitted with the first one of the two acceptances.
          const { admission: _, ...admitted } = submission;
          const lookedUp = [...(submission.lookedUp ?? []), acceptance.intentId];
          return await submit({ ...admitted, lookedUp, waitMs: Math.max(leftMs / 2, left()) });
        }
        case "keyReused":
          throw keyReused();
        case "tooLate":
          throw errors.storeUnavailable(undefined, TOO_SLOW);
        case "full":
          throw errors.storeFull();
        case "unadmitted":
          throw new AdmitFirstError();
      }
    } finally {
      expected.stop();
    }
  }

  async function enqueue(submission: Submission, intentId: IntentId): Promise<Acceptance> {
    const { accountId } = submission;
    lanes.prepare(accountId);
    try {
      const intent: Draft<NewIntent> = Object.assign({}, submission, { intentId });
      if (submission.intentId !== undefined) intent.isDerived = true;
      let isRung = false;
      const onLane = () => {
        isRung = lanes.isElsewhere(accountId);
        const accepting = intents.accept(intent, { rings: isRung });
        lanes.expect(accountId, intentId);
        return accepting;
      };
      const acceptance = await (runsAhead?.accept(intent, onLane) ?? onLane());
      if (acceptance.kind === "accepted" && !isRung) lanes.ring(accountId, intentId);
      return acceptance;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (error.certainlyNotWritten && submission.admission !== undefined) {
        throw new AdmitFirstError();
      }
      if (error.certainlyNotWritten) throw nothingStored(error);
      // It may be stored, and the error asks the caller to look. It is not withdrawn: it may be an exit
      // that nobody would request again. One that is too old by then expires on its lane.
      lanes.ring(accountId, intentId);
      throw acceptanceUnknown(error, { intentId });
    }
  }
}
