import { defineScript } from "../redis/script.ts";

/**
 * Removes a hash's field while its value is still what it was read as.
 *
 * KEYS hash
 * ARGV field, the value it was
 * Answers 1, or 0 when it is another one by now, or gone.
 */
export const removeField = defineScript(`
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
return redis.call('HDEL', KEYS[1], ARGV[1])
`);
