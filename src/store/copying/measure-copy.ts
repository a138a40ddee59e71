import { defineScript } from "../redis/script.ts";

/**
 * Adds to a copy what was measured of it, so that it is not open any more. One that was forgotten
 * stays so.
 *
 * KEYS copy, open copies
 * ARGV copyId, what was measured
 */
export const measureCopy = defineScript(`
redis.call('ZREM', KEYS[2], ARGV[1])
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'measure', ARGV[2])
return 1
`);
