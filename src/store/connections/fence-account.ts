import { defineScript } from "../redis/script.ts";

/**
 * Lets only the given epoch, or a later one, write ahead for an account from now on.
 *
 * KEYS epoch
 * ARGV epoch
 * Answers 1, or 0 when a later owner was there first.
 */
export const fenceAccount = defineScript(`
local known = tonumber(redis.call('GET', KEYS[1]) or '0')
if known > tonumber(ARGV[1]) then return 0 end
if known < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], ARGV[1]) end
return 1
`);
