import { defineScript } from "../redis/script.ts";

/**
 * Writes a webhook where it has moved to, for the first who asks: whoever comes later may carry what
 * has been changed, deleted or moved on since.
 *
 * KEYS record, arrival
 * ARGV names and values of its fields
 * Answers 1, or 0 when it has arrived before.
 */
export const arriveWebhook = defineScript(`
if redis.call('DEL', KEYS[2]) == 0 then return 0 end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], unpack(ARGV))
return 1
`);
