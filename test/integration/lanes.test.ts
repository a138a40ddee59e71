// The goal: each account's intents are worked one after another in order, and none waits for another.
// The method: real lanes on a real Redis, with work that a test can hold, fail and give back.
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openChannels } from "../../queues/channels.ts";
import { laneAccount } from "../../queues/lane.ts";
import { LaneDispatcher } from "../../queues/lane-dispatcher.ts";
import { createLaneProducer } from "../../queues/lane-producer.ts";
import type { Redis } from "ioredis";
import { accountId, type AccountId, intentId, type IntentId } from "../../src/domain/ids.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { ACCOUNT, IntentKit } from "../support/intent-kit.ts";
import { openLaneStore } from "../support/intent-store.ts";
import { addLaneJob } from "../support/lane-jobs.ts";
import { startTestRedis } from "../support/test-redis.ts";
import { waitUntil } from "../support/wait.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";
import type { LaneStep, RunIntent } from "../../src/trading/lane/run-intent.ts";
import type { Lanes } from "../../src/trading/orders/ports.ts";
import { StoreError } from "../../src/trading/store-error.ts";

let corner: RedisCorner;
let request: Redis | undefined;
let dispatchers: LaneDispatcher[];
/** Every account that was ever given an intent: each dispatcher sweeps them all. */
let accounts: Set<AccountId>;
/** `account/intent`, in the order in which work began and ended. */
let begun: string[];
let ended: string[];
let errors: unknown[];

beforeEach(async () => {
  corner = await openCorner();
  request = undefined;
  [dispatchers, begun, ended, errors] = [[], [], [], []];
  accounts = new Set();
});
afterEach(async () => {
  await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop()));
  await corner.close();
});

type Work = (...of: Parameters<RunIntent>) => Promise<LaneStep["kind"]>;

interface Change {
  readonly settlePending?: (account: AccountId) => Promise<boolean>;
  readonly announce?: () => Promise<void>;
  /** Called before a job is ended. */
  readonly beforeFinish?: () => void;
}

async function dispatch(work: Work, { settlePending, announce, beforeFinish }: Change = {}) {
  const { keys } = corner;
  const redis = await corner.open("worker");
  const worker = `process-${dispatchers.length + 1}`;
  const lanes = openLaneStore({ redis, keys }, worker);
  const dispatcher = new LaneDispatcher({
    redis,
    prefix: keys.lanes,
    lanes: {
      ...lanes,
      finish: async (...of) => {
        beforeFinish?.();
        return await lanes.finish(...of);
      },
    },
    early: openLaneStore({ redis: await requestConnection(), keys }, worker),
    work: async (account, id, job, context) => {
      begun.push(`${account}/${id}`);
      const kind = await work(account, id, job, context);
      if (kind === "done") ended.push(`${account}/${id}`);
      return { kind, announce: announce ?? (async () => undefined) };
    },
    openKeyOf: corner.keys.open,
    settlePending: settlePending ?? (async () => false),
    accounts: () => accounts,
    mayWork: () => true,
    onError: (error) => errors.push(error),
    onDropped: (account, jobId) => errors.push(new Error(`${account}/${jobId} was dropped`)),
  });
  dispatchers.push(dispatcher);
  dispatcher.start();
  await dispatcher.lookAtAll();
  return dispatcher;
}

/** One for the whole process, as in the gateway. It waits for a slow Redis. */
const requestConnection = async () => (request ??= await corner.open("worker"));

type Bell = (account: AccountId, id: IntentId) => void;

async function produce(ring: Bell, expected: Bell = () => undefined): Promise<Lanes> {
  return createLaneProducer({
    redis: await requestConnection(),
    prefix: corner.keys.lanes,
    laneNamesKey: corner.keys.laneNames,
    isElsewhere: () => false,
    expect: expected,
    ring,
  });
}

async function add(lanes: Lanes, account: string, id: string): Promise<void> {
  accounts.add(accountId(account));
  lanes.prepare(accountId(account));
  const added = addLaneJob(await requestConnection(), corner.keys.lane(accountId(account)), id);
  lanes.expect(accountId(account), intentId(id));
  await added;
  lanes.ring(accountId(account), intentId(id));
}
const of = (account: string, log: string[]) =>
  log.filter((line) => line.startsWith(`${account}/`)).map((line) => line.split("/")[1]);

/** Work that goes on only when a test says so. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

describe("order", () => {
  test("2,000 intents of 50 accounts are each worked once, and in order", async () => {
    const dispatcher = await dispatch(async (_account, id) => {
      // A pause here and there, so that lanes overtake each other.
      if (id.endsWith("7")) await sleep(1);
      return "done";
    });
    const lanes = await produce((account) => dispatcher.ring(account));
    const expected = Array.from({ length: 40 }, (_, n) => `i${n}`);
    const accounts = Array.from({ length: 50 }, (_, n) => `lane-${n}`);
    // In waves, so that no add runs into its time limit on a busy machine.
    for (let wave = 0; wave < expected.length; wave += 4) {
      const ids = expected.slice(wave, wave + 4);
      await Promise.all(ids.flatMap((id) => accounts.map((account) => add(lanes, account, id))));
    }

    await waitUntil("all are done", () => ended.length === 2_000);
    for (const account of accounts) {
      expect(of(account, begun)).toEqual(expected);
      expect(of(account, ended)).toEqual(expected);
    }
    expect(errors).toEqual([]);
  });

  test("no two intents of one account are ever in hand at the same time", async () => {
    let inHand = 0;
    let most = 0;
    const dispatcher = await dispatch(async () => {
      most = Math.max(most, (inHand += 1));
      await sleep(1);
      inHand -= 1;
      return "done";
    });
    const lanes = await produce((account) => dispatcher.ring(account));
    await Promise.all(Array.from({ length: 50 }, (_, n) => add(lanes, "busy", `i${n}`)));
    await waitUntil("all are done", () => ended.length === 50);
    expect(most).toBe(1);
  });

  test("a slow lane delays nobody else's", async () => {
    const { open, opened } = gate();
    const dispatcher = await dispatch(async (account) => {
      if (account === "slow") await opened;
      return "done";
    });
    const lanes = await produce((account) => dispatcher.ring(account));
    await add(lanes, "slow", "i1");
    await waitUntil("the slow one is in hand", () => begun.includes("slow/i1"));
    await Promise.all(Array.from({ length: 100 }, (_, n) => add(lanes, `fast-${n % 10}`, `i${n}`)));
    await waitUntil("the fast ones are done", () => ended.length === 100);
    expect(ended).not.toContain("slow/i1");
    open();
    await waitUntil("the slow one is done too", () => ended.length === 101);
  });

  test("what is given back for later stays at the head, and nothing overtakes it", async () => {
    let isDown = true;
    const dispatcher = await dispatch(async () => (isDown ? "later" : "done"));
    const lanes = await produce((account) => dispatcher.ring(account));
    await Promise.all(["i1", "i2", "i3"].map((id) => add(lanes, "waits", id)));
    await waitUntil("it was tried", () => begun.length > 0 && dispatcher.busy === 0);
    dispatcher.ring(accountId("waits"));
    await waitUntil("it was tried again", () => begun.length > 1 && dispatcher.busy === 0);
    expect(new Set(begun)).toEqual(new Set(["waits/i1"]));

    isDown = false;
    await dispatcher.lookAtAll();
    await waitUntil("all are done", () => ended.length === 3);
    expect(of("waits", ended)).toEqual(["i1", "i2", "i3"]);
  });
});

describe("one intent", () => {
  test("that is added twice is worked once", async () => {
    const { open, opened } = gate();
    const dispatcher = await dispatch(async () => {
      await opened;
      return "done";
    });
    const lanes = await produce((account) => dispatcher.ring(account));
    await Promise.all([1, 2, 3].map(() => add(lanes, "twice", "i1")));
    await waitUntil("it is in hand", () => begun.length === 1);
    await add(lanes, "twice", "i1");
    open();
    await add(lanes, "twice", "i2");
    await waitUntil("the one behind it is done", () => ended.includes("twice/i2"));
    expect(ended).toEqual(["twice/i1", "twice/i2"]);
  });

  test("names the process whose caller waits", async () => {
    const jobs: unknown[] = [];
    const dispatcher = await dispatch(async (_account, _id, job) => {
      jobs.push(job);
      return "done";
    });
    const lanes = await produce((account) => dispatcher.ring(account));
    await add(lanes, "named", "i1");
    await waitUntil("it is done", () => ended.length === 1);
    expect(jobs).toEqual([{ replyTo: "process-1" }]);
  });
});

describe("a doorbell", () => {
  test("of another process wakes the lane at once", async () => {
    const dispatcher = await dispatch(async () => "done");
    const channels = openChannels(await corner.open("worker"));
    await channels.listen(corner.keys.doorbell, (lane) => dispatcher.ring(laneAccount(lane)));
    const publisher = await corner.open("request");
    const lanes = await produce((account) => {
      accounts.delete(account); // No sweep: only the doorbell can wake the lane.
      void publisher.publish(corner.keys.doorbell, `{${account}}`);
    });
    await add(lanes, "remote", "i1");
    await waitUntil("it is done", () => ended.length === 1);
    expect(begun).toEqual(["remote/i1"]);
  });

  test("that is lost costs a few seconds, not the intent; a failed turn is tried again", async () => {
    let failures = 1;
    const dispatcher = await dispatch(async (account) => {
      if (account === "fails" && (failures -= 1) >= 0) throw new Error("The work broke");
      return "done";
    });
    const lanes = await produce(() => undefined);
    await Promise.all(["i1", "i2"].map((id) => add(lanes, "fails", id)));
    await add(lanes, "unheard", "i1");
    dispatcher.ring(accountId("fails"));
    await waitUntil("all are done", () => ended.length === 3);
    expect(of("unheard", begun)).toEqual(["i1"]);
    expect(of("fails", begun)).toEqual(["i1", "i1", "i2"]);
    expect(errors).toMatchObject([{ message: "The work broke" }]);
  });
});

describe("an intent that is expected", () => {
  async function open() {
    const reads: (IntentId | undefined)[] = [];
    const dispatcher = await dispatch(async (_account, _id, _job, context) => {
      reads.push(context?.record.intentId);
      return "done";
    });
    const lanes = await produce(
      (account, id) => dispatcher.ring(account, id),
      (account, id) => dispatcher.expect(account, id),
    );
    return { dispatcher, lanes, reads };
  }

  test("is worked once and in order, whether it is found early or only when it rings", async () => {
    const { lanes } = await open();
    const names = ["a", "b", "c"];
    for (let n = 1; n <= 200; n += 1) {
      const together = names.slice(0, 1 + (n % 3));
      await Promise.all(together.map((account) => add(lanes, account, `i${n}`)));
      // Some come while their lane still works, some once it rests again.
      if (n % 4 === 0) await waitUntil("all rest", () => begun.length === ended.length);
    }
    const expected = (account: number) =>
      Array.from({ length: 200 }, (_, n) => n + 1)
        .filter((n) => n % 3 >= account)
        .map((n) => `i${n}`);
    const total = [0, 1, 2].reduce((sum, account) => sum + expected(account).length, 0);
    await waitUntil("all are worked", () => ended.length === total);
    for (const [index, account] of names.entries()) {
      expect(of(account, begun)).toEqual(expected(index));
    }
    expect(errors).toEqual([]);
  });

  test("is taken with what working it begins with", async () => {
    const { lanes, dispatcher, reads } = await open();
    const kit = new IntentKit(corner, await requestConnection());
    accounts.add(ACCOUNT);
    const expected: IntentId[] = [];
    for (let n = 1; n <= 20; n += 1) {
      const intent = await kit.newIntent();
      expected.push(intent.intentId);
      const accepted = kit.intents.accept(intent);
      lanes.expect(ACCOUNT, intent.intentId);
      await accepted;
      // What is expected in vain is not what is found.
      dispatcher.expect(ACCOUNT, intentId("never"));
      await waitUntil("it is worked", () => ended.length === n);
    }
    expect(reads).toEqual(expected);
  });

  test("in vain leaves its lane at rest", async () => {
    const { dispatcher } = await open();
    accounts.add(accountId("a"));
    dispatcher.expect(accountId("a"), intentId("never"));
    await waitUntil("the lane rests", () => dispatcher.busy === 0);
    expect([begun, errors]).toEqual([[], []]);
  });
});

describe("an outcome", () => {
  test("that is still being announced does not hold its lane up; stopping waits for it", async () => {
    const { open, opened } = gate();
    const dispatcher = await dispatch(async () => "done", { announce: () => opened });
    const lanes = await produce((account) => dispatcher.ring(account));
    await Promise.all(["i1", "i2", "i3"].map((id) => add(lanes, "stores", id)));
    await waitUntil("all are worked", () => ended.length === 3 && dispatcher.busy === 0);

    let isStopped = false;
    const stopped = dispatcher.stop().then(() => (isStopped = true));
    await sleep(20);
    expect(isStopped).toBe(false);
    open();
    await stopped;
    expect(errors).toEqual([]);
  });

  test("that cannot be stored is said, and its job goes back to the head of its lane", async () => {
    const announced: string[] = [];
    let refusals = 1;
    const dispatcher = await dispatch(async () => "done", {
      announce: async () => void announced.push("announced"),
      beforeFinish: () => {
        if ((refusals -= 1) < 0) return;
        expect(announced).toEqual([]);
        throw new StoreError("Redis refused it", { certainlyNotWritten: true });
      },
    });
    const lanes = await produce((account) => dispatcher.ring(account));
    await Promise.all(["i1", "i2"].map((id) => add(lanes, "refused", id)));
    await waitUntil("both are announced", () => announced.length === 2);
    expect(errors).toMatchObject([{ message: "Redis refused it" }]);
    expect(begun).toEqual(["refused/i1", "refused/i1", "refused/i2"]);
  });
});

describe("tending", () => {
  test("comes between two intents where it is asked for, and the later one knows its result", async () => {
    const { open, opened } = gate();
    const kit = new IntentKit(corner, await requestConnection());
    const unknown: unknown[] = [];
    const settlePending = async (account: AccountId) =>
      (await kit.redis.sadd(corner.keys.unknown(account), "earlier")) < 0;
    const work: Work = async (_account, _id, _job, context) => {
      unknown.push(context?.unknown.length);
      await opened;
      return "done";
    };
    const dispatcher = await dispatch(work, { settlePending });
    accounts.add(ACCOUNT);
    for (let n = 1; n <= 3; n += 1) await kit.accept();
    dispatcher.ring(ACCOUNT);
    await waitUntil("one is in hand", () => begun.length === 1);
    dispatcher.settlePending(ACCOUNT);
    open();
    await waitUntil("all are done", () => ended.length === 3);
    expect(unknown).toEqual([0, 1, 1]);
  });

  test("that is asked for comes though nothing waits, and once more when asked for meanwhile", async () => {
    const { open, opened } = gate();
    let tended = 0;
    const dispatcher = await dispatch(async () => "done", {
      settlePending: async () => {
        tended += 1;
        if (tended === 1) await opened;
        return false;
      },
    });
    dispatcher.settlePending(accountId("a"));
    await waitUntil("it is tended", () => tended === 1);
    dispatcher.settlePending(accountId("a"));
    open();
    await waitUntil("it is tended again", () => tended === 2);
    await waitUntil("the lane rests", () => dispatcher.busy === 0);
    expect([tended, begun, errors]).toEqual([2, [], []]);
  });

  test("goes on at each sweep until it says that it need not, with nothing of it in Redis", async () => {
    const tended: AccountId[] = [];
    const dispatcher = await dispatch(async () => "done", {
      settlePending: async (account) => tended.push(account) < 3,
    });
    for (const account of ["restless", "resting"]) accounts.add(accountId(account));
    dispatcher.settlePending(accountId("restless"));
    await waitUntil("it needs it no more", () => tended.length === 3);
    await dispatcher.lookAtAll();
    await waitUntil("the lanes rest", () => dispatcher.busy === 0);
    expect(tended).toEqual(Array.from({ length: 3 }, () => accountId("restless")));
  });
});

describe("stopping", () => {
  test("waits for what is in hand and starts nothing more", async () => {
    const { open, opened } = gate();
    const dispatcher = await dispatch(async () => {
      await opened;
      return "done";
    });
    const lanes = await produce((account) => dispatcher.ring(account));
    await Promise.all(["i1", "i2"].map((id) => add(lanes, "stops", id)));
    await waitUntil("one is in hand", () => begun.length === 1);

    let isStopped = false;
    const stopped = dispatcher.stop().then(() => (isStopped = true));
    await add(lanes, "other", "i1");
    await sleep(20);
    expect(isStopped).toBe(false);
    open();
    await stopped;
    expect(begun).toEqual(["stops/i1"]);
    expect(ended).toEqual(["stops/i1"]);

    const waiting = await corner.open("request");
    expect(await waiting.llen(`${corner.keys.lanes}:{stops}:wait`)).toBe(1);
    expect(await waiting.llen(`${corner.keys.lanes}:{stops}:active`)).toBe(0);
  });

  test("leaves the rest to the next owner, in order", async () => {
    const { open, opened } = gate();
    const first = await dispatch(async () => {
      await opened;
      return "done";
    });
    const lanes = await produce((account) => first.ring(account));
    await Promise.all(["i1", "i2", "i3"].map((id) => add(lanes, "goes", id)));
    await waitUntil("one is in hand", () => begun.length === 1);
    const stopped = first.stop();
    open();
    await stopped;
    await dispatch(async () => "done");
    await waitUntil("the rest is done", () => ended.length === 3);
    expect(of("goes", ended)).toEqual(["i1", "i2", "i3"]);
  });
});

describe("a turn that is taken by a run before its intent is on the lane", () => {
  const LANE = accountId("ahead");
  const ONE = intentId("one");
  const DONE: LaneStep = { kind: "done", announce: async () => undefined };
  const jobs = async (part: string) =>
    await (await requestConnection()).lrange(`${corner.keys.lane(LANE)}:${part}`, 0, -1);

  /** As accepting and beginning in one step leaves it. */
  async function startJob(): Promise<void> {
    const connection = await requestConnection();
    await addLaneJob(connection, corner.keys.lane(LANE), ONE);
    const lane = corner.keys.lane(LANE);
    await connection.rpoplpush(`${lane}:wait`, `${lane}:active`);
    await connection.hset(`${lane}:${ONE}`, "pb", "process-1");
  }

  async function open() {
    const dispatcher = await dispatch(async () => "done");
    const lanes = await produce((account, id) => dispatcher.ring(account, id));
    lanes.prepare(LANE); // No sweep: it is not among the accounts.
    return { dispatcher, lanes };
  }

  test("begins at once, and ends with its job; what came behind it is worked then", async () => {
    const { dispatcher, lanes } = await open();
    const { open: goOn, opened } = gate();
    let isBegun = false;
    const isTaken = dispatcher.takeTurn(LANE, ONE, async () => {
      isBegun = true;
      await opened;
      return DONE;
    });
    expect([isTaken, isBegun, dispatcher.busy]).toEqual([true, true, 1]);
    await startJob();
    lanes.ring(LANE, ONE);
    await add(lanes, LANE, "two");
    expect(dispatcher.takeTurn(LANE, intentId("three"), async () => DONE)).toBe(false);
    expect(begun).toEqual([]);

    goOn();
    await waitUntil("the second is done", () => ended.length === 1);
    await dispatcher.finished([LANE]);
    expect(of(LANE, begun)).toEqual(["two"]);
    expect([await jobs("wait"), await jobs("active")]).toEqual([[], []]);
    expect(errors).toEqual([]);
  });

  test("and gives it up: the lane is read as always", async () => {
    const { dispatcher, lanes } = await open();
    dispatcher.takeTurn(LANE, ONE, async () => {
      void add(lanes, LANE, ONE);
      return undefined;
    });
    await waitUntil("it is done", () => ended.length === 1);
    expect(of(LANE, ended)).toEqual(["one"]);
  });

  test("and fails: its job is put back at once, and worked", async () => {
    const { dispatcher } = await open();
    dispatcher.takeTurn(LANE, ONE, async () => {
      await startJob();
      throw new Error("the answer was lost");
    });
    await waitUntil("it is done", () => ended.length === 1);
    expect(of(LANE, begun)).toEqual(["one"]);
    expect(errors).toEqual([new Error("the answer was lost")]);
  });

  test("and gives its job back leaves it at the head", async () => {
    const { dispatcher } = await open();
    dispatcher.takeTurn(LANE, ONE, async () => {
      await startJob();
      return { ...DONE, kind: "later" };
    });
    await dispatcher.finished([LANE]);
    expect([await jobs("wait"), await jobs("active")]).toEqual([["one"], []]);
  });

  test("is refused once the process stops", async () => {
    const { dispatcher } = await open();
    await dispatcher.stop();
    expect(dispatcher.takeTurn(LANE, ONE, async () => DONE)).toBe(false);
  });
});

test("a finished intent leaves nothing behind: a lane's keys are few, and stay few", async () => {
  const dispatcher = await dispatch(async () => "done");
  const lanes = await produce((account) => dispatcher.ring(account));
  const former = ["events", "marker", "id"].map((last) => `${corner.keys.lanes}:{tidy}:${last}`);
  for (const key of former) await (await requestConnection()).set(key, "left");
  await add(lanes, "tidy", "first");
  await waitUntil("it is done", () => ended.length === 1 && dispatcher.busy === 0);
  const before = await corner.stored();

  await Promise.all(Array.from({ length: 200 }, (_, n) => add(lanes, "tidy", `i${n}`)));
  await waitUntil("all are done", () => ended.length === 201 && dispatcher.busy === 0);
  expect(await corner.stored()).toEqual(before);
  const ofLane = before.filter((key) => key.includes("{tidy}")).map((key) => key.split(":").at(-1));
  expect(ofLane).toEqual(["meta"]);
});

test("a job that nobody can read is dropped, said, and does not stand in the way", async () => {
  const dispatcher = await dispatch(async () => "done");
  const lanes = await produce(() => undefined);
  await Promise.all(["i1", "i2"].map((id) => add(lanes, "odd", id)));
  const redis = await corner.open("request");
  await redis.hset(`${corner.keys.lanes}:{odd}:i1`, "data", "not json");
  dispatcher.ring(accountId("odd"));
  await waitUntil("the one behind it is done", () => ended.includes("odd/i2"));
  expect(begun).toEqual(["odd/i2"]);
  expect(errors).toHaveLength(1);
});

test("adding while Redis is frozen fails in about a second, and the lane stays in order", async () => {
  const { server, signal } = await startTestRedis(await temporaryFolder());
  await corner.close();
  corner = await openCorner(server.path, { answersOnTime: true });
  request = await corner.open("request");
  const dispatcher = await dispatch(async () => "done");
  const lanes = await produce((account) => dispatcher.ring(account));
  await add(lanes, "frozen", "i1");
  await waitUntil("it is done", () => ended.length === 1);

  signal("SIGSTOP");
  const begin = performance.now();
  const results = await Promise.allSettled([add(lanes, "frozen", "i2"), add(lanes, "new", "i1")]);
  const ms = performance.now() - begin;
  signal("SIGCONT");

  for (const result of results) {
    expect(result.status).toBe("rejected");
  }
  expect(ms).toBeGreaterThan(900);
  expect(ms).toBeLessThan(15_000);

  // What timed out may have landed all the same: then it is worked once, before what comes after.
  let last = 2;
  await waitUntil("Redis answers", async () => {
    last += 1;
    const [added] = await Promise.allSettled([add(lanes, "frozen", `i${last}`)]);
    return added.status === "fulfilled";
  });
  await waitUntil("the one after it is done", () => ended.includes(`frozen/i${last}`));
  const worked = of("frozen", ended).map((id) => Number(id?.slice(1)));
  expect(worked).toEqual([...new Set(worked)].toSorted((one, other) => one - other));
  expect([worked[0], worked.at(-1)]).toEqual([1, last]);
});
