import { defineScript } from "../redis/script.ts";

/**
 * Holds an intent that was not sent back until no earlier outcome is unknown, in its place in the
 * order of acceptance. It needs no job from then on.
 *
 * KEYS intent, held
 * ARGV intentId, replyTo
 * Answers 1, or 0 when it was ended meanwhile.
 */
export const parkIntent = defineScript(`
local intent = redis.call('HMGET', KEYS[1], 'state', 'seq')
if intent[1] ~= 'PREPARED' then return 0 end
redis.call('HSET', KEYS[1], 'replyTo', ARGV[2])
redis.call('ZADD', KEYS[2], intent[2], ARGV[1])
return 1
`);
