import { defineScript } from "../redis/script.ts";

/**
 * Writes what a user has set of a connection, unless it was changed since it was read.
 *
 * KEYS setup
 * ARGV the version that was read ("0" when there was none), the setup as JSON
 * Answers 1 when it is written, 0 when it was changed or removed meanwhile.
 */
export const saveConnectionSetup = defineScript(`
local version = redis.call('HGET', KEYS[1], 'version') or '0'
if version ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'version', version + 1, 'setup', ARGV[2])
return 1
`);
