/**
 * The parts that the scripts share which accept an intent: whether its request is still to be
 * carried out, and then the writing itself.
 *
 * KEYS intent, open, counters, idempotency (used with a fingerprint only)
 * ARGV intentId, record, entryMaxAgeMs, exitMaxAgeMs, latestAt, isWholeFlatten ("1" or "0"),
 *      fingerprint ("" without an Idempotency-Key), idempotencyTtlMs, intentKeyPrefix
 */

/** `keyed` answers `reused`, the intent that an Idempotency-Key stands for, or nil for neither. */
export const keyedIntent = (intentKeyPrefix: `ARGV[${number}]`): string => `
-- An attempt that certainly sent nothing, or is forgotten, leaves its place to another one.
local unsent = { NOTSENT = true, EXPIRED = true, WITHDRAWN = true, LOST = true }
local function stands(intent)
  local state = redis.call('HGET', ${intentKeyPrefix} .. intent, 'state')
  return state and not unsent[state]
end

local function keyed(key, fingerprint)
  local known = redis.call('HMGET', key, 'fingerprint', 'intent')
  if not known[1] then return nil end
  if known[1] ~= fingerprint then return {'reused'} end
  if stands(known[2]) then return {'known', known[2]} end
  return nil
end
`;

/** Ends the script with `late`, `reused`, or the intent that the request's key stands for. */
export const checkRequest = `
if now > tonumber(ARGV[5]) then return {'late'} end
${keyedIntent("ARGV[9]")}
if ARGV[7] ~= '' then
  local found = keyed(KEYS[4], ARGV[7])
  if found then return found end
  redis.call('HSET', KEYS[4], 'fingerprint', ARGV[7], 'intent', ARGV[1])
  redis.call('PEXPIRE', KEYS[4], ARGV[8])
end
`;

export const writeIntent = `
local seq = redis.call('HINCRBY', KEYS[3], 'accepted', 1)
if ARGV[6] == '1' then redis.call('HSET', KEYS[3], 'flatten', seq) end
redis.call('HSET', KEYS[1],
  'state', 'PREPARED', 'record', ARGV[2], 'seq', seq, 'acceptedAt', now,
  'entryExpiresAt', now + ARGV[3], 'exitExpiresAt', now + ARGV[4])
redis.call('ZADD', KEYS[2], seq, ARGV[1])
`;
