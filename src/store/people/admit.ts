import { defineScript } from "../redis/script.ts";

/** Counts a request in an exact sliding window; answers whether it fits, and how many there are then. */
export const takeFromWindow = `
local function takeFromWindow(key, most, window, member)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now - window)
  local used = redis.call('ZCARD', key)
  if used >= most then return false, used end
  redis.call('ZADD', key, now, member)
  redis.call('PEXPIRE', key, window)
  return true, used + 1
end
`;

/**
 * Answers whether a key, token or session lives, and counts the request in its exact sliding window:
 * one step, so that a revocation holds at once. A limit of the credential's own is in its field
 * `rateLimit`, and takes the place of the one that is given. A session ends by itself when it was not
 * used for long: in the same step, so that of two requests that find it so neither wakes it up.
 *
 * An exit that finds the window full is counted in a window of its own, which is as exact: whatever
 * was asked before it, it is let through. The limit and what is used of it are always the window's.
 *
 * KEYS credential, window, window of the reserve
 * ARGV limit, window in ms, member, how many the reserve lets through (0 for what is no exit), and for
 *   a session: ms without use after which it is over, and whether this request is a use of it
 * Answers {} for an unknown or revoked one, else {admitted, now, limit, used, ms until one is free,
 * fields}.
 */
export const admit = defineScript(`
local fields = redis.call('HGETALL', KEYS[1])
if #fields == 0 or redis.call('HEXISTS', KEYS[1], 'revokedAt') == 1 then return {} end
if ARGV[5] and redis.call('HGET', KEYS[1], 'lastUsedAt') + ARGV[5] <= now then
  redis.call('DEL', KEYS[1])
  return {}
end

local limit = tonumber(redis.call('HGET', KEYS[1], 'rateLimit') or ARGV[1])
local window = tonumber(ARGV[2])
${takeFromWindow}
local function take(key, most) return takeFromWindow(key, most, window, ARGV[3]) end

local fits, used = take(KEYS[2], limit)
local reserve = tonumber(ARGV[4])
local admitted = fits or (reserve > 0 and take(KEYS[3], reserve))
if admitted and ARGV[6] ~= '0' then redis.call('HSET', KEYS[1], 'lastUsedAt', now) end
-- The oldest one, unless the limit has become smaller: more than one has to leave then.
local first = fits and 0 or used - limit
local leaves = redis.call('ZRANGE', KEYS[2], first, first, 'WITHSCORES')
local free = leaves[2] and (leaves[2] + window - now) or 0
return { admitted and 1 or 0, now, limit, used, free, fields }
`);
