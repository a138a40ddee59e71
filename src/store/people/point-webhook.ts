import { defineScript } from "../redis/script.ts";

/**
 * Says where a webhook lies since one of its versions. What is older changes nothing, and a webhook
 * that was deleted gets no place again.
 *
 * KEYS place
 * ARGV version, account
 */
export const pointWebhook = defineScript(`
local known = redis.call('GET', KEYS[1])
if not known or tonumber(string.match(known, '^%d+')) >= tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. ARGV[2])
return 1
`);
