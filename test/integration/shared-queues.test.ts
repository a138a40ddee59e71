// The goal: the queues that several processes work end in order, whatever has become of their Redis.
// The method: each queue with a worker on a Redis of the test's own, which is killed under it.
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { openDestinationQueue } from "../../queues/destination-queue.ts";
import type { RedisClient } from "../../queues/redis-client.ts";
import { openSlotQueue } from "../../queues/slot-queue.ts";
import type { DestinationId } from "../../src/domain/notify/destination.ts";
import { intentId } from "../../src/domain/ids.ts";
import { connectRedis } from "../../src/store/redis/connect.ts";
import { startFaultProxy } from "../faults/proxy.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startTestRedis } from "../support/test-redis.ts";
import { waitUntil } from "../support/wait.ts";

interface Opened {
  readonly ring: (id: string) => Promise<void>;
  readonly close: () => Promise<void>;
}
interface Opening {
  readonly redis: RedisClient;
  readonly prefix: string;
  /** Takes one job and ends it. */
  readonly doOne: () => Promise<void>;
}

const QUEUES = {
  destinations: async ({ doOne, ...deps }: Opening): Promise<Opened> => {
    const queue = await openDestinationQueue({ ...deps, onError: () => undefined });
    await queue.work(async () => {
      await doOne();
      return undefined;
    });
    return { ring: async (id) => await queue.ring(id as DestinationId), close: queue.close };
  },
  slots: async ({ doOne, ...deps }: Opening): Promise<Opened> => {
    const queue = await openSlotQueue({ ...deps, run: doOne, onError: () => undefined });
    return { ring: async (id) => await queue.add(intentId(id)), close: queue.close };
  },
} as const;
type QueueName = keyof typeof QUEUES;
const NAMES = Object.keys(QUEUES) as QueueName[];

async function open(name: QueueName, doOne: () => Promise<void> = async () => undefined) {
  const server = await startTestRedis(await temporaryFolder());
  const redis = connectRedis({ path: server.server.path }, "worker");
  onTestFinished(() => redis.disconnect());
  const prefix = "test";
  const queue = await QUEUES[name]({ redis, prefix, doOne });
  const active = async () => await redis.llen(`${prefix}:{${name}}:active`);
  return { server, redis, queue, active };
}

test.each(NAMES)("the queue of %s ends while its Redis is gone", async (name) => {
  const { server, redis, queue } = await open(name);
  server.signal("SIGKILL");
  await waitUntil("it is gone", () => redis.status === "reconnecting");
  let hasEnded = false;
  void queue.close().then(() => (hasEnded = true));
  await expect.poll(() => hasEnded).toBe(true);
});

test.each(NAMES)("the queue of %s ends with what it has in hand, and says so", async (name) => {
  let [hasBegun, end]: [boolean, () => void] = [false, () => undefined];
  const { queue, active } = await open(name, async () => {
    hasBegun = true;
    await new Promise<void>((resolve) => (end = resolve));
  });
  await queue.ring("i1");
  await waitUntil("it is in hand", () => hasBegun);
  let hasEnded = false;
  const closing = queue.close().then(() => (hasEnded = true));
  expect([hasEnded, await active()]).toEqual([false, 1]);
  end();
  await closing;
  await waitUntil("it is nobody's", async () => (await active()) === 0);
  expect(hasEnded).toBe(true);
});

/** Between a job's ring and the close, ms: Redis answers after `SLOW_MS` each way. */
const CLOSED_AFTER_MS = [0, 2, 4, 6, 8, 10, 12, 15, 18, 22];
const SLOW_MS = 2;

test.each(NAMES)("the queue of %s begins nothing after its end, over a slow link", async (name) => {
  const { server } = await startTestRedis(await temporaryFolder());
  const listen = { path: path.join(await temporaryFolder(), "slow.sock") };
  const proxy = await startFaultProxy({ target: { path: server.path }, listen });
  onTestFinished(proxy.stop);
  proxy.add({ kind: "latency", ms: SLOW_MS });
  const [direct, redis] = [
    connectRedis({ path: server.path }, "worker"),
    connectRedis(listen, "worker"),
  ];
  onTestFinished(() => [direct, redis].forEach((client) => client.disconnect()));
  for (const ms of CLOSED_AFTER_MS) {
    const prefix = `test-${ms}`;
    let [isClosed, late] = [false, 0];
    const queue = await QUEUES[name]({
      redis,
      prefix,
      doOne: async () => {
        if (isClosed) late += 1;
      },
    });
    const rung = queue.ring(`i${ms}`);
    await sleep(ms);
    await Promise.all([rung, queue.close()]);
    isClosed = true;
    await redis.ping();
    await sleep(4 * SLOW_MS);
    expect([late, await direct.llen(`${prefix}:{${name}}:active`)]).toEqual([0, 0]);
  }
});
