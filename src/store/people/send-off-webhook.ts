import { defineScript } from "../redis/script.ts";

/**
 * Sends a webhook off from where stores up to form 2 have it, once, and notes its place: both lie
 * under its hash.
 *
 * KEYS former record, place
 * ARGV account, arrival
 * Answers the record with the arrival that holds; {} when it is gone.
 */
export const sendOffWebhook = defineScript(`
if redis.call('EXISTS', KEYS[1]) == 0 then return {} end
if redis.call('HSETNX', KEYS[1], 'arrival', ARGV[2]) == 1 then
  redis.call('HSET', KEYS[1], 'version', 1)
  redis.call('SET', KEYS[2], '1 ' .. ARGV[1])
end
return redis.call('HGETALL', KEYS[1])
`);
