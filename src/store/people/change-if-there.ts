import { defineScript } from "../redis/script.ts";

/**
 * Changes and clears single fields of a hash that exists, and never makes a new one: a token that
 * is deleted at the same time stays deleted, and of two changes at once each keeps its fields.
 *
 * KEYS hash
 * ARGV how many fields are cleared, their names, then names and values of those that are set
 * Answers the hash as it is then, {} when there is none.
 */
export const changeIfThere = defineScript(`
if redis.call('EXISTS', KEYS[1]) == 0 then return {} end
local cleared = tonumber(ARGV[1])
if cleared > 0 then redis.call('HDEL', KEYS[1], unpack(ARGV, 2, cleared + 1)) end
if #ARGV > cleared + 1 then redis.call('HSET', KEYS[1], unpack(ARGV, cleared + 2)) end
return redis.call('HGETALL', KEYS[1])
`);
