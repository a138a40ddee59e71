import { defineScript } from "../script.ts";

/**
 * Takes the lease of a connection where it is free, or renews it where it is the caller's. Each
 * taking raises the epoch, which outlives the lease.
 *
 * KEYS connection
 * ARGV owner, lease in ms, status
 * Answers the epoch, or 0 while another one holds it.
 */
export const holdConnection = defineScript(`
local owner, expiresAt = unpack(redis.call('HMGET', KEYS[1], 'owner', 'expiresAt'))
local left = (tonumber(expiresAt) or 0) - now
if left > 0 and owner ~= ARGV[1] then return 0 end

if left <= 0 then redis.call('HINCRBY', KEYS[1], 'epoch', 1) end
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'expiresAt', now + ARGV[2], 'status', ARGV[3])
return tonumber(redis.call('HGET', KEYS[1], 'epoch'))
`);
