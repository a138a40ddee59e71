import { defineScript } from "../script.ts";

/**
 * Everything the lane decides on that is kept under the account's hash tag, at one instant.
 *
 * KEYS intent, counters, unknown, limits, account kill switch
 * ARGV intentId
 */
export const loadForLane = defineScript(`
local others = redis.call('SCARD', KEYS[3]) - redis.call('SISMEMBER', KEYS[3], ARGV[1])
return {
  now,
  redis.call('HGETALL', KEYS[1]),
  redis.call('HGET', KEYS[2], 'flatten') or '0',
  others,
  redis.call('HGETALL', KEYS[4]),
  redis.call('HGETALL', KEYS[5]),
}
`);
