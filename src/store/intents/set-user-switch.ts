import { defineScript } from "../redis/script.ts";

/**
 * Sets a user's kill switch, and gives it its next version.
 *
 * KEYS switch
 * ARGV active, reason, when it was changed
 * Answers the version.
 */
export const setUserSwitch = defineScript(`
redis.call('HSET', KEYS[1], 'active', ARGV[1], 'reason', ARGV[2], 'changedAt', ARGV[3])
return redis.call('HINCRBY', KEYS[1], 'version', 1)
`);
