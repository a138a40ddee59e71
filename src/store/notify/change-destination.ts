import { defineScript } from "../redis/script.ts";

/**
 * Writes a destination, unless it was changed since it was read.
 *
 * KEYS destinations
 * ARGV id, as it was read, as it is to be
 * Answers 1, or 0 when it was changed or removed meanwhile.
 */
export const changeDestination = defineScript(`
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
`);
