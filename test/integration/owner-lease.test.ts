// The goal: one process at a time works the lanes, and one that no longer may is told so.
// The method: two owners on a real Redis; a dead one's lease is made to end soon.
import type { Redis } from "ioredis";
import { afterEach, beforeEach, expect, test } from "vitest";
import { leaseScripts, type OwnerLease, takeOwnerLease } from "../../src/store/owner-lease.ts";
import { waitUntil } from "../support/wait.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";

let corner: RedisCorner;
let redis: Redis;
let lost: string[];
let taken: (OwnerLease | undefined)[];

beforeEach(async () => {
  corner = await openCorner();
  redis = await corner.open("worker", leaseScripts);
  [lost, taken] = [[], []];
});
afterEach(async () => {
  for (const lease of taken) await lease?.release();
  await corner.close();
});

async function take(owner: string, force = false): Promise<OwnerLease | undefined> {
  const { keys } = corner;
  const lease = await takeOwnerLease({ redis, keys, owner, onLost: () => lost.push(owner) }, force);
  taken.push(lease);
  return lease;
}

const holder = () => redis.get(corner.keys.owner);

test("the lease is the first one's who asks, and ends by itself when it is not renewed", async () => {
  const lease = await take("a");
  expect(lease?.isHeld()).toBe(true);
  expect(await holder()).toBe("a");
  const ttl = await redis.pttl(corner.keys.owner);
  expect(ttl).toBeGreaterThan(0);
  expect(ttl).toBeLessThanOrEqual(5_000);
});

test("of two who start together one gets it and keeps it; the other one waits in vain", async () => {
  const [a, b] = await Promise.all([take("a"), take("b")]);
  expect([a === undefined, b === undefined].filter(Boolean)).toHaveLength(1);
  // That was longer than the lease lasts: it was renewed meanwhile.
  expect(await holder()).toBe(a === undefined ? "b" : "a");
  expect(lost).toEqual([]);
});

test("a dead owner's lease is waited out and taken over", async () => {
  await redis.set(corner.keys.owner, "dead", "PX", 400);
  expect(await take("b")).toBeDefined();
  expect(await holder()).toBe("b");
});

test("a holder that is known to be dead is not waited for", async () => {
  await redis.set(corner.keys.owner, "dead", "PX", 600_000);
  const begin = performance.now();
  expect(await take("b", true)).toBeDefined();
  expect(performance.now() - begin).toBeLessThan(4_500);
  expect(await holder()).toBe("b");
});

test("an owner whose lease another one took is told once, and never takes it back", async () => {
  const lease = await take("a");
  await redis.set(corner.keys.owner, "b", "PX", 600_000);
  await waitUntil("it is told", () => lost.length > 0);
  expect(lease?.isHeld()).toBe(false);
  await lease?.release();
  expect(await holder()).toBe("b");
  expect(lost).toEqual(["a"]);
});

test("a lease that ran out while nobody took it is simply held again", async () => {
  const lease = await take("a");
  await redis.del(corner.keys.owner);
  await waitUntil("it is held again", async () => (await holder()) === "a");
  expect(lease?.isHeld()).toBe(true);
  expect(lost).toEqual([]);
});

test("a released lease is free at once, and is not renewed any more", async () => {
  const lease = await take("a");
  await lease?.release();
  expect(await holder()).toBeNull();
  expect(await take("b")).toBeDefined();
  expect(await holder()).toBe("b");
});
