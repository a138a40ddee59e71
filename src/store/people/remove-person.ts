import { defineScript } from "../redis/script.ts";

/**
 * Forgets what a person signs in with, and frees their name; links that they have not used yet are
 * good for nothing any more, as long as there can be one.
 *
 * KEYS names, person, passkeys
 * ARGV how long a link lives, ms
 */
export const removePerson = defineScript(`
local name = redis.call('HGET', KEYS[2], 'nameKey')
if name then redis.call('HDEL', KEYS[1], name) end
redis.call('DEL', KEYS[2], KEYS[3])
redis.call('HSET', KEYS[2], 'setUps', 'removed')
redis.call('PEXPIRE', KEYS[2], ARGV[1])
`);
