import { translateStoreErrors } from "../store-error.ts";
import type { RedisClient } from "./redis-client.ts";

/** Redis' clock, Unix ms: the one that ages are counted by. */
export async function redisNow(redis: RedisClient): Promise<number> {
  const [seconds, micros] = await translateStoreErrors(redis.time());
  return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
}
