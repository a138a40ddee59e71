// The goal: what a connection is, how it stands and what stops it is the same for every process.
// The method: two processes' views on a real Redis; leases are given back and made to run out.
import type { Redis } from "ioredis";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connectionId, userId } from "../../src/domain/ids.ts";
import {
  createRedisConnectionLeases,
  leaseScripts,
} from "../../src/store/connections/redis-connection-leases.ts";
import { createRedisConnectionRecords } from "../../src/store/connections/redis-connection-records.ts";
import type { ConnectionRecords } from "../../src/trading/connections/connection-records.ts";
import type { ConnectionLeases } from "../../src/trading/connections/connection-leases.ts";
import { waitUntil } from "../support/wait.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";

const ONE = connectionId("one");
const TWO = connectionId("two");
const FACTS = { userId: userId("u_1"), broker: "simulator", environment: "live" } as const;
const REFUSED = { status: "AUTH_EXPIRED", reason: "Wrong password" } as const;

let corner: RedisCorner;
let redis: Redis;
let records: ConnectionRecords;
let leases: ConnectionLeases;

beforeEach(async () => {
  corner = await openCorner();
  redis = await corner.open("worker", leaseScripts);
  records = createRedisConnectionRecords({ redis, keys: corner.keys });
  leases = leasesOf("a");
});
afterEach(() => corner.close());

const leasesOf = (processId: string) =>
  createRedisConnectionLeases({ redis, keys: corner.keys, processId });

async function clock(): Promise<number> {
  const [seconds, microseconds] = await redis.time();
  return Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
}

const since = async () => (await records.find(ONE))?.since ?? 0;

test("a connection is listed once it was described, as its owner says it stands", async () => {
  await leases.takeOrRenew(TWO, "CONNECTED");
  await leases.takeOrRenew(ONE, "CONNECTING");
  expect(await records.list()).toEqual([]);
  await records.describe(ONE, FACTS);
  expect(await records.list()).toEqual([
    {
      ...FACTS,
      connectionId: ONE,
      status: "CONNECTING",
      since: expect.any(Number) as unknown,
      why: { reason: "Its owner does not say why" },
    },
  ]);
  expect(await records.find(TWO)).toBeUndefined();
});

test("the time of a status is that of its last change, not of its last renewal", async () => {
  await records.describe(ONE, FACTS);
  await leases.takeOrRenew(ONE, "CONNECTING");
  const began = await since();
  await waitUntil("time has passed", async () => (await clock()) > began + 5);
  await leases.takeOrRenew(ONE, "CONNECTING");
  expect(await since()).toBe(began);
  await leases.takeOrRenew(ONE, "CONNECTED");
  expect(await since()).toBeGreaterThan(began + 5);
});

test("nobody's connection is disconnected since its lease was given back, or ran out", async () => {
  await records.describe(ONE, FACTS);
  await leases.takeOrRenew(ONE, "CONNECTED");
  const connectedAt = await since();
  await waitUntil("time has passed", async () => (await clock()) > connectedAt + 5);
  await leases.release(ONE);
  expect(await records.find(ONE)).toMatchObject({ status: "DISCONNECTED" });
  expect(await since()).toBeGreaterThan(connectedAt + 5);

  await leases.takeOrRenew(ONE, "CONNECTED");
  const end = (await clock()) + 20;
  await redis.hset(corner.keys.connection(ONE), "expiresAt", end);
  await waitUntil("the lease has run out", async () => (await clock()) > end);
  expect(await records.find(ONE)).toMatchObject({ status: "DISCONNECTED", since: end });
});

test("a stop is kept for every owner, with the time it began, until it is resumed", async () => {
  await records.describe(ONE, FACTS);
  const epoch = (await leases.takeOrRenew(ONE, "AUTH_EXPIRED")) ?? 0;
  expect(await records.stop(ONE, epoch, REFUSED)).toBe(true);
  const stoppedAt = await since();
  expect(await redis.pttl(corner.keys.connectionStop(ONE))).toBe(-1);

  await leases.release(ONE);
  expect(await records.find(ONE)).toMatchObject({ status: "DISCONNECTED", stop: REFUSED });
  await waitUntil("time has passed", async () => (await clock()) > stoppedAt + 5);
  await leasesOf("b").takeOrRenew(ONE, "AUTH_EXPIRED");
  expect(await records.stopOf(ONE)).toEqual(REFUSED);
  expect(await records.find(ONE)).toMatchObject({ status: "AUTH_EXPIRED", since: stoppedAt });

  await records.resume(ONE);
  expect(await records.stopOf(ONE)).toBeUndefined();
  expect(await records.find(ONE)).not.toHaveProperty("stop");
});

test("a former owner stops nothing any more", async () => {
  const epoch = (await leases.takeOrRenew(ONE, "CONNECTED")) ?? 0;
  await leases.release(ONE);
  await leasesOf("b").takeOrRenew(ONE, "CONNECTED");
  expect(await records.stop(ONE, epoch, REFUSED)).toBe(false);
  expect(await records.stopOf(ONE)).toBeUndefined();
});

test("resuming tells the owner, whether there was a stop or not", async () => {
  const listener = await corner.open("worker", []);
  const heard: string[] = [];
  listener.on("message", (_, name: string) => heard.push(name));
  await listener.subscribe(corner.keys.connectionNews);
  await records.resume(ONE);
  await waitUntil("the word has come", () => heard.length === 1);
  expect(heard).toEqual([ONE]);
});
