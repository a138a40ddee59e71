import { GOING_ON } from "../../domain/intent.ts";
import { defineScript, luaNames } from "../redis/script.ts";

/**
 * The write-ahead: stores the order's identifier and the state SENDING before any byte leaves. Only
 * the account's newest owner may, nothing is begun for a key or token that is dead, and what adds risk
 * passes only inside the account's orders per minute, with its kill switch and its user's off, while no
 * guard has locked it, and judged by the guards that stand. All that is asked lies in the account's slot.
 *
 * KEYS intent, sent, account kill switch, epoch, sending, the account's copy of its user's kill
 *      switch, its revoked keys and tokens, its guards, its exit plans that work, its orders' timeouts
 * ARGV clOrdId, expiresAt, orders per minute ("" for what is always let through), permit, most
 *      orders of this intent, plan ("" for none), the sender's epoch, intentId, an exit's plan ("" for
 *      none), whether an exit goes on whose outcome is unknown ("1" or "0"), the key or token it came by
 *      ("" for none), until when the process has room for it in its share of the orders per minute
 *      of all ("0" for none), the prices then ("" where they are not known), the version of the guards
 *      that it was judged by ("" for none), the exit plan and the timeout that the order has ("" for none)
 * Answers `granted`, `fenced`, `expired`, `revoked`, `limited` with the one that is (`account` or
 * `all`), `killed` with the reason it was given, `locked` with the lock, `guardsChanged`, or `refused` with the reason. Asked again with the same permit it
 * answers `granted` again: Redis can be asked twice over a broken connection.
 */
export const beginSending = defineScript(`
-- Without an epoch there is no owner, and so nobody who may send.
if redis.call('GET', KEYS[4]) ~= ARGV[7] then return {'fenced'} end

local intent = redis.call('HMGET', KEYS[1], 'state', 'clOrdIds', 'permit:' .. ARGV[1], 'stopped')
local state, known, permit = intent[1], intent[2] or '', intent[3]
local goingOn = ${luaNames(GOING_ON)}
local goesOn = (state == 'UNKNOWN' or goingOn[state or '']) and ARGV[10] == '1'
if state ~= 'PREPARED' and state ~= 'SENDING' and not goesOn then
  return {'refused', 'the intent is ' .. (state or 'gone')}
end
if permit == ARGV[4] then return {'granted'} end
if permit then return {'refused', 'the order was sent before'} end
if goesOn and intent[4] then return {'refused', 'a person took it back'} end

-- A worker that Redis kept waiting must not send what its caller has long given up. What was begun
-- is carried through: half a flatten helps nobody.
if state == 'PREPARED' and now >= tonumber(ARGV[2]) then return {'expired'} end

local _, orders = string.gsub(known, '[^,]+', '')
if orders >= tonumber(ARGV[5]) then
  return {'refused', 'it would send more orders than it is for'}
end

-- What was begun is carried through: a revocation stops only what sends its first order.
local isFirst = known == '' and not goesOn
if ARGV[11] ~= '' and (isFirst or ARGV[3] ~= '') then
  local forgottenAt = redis.call('ZSCORE', KEYS[7], ARGV[11])
  if forgottenAt and tonumber(forgottenAt) > now then return {'revoked'} end
end

if ARGV[3] ~= '' then
  local ofUser = redis.call('HMGET', KEYS[6], 'active', 'reason')
  if ofUser[1] ~= '0' then return {'killed', ofUser[2] or 'Whether it is on is not known'} end
  local switch = redis.call('HMGET', KEYS[3], 'active', 'reason')
  if switch[1] == '1' then return {'killed', switch[2] or ''} end
  local guards = redis.call('HMGET', KEYS[8], 'version', 'lock')
  if guards[2] then return {'locked', guards[2]} end
  if (guards[1] or '') ~= ARGV[14] then return {'guardsChanged'} end
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - 60000)
  if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[3]) then return {'limited', 'account'} end
  if now >= tonumber(ARGV[12]) then return {'limited', 'all'} end
  redis.call('ZADD', KEYS[2], now, ARGV[1])
  redis.call('PEXPIRE', KEYS[2], 60000)
end

local ids = known == '' and ARGV[1] or (known .. ',' .. ARGV[1])
redis.call('HSET', KEYS[1],
  'state', goesOn and state or 'SENDING', 'clOrdIds', ids, 'permit:' .. ARGV[1], ARGV[4])
redis.call('HSETNX', KEYS[1], 'sentAt', now)
if ARGV[6] ~= '' then redis.call('HSET', KEYS[1], 'plan', ARGV[6]) end
if ARGV[9] ~= '' then redis.call('HSET', KEYS[1], 'exitPlan', ARGV[9]) end
if ARGV[13] ~= '' then redis.call('HSETNX', KEYS[1], 'quote', ARGV[13]) end
if ARGV[15] ~= '' then redis.call('HSET', KEYS[9], ARGV[8], ARGV[15]) end
if ARGV[16] ~= '' then redis.call('HSET', KEYS[10], ARGV[1], ARGV[16]) end
-- What goes on is looked after already, and nobody may take it back.
if not goesOn then redis.call('SADD', KEYS[5], ARGV[8]) end
return {'granted'}
`);
