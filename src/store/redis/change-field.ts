import { defineScript } from "./script.ts";

/**
 * Writes a hash's field while its value is still the one that was read.
 *
 * KEYS hash
 * ARGV field, the value that was read ("" if there was none), the new value
 * Answers 1, or 0 if it has another value by now, or is gone.
 */
export const changeField = defineScript(`
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
`);
