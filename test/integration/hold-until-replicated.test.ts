// The goal: nothing is answered that is not on the asked number of replicas, and nobody is told that
// something failed which was only late.
// The method: a real master whose replica is frozen: it still counts as present, and has nothing.
import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connectRedis, type RedisRole, untilRedisReady } from "../../src/store/redis/connect.ts";
import { examineServer } from "../../src/store/trust/durability.ts";
import { translateStoreErrors } from "../../src/store/store-error.ts";
import { startGateway } from "../support/gateway.ts";
import { MemoryStateStore } from "../support/memory-state-store.ts";
import { startRedisWithReplica } from "../support/redis-fleet.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { eventually, HANGS_AFTER_MS } from "../support/wait.ts";

let pair: Awaited<ReturnType<typeof startRedisWithReplica>>;
const clients: Redis[] = [];

beforeEach(async () => {
  pair = await startRedisWithReplica(await temporaryFolder());
});

afterEach(async () => {
  for (const redis of clients.splice(0)) redis.disconnect();
  await pair.stop();
});

async function open(role: RedisRole, replicas = 1): Promise<Redis> {
  const redis = connectRedis({ url: pair.url }, role, { replicas: () => replicas }) as Redis;
  clients.push(redis);
  await untilRedisReady(redis, HANGS_AFTER_MS);
  return redis;
}

const ended = async <Value>(work: Promise<Value>): Promise<Value | Error> =>
  await work.catch((error: unknown) => error as Error);

/** The state of a waiting command, after longer than any answer takes. */
const lately = async <Value>(work: Promise<Value>, ms: number): Promise<Value | "open" | Error> =>
  await Promise.race([ended(work), sleep(ms, "open" as const)]);

test("what a caller waits for fails with an unknown outcome, and a read of it as well", async () => {
  const redis = await open("request");
  const other = await open("request");
  await eventually(async () => expect(await redis.set("key", "before")).toBe("OK"));
  pair.replica.signal("SIGSTOP");
  expect(await ended(redis.set("key", "after"))).toMatchObject({
    message: expect.stringMatching(/^(Only 0 of 1 replicas have it in time|Command timed out)$/),
  });
  // The master has it already.
  expect(await ended(other.get("key"))).toBeInstanceOf(Error);
  pair.replica.signal("SIGCONT");
  await eventually(async () => expect(await other.get("key")).toBe("after"));
});

test("a server that refuses to say who has it makes nothing certain, and nothing run wild", async () => {
  await pair.master.ask(async (redis) => {
    await redis.call("ACL", "SETUSER", "default", "-wait");
  });
  const [request, worker] = [await open("request"), await open("worker")];
  const refused = translateStoreErrors(request.set("key", "there"));
  expect(await ended(refused)).toMatchObject({
    message: expect.stringContaining("Whether replicas have it is not known"),
    certainlyNotWritten: false,
  });
  const began = performance.now();
  expect(await lately(worker.incr("count"), 2_000)).toBe("open");
  const plain = await open("request", 0);
  expect(await plain.get("key")).toBe("there");
  // It is repeated, at the pace of connections: as each of its commands may be.
  const count = Number(await plain.get("count"));
  expect(count).toBeLessThan((50 * (performance.now() - began)) / 1_000);
  const { findings } = await examineServer(plain);
  expect(findings.map(({ kind }) => kind)).toContain("wait");
});

test("a worker's command waits until the replica is back", async () => {
  const redis = await open("worker");
  pair.replica.signal("SIGSTOP");
  const counted = redis.incr("count");
  expect(await lately(counted, 2_000)).toBe("open");
  pair.replica.signal("SIGCONT");
  expect(await counted).toBe(1);
});

test("a worker's command is sent again where its connection breaks before the replica has it", async () => {
  const redis = await open("worker");
  pair.replica.signal("SIGSTOP");
  const counted = redis.incr("count");
  const listed = redis.rpush("list", "a", "b");
  await eventually(async () => {
    const written = async (admin: Redis) => [await admin.get("count"), await admin.llen("list")];
    expect(await pair.master.ask(written)).toEqual(["1", 2]);
  });
  expect(await lately(counted, 500)).toBe("open");
  await pair.master.ask(async (admin) => await admin.call("CLIENT", "KILL", "TYPE", "normal"));
  expect(await lately(counted, 1_000)).toBe("open");
  pair.replica.signal("SIGCONT");
  expect([await counted, await listed]).toEqual([2, 4]);
});

test("where no replica is asked for, nothing waits", async () => {
  const redis = await open("request", 0);
  pair.replica.signal("SIGSTOP");
  expect(await ended(redis.set("key", "value"))).toBe("OK");
});

test("an alert is not answered as accepted before the replica has it, and is one order in the end", async () => {
  const gateway = await startGateway({
    settings: { REDIS_URL: pair.url },
    brokerState: new MemoryStateStore(),
  });
  const alert = async (alertId: string) =>
    await gateway.alert({ action: "buy", symbol: "ES1!", qty: 1, alertId });
  try {
    expect((await alert("one")).body.status).toBe("filled");
    pair.replica.signal("SIGSTOP");
    expect([503, 504]).toContain((await alert("two")).status);
    expect([503, 504]).toContain((await alert("two")).status);
    pair.replica.signal("SIGCONT");
    await eventually(async () => expect((await alert("two")).status).toBe(200));
    await eventually(async () => {
      expect((await gateway.broker.filled("paper-1")).orders).toBe(2);
    });
  } finally {
    pair.replica.signal("SIGCONT");
    await gateway.stop();
  }
});
