import type { AccountId, IntentId } from "../../domain/ids.ts";
import { type Intent, type IntentSource, isGoingOn, isUnsettled } from "../../domain/intent.ts";
import { GatewayError } from "../../errors.ts";
import { isLost, keyReused, type RepeatIntent, type Submitted } from "./repeat-intent.ts";
import type { AnswerTimes } from "./answer-times.ts";
import type { Submission, SubmitIntent } from "./submit-intent.ts";
import type { Caller } from "../people/caller.ts";
import type { CallersKey, Settled } from "./order-uses.ts";
import type { Idempotency, IntentStore } from "./ports.ts";
import type { AccountViews } from "../reads/ports.ts";
import { judgeEnding } from "./judge-ending.ts";
import { StoreError } from "../store-error.ts";

/** Time that the caller of `/v1` waits for the outcome (decision "when POST /orders answers"). */
const ANSWER_WITHIN_MS = 4_500;
/** Time after that for withdrawing the intent. Nothing is sent later. */
const WITHDRAW_WITHIN_MS = 500;

export interface AnswerIntentDeps {
  readonly intents: IntentStore;
  readonly views: Pick<AccountViews, "positions">;
  readonly submit: SubmitIntent;
  readonly repeat: RepeatIntent;
  readonly answerTimes?: AnswerTimes | undefined;
}

export type AnswerIntent = (
  caller: Caller,
  request: Pick<Submission, "accountId" | "intent" | "intentId"> & {
    /** Absent: the caller asks for it themselves. */
    readonly kind?: IntentSource["kind"];
  },
) => Promise<Settled>;

/** An intent that its caller may have asked for before. */
export type AnswerKeyedIntent = (
  caller: Caller,
  request: {
    readonly accountId: AccountId;
    readonly idempotency: CallersKey | undefined;
    /** Everything that depends on how things stand now; not asked of what was answered before. */
    readonly prepare: () => Promise<Intent>;
  },
) => Promise<Settled>;

/** One of several accounts that one call asks: each has the caller's key for itself. */
interface OneOfMany {
  readonly accountId: AccountId;
  readonly idempotency: CallersKey | undefined;
}

/** The steps of `AnswerKeyedIntent`, for who asks several accounts by one call. */
export interface AnswerShared {
  /** Throws IDEMPOTENCY_KEY_REUSED where the key came with another body. */
  readonly requireSameBody: (caller: Caller, at: OneOfMany) => Promise<void>;
  readonly findEarlier: (caller: Caller, at: OneOfMany) => Promise<Settled | undefined>;
  /** What was asked for before under the key is answered, and not done again. */
  readonly submit: (
    caller: Caller,
    request: OneOfMany & Pick<Submission, "intent" | "exitsOnly" | "exitsOnlyCode">,
  ) => Promise<Settled>;
}

/**
 * Submits intents of `/v1` and always has an answer within the time limit: an intent that was not
 * sent by then is withdrawn, one that was sent is answered with its id to look up.
 */
export function createAnswerIntents({
  intents,
  views,
  submit,
  repeat,
  answerTimes,
}: AnswerIntentDeps): {
  readonly answer: AnswerIntent;
  readonly answerKeyed: AnswerKeyedIntent;
  readonly answerShared: AnswerShared;
} {
  const waitMs = answerTimes?.callMs ?? ANSWER_WITHIN_MS;
  const sendWithinMs = waitMs + WITHDRAW_WITHIN_MS;
  const answerShared: AnswerShared = {
    requireSameBody: async (caller, { accountId, idempotency }) => {
      if (idempotency === undefined) return;
      const earlier = await findKeyed(accountId, withFormer(caller, idempotency));
      if (earlier?.kind === "keyReused") throw keyReused();
    },
    findEarlier: async (caller, { accountId, idempotency }) =>
      idempotency && (await findEarlier(accountId, withFormer(caller, idempotency))),
    submit: async (caller, { idempotency, ...request }) =>
      await answerIntent(caller, {
        ...request,
        ...(idempotency !== undefined && { idempotency: scopedToUser(caller, idempotency) }),
      }),
  };
  return { answer: answerIntent, answerKeyed, answerShared };

  async function answerKeyed(
    caller: Caller,
    { accountId, idempotency, prepare }: Parameters<AnswerKeyedIntent>[1],
  ): Promise<Settled> {
    if (idempotency === undefined) {
      return await answerIntent(caller, { accountId, intent: await prepare() });
    }
    const scoped = scopedToUser(caller, idempotency);
    const earlier = await findEarlier(accountId, withFormer(caller, idempotency));
    if (earlier !== undefined) return earlier;
    return await answerIntent(caller, {
      accountId,
      intent: await prepare(),
      idempotency: scoped,
    });
  }

  async function findEarlier(
    account: AccountId,
    idempotency: Parameters<IntentStore["findKeyed"]>[1],
  ): Promise<Settled | undefined> {
    const earlier = await findKeyed(account, idempotency);
    if (earlier === undefined) return undefined;
    if (earlier.kind === "keyReused") throw keyReused();
    const repeated = await repeat(account, earlier.intentId, waitMs);
    if (isLost(repeated)) return undefined;
    return repeated.settled ?? (await withdraw(account, repeated));
  }

  async function findKeyed(...asked: Parameters<IntentStore["findKeyed"]>) {
    return await intents.findKeyed(...asked).catch((error: unknown) => {
      throw error instanceof StoreError ? keyUnknown(error) : error;
    });
  }

  async function answerIntent(
    caller: Caller,
    {
      kind = "api",
      ...request
    }: Parameters<AnswerIntent>[1] &
      Pick<Submission, "idempotency" | "exitsOnly" | "exitsOnlyCode">,
  ): Promise<Settled> {
    const submitted = await submit({
      ...request,
      userId: caller.userId,
      source: { kind, credentialId: caller.credentialId },
      requestId: caller.requestId,
      ...(caller.stages !== undefined && { stages: caller.stages }),
      receivedAt: caller.receivedAt,
      acceptMs: answerTimes?.acceptMs,
      waitMs,
      // Its caller is gone after that: whatever it is, it is not sent any more.
      entryMaxAgeMs: sendWithinMs,
      exitMaxAgeMs: sendWithinMs,
    });
    return submitted.settled ?? (await withdraw(request.accountId, submitted));
  }

  async function withdraw(account: AccountId, { intentId }: Submitted): Promise<Settled> {
    const reason = "It was not sent in time and was withdrawn; nothing was sent";
    const withdrawn = { kind: "withdrawn", reason } as const;
    try {
      const asked = await intents.find(account, intentId);
      const ending = asked === undefined ? withdrawn : await judgeEnding(views, asked, withdrawn);
      const record = await intents.withdraw(account, intentId, ending);
      const { outcome } = record;
      const isOpen = isUnsettled(record.state) && !isGoingOn(record.state);
      if (outcome === undefined || isOpen) throw stillOpen(intentId);
      return { record: { ...record, outcome }, replayed: false };
    } catch (error) {
      // It was accepted: a store that fails now only keeps us from knowing how it ended.
      throw error instanceof StoreError ? stillOpen(intentId) : error;
    }
  }
}

/** The key is the user's, whichever of their API keys or sessions sends it. */
function scopedToUser({ userId }: Caller, { key, fingerprint }: CallersKey): Idempotency {
  return { key: `${userId}:${key}`, fingerprint };
}

const withFormer = (caller: Caller, idempotency: CallersKey) => ({
  ...scopedToUser(caller, idempotency),
  formerKey: formerKey(caller, idempotency),
});

/** As it was before. Such records live for a day after an upgrade. */
function formerKey({ credentialId }: Caller, { key }: CallersKey): string {
  return `${credentialId}:${key}`;
}

/** Not a 503: an order may have been placed under the key before. */
function keyUnknown(cause: StoreError): GatewayError {
  return new GatewayError(
    "INTERNAL_ERROR",
    "The gateway's store did not answer whether this Idempotency-Key was used before; " +
      "this request sent nothing. Repeat it with the same key",
    { cause },
  );
}

function stillOpen(intentId: IntentId): GatewayError {
  return new GatewayError(
    "OUTCOME_UNKNOWN",
    `How it ended is not known yet; look up intent ${intentId} before trying again`,
    { facts: { intentId } },
  );
}
