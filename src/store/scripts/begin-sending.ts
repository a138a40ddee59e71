import { defineScript } from "../script.ts";

/**
 * The write-ahead: stores the order's identifier and the state SENDING before any byte leaves,
 * inside the account's orders per minute, and never more orders for an intent than identifiers.
 *
 * KEYS intent, sent, counters
 * ARGV clOrdId, expiresAt, orders per minute ("" for uncounted)
 * Answers `granted`, `expired`, `limited` or `refused` with the reason.
 */
export const beginSending = defineScript(`
local state = redis.call('HGET', KEYS[1], 'state')
if state ~= 'PREPARED' and state ~= 'SENDING' then
  return {'refused', 'the intent is ' .. (state or 'gone')}
end

-- A worker that Redis kept waiting must not send what its caller has long given up. What was begun
-- is carried through: half a flatten helps nobody.
if state == 'PREPARED' and now >= tonumber(ARGV[2]) then return {'expired'} end

local known = redis.call('HGET', KEYS[1], 'clOrdIds') or ''
if string.find(',' .. known .. ',', ',' .. ARGV[1] .. ',', 1, true) then
  return {'refused', 'the order was sent before'}
end

if ARGV[3] ~= '' then
  local accepted = tonumber(redis.call('HGET', KEYS[3], 'accepted') or '0')
  local sent = tonumber(redis.call('HGET', KEYS[3], 'sent') or '0')
  if sent >= accepted then
    return {'refused', 'more orders would leave than intents came in'}
  end
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - 60000)
  if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[3]) then return {'limited'} end
  redis.call('ZADD', KEYS[2], now, ARGV[1])
  redis.call('PEXPIRE', KEYS[2], 60000)
  redis.call('HINCRBY', KEYS[3], 'sent', 1)
end

local ids = known == '' and ARGV[1] or (known .. ',' .. ARGV[1])
redis.call('HSET', KEYS[1], 'state', 'SENDING', 'clOrdIds', ids)
redis.call('HSETNX', KEYS[1], 'sentAt', now)
return {'granted'}
`);
