import { defineScript } from "../script.ts";

/**
 * Answers whether a key, token or session lives, and counts the request in its exact sliding window:
 * one step, so that a revocation holds at once. A limit of the credential's own is in its field
 * `rateLimit`, and takes the place of the one that is given. A session ends by itself when it was not
 * used for long: in the same step, so that of two requests that find it so neither wakes it up.
 *
 * KEYS credential, window
 * ARGV limit, window in ms, member, and for a session: ms without use after which it is over, and
 *   whether this request is a use of it
 * Answers {} for an unknown or revoked one, else {admitted, now, limit, used, ms until one is free,
 * fields}.
 */
export const admit = defineScript(`
local fields = redis.call('HGETALL', KEYS[1])
if #fields == 0 or redis.call('HEXISTS', KEYS[1], 'revokedAt') == 1 then return {} end
if ARGV[4] and redis.call('HGET', KEYS[1], 'lastUsedAt') + ARGV[4] <= now then
  redis.call('DEL', KEYS[1])
  return {}
end

local limit = tonumber(redis.call('HGET', KEYS[1], 'rateLimit') or ARGV[1])
local window = tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - window)
local used = redis.call('ZCARD', KEYS[2])
local admitted = used < limit and 1 or 0
if admitted == 1 then
  redis.call('ZADD', KEYS[2], now, ARGV[3])
  redis.call('PEXPIRE', KEYS[2], window)
  if ARGV[5] ~= '0' then redis.call('HSET', KEYS[1], 'lastUsedAt', now) end
  used = used + 1
end
-- The oldest one, unless the limit has become smaller: more than one has to leave then.
local first = admitted == 1 and 0 or used - limit
local leaves = redis.call('ZRANGE', KEYS[2], first, first, 'WITHSCORES')
local free = leaves[2] and (leaves[2] + window - now) or 0
return { admitted, now, limit, used, free, fields }
`);
