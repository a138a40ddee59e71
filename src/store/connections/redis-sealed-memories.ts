import type { Redis } from "ioredis";
import type { SealedMemories } from "../../trading/connections/ports.ts";
import type { Keys } from "../keys.ts";
import { translateStoreErrors as run } from "../store-error.ts";

/** Longer than a token or a pause of any broker lasts. */
const KEPT_MS = 24 * 60 * 60 * 1_000;

export function createRedisSealedMemories({
  redis,
  keys,
}: {
  readonly redis: Redis;
  readonly keys: Keys;
}): SealedMemories {
  return {
    load: async (connection) =>
      (await run(redis.get(keys.connectionMemory(connection)))) ?? undefined,

    save: async (connection, sealed) => {
      await run(redis.set(keys.connectionMemory(connection), sealed, "PX", KEPT_MS));
    },
  };
}
