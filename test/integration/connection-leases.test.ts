// The goal: one process at a time owns a connection, and no former owner writes ahead any more.
// The method: two owners on a real Redis; leases are made to end, and epochs to rise.
import type { Redis } from "ioredis";
import { afterEach, beforeEach, expect, test } from "vitest";
import { accountId, userId, connectionId } from "../../src/domain/ids.ts";
import {
  createRedisConnectionLeases,
  leaseScripts,
  LEASE_MS,
} from "../../src/store/connections/redis-connection-leases.ts";
import type { ConnectionLeases } from "../../src/trading/connections/connection-leases.ts";
import { waitUntil } from "../support/wait.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";

const ONE = connectionId("one");
const TWO = connectionId("two");

let corner: RedisCorner;
let redis: Redis;
let [a, b]: ConnectionLeases[] = [];

beforeEach(async () => {
  corner = await openCorner();
  redis = await corner.open("worker", leaseScripts);
  [a, b] = ["a", "b"].map(leasesOf);
});
afterEach(() => corner.close());

function leasesOf(processId: string): ConnectionLeases {
  return createRedisConnectionLeases({ redis, keys: corner.keys, processId });
}

test("of many that ask at once exactly one gets the lease", async () => {
  const all = Array.from({ length: 20 }, (_, index) => leasesOf(`process-${index}`));
  const epochs = await Promise.all(all.map((leases) => leases.takeOrRenew(ONE, "CONNECTING")));
  expect(epochs.filter((epoch) => epoch !== undefined)).toEqual([1]);
});

test("holding it again renews it in the same epoch, and shows how the connection stands", async () => {
  expect(await a?.takeOrRenew(ONE, "CONNECTING")).toBe(1);
  const first = Number(await redis.hget(corner.keys.connection(ONE), "expiresAt"));
  await waitUntil("the store's clock has gone on", async () => (await clock()) > first - LEASE_MS);
  expect(await a?.takeOrRenew(ONE, "CONNECTED")).toBe(1);
  expect(Number(await redis.hget(corner.keys.connection(ONE), "expiresAt"))).toBeGreaterThan(first);
  expect(await b?.takeOrRenew(ONE, "CONNECTING")).toBeUndefined();
  expect(await b?.read(ONE)).toEqual({ status: "CONNECTED", owner: "a" });
});

test("a lease that is not renewed ends, and the next owner's epoch is higher", async () => {
  await a?.takeOrRenew(ONE, "CONNECTED");
  await redis.hset(corner.keys.connection(ONE), "expiresAt", (await clock()) - 1);
  expect(await b?.read(ONE)).toBeUndefined();
  expect(await b?.takeOrRenew(ONE, "CONNECTING")).toBe(2);
  expect(await a?.takeOrRenew(ONE, "CONNECTED")).toBeUndefined();
});

test("an owner whose lease ended gets it back in a new epoch only", async () => {
  await a?.takeOrRenew(ONE, "CONNECTED");
  await redis.hset(corner.keys.connection(ONE), "expiresAt", 0);
  expect(await a?.takeOrRenew(ONE, "CONNECTED")).toBe(2);
});

test("a released lease is free at once; another one's cannot be released", async () => {
  await a?.takeOrRenew(ONE, "CONNECTED");
  await b?.release(ONE);
  expect((await b?.read(ONE))?.owner).toBe("a");
  await a?.release(ONE);
  expect(await b?.read(ONE)).toBeUndefined();
  expect(await b?.takeOrRenew(ONE, "CONNECTING")).toBe(2);
});

test("the leases of a dead process end at once, those of others stay", async () => {
  await a?.takeOrRenew(ONE, "CONNECTED");
  await b?.takeOrRenew(TWO, "CONNECTED");
  await b?.endOf("a");
  expect(await b?.read(ONE)).toBeUndefined();
  expect((await b?.read(TWO))?.owner).toBe("b");
  await a?.endOf();
  expect(await b?.read(TWO)).toBeUndefined();
});

test("each change is told to whoever listens", async () => {
  const heard: string[] = [];
  const listener = await corner.open("worker");
  listener.on("message", (_channel, message: string) => heard.push(message));
  await listener.subscribe(corner.keys.connectionNews);
  await a?.takeOrRenew(ONE, "CONNECTED");
  await a?.announce(ONE);
  await a?.release(ONE);
  await b?.release(ONE);
  await waitUntil("both were heard", () => heard.length >= 2);
  expect(heard).toEqual([ONE, ONE]);
});

test("an account is fenced by the newest epoch, whoever comes late", async () => {
  const first = accountId("one-1");
  const accounts = [first, accountId("one-2")].map((id) => ({
    accountId: id,
    userId: userId("user_1"),
  }));
  await a?.fence(accounts, 3);
  await a?.fence(accounts, 3);
  expect(await redis.get(corner.keys.epoch(first))).toBe("3");
  await b?.fence(accounts, 4);
  await expect(a?.fence(accounts, 3)).rejects.toThrow("later owner");
  expect(await redis.get(corner.keys.epoch(first))).toBe("4");
});

async function clock(): Promise<number> {
  const [seconds, micros] = await redis.time();
  return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
}

test("why it is not connected is told with the lease, and forgotten once it is", async () => {
  const why = { reason: "Another session took over", retryAt: 1_700_000_000_000 };
  await a?.takeOrRenew(ONE, "RECONNECTING", why);
  expect(await a?.read(ONE)).toMatchObject({ status: "RECONNECTING", why });
  await a?.takeOrRenew(ONE, "CONNECTED");
  expect((await a?.read(ONE))?.why).toBeUndefined();
});

test("who owns connections is there until it parts, is known to be dead, or says nothing more", async () => {
  const names = async () => (await a?.meet({}))?.members.map(({ name }) => name).toSorted();
  expect(await a?.meet({ most: 5, failed: [ONE] })).toEqual({
    name: "a",
    members: [{ name: "a", most: 5, failed: [ONE] }],
  });
  await b?.meet({});
  expect(await names()).toEqual(["a", "b"]);
  await b?.part();
  expect(await names()).toEqual(["a"]);

  await b?.meet({});
  await a?.endOf("b");
  expect(await names()).toEqual(["a"]);

  await b?.meet({});
  await waitUntil("its time is over", async () => (await names())?.length === 1);
  expect(await redis.hkeys(corner.keys.members)).toEqual(["a"]);

  await b?.meet({});
  await a?.endOf();
  expect(await redis.hkeys(corner.keys.members)).toEqual([]);
});
