import type { Redis } from "ioredis";
import type { ConnectionId } from "../../domain/ids.ts";
import type { Keys } from "../keys.ts";
import { translateStoreErrors as run } from "../store-error.ts";

/** What the adapters of connections leave to their next owners, as somebody else sealed it. */
export interface SealedMemories {
  /** Undefined when there is nothing, or nothing young enough. Throws `StoreError`. */
  readonly load: (connection: ConnectionId) => Promise<string | undefined>;
  readonly save: (connection: ConnectionId, sealed: string) => Promise<void>;
}

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
