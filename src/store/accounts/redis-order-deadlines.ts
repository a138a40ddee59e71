import type { OrderDeadline, OrderDeadlineStore } from "../../trading/lane/timeouts/ports.ts";
import type { Keys } from "../keys.ts";
import type { RedisClient } from "../redis/redis-client.ts";
import { translateStoreErrors as run } from "../store-error.ts";

/** One field an order, as JSON. */
export function createRedisOrderDeadlines({
  redis,
  keys,
}: {
  readonly redis: RedisClient;
  readonly keys: Keys;
}): OrderDeadlineStore {
  return {
    of: async (account) => {
      const stored = Object.values(await run(redis.hgetall(keys.orderTimeouts(account))));
      return stored.map((text) => JSON.parse(text) as OrderDeadline);
    },
    forget: async (account, order) => {
      await run(redis.hdel(keys.orderTimeouts(account), order));
    },
  };
}
