// The goal: a lane that we write is BullMQ's queue at every moment, as BullMQ itself would have written it.
// The method: the same job on two lanes, one written by BullMQ, compared key by key and read with its tools.
import { Job, Queue, type RedisQueueBackend, Worker } from "bullmq";
import type { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { laneLayout } from "../../queues/lane-layout.ts";
import { encodeLaneJob, FOR_NOBODY, laneMeta, laneName } from "../../queues/lane.ts";
import { accountId } from "../../src/domain/ids.ts";
import { defineScript, runScript } from "../../src/store/redis/script.ts";
import { type BullMqLane, openBullMqLanes } from "../support/bullmq-lanes.ts";
import { waitUntil } from "../support/wait.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";

const OURS = accountId("ours");
const THEIRS = accountId("theirs");
const DATA = { replyTo: "process-1" };
const WORKER = "worker-1";
/** What Redis makes of Lua's booleans. */
const [YES, NO] = [[1], [null]];
/** The last parts of the keys that BullMQ writes for a job and we do not: nobody reads them of a lane. */
const LEFT_OUT = ["events", "marker", "id", "lock"];

let corner: RedisCorner;
let redis: Redis;
let bullMq: BullMqLane;

beforeEach(async () => {
  corner = await openCorner();
  redis = await corner.open("worker");
  bullMq = await openBullMqLanes(redis, corner.keys.lanes);
  for (const account of [OURS, THEIRS]) {
    await redis.hset(`${corner.keys.lane(account)}:meta`, laneMeta);
  }
});
afterEach(() => corner.close());

type Part = keyof typeof laneLayout;

/** Calls one of our functions on the lane of `OURS`. */
async function call(part: Part, ...given: readonly string[]): Promise<unknown> {
  const args = ["lane", ...given].map((_, index) => `ARGV[${index + 1}]`).join(", ");
  const script = defineScript(`${laneLayout[part]} return { ${part}(${args}) }`);
  return await runScript(redis, script, [], [corner.keys.lane(OURS), ...given]);
}
const push = (id: string) => call("pushJob", id, encodeLaneJob(DATA));

const options = () => ({ connection: redis, prefix: corner.keys.lanes, skipMetasUpdate: true });

function queueOf(account = OURS): Queue {
  const queue = new Queue(laneName(account), options());
  onTestFinished(() => queue.close());
  return queue;
}

const stateOf = async (queue: Queue) => await (await queue.getJob("i1"))?.getState();

const theirs = (): RedisQueueBackend => bullMq(THEIRS);

/** Adds a job as a former version of the gateway did. */
async function addTheirs(id: string): Promise<void> {
  const kept = { attempts: 1, removeOnComplete: true, removeOnFail: true };
  const job = new Job(queueOf(THEIRS), "intent", DATA, kept, id);
  await job.addJob(await theirs().client);
}

/** Everything that is kept of a lane, but for what we leave out; times as what they are. */
async function lane(account: typeof OURS): Promise<Readonly<Record<string, unknown>>> {
  const prefix = `${corner.keys.lane(account)}:`;
  const names = (await corner.stored()).filter((name) => name.startsWith(prefix));
  const kept: Record<string, unknown> = {};
  for (const name of names) {
    const last = name.split(":").at(-1) ?? "";
    if (!LEFT_OUT.includes(last)) kept[name.slice(prefix.length)] = await valueOf(name);
  }
  return kept;
}

async function valueOf(name: string): Promise<unknown> {
  if ((await redis.type(name)) === "list") return await redis.lrange(name, 0, -1);
  const fields = await redis.hgetall(name);
  for (const time of ["timestamp", "processedOn"]) {
    if (fields[time] === undefined) continue;
    expect(Math.abs(Number(fields[time]) - Date.now())).toBeLessThan(60_000);
    fields[time] = "a time";
  }
  return fields;
}

describe("byte for byte as BullMQ writes it", () => {
  test("waiting, in order, and added twice", async () => {
    for (const id of ["i1", "i2", "i1"]) {
      await push(id);
      await addTheirs(id);
    }
    expect(await lane(OURS)).toEqual(await lane(THEIRS));
  });

  test("taken, put back, and taken again", async () => {
    for (const id of ["i1", "i2"]) {
      await push(id);
      await addTheirs(id);
    }
    expect(await call("takeJob", WORKER)).toEqual(["i1", encodeLaneJob(DATA)]);
    await theirs().moveToActive(`${WORKER}:1`, WORKER);
    expect(await lane(OURS)).toEqual(await lane(THEIRS));

    await call("putBackJobs", FOR_NOBODY);
    await theirs().moveJobFromActiveToWait("i1", `${WORKER}:1`);
    expect(await lane(OURS)).toEqual(await lane(THEIRS));

    expect(await call("takeJob", WORKER)).toEqual(["i1", encodeLaneJob(DATA)]);
    await theirs().moveToActive(`${WORKER}:2`, WORKER);
    expect(await lane(OURS)).toEqual(await lane(THEIRS));
  });

  test("given back", async () => {
    for (const id of ["i1", "i2"]) {
      await push(id);
      await addTheirs(id);
    }
    await call("takeJob", WORKER);
    await theirs().moveToActive(`${WORKER}:1`, WORKER);
    expect(await call("giveBackJob", "i1", WORKER)).toEqual(YES);
    await theirs().moveJobFromActiveToWait("i1", `${WORKER}:1`);
    expect(await lane(OURS)).toEqual(await lane(THEIRS));
  });

  test("started at once is as if it was added and taken", async () => {
    await call("startJob", "i1", encodeLaneJob(DATA), WORKER);
    await addTheirs("i1");
    await theirs().moveToActive(`${WORKER}:1`, WORKER);
    expect(await lane(OURS)).toEqual(await lane(THEIRS));
  });

  test("finished", async () => {
    for (const id of ["i1", "i2"]) {
      await push(id);
      await addTheirs(id);
    }
    await call("takeJob", WORKER);
    const [job, id] = await theirs().moveToActive(`${WORKER}:1`, WORKER);
    expect(await call("finishJob", "i1", WORKER)).toEqual(YES);
    await theirs().moveToCompleted({ ...job, id } as never, null, true, `${WORKER}:1`, false);
    expect(await lane(OURS)).toEqual(await lane(THEIRS));
  });
});

describe("BullMQ's own tools", () => {
  test("see a job wherever it is", async () => {
    const queue = queueOf();
    await push("i1");
    await push("i2");
    expect(await stateOf(queue)).toBe("waiting");
    expect(await queue.getJobCounts("waiting", "active")).toEqual({ waiting: 2, active: 0 });
    const waiting = await queue.getJobs(["waiting"], 0, -1, true);
    expect(waiting.map(({ id, name, data }) => [id, name, data])).toEqual([
      ["i1", "intent", DATA],
      ["i2", "intent", DATA],
    ]);

    await call("takeJob", WORKER);
    expect(await stateOf(queue)).toBe("active");
    expect(await queue.getJobCounts("waiting", "active")).toEqual({ waiting: 1, active: 1 });
    const active = await queue.getJob("i1");
    expect(active).toMatchObject({ id: "i1", processedBy: WORKER, attemptsStarted: 1, data: DATA });
    expect(active?.opts).toMatchObject({ attempts: 1, removeOnComplete: true, removeOnFail: true });

    await call("finishJob", "i1", WORKER);
    expect(await queue.getJob("i1")).toBeUndefined();
    expect(await queue.getJobCounts("waiting", "active")).toEqual({ waiting: 1, active: 0 });
  });

  test("work off what waits: a plain Worker", async () => {
    for (const id of ["i1", "i2", "i3"]) await push(id);
    const worked: unknown[] = [];
    const worker = new Worker(
      laneName(OURS),
      async ({ id, data }) => worked.push([id, data.replyTo]),
      { connection: await corner.open("worker"), prefix: corner.keys.lanes },
    );
    onTestFinished(() => worker.close(true));
    const queue = queueOf();
    await waitUntil("all are gone", async () => (await queue.getJobCountByTypes()) === 0);
    expect(worked).toEqual(["i1", "i2", "i3"].map((id) => [id, DATA.replyTo]));
  });

  test("can give a job a priority: it comes when nothing else waits", async () => {
    const queue = queueOf();
    for (const id of ["i1", "i2"]) await push(id);
    const job = await queue.getJob("i1");
    await job?.changePriority({ priority: 3 });
    expect(await call("takeJob", WORKER)).toEqual(["i2", encodeLaneJob(DATA)]);
    await call("finishJob", "i2", WORKER);
    expect(await call("laneRests")).toEqual(NO);
    expect(await call("takeJob", WORKER)).toEqual(["i1", encodeLaneJob(DATA)]);
    expect(await stateOf(queue)).toBe("active");
    expect(await call("finishJob", "i1", WORKER)).toEqual(YES);
    expect(await queue.getJobCountByTypes()).toBe(0);
  });

  test("can pause a lane", async () => {
    const queue = queueOf();
    await push("i1");
    await queue.pause();
    expect(await call("takeJob", WORKER)).toEqual([]);
    expect(await call("laneRests")).toEqual(NO);
    await queue.resume();
    expect(await call("takeJob", WORKER)).toEqual(["i1", encodeLaneJob(DATA)]);
  });
});

describe("a lane", () => {
  test("rests only while nothing waits and nothing is active", async () => {
    const rests = async () => await call("laneRests");
    expect(await rests()).toEqual(YES);
    await push("i1");
    expect(await rests()).toEqual(NO);
    await call("takeJob", WORKER);
    expect(await rests()).toEqual(NO);
    await call("finishJob", "i1", WORKER);
    expect(await rests()).toEqual(YES);
  });

  test("gives nothing while one is active, and nothing once it is empty", async () => {
    for (const id of ["i1", "i2"]) await push(id);
    await call("takeJob", WORKER);
    expect(await call("takeJob", "worker-2")).toEqual([]);
    await call("finishJob", "i1", WORKER);
    expect(await call("takeJob", WORKER)).toEqual(["i2", encodeLaneJob(DATA)]);
    await call("finishJob", "i2", WORKER);
    expect(await call("takeJob", WORKER)).toEqual([]);
  });

  test("gives a worker again what it has: it asks since it never heard the answer", async () => {
    for (const id of ["i1", "i2"]) await push(id);
    for (const starts of [1, 2]) {
      expect(await call("takeJob", WORKER)).toEqual(["i1", encodeLaneJob(DATA)]);
      expect((await queueOf().getJob("i1"))?.attemptsStarted).toBe(starts);
    }
    expect(await queueOf().getJobCounts("waiting", "active")).toEqual({ waiting: 1, active: 1 });
  });

  test("keeps a job that another worker has by now, or has put back", async () => {
    await push("i1");
    await call("takeJob", WORKER);
    await call("putBackJobs", FOR_NOBODY);
    for (const part of ["finishJob", "giveBackJob"] as const) {
      expect(await call(part, "i1", WORKER)).toEqual(NO);
    }
    await call("takeJob", "worker-2");
    for (const part of ["finishJob", "giveBackJob"] as const) {
      expect(await call(part, "i1", WORKER)).toEqual(NO);
    }
    expect(await stateOf(queueOf())).toBe("active");
    expect(await call("finishJob", "i1", "worker-2")).toEqual(YES);
  });
});
