import type { Redis } from "ioredis";
import type { Keys } from "../keys.ts";
import { redisNow } from "../redis/redis-now.ts";
import { translateStoreErrors as run } from "../store-error.ts";
import { readStoreFacts, STORE_FORMAT, type StoreIdentity } from "./store-identity.ts";

/** Until a gateway of an earlier version has seen that the form was raised. */
const STANDS_STILL_WITHIN_MS = 10_000;

/** Whether all of the store lies in today's form. Throws `StoreError`. */
export async function isUpToDate(redis: Redis, keys: Keys): Promise<boolean> {
  const { identity } = await readStoreFacts(redis, keys);
  if (identity === undefined) return true;
  return identity.format >= STORE_FORMAT && identity.isUpgrading === undefined;
}

/**
 * Brings a store of an earlier form into today's. Each process does it before it admits anything.
 * Several may do it at once. One that dies in it leaves the store in its earlier form, in which an
 * earlier gateway may go on: all of it is done anew then. Throws `StoreError`.
 */
export async function upgradeStore(redis: Redis, keys: Keys): Promise<void> {
  const { identity } = await readStoreFacts(redis, keys);
  if (identity === undefined) return;
  // From form 1: records said all facts, and are read as they are; alerts were in no sets of endings.
  // A later instant is never wrong: what is older is looked for in both places.
  await run(redis.set(keys.endingsSince, (await redisNow(redis)) + STANDS_STILL_WITHIN_MS));
  const upgraded: StoreIdentity = { id: identity.id, format: STORE_FORMAT };
  await run(redis.set(keys.storeIdentity, JSON.stringify(upgraded)));
}
