import { defineScript } from "../redis/script.ts";

/**
 * Renews the lease of a connection where the caller owns it, or takes it where it is free and the
 * caller gives a new epoch.
 *
 * KEYS connection
 * ARGV owner, lease in ms, status, new epoch ("" to renew only), why it is that status ("" for nothing)
 * Returns the epoch, 0 while another process owns it, -1 when it is free.
 */
export const takeLease = defineScript(`
local owner, expiresAt = unpack(redis.call('HMGET', KEYS[1], 'owner', 'expiresAt'))
local left = (tonumber(expiresAt) or 0) - now
if left > 0 and owner ~= ARGV[1] then return 0 end

if left <= 0 and ARGV[4] == '' then return -1 end
if left <= 0 or redis.call('HGET', KEYS[1], 'status') ~= ARGV[3] then
  redis.call('HSET', KEYS[1], 'since', now)
end
if left <= 0 then redis.call('HSET', KEYS[1], 'epoch', ARGV[4]) end
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'expiresAt', now + ARGV[2], 'status', ARGV[3],
  'why', ARGV[5])
return tonumber(redis.call('HGET', KEYS[1], 'epoch'))
`);
