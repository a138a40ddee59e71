import { copyUserSwitch } from "../intents/copy-user-switch.ts";
import { defineScript } from "../redis/script.ts";

/**
 * Lets only the given epoch, or a later one, write ahead for an account from now on, and gives the
 * account what stops the orders of its user before anybody can.
 *
 * KEYS epoch, the account's copy of the user's kill switch, its revoked keys and tokens
 * ARGV epoch, the switch (version, active, reason), how long the dead are remembered, then when each
 *   of them is forgotten and which it is
 * Answers 1, or 0 when a later owner was there first.
 */
export const fenceAccount = defineScript(`
${copyUserSwitch}
local known = tonumber(redis.call('GET', KEYS[1]) or '0')
if known > tonumber(ARGV[1]) then return 0 end
copyUserSwitch(KEYS[2], ARGV[2], ARGV[3], ARGV[4])
for index = 6, #ARGV, 2 do redis.call('ZADD', KEYS[3], ARGV[index], ARGV[index + 1]) end
redis.call('PEXPIRE', KEYS[3], ARGV[5])
if known < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], ARGV[1]) end
return 1
`);
