// The goal: after a failover each request that was accepted and is missing is told, once.
import { afterEach, beforeEach, expect, test } from "vitest";
import { accountId, intentId } from "../../src/domain/ids.ts";
import { RecentAcceptances } from "../../src/store/intents/recent-acceptances.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";

const ACCOUNT = accountId("paper-1");

let corner: RedisCorner;
beforeEach(async () => {
  corner = await openCorner();
});
afterEach(() => corner.close());

test("what is missing of the accepted is told once, and what is there is not", async () => {
  const redis = await corner.open("worker");
  const recent = new RecentAcceptances();
  const ids = ["i1", "i2", "i3"].map(intentId);
  for (const id of ids) {
    recent.note(ACCOUNT, id);
    await redis.hset(corner.keys.intent(ACCOUNT, id), "state", "DONE");
  }
  expect(await recent.missing(redis, corner.keys)).toEqual([]);
  await redis.del(corner.keys.intent(ACCOUNT, intentId("i2")));
  const missing = await recent.missing(redis, corner.keys);
  expect(missing).toMatchObject([{ account: ACCOUNT, intent: "i2" }]);
  expect(await recent.missing(redis, corner.keys)).toEqual([]);
});
