import type { AccountId, IntentId } from "../../domain/ids.ts";
import { type IntentRecord, isGoingOn, isUnsettled } from "../../domain/intent.ts";
import { GatewayError } from "../../errors.ts";
import type { Settled } from "./order-uses.ts";
import type { IntentStore, Lanes, Outcomes } from "./ports.ts";
import { StoreError, TOO_SLOW } from "../store-error.ts";

export interface Submitted {
  readonly intentId: IntentId;
  /** Absent when the caller's time ran out. */
  readonly settled?: Settled;
  /** It was lost, and the broker cannot be asked now whether that is still true. */
  readonly isUnsure?: true;
}

export interface RepeatIntentDeps {
  readonly intents: IntentStore;
  readonly lanes: Pick<Lanes, "ring">;
  readonly outcomes: Outcomes;
  /** Looks an unknown or a lost outcome up at the broker, now. */
  readonly settleNow: (record: IntentRecord) => Promise<IntentRecord>;
}

export type RepeatIntent = (account: AccountId, id: IntentId, waitMs: number) => Promise<Submitted>;

/** Answers a request with what became of the earlier one that stands for it. */
export function createRepeatIntent(deps: RepeatIntentDeps): RepeatIntent {
  const { intents, lanes, outcomes, settleNow } = deps;

  return async function repeat(account, intentId, waitMs) {
    const expected = outcomes.expect(account, intentId, true);
    try {
      const record = await intents.find(account, intentId);
      if (record === undefined) return { intentId };
      if (record.state === "LOST") return await lookAgain(record, waitMs);
      if (!isUnsettled(record.state) || isGoingOn(record.state)) {
        return submitted(intentId, record, true);
      }
      if (record.state === "PREPARED") await point(account, intentId);
      if (record.state !== "UNKNOWN") {
        return submitted(intentId, await expected.within(waitMs), true);
      }
      const settled = await Promise.race([
        settleNow(record).catch(() => record),
        expected.within(waitMs),
      ]);
      return submitted(intentId, settled ?? record, true);
    } catch (error) {
      // The earlier request was accepted: only how it ended cannot be read.
      throw error instanceof StoreError ? acceptanceUnknown(error, { intentId }) : error;
    } finally {
      expected.stop();
    }
  };

  /**
   * The stored record is no answer here: it says lost until the broker says otherwise. Half of the time is
   * left for a new attempt.
   */
  async function lookAgain(record: IntentRecord, waitMs: number): Promise<Submitted> {
    const { accountId, intentId } = record;
    const clock = outcomes.expect(accountId, intentId);
    try {
      const again = await Promise.race([
        settleNow(record).catch(() => undefined),
        clock.within(waitMs / 2).then(() => undefined),
      ]);
      return again === undefined
        ? { ...submitted(intentId, record, true), isUnsure: true }
        : submitted(intentId, again, true);
    } finally {
      clock.stop();
    }
  }

  /** It may never have come to its lane: whoever repeats it asks for it now. One too many does nothing. */
  async function point(account: AccountId, intentId: IntentId): Promise<void> {
    await intents.enqueue(account, intentId).catch(() => undefined);
    lanes.ring(account, intentId);
  }
}

/**
 * Proven absent at the broker, and looked up again just now. A repeat is a new attempt, with an identifier of
 * its own.
 */
export const isLost = ({ settled }: Submitted): boolean => settled?.record.state === "LOST";

export function submitted(
  intentId: IntentId,
  record: IntentRecord | undefined,
  replayed: boolean,
): Submitted {
  if (record === undefined || !hasOutcome(record)) return { intentId };
  return { intentId, settled: { record, replayed } };
}

const hasOutcome = (record: IntentRecord): record is Settled["record"] =>
  record.outcome !== undefined;

export function keyReused(): GatewayError {
  return new GatewayError(
    "IDEMPOTENCY_KEY_REUSED",
    "The Idempotency-Key was used before with another body; use a new key",
  );
}

export function acceptanceUnknown(
  cause: StoreError,
  facts: Readonly<Record<string, unknown>>,
): GatewayError {
  return new GatewayError(
    "INTERNAL_ERROR",
    `The gateway's store ${cause.why === "slow" ? TOO_SLOW : "did not answer"}; look the intent up before trying again`,
    { cause, facts },
  );
}
