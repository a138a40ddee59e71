import type { OrderNames } from "../../trading/ports.ts";
import { clOrdId } from "../../domain/ids.ts";
import type { Keys } from "../keys.ts";
import { translateStoreErrors as run } from "../store-error.ts";
import type { RedisClient } from "../redis/redis-client.ts";

/** After the last of its orders was named; no order works for so long that nobody renews. */
const KEPT_MS = 90 * 24 * 60 * 60 * 1_000;

export function createRedisOrderNames({
  redis,
  keys,
}: {
  readonly redis: RedisClient;
  readonly keys: Keys;
}): OrderNames {
  return {
    find: async (account, orders) => {
      if (orders.length === 0) return new Map();
      const names = await run(redis.hmget(keys.orderNames(account), ...orders));
      return new Map(
        orders.flatMap((order, n) => {
          const name = names[n];
          return typeof name === "string" ? [[order, clOrdId(name)] as const] : [];
        }),
      );
    },

    keep: async (account, order, name) => {
      const key = keys.orderNames(account);
      await run(redis.hset(key, order, name));
      await run(redis.pexpire(key, KEPT_MS));
    },

    drop: async (account, order) => {
      await run(redis.hdel(keys.orderNames(account), order));
    },
  };
}
