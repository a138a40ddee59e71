import { beforeEach, describe, expect, test } from "vitest";
import { intentId } from "../../../../src/domain/ids.ts";
import type { IntentRecord, Outcome } from "../../../../src/domain/intent.ts";
import { GatewayError } from "../../../../src/errors.ts";
import { BrokerReadError } from "../../../../src/trading/ports.ts";
import {
  createSubmitIntent,
  type Submission,
} from "../../../../src/trading/orders/submit-intent.ts";
import { ACCOUNT, KEY, place, USER } from "../lane-kit.ts";
import { MemoryIntents } from "../memory-intents.ts";
import { MemoryOutcomes } from "../memory-outcomes.ts";
import { StoreError } from "../../../../src/trading/store-error.ts";

const DONE: Outcome = {
  kind: "done",
  result: { kind: "CANCEL_ENTRIES", canceledOrderIds: [] },
};
const UNKNOWN: Outcome = { kind: "unknown", reason: "The answer was lost" };

let intents: MemoryIntents;
let outcomes: MemoryOutcomes;
/** What the lane was told of before it was there, and after. */
let expected: string[];
let rung: string[];
let isElsewhere: boolean;
let elapsed: number;
let settleNow: (record: IntentRecord) => Promise<IntentRecord>;

beforeEach(() => {
  intents = new MemoryIntents();
  outcomes = new MemoryOutcomes(intents);
  [expected, rung, elapsed] = [[], [], 0];
  isElsewhere = false;
  settleNow = async (record) => record;
});

function open() {
  let last = 0;
  return createSubmitIntent({
    intents,
    outcomes,
    lanes: {
      prepare: () => undefined,
      isElsewhere: () => isElsewhere,
      expect: (_account, id) => expected.push(id),
      ring: (_account, id) => rung.push(id),
    },
    newIntentId: () => intentId(`i${(last += 1)}`),
    elapsed: () => elapsed,
    settleNow: async (record) => await settleNow(record),
  });
}

const submission = (change: Partial<Submission> = {}): Submission => ({
  accountId: ACCOUNT,
  userId: USER,
  requestId: "r1",
  receivedAt: intents.clock,
  source: {
    kind: "api",
    credentialId: KEY,
  },
  intent: place(),
  waitMs: 1_000,
  entryMaxAgeMs: 5_000,
  exitMaxAgeMs: 5_000,
  ...change,
});

const KEYED = submissionKey("key-1", "body-1");
function submissionKey(key: string, fingerprint: string) {
  return { idempotency: { key, fingerprint } };
}

const settle = (outcome: Outcome) => async (id: IntentRecord["intentId"]) => {
  outcomes.announce(await intents.settle(intents.record(ACCOUNT, id), outcome), "here");
};
const lost = (certainlyNotWritten: boolean) => () => {
  throw new StoreError("Redis is away", { certainlyNotWritten });
};

async function failure(promise: Promise<unknown>): Promise<GatewayError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(GatewayError);
  return error as GatewayError;
}

describe("an intent", () => {
  test("is written, put on its lane once, and answered with its outcome", async () => {
    intents.work = settle(DONE);
    const submitted = await open()(submission());
    expect(submitted).toMatchObject({
      intentId: "i1",
      settled: { replayed: false, record: { state: "DONE", outcome: DONE } },
    });
    expect([intents.lane, expected, rung]).toEqual([["i1"], ["i1"], ["i1"]]);
  });

  test("that another process works is rung for with its acceptance, and by nobody else", async () => {
    isElsewhere = true;
    intents.work = settle(DONE);
    await open()(submission());
    expect([intents.lane, intents.rung, rung]).toEqual([["i1"], ["i1"], []]);
  });

  test("that is not settled in time is answered with its id", async () => {
    expect(await open()(submission({ waitMs: 0 }))).toEqual({ intentId: "i1" });
    expect(intents.record(ACCOUNT, intentId("i1")).state).toBe("PREPARED");
  });

  test("waits for its outcome only as long as accepting it left time for", async () => {
    intents.after.accept = () => {
      elapsed += 400;
    };
    await open()(submission({ waitMs: 400 }));
    expect(outcomes.waits).toEqual([0]);
  });

  test("that became unknown is an answer too", async () => {
    intents.work = settle(UNKNOWN);
    const { settled } = await open()(submission());
    expect(settled?.record).toMatchObject({ state: "UNKNOWN", outcome: UNKNOWN });
  });

  test("is listened for from before it is on its lane, and no longer than needed", async () => {
    await open()(submission({ waitMs: 0 }));
    expect(outcomes.expected).toEqual(["i1"]);
    expect(outcomes.listening).toBe(0);
  });

  test("that reached the store too late is 503, and nothing was written", async () => {
    const { spec } = await failure(open()(submission({ receivedAt: intents.clock - 2_001 })));
    expect(spec).toMatchObject({ code: "STORE_UNAVAILABLE", status: 503, retry: "safe" });
    expect(await intents.find(ACCOUNT, intentId("i1"))).toBeUndefined();
    expect(outcomes.listening).toBe(0);
  });
});

describe("a store that fails while it accepts", () => {
  test("certainly: 503, and no lane is woken", async () => {
    intents.before.accept = lost(true);
    const { spec } = await failure(open()(submission()));
    expect(spec).toMatchObject({ code: "STORE_UNAVAILABLE", status: 503, retry: "safe" });
    expect(rung).toEqual([]);
  });

  test.each(["before", "after"] as const)(
    "perhaps, %s it wrote: 500 with the id, and what may be there is worked, not taken back",
    async (when) => {
      intents[when].accept = lost(false);
      const { spec, facts } = await failure(open()(submission()));
      expect(spec).toMatchObject({ code: "INTERNAL_ERROR", status: 500, retry: "check-first" });
      expect(facts).toEqual({ intentId: "i1" });
      expect([rung, intents.withdrawals]).toEqual([["i1"], []]);
    },
  );

  test("in a way that nobody foresaw, it is that error", async () => {
    intents.before.accept = () => {
      throw new TypeError("a bug");
    };
    await expect(open()(submission())).rejects.toThrow(TypeError);
  });
});

test("a lane that cannot be reached does not matter to a request that an earlier one stands for", async () => {
  const submit = open();
  await submit(submission({ ...KEYED, waitMs: 0 }));
  intents.before.enqueue = lost(false);
  const second = submit(submission({ ...KEYED, waitMs: 5_000 }));
  await new Promise((resolve) => setImmediate(resolve));
  await settle(DONE)(intentId("i1"));
  expect((await second).settled?.replayed).toBe(true);
  expect(intents.withdrawals).toEqual([]);
});

describe("an Idempotency-Key that was used before", () => {
  test("and is done: the same record again, marked", async () => {
    intents.work = settle(DONE);
    const submit = open();
    await submit(submission(KEYED));
    expect(await submit(submission(KEYED))).toMatchObject({
      intentId: "i1",
      settled: { replayed: true, record: { intentId: "i1", state: "DONE" } },
    });
  });

  test("and still runs: it is waited for", async () => {
    const submit = open();
    const first = submit(submission({ ...KEYED, waitMs: 5_000 }));
    const second = submit(submission({ ...KEYED, waitMs: 5_000 }));
    await new Promise((resolve) => setImmediate(resolve));
    await settle(DONE)(intentId("i1"));
    expect((await first).settled).toMatchObject({ replayed: false, record: { intentId: "i1" } });
    expect((await second).settled).toMatchObject({ replayed: true, record: { intentId: "i1" } });
  });

  test("and still runs when time is over: its id", async () => {
    const submit = open();
    await submit(submission({ ...KEYED, waitMs: 0 }));
    expect(await submit(submission({ ...KEYED, waitMs: 0 }))).toEqual({ intentId: "i1" });
  });

  test("and cannot be read: 500 with the earlier one's id", async () => {
    intents.work = settle(DONE);
    const submit = open();
    await submit(submission(KEYED));
    intents.before.find = lost(true);
    const { spec, facts } = await failure(submit(submission(KEYED)));
    expect(spec).toMatchObject({ status: 500, retry: "check-first" });
    expect(facts).toEqual({ intentId: "i1" });
  });

  test("and never came to its lane: it is put there now, and answered as the first one", async () => {
    const submit = open();
    await submit(submission({ ...KEYED, waitMs: 0 }));
    expect(intents.record(ACCOUNT, intentId("i1")).state).toBe("PREPARED");
    intents.lane.length = 0;
    intents.work = settle(DONE);
    expect(await submit(submission(KEYED))).toMatchObject({
      intentId: "i1",
      settled: { replayed: true, record: { state: "DONE" } },
    });
    expect(intents.lane).toEqual(["i1"]);
  });

  test("with another body is refused", async () => {
    const submit = open();
    await submit(submission({ ...KEYED, waitMs: 0 }));
    const other = submissionKey("key-1", "body-2");
    const { spec } = await failure(submit(submission(other)));
    expect(spec).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED", status: 422 });
  });

  test.each<Outcome>([
    { kind: "notSent", reason: "The link is down" },
    { kind: "expired", reason: "Too old" },
    { kind: "withdrawn", reason: "Nobody waits" },
  ])("and sent nothing (%j): a new attempt", async (outcome) => {
    intents.work = settle(outcome);
    const submit = open();
    await submit(submission(KEYED));
    intents.work = settle(DONE);
    expect(await submit(submission(KEYED))).toMatchObject({
      intentId: "i2",
      settled: { replayed: false, record: { state: "DONE" } },
    });
  });

  describe("and is unknown", () => {
    beforeEach(() => {
      intents.work = settle(UNKNOWN);
    });

    test("is looked up at the broker: found, it is the first one's answer", async () => {
      const submit = open();
      await submit(submission(KEYED));
      settleNow = async ({ intentId: id }) =>
        await intents.settle(intents.record(ACCOUNT, id), DONE);
      expect(await submit(submission(KEYED))).toMatchObject({
        intentId: "i1",
        settled: { replayed: true, record: { state: "DONE" } },
      });
      // Its pointer is harmless: no record stands behind it.
      expect(await intents.find(ACCOUNT, intentId("i2"))).toBeUndefined();
    });

    test("is looked up and lost: a new attempt with an identifier of its own", async () => {
      const submit = open();
      await submit(submission(KEYED));
      settleNow = async ({ intentId: id }) =>
        await intents.settle(intents.record(ACCOUNT, id), { kind: "lost", reason: "Never there" });
      intents.work = settle(DONE);
      const { intentId: id, settled } = await submit(submission(KEYED));
      expect(settled).toMatchObject({ replayed: false, record: { state: "DONE" } });
      expect(id).not.toBe("i1");
      expect(outcomes.listening).toBe(0);
    });

    test("and whose repeat was admitted with its acceptance: the new attempt is not admitted again", async () => {
      const submit = open();
      await submit(submission(KEYED));
      settleNow = async ({ intentId: id }) =>
        await intents.settle(intents.record(ACCOUNT, id), { kind: "lost", reason: "Never there" });
      const admitted: boolean[] = [];
      const { accept } = intents;
      Object.assign(intents, {
        accept: async (intent: Parameters<typeof accept>[0]) => {
          admitted.push(intent.admission !== undefined);
          return await accept(intent);
        },
      });
      const admission = { hash: "h", version: "1", byDefault: 1, told: () => undefined };
      await submit(submission({ ...KEYED, admission }));
      expect(admitted).toEqual([true, false]);
    });

    test("is not waited for longer than any other: the answer is unknown again", async () => {
      const submit = open();
      await submit(submission(KEYED));
      settleNow = () => new Promise(() => undefined);
      const { settled } = await submit(submission({ ...KEYED, waitMs: 0 }));
      expect(settled).toMatchObject({ replayed: true, record: { state: "UNKNOWN" } });
    });

    test("is looked up at a broker that cannot be read: unknown again, never not sent", async () => {
      const submit = open();
      await submit(submission(KEYED));
      settleNow = () => Promise.reject(new BrokerReadError("The session is gone"));
      const { settled } = await submit(submission(KEYED));
      expect(settled).toMatchObject({ replayed: true, record: { state: "UNKNOWN" } });
    });

    test("is looked up in vain: unknown again, and nothing new is made", async () => {
      const submit = open();
      await submit(submission(KEYED));
      const { intentId: id, settled } = await submit(submission(KEYED));
      expect(id).toBe("i1");
      expect(settled).toMatchObject({ replayed: true, record: { state: "UNKNOWN" } });
      expect(await intents.find(ACCOUNT, intentId("i2"))).toBeUndefined();
    });
  });

  describe("that was lost", () => {
    const LOST: Outcome = { kind: "lost", reason: "Never there" };
    beforeEach(() => {
      intents.work = settle(LOST);
    });
    const unasked: [string, typeof settleNow][] = [
      ["cannot be asked", () => Promise.reject(new BrokerReadError("The session is gone"))],
      ["does not answer", () => new Promise(() => undefined)],
    ];

    test("is looked up again before a new attempt: what is found then is its answer", async () => {
      const submit = open();
      await submit(submission(KEYED));
      settleNow = async (record) => ({ ...record, state: "DONE", outcome: DONE });
      const { intentId: id, settled } = await submit(submission(KEYED));
      expect([id, settled?.record.state]).toEqual(["i1", "DONE"]);
      expect(intents.lane).toEqual(["i1"]);
    });

    test.each(unasked)("at a broker that %s: what may open is not sent", async (_, ask) => {
      const submit = open();
      await submit(submission(KEYED));
      settleNow = ask;
      const { spec } = await failure(submit(submission({ ...KEYED, waitMs: 0 })));
      expect([spec.code, spec.status]).toEqual(["BROKER_UNAVAILABLE", 503]);
      expect(intents.lane).toEqual(["i1"]);
    });

    test.each(unasked)("at a broker that %s: what only reduces goes on", async (_, ask) => {
      const submit = open();
      const protect = submission({ ...KEYED, intent: { kind: "PROTECT", levels: {} } });
      await submit(protect);
      settleNow = ask;
      expect((await submit({ ...protect, waitMs: 0 })).intentId).not.toBe("i1");
      expect(intents.lane).toHaveLength(2);
    });
  });
});
