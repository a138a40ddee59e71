import { defineScript } from "../redis/script.ts";

/**
 * Removes a webhook and its rate windows from an account.
 *
 * KEYS record, window, window of the reserve
 * ARGV the arrival it has left for, "" for one that lives here
 * Answers 1, or 0 when there is none, or it is not as it was taken to be.
 */
export const removeWebhook = defineScript(`
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if (redis.call('HGET', KEYS[1], 'arrival') or '') ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
return 1
`);
