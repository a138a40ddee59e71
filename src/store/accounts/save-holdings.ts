import { defineScript } from "../redis/script.ts";

/**
 * Writes fields of an account's base, unless the account has a newer owner than the sender.
 *
 * KEYS position base, epoch
 * ARGV the sender's epoch, then for each field: name, value
 * Answers 1, or 0 when there is a newer owner.
 */
export const saveHoldings = defineScript(`
if tonumber(redis.call('GET', KEYS[2]) or '0') > tonumber(ARGV[1]) then return 0 end
for index = 2, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[index], ARGV[index + 1]) end
return 1
`);
