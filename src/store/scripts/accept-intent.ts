import { defineScript } from "../script.ts";

/**
 * Writes a new intent, unless it comes too late or its Idempotency-Key already stands for one.
 *
 * KEYS intent, open, counters, and idempotency where the request carries a key
 * ARGV intentId, record, entryMaxAgeMs, exitMaxAgeMs, latestAt, isWholeFlatten, fingerprint,
 *      idempotencyTtlMs, intentKeyPrefix
 * Answers `accepted`, `late`, `reused`, or the intent id that the key stands for.
 */
export const acceptIntent = defineScript(`
if now > tonumber(ARGV[5]) then return {'late'} end

if KEYS[4] then
  local known = redis.call('HMGET', KEYS[4], 'fingerprint', 'intent')
  if known[1] then
    if known[1] ~= ARGV[7] then return {'reused'} end
    -- An attempt that certainly sent nothing leaves the key free for another one.
    local state = redis.call('HGET', ARGV[9] .. known[2], 'state')
    local unsent = { NOTSENT = true, EXPIRED = true, WITHDRAWN = true, LOST = true }
    if state and not unsent[state] then return {'known', known[2]} end
  end
  redis.call('HSET', KEYS[4], 'fingerprint', ARGV[7], 'intent', ARGV[1])
  redis.call('PEXPIRE', KEYS[4], ARGV[8])
end

local seq = redis.call('HINCRBY', KEYS[3], 'accepted', 1)
if ARGV[6] == '1' then redis.call('HSET', KEYS[3], 'flatten', seq) end
redis.call('HSET', KEYS[1],
  'state', 'PREPARED', 'record', ARGV[2], 'seq', seq, 'acceptedAt', now,
  'entryExpiresAt', now + ARGV[3], 'exitExpiresAt', now + ARGV[4])
redis.call('ZADD', KEYS[2], seq, ARGV[1])
return {'accepted'}
`);
