import { defineScript } from "../redis/script.ts";

/**
 * Changes and clears single fields of a webhook that lives here, and never makes a new one: one that
 * is deleted at the same time stays deleted, and of two changes at once each keeps its fields. Every
 * change raises the webhook's version.
 *
 * KEYS record
 * ARGV how many fields are cleared, their names, then names and values of those that are set
 * Answers the record as it is then; {} when there is none, or it has left.
 */
export const changeWebhook = defineScript(`
if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], 'arrival') == 1 then
  return {}
end
local cleared = tonumber(ARGV[1])
if cleared > 0 then redis.call('HDEL', KEYS[1], unpack(ARGV, 2, cleared + 1)) end
if #ARGV > cleared + 1 then redis.call('HSET', KEYS[1], unpack(ARGV, cleared + 2)) end
redis.call('HINCRBY', KEYS[1], 'version', 1)
return redis.call('HGETALL', KEYS[1])
`);
