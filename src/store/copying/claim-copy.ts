import { defineScript } from "../redis/script.ts";

/**
 * Notes the number of a copy that is on its way, unless a later one was noted before.
 *
 * KEYS copied
 * ARGV field, number
 * Answers 1, or 0 when a later one was there first.
 */
export const claimCopy = defineScript(`
local newest = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0')
if newest > tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1
`);
