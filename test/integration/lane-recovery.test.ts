// The goal: what a dead owner had started goes on where it stood, before everything behind it.
// The method: take jobs from real lanes as another owner, or as one of a former version, and never finish them.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Redis } from "ioredis";
import { LaneDispatcher } from "../../queues/lane-dispatcher.ts";
import { createLaneProducer } from "../../queues/lane-producer.ts";
import { accountId, type AccountId, intentId } from "../../src/domain/ids.ts";
import { openBullMqLanes } from "../support/bullmq-lanes.ts";
import { openLaneStore } from "../support/intent-store.ts";
import { addLaneJob } from "../support/lane-jobs.ts";
import { waitUntil } from "../support/wait.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";
import type { Lanes } from "../../src/trading/orders/ports.ts";

let corner: RedisCorner;
let request: Redis;
let lanes: Lanes;
let worked: string[];
let dispatcher: LaneDispatcher | undefined;
let mayWork: boolean;
/** The accounts that a sweep looks at. */
let accounts: Set<AccountId>;
/** Whether something of the accounts is unsettled. */
let isUnsettled: boolean;

beforeEach(async () => {
  corner = await openCorner();
  [worked, mayWork, dispatcher, accounts] = [[], true, undefined, new Set()];
  isUnsettled = false;
  request = await corner.open("worker");
  lanes = createLaneProducer({
    redis: request,
    prefix: corner.keys.lanes,
    laneNamesKey: corner.keys.laneNames,
    isElsewhere: () => false,
    expect: () => undefined,
    ring: () => undefined,
  });
});
afterEach(async () => {
  await dispatcher?.stop();
  await corner.close();
});

async function add(account: string, id: string, { isSwept = true } = {}): Promise<void> {
  if (isSwept) accounts.add(accountId(account));
  lanes.prepare(accountId(account));
  await addLaneJob(request, corner.keys.lane(accountId(account)), id);
}

async function start(): Promise<LaneDispatcher> {
  const redis = await corner.open("worker");
  dispatcher = new LaneDispatcher({
    redis,
    prefix: corner.keys.lanes,
    lanes: openLaneStore({ redis, keys: corner.keys }, "new-owner"),
    work: async (account, id) => {
      worked.push(`${account}/${id}`);
      return { kind: "done", announce: async () => undefined };
    },
    openKeyOf: corner.keys.open,
    settlePending: async () => isUnsettled,
    accounts: () => accounts,
    mayWork: () => mayWork,
    onError: () => undefined,
    onDropped: () => undefined,
  });
  dispatcher.start();
  await dispatcher.lookAtAll();
  return dispatcher;
}

type TakeAsDead = (account: string) => Promise<unknown>;

const takeAsDeadOwner: TakeAsDead = async (account) => {
  const lane = openLaneStore({ redis: request, keys: corner.keys }, "dead-owner");
  return (await lane.take(accountId(account)))?.intentId;
};

/** BullMQ itself, with its events and the lock of a started job. */
const takeAsFormerVersion: TakeAsDead = async (account) => {
  const lanes = await openBullMqLanes(await corner.open("worker"), corner.keys.lanes);
  const [, jobId] = await lanes(accountId(account)).moveToActive("dead-owner:1", "dead-owner");
  return jobId;
};

describe.each([
  ["a dead owner", takeAsDeadOwner],
  ["a dead owner of a former version", takeAsFormerVersion],
])("a job that %s had in hand", (_who, take) => {
  test("goes back to the head when the next one starts", async () => {
    for (const id of ["i1", "i2", "i3"]) await add("a", id);
    expect(await take("a")).toBe("i1");
    await start();
    await waitUntil("all are done", () => worked.length === 3);
    expect(worked).toEqual(["a/i1", "a/i2", "a/i3"]);
  });

  test("is worked though its data is gone, and blocks nothing", async () => {
    for (const id of ["i1", "i2"]) await add("gone", id);
    expect(await take("gone")).toBe("i1");
    const job = `${corner.keys.lanes}:{gone}:i1`;
    await request.del(job, `${job}:lock`);
    await start();
    await waitUntil("both are done", () => worked.length === 2);
    expect(worked).toEqual(["gone/i1", "gone/i2"]);
    await waitUntil("nothing is left of it", async () => (await request.exists(job)) === 0);
  });
});

test("while it is in nobody's hand, nothing behind it starts, however often it is rung", async () => {
  await start();
  for (const id of ["i1", "i2"]) await add("b", id, { isSwept: false });
  expect(await takeAsDeadOwner("b")).toBe("i1");
  for (let n = 0; n < 20; n += 1) {
    dispatcher?.ring(accountId("b"));
    await waitUntil("the lane is quiet", () => dispatcher?.busy === 0);
  }
  expect(worked).toEqual([]);
  // The sweep finds it within a few seconds.
  accounts.add(accountId("b"));
  await waitUntil("both are done", () => worked.length === 2);
  expect(worked).toEqual(["b/i1", "b/i2"]);
});

test("one that its own process took, and never heard of, is worked at the next ring", async () => {
  const running = await start();
  await waitUntil("the lane is quiet", () => running.busy === 0);
  for (const id of ["i1", "i2"]) await add("f", id, { isSwept: false });
  // Redis was too late with the answer, and carried the command out all the same.
  const unheard = openLaneStore({ redis: request, keys: corner.keys }, "new-owner");
  expect((await unheard.take(accountId("f")))?.intentId).toBe("i1");
  running.ring(accountId("f"));
  await waitUntil("the lane is quiet", () => running.busy === 0);
  expect(worked).toEqual(["f/i1", "f/i2"]);
});

test("a job whose lock is gone goes back all the same", async () => {
  for (const id of ["i1", "i2"]) await add("c", id);
  await takeAsFormerVersion("c");
  expect(await request.del(`${corner.keys.lanes}:{c}:i1:lock`)).toBe(1);
  await start();
  await waitUntil("both are done", () => worked.length === 2);
  expect(worked).toEqual(["c/i1", "c/i2"]);
});

test("several started jobs of one lane go back in their order", async () => {
  for (const id of ["i1", "i2", "i3"]) await add("d", id);
  const redis = await corner.open("worker");
  // A lane never has two in hand; its settings are taken away to see that even these keep order.
  await redis.hdel(`${corner.keys.lanes}:{d}:meta`, "concurrency");
  expect([await takeAsFormerVersion("d"), await takeAsFormerVersion("d")]).toEqual(["i1", "i2"]);
  await openLaneStore({ redis, keys: corner.keys }).putBack(accountId("d"));
  // BullMQ takes from the end of the list.
  expect(await redis.lrange(`${corner.keys.lanes}:{d}:wait`, 0, -1)).toEqual(["i3", "i2", "i1"]);
  expect(await redis.llen(`${corner.keys.lanes}:{d}:active`)).toBe(0);
});

test("while anything is unsettled, nothing is run before it is accepted", async () => {
  isUnsettled = true;
  await add("g", "i1");
  const running = await start();
  await waitUntil("the lane is quiet", () => worked.length === 1 && running.busy === 0);
  const isTaken = () => running.takeTurn(accountId("g"), intentId("i2"), async () => undefined);
  expect(isTaken()).toBe(false);

  isUnsettled = false;
  running.settlePending(accountId("g"));
  await running.finished([accountId("g")]);
  expect(isTaken()).toBe(true);
  await running.finished([accountId("g")]);
});

test("an owner that lost its lease takes nothing more in hand", async () => {
  const running = await start();
  mayWork = false;
  await add("e", "i1");
  running.ring(accountId("e"));
  await running.lookAtAll();
  await waitUntil("the lane is quiet", () => running.busy === 0);
  expect(worked).toEqual([]);
  const redis = await corner.open("request");
  expect(await redis.llen(`${corner.keys.lanes}:{e}:wait`)).toBe(1);
});
