import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { clOrdId, intentId, type IntentId } from "../../../../src/domain/ids.ts";
import type { AccountLimits } from "../../../../src/domain/limits.ts";
import type { Ahead, Begun } from "../../../../src/trading/lane/ahead.ts";
import { RunsAhead, type TakeTurn } from "../../../../src/trading/lane/run-ahead.ts";
import type { LaneContext } from "../../../../src/trading/lane/ports.ts";
import type { LaneStep } from "../../../../src/trading/lane/run-intent.ts";
import type { SendRequest } from "../../../../src/trading/lane/send-permit.ts";
import type { Acceptance, NewIntent } from "../../../../src/trading/orders/ports.ts";
import { StoreError } from "../../../../src/trading/store-error.ts";
import { waitFor } from "../../../../src/app/wait-for.ts";
import { ACCOUNT, KEY, place, USER } from "../lane-kit.ts";

const DONE: LaneStep = { kind: "done", announce: async () => undefined };
const ACCEPTED: Acceptance = { kind: "accepted" };
const AT = 1_700_000_000_000;
const GRANTED: Begun = { kind: "begun", acceptedAt: AT + 3 };

/** A promise that a test settles. */
function held<Value>() {
  let resolve: (value: Value) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<Value>((done, failed) => ([resolve, reject] = [done, failed]));
  return { promise, resolve, reject };
}

/** What left for the store, in order. */
let sent: string[];
/** The runs that were begun, in order; each reads its broker until the test goes on with it. */
let runs: { readonly ahead: Ahead; readonly context: LaneContext; readonly end: Ended }[];
type Ended = ReturnType<typeof held<LaneStep>>;
let begun: ReturnType<typeof held<Begun>>;
let limitsAsked: Partial<AccountLimits>[];
/** How each turn ended: with the step of the lane's active job, or undefined. */
let turns: Promise<LaneStep | undefined>[];
let rests: boolean;
let runsAhead: RunsAhead;

const takeTurn: TakeTurn = (_account, _intent, run) => {
  if (rests) {
    rests = false;
    turns.push(run());
    return true;
  }
  return false;
};

beforeEach(() => {
  // Sockets are read in between, as always.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  [sent, runs, limitsAsked, turns, rests, begun] = [[], [], [], [], true, held<Begun>()];
  runsAhead = new RunsAhead({
    takeTurn,
    acceptAndBegin: async (intent, _request, limits) => {
      sent.push(`${intent.intentId} begins`);
      limitsAsked.push(limits);
      return await begun.promise;
    },
    runIntent: async (_account, _id, _job, context, ahead) => {
      if (ahead === undefined || context === undefined) throw new Error("nothing is run ahead");
      const end = held<LaneStep>();
      runs.push({ ahead, context, end });
      return await end.promise;
    },
    processId: "process-1",
    waitFor,
  });
});
afterEach(() => {
  vi.useRealTimers();
});

const newIntent = (id: IntentId, change: Partial<NewIntent> = {}): NewIntent => ({
  intentId: id,
  accountId: ACCOUNT,
  userId: USER,
  requestId: "r1",
  source: { kind: "api", credentialId: KEY },
  intent: place(),
  entryMaxAgeMs: 30_000,
  exitMaxAgeMs: 600_000,
  receivedAt: AT,
  ...change,
});

async function accept(name: string, change: Partial<NewIntent> = {}): Promise<Acceptance> {
  const id = intentId(name);
  return await runsAhead.accept(newIntent(id, change), async () => {
    sent.push(`${id} on its lane`);
    return ACCEPTED;
  });
}

const request = (name: string): SendRequest => ({
  account: ACCOUNT,
  intentId: intentId(name),
  clOrdId: clOrdId(`${name}-1`),
  epoch: 1,
  expiresAt: Infinity,
  maxOrders: 1,
  owner: { userId: USER },
});

/** Begins to accept, and goes on until the run reads its broker. */
async function start(name: string) {
  const acceptance = accept(name);
  acceptance.catch(() => undefined); // Awaited by who asks for it.
  await vi.advanceTimersByTimeAsync(0);
  const run = runs.at(-1);
  const turn = turns.at(-1);
  if (run === undefined || turn === undefined) throw new Error("nothing was run ahead");
  turn.catch(() => undefined);
  return { ...run, acceptance, turn };
}

describe("an intent whose lane rests", () => {
  test("is judged by what the store will say of it if nothing has changed", async () => {
    const { context } = await start("i1");
    expect(context).toMatchObject({
      now: AT,
      record: { intentId: "i1", state: "PREPARED", clOrdIds: [], acceptedAt: AT },
      unknown: [],
      parkedBefore: false,
      exitFollows: false,
      targetFollows: false,
      limits: {},
      accountKillSwitch: { active: false },
    });
    expect(sent).toEqual([]);
  });

  test("is accepted with its first write-ahead, and ends its lane's turn", async () => {
    const { ahead, acceptance, turn, end } = await start("i1");
    const beginning = ahead.begin(request("i1"));
    expect(ahead.isAccepted).toBe(false);
    begun.resolve(GRANTED);
    await beginning;
    expect(await acceptance).toEqual(ACCEPTED);
    expect(ahead.isAccepted).toBe(true);
    expect(ahead.record).toMatchObject({ acceptedAt: AT + 3, entryExpiresAt: AT + 30_003 });
    end.resolve(DONE);
    expect(await turn).toBe(DONE);
    expect(sent).toEqual(["i1 begins"]);
  });

  test("and that fails after it was begun leaves its job to the sweep", async () => {
    const { ahead, turn, end, acceptance } = await start("i1");
    const beginning = ahead.begin(request("i1"));
    begun.resolve(GRANTED);
    await beginning;
    end.reject(new Error("the lease is lost"));
    await expect(turn).rejects.toThrow("the lease is lost");
    expect(await acceptance).toEqual(ACCEPTED);
    expect(sent).toEqual(["i1 begins"]);
  });
});

describe("a run that counts for nothing", () => {
  const ENDINGS: [string, (end: Ended) => void][] = [
    ["ends before its first write-ahead", (end) => end.resolve(DONE)],
    ["gives itself back", (end) => end.resolve({ ...DONE, kind: "later" })],
    ["fails before it", (end) => end.reject(new Error("the broker cannot be read"))],
  ];
  test.each(ENDINGS)("since it %s: the intent is accepted on its lane", async (_how, finish) => {
    const { acceptance, turn, end } = await start("i1");
    finish(end);
    expect(await turn).toBeUndefined();
    expect(await acceptance).toEqual(ACCEPTED);
    expect(sent).toEqual(["i1 on its lane"]);
  });

  test("since it takes too long: the lane goes on at once, and its write-ahead never leaves", async () => {
    const { ahead, acceptance, turn } = await start("i1");
    await vi.advanceTimersByTimeAsync(19);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toEqual(["i1 on its lane"]);
    expect([await turn, await acceptance]).toEqual([undefined, ACCEPTED]);
    await expect(ahead.begin(request("i1"))).rejects.toThrow(StoreError);
    expect([sent, ahead.isAccepted]).toEqual([["i1 on its lane"], false]);
  });

  test("since it takes too long: nothing more is asked of its broker, and the next 15 do not wait", async () => {
    const { ahead } = await start("i1");
    expect(() => ahead.requireGoingOn()).not.toThrow();
    await vi.advanceTimersByTimeAsync(20);
    expect(() => ahead.requireGoingOn()).toThrow(StoreError);

    rests = true;
    for (let n = 2; n <= 16; n += 1) {
      await accept(`i${n}`);
      expect(sent.at(-1)).toBe(`i${n} on its lane`);
    }
    expect(runs).toHaveLength(1);
    void accept("i17");
    expect(runs).toHaveLength(2);
  });

  test("since another one came says nothing of its broker: the next one is run ahead", async () => {
    await start("i1");
    await accept("i2");
    await vi.advanceTimersByTimeAsync(100);
    rests = true;
    void accept("i3");
    expect(runs).toHaveLength(2);
  });

  test("since something is not as foreseen: it is accepted once, and goes on from its lane", async () => {
    const { ahead, acceptance, turn } = await start("i1");
    const beginning = ahead.begin(request("i1"));
    begun.resolve({ kind: "onLane", limits: { maxOrderQty: 3 } });
    await expect(beginning).rejects.toThrow(StoreError);
    expect([await turn, await acceptance]).toEqual([undefined, ACCEPTED]);
    await vi.advanceTimersByTimeAsync(100);
    expect(sent).toEqual(["i1 begins"]);
  });

  test("has told the limits that stand, by which the next one is judged", async () => {
    const { ahead } = await start("i1");
    const beginning = ahead.begin(request("i1"));
    begun.resolve({ kind: "onLane", limits: { maxOrderQty: 3 } });
    await expect(beginning).rejects.toThrow(StoreError);
    rests = true;
    const next = await start("i2");
    expect(next.context.limits).toEqual({ maxOrderQty: 3 });
    next.ahead.begin(request("i2")).catch(() => undefined);
    expect(limitsAsked).toEqual([{}, { maxOrderQty: 3 }]);
  });

  const REFUSED: Begun[] = [
    { kind: "known", intentId: intentId("i0") },
    { kind: "keyReused" },
    { kind: "tooLate" },
  ];
  test.each(REFUSED)("since the store says $kind: that is the answer", async (refused) => {
    const { ahead, acceptance, turn } = await start("i1");
    const beginning = ahead.begin(request("i1"));
    begun.resolve(refused);
    await expect(beginning).rejects.toThrow(StoreError);
    expect([await turn, await acceptance]).toEqual([undefined, refused]);
    expect(sent).toEqual(["i1 begins"]);
  });
});

describe("an answer that is lost", () => {
  test("is the caller's error, and the lane looks what became of it", async () => {
    const { ahead, acceptance, turn, end } = await start("i1");
    const lost = new StoreError("no answer", { certainlyNotWritten: false });
    const beginning = ahead.begin(request("i1"));
    begun.reject(lost);
    await expect(beginning).rejects.toBe(lost);
    end.reject(lost);
    await expect(acceptance).rejects.toBe(lost);
    await expect(turn).rejects.toBe(lost);
    expect([ahead.isAccepted, sent]).toEqual([false, ["i1 begins"]]);
  });

  test("of an intent that is there: accepted, never sent, and the lane looks at it", async () => {
    const { ahead, acceptance, turn, end } = await start("i1");
    const beginning = ahead.begin(request("i1"));
    const undone = held<void>();
    begun.resolve({ kind: "unsure", takenBack: undone.promise });
    let error: unknown;
    const failed = beginning.catch((cause: unknown) => (error = cause));
    await vi.advanceTimersByTimeAsync(1_000);
    // Its lane waits until it is taken back; its caller does not.
    expect([await acceptance, error]).toEqual([ACCEPTED, undefined]);
    undone.resolve();
    await failed;
    expect(error).toBeInstanceOf(StoreError);
    end.reject(error);
    await expect(turn).rejects.toBe(error);
    expect(ahead.isAccepted).toBe(false);
  });

  test("of an intent that may not be there: its caller's error, at once", async () => {
    const { ahead, acceptance, end } = await start("i1");
    const lost = new StoreError("no answer", { certainlyNotWritten: false });
    const undone = held<void>();
    const beginning = ahead.begin(request("i1"));
    begun.resolve({ kind: "unsure", lost, takenBack: undone.promise });
    await expect(acceptance).rejects.toBe(lost);
    undone.resolve();
    await expect(beginning).rejects.toBe(lost);
    end.reject(lost);
    expect(sent).toEqual(["i1 begins"]);
  });
});

describe("the order of arrival", () => {
  test("a second intent waits for no run: the first one is accepted before it, at once", async () => {
    const first = await start("i1");
    const second = accept("i2");
    expect(sent).toEqual(["i1 on its lane", "i2 on its lane"]);
    expect([await first.acceptance, await second]).toEqual([ACCEPTED, ACCEPTED]);
    expect(await first.turn).toBeUndefined();
    await expect(first.ahead.begin(request("i1"))).rejects.toThrow(StoreError);
    expect(sent).toHaveLength(2);
  });

  test("a second one that comes once the first has begun goes behind it", async () => {
    const first = await start("i1");
    const beginning = first.ahead.begin(request("i1"));
    const second = accept("i2");
    expect(sent).toEqual(["i1 begins", "i2 on its lane"]);
    begun.resolve(GRANTED);
    await beginning;
    expect([await first.acceptance, await second]).toEqual([ACCEPTED, ACCEPTED]);
  });

  test("one that may not be run ahead ends the wait for the first one too", async () => {
    await start("i1");
    await accept("i2", { test: true });
    expect(sent).toEqual(["i1 on its lane", "i2 on its lane"]);
  });

  test("a third one finds the first two gone", async () => {
    await start("i1");
    void accept("i2");
    void accept("i3");
    expect(sent).toEqual(["i1 on its lane", "i2 on its lane", "i3 on its lane"]);
  });
});

describe("is accepted on its lane at once", () => {
  const FOLLOWS = { entry: {}, follows: intentId("i0") } as unknown as NonNullable<
    NewIntent["alert"]
  >;
  const CHANGES: [string, Partial<NewIntent>][] = [
    ["a dry run", { test: true }],
    ["what an event asks for", { isDerived: true }],
    ["a copy", { copy: { leader: ACCOUNT, seq: 1 } }],
    ["an alert behind another one of its message", { alert: FOLLOWS }],
  ];
  test.each(CHANGES)("%s", async (_what, change) => {
    expect(await accept("i1", change)).toEqual(ACCEPTED);
    expect([sent, turns]).toEqual([["i1 on its lane"], []]);
  });

  test("what comes to a lane that is being worked, or is another process'", async () => {
    rests = false;
    expect(await accept("i1")).toEqual(ACCEPTED);
    expect([sent, runs]).toEqual([["i1 on its lane"], []]);
  });
});

test("one run has one first write-ahead", async () => {
  const { ahead } = await start("i1");
  const beginning = ahead.begin(request("i1"));
  await expect(ahead.begin({ ...request("i1"), clOrdId: clOrdId("i1-2") })).rejects.toThrow(
    StoreError,
  );
  begun.resolve(GRANTED);
  await beginning;
  expect(sent).toEqual(["i1 begins"]);
});
