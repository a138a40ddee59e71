import type { IntentId } from "../../../../src/domain/ids.ts";
import { type IntentRecord, isUnsettled, type Outcome } from "../../../../src/domain/intent.ts";
import { errors, GatewayError } from "../../../../src/errors.ts";
import type { AnswerIntent } from "../../../../src/trading/orders/answer-intent.ts";
import type { Submission, SubmitIntent } from "../../../../src/trading/orders/submit-intent.ts";
import type { Clock } from "./memory-strategies.ts";
import { NQ } from "./strategy-kit.ts";

export const DONE: Outcome = {
  kind: "done",
  result: {
    kind: "ADJUST",
    contract: NQ,
    closed: [],
    canceledOrderIds: [],
    problems: [],
    exits: { kind: "none" as const },
  },
};
export const DENIED: Outcome = {
  kind: "denied",
  code: "POSITION_HELD",
  reason: "The account holds 2 NQZ6 long already; nothing was sent",
};

type Asked = Pick<Submission, "accountId" | "userId" | "source" | "requestId" | "intent">;

/** Accepts the intent of an id once, and ends each as the test says. */
export class MemoryLane {
  /** What an intent comes to at once; undefined: it is not known in time. */
  outcome: Outcome | undefined = DONE;
  /** Thrown instead of accepting anything. */
  fault: Error | undefined;
  readonly submissions: Submission[] = [];
  readonly accepted: Submission["intent"][] = [];
  readonly asked: Parameters<AnswerIntent>[1][] = [];
  readonly #records = new Map<IntentId, IntentRecord>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  readonly now = async () => this.#clock.at;
  readonly find = async (_account: Submission["accountId"], id: IntentId) => this.#records.get(id);

  readonly submit: SubmitIntent = async (submission) => {
    this.submissions.push(submission);
    const { intentId, receivedAt } = submission;
    if (intentId === undefined) throw new Error("a strategy's intent follows from its evaluation");
    const replayed = this.#records.has(intentId);
    // As the store does it: what was not accepted within 2 seconds is not accepted any more.
    if (!replayed && this.#clock.at > receivedAt + 2_000) throw errors.storeUnavailable(undefined);
    const record = this.#accept(intentId, submission);
    const { outcome } = record;
    if (outcome === undefined) return { intentId };
    return { intentId, settled: { record: { ...record, outcome }, replayed } };
  };

  readonly answer: AnswerIntent = async ({ userId, credentialId, requestId }, request) => {
    this.asked.push(request);
    const { kind = "api", intentId, accountId, intent } = request;
    if (intentId === undefined) throw new Error("a strategy's intent follows from its evaluation");
    const asked = { accountId, userId, source: { kind, credentialId }, requestId, intent };
    const record = this.#accept(intentId, asked);
    const { outcome } = record;
    if (outcome !== undefined && !isUnsettled(record.state)) {
      return { record: { ...record, outcome }, replayed: false };
    }
    throw new GatewayError("OUTCOME_UNKNOWN", "How it ended is not known yet");
  };

  /** How an intent ended after all. */
  settle(id: IntentId, outcome: Outcome): void {
    const record = this.#records.get(id);
    if (record === undefined) throw new Error(`There is no intent ${id}`);
    this.#records.set(id, { ...record, state: stateOf(outcome), outcome });
  }

  #accept(intentId: IntentId, asked: Asked): IntentRecord {
    if (this.fault !== undefined) throw this.fault;
    const known = this.#records.get(intentId);
    if (known !== undefined) return known;
    this.accepted.push(asked.intent);
    const { accountId, userId, source, requestId, intent } = asked;
    const { outcome } = this;
    const record: IntentRecord = {
      intentId,
      accountId,
      userId,
      source,
      requestId,
      intent,
      state: outcome === undefined ? "PREPARED" : stateOf(outcome),
      clOrdIds: [],
      acceptedAt: this.#clock.at,
      entryExpiresAt: this.#clock.at + 10_000,
      exitExpiresAt: this.#clock.at + 600_000,
      ...(outcome !== undefined && { outcome }),
    };
    this.#records.set(intentId, record);
    return record;
  }
}

const stateOf = ({ kind }: Outcome) => kind.toUpperCase() as IntentRecord["state"];
