import { defineScript } from "../redis/script.ts";

/**
 * Replaces the value of a hash's field while it is still what it was read as.
 *
 * KEYS hash
 * ARGV field, the value it was, the new value
 * Answers 1, or 0 when it is another one by now, or gone.
 */
export const replaceField = defineScript(`
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
`);
