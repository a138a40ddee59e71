import { defineScript } from "../redis/script.ts";

/**
 * Ends a lease before it expires: its owner releases it, or is known to be dead.
 *
 * KEYS connection
 * ARGV owner ("" for any)
 * Returns 1 when there was a lease to end.
 */
export const endLease = defineScript(`
local owner, expiresAt = unpack(redis.call('HMGET', KEYS[1], 'owner', 'expiresAt'))
if not owner or (ARGV[1] ~= '' and owner ~= ARGV[1]) then return 0 end
if tonumber(expiresAt) <= now then return 0 end
redis.call('HSET', KEYS[1], 'expiresAt', 0, 'since', now)
return 1
`);
