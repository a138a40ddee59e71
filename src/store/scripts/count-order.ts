import { defineScript } from "../script.ts";

/**
 * Counts one order of the whole appliance in an exact sliding minute. Answers 1, or 0 when the
 * minute is full. Asked twice over a broken connection, it counts once.
 *
 * KEYS sentByAll
 * ARGV limit, member
 */
export const countOrder = defineScript(`
if redis.call('ZSCORE', KEYS[1], ARGV[2]) then return 1 end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - 60000)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('ZADD', KEYS[1], now, ARGV[2])
redis.call('PEXPIRE', KEYS[1], 60000)
return 1
`);
