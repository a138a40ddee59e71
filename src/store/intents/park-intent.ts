import { defineScript } from "../redis/script.ts";

/**
 * Parks an unsent intent until no earlier outcome is unknown, at its place in the order of
 * acceptance. From then on it needs no job.
 *
 * KEYS intent, held
 * ARGV intentId, replyTo
 * Returns 1, or 0 when it was ended meanwhile.
 */
export const parkIntent = defineScript(`
local intent = redis.call('HMGET', KEYS[1], 'state', 'seq')
if intent[1] ~= 'PREPARED' then return 0 end
redis.call('HSET', KEYS[1], 'replyTo', ARGV[2])
redis.call('ZADD', KEYS[2], intent[2], ARGV[1])
return 1
`);
