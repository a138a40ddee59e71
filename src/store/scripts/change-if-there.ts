import { defineScript } from "../script.ts";

/**
 * Changes fields of a hash that exists, and never makes a new one: a token that is deleted at the
 * same time stays deleted.
 *
 * KEYS hash
 * ARGV names and values
 */
export const changeIfThere = defineScript(`
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], unpack(ARGV))
return 1
`);
