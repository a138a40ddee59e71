import type { Redis } from "ioredis";
import type { Keys } from "../keys.ts";
import { translateStoreErrors as run } from "../store-error.ts";
import { readStoreFacts, STORE_FORMAT, type StoreIdentity } from "./store-identity.ts";

/** Whether all of the store lies in today's form. Throws `StoreError`. */
export async function isUpToDate(redis: Redis, keys: Keys): Promise<boolean> {
  const { identity } = await readStoreFacts(redis, keys);
  if (identity === undefined) return true;
  return identity.format >= STORE_FORMAT && identity.isUpgrading === undefined;
}

/**
 * Brings a store of an earlier form into today's. Each process does it before it admits anything.
 * Several may do it at once, and one that dies in it leaves what the next start goes on with. The
 * form is raised first, so that a gateway of an earlier version that still runs stands still.
 * Throws `StoreError`.
 */
export async function upgradeStore(redis: Redis, keys: Keys): Promise<void> {
  const { identity } = await readStoreFacts(redis, keys);
  if (identity === undefined) return;
  // From form 1: records say each fact once. Older ones are read as they are.
  const upgraded: StoreIdentity = { id: identity.id, format: STORE_FORMAT };
  await run(redis.set(keys.storeIdentity, JSON.stringify(upgraded)));
}
