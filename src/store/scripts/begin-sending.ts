import { defineScript } from "../script.ts";

/**
 * The write-ahead: stores the order's identifier and the state SENDING before any byte leaves. What
 * adds risk passes only inside the account's orders per minute and with its kill switch off.
 *
 * KEYS intent, sent, account kill switch
 * ARGV clOrdId, expiresAt, orders per minute ("" for what is always let through), permit, most
 *      orders of this intent, plan ("" for none)
 * Answers `granted`, `expired`, `killed`, `limited` or `refused` with the reason. Asked again with
 * the same permit it answers `granted` again: Redis can be asked twice over a broken connection.
 */
export const beginSending = defineScript(`
local state = redis.call('HGET', KEYS[1], 'state')
if state ~= 'PREPARED' and state ~= 'SENDING' then
  return {'refused', 'the intent is ' .. (state or 'gone')}
end

local permit = redis.call('HGET', KEYS[1], 'permit:' .. ARGV[1])
if permit == ARGV[4] then return {'granted'} end
if permit then return {'refused', 'the order was sent before'} end

-- A worker that Redis kept waiting must not send what its caller has long given up. What was begun
-- is carried through: half a flatten helps nobody.
if state == 'PREPARED' and now >= tonumber(ARGV[2]) then return {'expired'} end

local known = redis.call('HGET', KEYS[1], 'clOrdIds') or ''
local _, orders = string.gsub(known, '[^,]+', '')
if orders >= tonumber(ARGV[5]) then
  return {'refused', 'it would send more orders than it is for'}
end

if ARGV[3] ~= '' then
  if redis.call('HGET', KEYS[3], 'active') == '1' then return {'killed'} end
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - 60000)
  if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[3]) then return {'limited'} end
  redis.call('ZADD', KEYS[2], now, ARGV[1])
  redis.call('PEXPIRE', KEYS[2], 60000)
end

local ids = known == '' and ARGV[1] or (known .. ',' .. ARGV[1])
redis.call('HSET', KEYS[1], 'state', 'SENDING', 'clOrdIds', ids, 'permit:' .. ARGV[1], ARGV[4])
redis.call('HSETNX', KEYS[1], 'sentAt', now)
if ARGV[6] ~= '' then redis.call('HSET', KEYS[1], 'plan', ARGV[6]) end
return {'granted'}
`);
