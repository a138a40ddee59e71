import { beforeEach, describe, expect, test } from "vitest";
import { clOrdId, credentialId, intentId } from "../../../../src/domain/ids.ts";
import type { Intent, IntentRecord, Outcome } from "../../../../src/domain/intent.ts";
import {
  type AnswerIntent,
  type AnswerKeyedIntent,
  createAnswerIntents,
} from "../../../../src/trading/orders/answer-intent.ts";
import type { Submitted } from "../../../../src/trading/orders/repeat-intent.ts";
import type { Submission } from "../../../../src/trading/orders/submit-intent.ts";
import { ACCOUNT, KEY, MemoryViews, place, USER } from "../lane-kit.ts";
import { MemoryIntents } from "../memory-intents.ts";
import type { Caller } from "../../../../src/trading/people/caller.ts";
import { StoreError } from "../../../../src/trading/store-error.ts";

const ID = intentId("i1");
const DONE: Outcome = { kind: "done", result: { kind: "CANCEL_ENTRIES", canceledOrderIds: [] } };

let intents: MemoryIntents;
let caller: Caller;
let submissions: Submission[];
let submitted: (submission: Submission) => Submitted;
let answer: AnswerIntent;
let answerKeyed: AnswerKeyedIntent;
let repeated: () => Submitted;

beforeEach(() => {
  intents = new MemoryIntents();
  caller = {
    userId: USER,
    credentialId: KEY,
    scopes: ["trade"],
    receivedAt: intents.clock,
    requestId: "r1",
  };
  submissions = [];
  submitted = () => ({ intentId: ID });
  ({ answer, answerKeyed } = createAnswerIntents({
    intents,
    views: new MemoryViews(),
    repeat: async () => repeated(),
    submit: async (submission) => {
      submissions.push(submission);
      await intents.accept({ ...submission, intentId: ID });
      return submitted(submission);
    },
  }));
});

const ask = () => answer(caller, { accountId: ACCOUNT, intent: place() });
const beginSending = () =>
  intents.beginSending({
    account: ACCOUNT,
    intentId: ID,
    clOrdId: clOrdId("i1-1"),
    epoch: intents.epoch,
    expiresAt: Infinity,
    maxOrders: 1,
    owner: { userId: USER, credentialId: KEY },
  });

test("it is submitted in the caller's name, and may be no older than the caller waits", async () => {
  submitted = () => ({
    intentId: ID,
    settled: { record: { ...intents.record(ACCOUNT, ID), outcome: DONE }, replayed: true },
  });
  expect(await ask()).toMatchObject({ replayed: true, record: { outcome: DONE } });
  expect(submissions).toMatchObject([
    {
      userId: USER,
      source: {
        kind: "api",
        credentialId: KEY,
      },
      requestId: "r1",
      receivedAt: caller.receivedAt,
      waitMs: 4_500,
      entryMaxAgeMs: 5_000,
      exitMaxAgeMs: 5_000,
    },
  ]);
});

describe("when its time is over", () => {
  test("an intent that was not sent is withdrawn, and that is its answer", async () => {
    const { record } = await ask();
    expect(record).toMatchObject({ state: "WITHDRAWN", outcome: { kind: "withdrawn" } });
    expect((await beginSending()).kind).toBe("refused");
  });

  test("an intent that settled in the last moment is answered with that", async () => {
    intents.before.withdraw = async () => {
      await intents.settle(intents.record(ACCOUNT, ID), DONE);
    };
    expect((await ask()).record.outcome).toEqual(DONE);
  });

  test("one that was sent is 500 with its id to look up", async () => {
    intents.before.withdraw = async () => {
      await beginSending();
    };
    await expect(ask()).rejects.toMatchObject({
      spec: { code: "OUTCOME_UNKNOWN", status: 500, retry: "check-first" },
      facts: { intentId: ID },
    });
  });

  test.each([true, false])(
    "a store that fails then says nothing about the intent: 500 with its id (certain: %s)",
    async (certainlyNotWritten) => {
      intents.before.withdraw = () => {
        throw new StoreError("Redis is away", { certainlyNotWritten });
      };
      await expect(ask()).rejects.toMatchObject({
        spec: { status: 500, retry: "check-first" },
        facts: { intentId: ID },
      });
    },
  );
});

describe("an Idempotency-Key", () => {
  const asked = { key: "order-1", fingerprint: "body-1" };
  let prepared: number;
  let prepare: () => Promise<Intent>;

  const askKeyed = (change: { caller?: Caller; fingerprint?: string } = {}) =>
    answerKeyed(change.caller ?? caller, {
      accountId: ACCOUNT,
      idempotency: { ...asked, fingerprint: change.fingerprint ?? asked.fingerprint },
      prepare: () => prepare(),
    });
  const settled = (outcome: Outcome): Submitted => ({
    intentId: ID,
    settled: {
      record: { ...intents.record(ACCOUNT, ID), state: stateOf(outcome), outcome },
      replayed: true,
    },
  });
  const fail = async () => {
    throw new Error("nothing that depends on today may be asked");
  };

  beforeEach(async () => {
    prepared = 0;
    prepare = async () => {
      prepared += 1;
      return place();
    };
    submitted = () => settled(DONE);
    await askKeyed();
    await intents.settle(intents.record(ACCOUNT, ID), DONE);
    repeated = () => settled(DONE);
  });

  test("that nobody used yet is prepared and submitted, for the user and not for one API key", () => {
    expect(prepared).toBe(1);
    expect(submissions).toMatchObject([{ idempotency: { key: `${USER}:order-1` } }]);
  });

  test("that is known is answered before connection, account or symbol are asked", async () => {
    prepare = fail;
    expect(await askKeyed()).toMatchObject({ replayed: true, record: { outcome: DONE } });
    const other = { ...caller, credentialId: credentialId("key_other") };
    expect(await askKeyed({ caller: other })).toMatchObject({ replayed: true });
    expect(submissions).toHaveLength(1);
  });

  test("that is known for another body is refused before anything is asked", async () => {
    prepare = fail;
    await expect(askKeyed({ fingerprint: "body-2" })).rejects.toMatchObject({
      spec: { code: "IDEMPOTENCY_KEY_REUSED", status: 422 },
    });
  });

  test("whose order is proven lost is prepared again, as things stand now", async () => {
    repeated = () => settled({ kind: "lost", reason: "Never there" });
    await askKeyed();
    expect([prepared, submissions.length]).toEqual([2, 2]);
  });

  test("that the store does not answer for is a 500: an order may stand under it", async () => {
    intents.before.findKeyed = () => {
      throw new StoreError("Redis is away", { certainlyNotWritten: true });
    };
    await expect(askKeyed()).rejects.toMatchObject({
      spec: { status: 500, retry: "check-first" },
    });
    expect(submissions).toHaveLength(1);
  });
});

const stateOf = ({ kind }: Outcome) => kind.toUpperCase() as IntentRecord["state"];
