// The goal: which orders of followers stand for which of their leaders' is known as long as it matters.
// The method: note and forget on a real Redis, and read what is left.
import type { Redis } from "ioredis";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Mirror } from "../../src/domain/copying/copy-mirror.ts";
import type { ContractCode } from "../../src/domain/contracts/contract.ts";
import { accountId, copyGroupId, intentId, orderId } from "../../src/domain/ids.ts";
import { createRedisCopyMirrors } from "../../src/store/copying/redis-copy-mirrors.ts";
import type { CopyMirrors } from "../../src/trading/copying/ports.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";

const LEADER = accountId("lead-1");
const OTHER = accountId("lead-2");
const FOLLOWER = accountId("follower-1");

const mirror = (id: string, change: Partial<Mirror> = {}): Mirror => ({
  copyId: intentId(`i${id}`),
  groupId: copyGroupId("cg_1"),
  leader: LEADER,
  leaderOrderId: orderId(id),
  contract: "ESZ2026" as ContractCode,
  side: "BUY",
  filledBefore: 0,
  notedAt: 1,
  ...change,
});

let corner: RedisCorner;
let redis: Redis;
let mirrors: CopyMirrors;

beforeEach(async () => {
  corner = await openCorner();
  redis = await corner.open("worker", []);
  mirrors = createRedisCopyMirrors({ redis, keys: corner.keys });
});
afterEach(() => corner.close());

test("a mirror is kept as it was noted last", async () => {
  await mirrors.note(FOLLOWER, mirror("1"));
  await mirrors.note(FOLLOWER, mirror("1", { filledBefore: 2, isEnded: true }));
  expect(await mirrors.list(FOLLOWER)).toEqual([mirror("1", { filledBefore: 2, isEnded: true })]);
  expect(await mirrors.list(LEADER)).toEqual([]);
});

test("an account is known with each leader until its last mirror is forgotten", async () => {
  const [first, second, others] = [mirror("1"), mirror("2"), mirror("3", { leader: OTHER })];
  for (const one of [first, second, others]) await mirrors.note(FOLLOWER, one);
  const pairs = async () => (await mirrors.pairs()).map(({ leader }) => leader).toSorted();
  expect(await pairs()).toEqual([LEADER, OTHER]);
  await mirrors.forget(FOLLOWER, [first, others]);
  expect(await pairs()).toEqual([LEADER]);
  expect(await mirrors.list(FOLLOWER)).toEqual([second]);
  await mirrors.forget(FOLLOWER, [second]);
  expect(await mirrors.pairs()).toEqual([]);
  await mirrors.forget(FOLLOWER, []);
});
