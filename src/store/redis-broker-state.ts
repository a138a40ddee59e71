import type { Redis } from "ioredis";
import type { BrokerStateStore } from "../trading/ports.ts";
import type { Keys } from "./keys.ts";
import { translateStoreErrors } from "./store-error.ts";

/** Where the paper broker keeps each account: one hash, changed all at once. */
export function createRedisBrokerState({
  redis,
  keys,
}: {
  redis: Redis;
  keys: Keys;
}): BrokerStateStore {
  return {
    load: async (account) => {
      const entries = await translateStoreErrors(redis.hgetall(keys.brokerState(account)));
      return new Map(Object.entries(entries));
    },

    commit: async (account, { put, remove }) => {
      const key = keys.brokerState(account);
      const puts = Object.keys(put).length > 0;
      if (remove.length === 0) {
        if (puts) await translateStoreErrors(redis.hset(key, put));
        return;
      }
      const transaction = redis.multi().hdel(key, ...remove);
      if (puts) transaction.hset(key, put);
      await translateStoreErrors(transaction.exec());
    },
  };
}
