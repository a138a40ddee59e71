// The goal: what a dead owner had started goes on where it stood, before everything behind it.
// The method: take jobs from real lanes under another owner's token and never finish them.
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Redis } from "ioredis";
import { openLaneBackend, putBackActiveJobs } from "../../queues/lane-backend.ts";
import { LaneDispatcher } from "../../queues/lane-dispatcher.ts";
import { createLaneProducer } from "../../queues/lane-producer.ts";
import { accountId, type AccountId } from "../../src/domain/ids.ts";
import { addLaneJob } from "../support/lane-jobs.ts";
import { waitUntil } from "../support/wait.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";
import type { Lanes } from "../../src/trading/orders/ports.ts";

let corner: RedisCorner;
let request: Redis;
let lanes: Lanes;
let worked: string[];
let dispatcher: LaneDispatcher<undefined> | undefined;
let mayWork: boolean;
let accounts: Set<AccountId>;

beforeEach(async () => {
  corner = await openCorner();
  [worked, mayWork, dispatcher, accounts] = [[], true, undefined, new Set()];
  request = await corner.open("request");
  lanes = createLaneProducer({
    redis: request,
    prefix: corner.keys.lanes,
    laneNamesKey: corner.keys.laneNames,
    expect: () => undefined,
    ring: () => undefined,
  });
});
afterEach(async () => {
  await dispatcher?.stop();
  await corner.close();
});

async function add(account: string, id: string): Promise<void> {
  accounts.add(accountId(account));
  lanes.prepare(accountId(account));
  await addLaneJob(request, corner.keys.lane(accountId(account)), id);
}

async function start(): Promise<LaneDispatcher<undefined>> {
  dispatcher = new LaneDispatcher({
    redis: await corner.open("worker"),
    prefix: corner.keys.lanes,
    processId: "new-owner",
    work: async (account, id) => {
      worked.push(`${account}/${id}`);
      return { kind: "done", ending: Promise.resolve() };
    },
    openKeyOf: corner.keys.open,
    settlePending: async () => false,
    accounts: () => accounts,
    mayWork: () => mayWork,
    onError: () => undefined,
    onDropped: () => undefined,
  });
  await dispatcher.start();
  await dispatcher.lookAtAll();
  return dispatcher;
}

async function takeAsDeadOwner(account: string): Promise<unknown> {
  const backend = await openLaneBackend(await corner.open("worker"), corner.keys.lanes);
  const [, jobId] = await backend(`{${account}}`).moveToActive("dead-owner:1", "dead-owner");
  return jobId;
}

test("a job that a dead owner had in hand goes back to the head when the next one starts", async () => {
  for (const id of ["i1", "i2", "i3"]) await add("a", id);
  expect(await takeAsDeadOwner("a")).toBe("i1");
  await start();
  await waitUntil("all are done", () => worked.length === 3);
  expect(worked).toEqual(["a/i1", "a/i2", "a/i3"]);
});

test("a started job whose data is gone is worked all the same, and blocks nothing", async () => {
  for (const id of ["i1", "i2"]) await add("gone", id);
  expect(await takeAsDeadOwner("gone")).toBe("i1");
  const redis = await corner.open("request");
  const job = `${corner.keys.lanes}:{gone}:i1`;
  expect(await redis.del(job, `${job}:lock`)).toBe(2);
  await start();
  await waitUntil("both are done", () => worked.length === 2);
  expect(worked).toEqual(["gone/i1", "gone/i2"]);
  expect(await redis.exists(job)).toBe(0);
});

test("while it is in nobody's hand, nothing behind it starts, however often it is rung", async () => {
  await start();
  for (const id of ["i1", "i2"]) await add("b", id);
  expect(await takeAsDeadOwner("b")).toBe("i1");
  for (let n = 0; n < 20; n += 1) {
    dispatcher?.ring(accountId("b"));
    await waitUntil("the lane is quiet", () => dispatcher?.busy === 0);
  }
  expect(worked).toEqual([]);
  // The sweep finds it within a few seconds.
  await waitUntil("both are done", () => worked.length === 2);
  expect(worked).toEqual(["b/i1", "b/i2"]);
});

test("a job whose lock is gone goes back all the same", async () => {
  for (const id of ["i1", "i2"]) await add("c", id);
  await takeAsDeadOwner("c");
  const redis = await corner.open("request");
  expect(await redis.del(`${corner.keys.lanes}:{c}:i1:lock`)).toBe(1);
  await start();
  await waitUntil("both are done", () => worked.length === 2);
  expect(worked).toEqual(["c/i1", "c/i2"]);
});

test("several started jobs of one lane go back in their order", async () => {
  for (const id of ["i1", "i2", "i3"]) await add("d", id);
  const redis = await corner.open("worker");
  // A lane never has two in hand; its settings are taken away to see that even these keep order.
  await redis.hdel(`${corner.keys.lanes}:{d}:meta`, "concurrency");
  expect([await takeAsDeadOwner("d"), await takeAsDeadOwner("d")]).toEqual(["i1", "i2"]);
  const backend = await openLaneBackend(redis, corner.keys.lanes);
  await putBackActiveJobs(redis, backend("{d}"));
  // BullMQ takes from the end of the list.
  expect(await redis.lrange(`${corner.keys.lanes}:{d}:wait`, 0, -1)).toEqual(["i3", "i2", "i1"]);
  expect(await redis.llen(`${corner.keys.lanes}:{d}:active`)).toBe(0);
});

test("an owner that lost its lease takes nothing more in hand", async () => {
  const running = await start();
  await add("e", "i1");
  mayWork = false;
  running.ring(accountId("e"));
  await running.lookAtAll();
  await waitUntil("the lane is quiet", () => running.busy === 0);
  expect(worked).toEqual([]);
  const redis = await corner.open("request");
  expect(await redis.llen(`${corner.keys.lanes}:{e}:wait`)).toBe(1);
});
