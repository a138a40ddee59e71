// The goal: a store of an earlier version is brought up to date once, and no earlier gateway uses it.
// The method: a gateway's own store is put back into the earlier form, and started on again.
import { onTestFinished, expect, test } from "vitest";
import { upgradeStore } from "../../src/store/guard/upgrade-store.ts";
import { startGateway } from "../support/gateway.ts";
import { openCorner } from "../unit/store/open-redis.ts";

test("a store of form 1 is raised at the start, and stays the same store", async () => {
  const gateway = await startGateway();
  onTestFinished(gateway.stop);
  const { redis, keys } = gateway;
  const { id } = JSON.parse((await redis.get(keys.storeIdentity)) ?? "") as { id: string };
  await redis.set(keys.storeIdentity, JSON.stringify({ id, format: 1 }));
  await gateway.restart();
  expect(JSON.parse((await gateway.redis.get(keys.storeIdentity)) ?? "")).toEqual({
    id,
    format: 2,
  });
  const answer = await gateway.alert({ action: "buy", symbol: "ES1!", qty: 1 });
  expect(answer.status).toBe(200);
});

test("an upgrade that died hides nothing of what the earlier version did after it", async () => {
  const { open, keys, close } = await openCorner();
  onTestFinished(close);
  const redis = await open("worker");
  const longAgo = 1_000;
  await redis.set(keys.endingsSince, longAgo);
  await redis.set(keys.storeIdentity, JSON.stringify({ id: "store", format: 1 }));
  const [seconds = 0] = await redis.time();
  await upgradeStore(redis, keys);
  // What the earlier version ended until now is in no set of endings.
  expect(Number(await redis.get(keys.endingsSince))).toBeGreaterThan(Number(seconds) * 1_000);
});
