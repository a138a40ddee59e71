import { defineScript } from "../redis/script.ts";

/**
 * Sends a webhook off from where stores up to form 2 have it, once, and notes its place: both lie
 * under its hash.
 *
 * KEYS former record, place
 * ARGV account, arrival
 * Answers the record with the arrival that holds; {} when it is gone, and 0 when it points elsewhere by
 * now.
 */
export const sendOffWebhook = defineScript(`
if redis.call('EXISTS', KEYS[1]) == 0 then return {} end
if redis.call('HEXISTS', KEYS[1], 'arrival') == 0 then
  if redis.call('HGET', KEYS[1], 'accountId') ~= ARGV[1] then return 0 end
  redis.call('HSET', KEYS[1], 'arrival', ARGV[2], 'version', 1)
  redis.call('SET', KEYS[2], '1 ' .. ARGV[1])
end
return redis.call('HGETALL', KEYS[1])
`);
