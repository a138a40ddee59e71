import { UNSETTLED } from "../../domain/intent.ts";
import { isClosed, ORD_STATUSES } from "../../domain/order.ts";
import { luaNames } from "../redis/script.ts";
import { dropEnding } from "./alert-endings.ts";

/** How many alerts one step drops at most; what is over goes with the next ones. */
export const DROPPED_AT_ONCE = 10;

/** How long a sender may repeat an alert, at least. */
export const REPEATED_WITHIN_MS = 60_000;

/**
 * For how long after its acceptance nobody may have seen yet that an alert's order works: records of
 * working orders are kept anew each hour.
 */
export const SEEN_WITHIN_MS = 2 * 3_600_000;

const CLOSED = ORD_STATUSES.filter(isClosed);

/** How the record of an earlier version begins, which does not say for how long it is needed. */
const FORMER_RECORD = '{"intentId"';

/**
 * Defines `makeRoom(accepted alerts, most, retentionMs, intentKeyPrefix, endingPrefix, ms after its
 * end)`: the oldest alerts leave the log, and their records with them, since no list shows them any
 * more. A record that a repeat may still ask for, or whose order works, stays until then by its
 * expiry; one that is not settled until a day after its end. One of an earlier version, which does not
 * say whether a repeat may ask for it, stays for a day as well.
 */
export const makeRoom = `${dropEnding}
local unsettledNow = ${luaNames(UNSETTLED)}

local closed = ${luaNames(CLOSED)}

-- Whether an order worked when its intent ended, or exits stood beside it, or may have.
local function mayWork(state, outcome)
  if state == 'UNPROTECTED' then return true end
  for status in string.gmatch(outcome, '"ordStatus":"([^"]*)"') do
    if not closed[status] then return true end
  end
  for _, exits in ipairs({ 'takeProfitOrderId', 'stopLossOrderId', 'legsUnconfirmed' }) do
    if string.find(outcome, '"' .. exits .. '":', 1, true) then return true end
  end
  return false
end

local function forget(record, id, endingPrefix, afterEndMs)
  local state, acceptedAt, neededUntil, outcome, wanted =
    unpack(redis.call('HMGET', record, 'state', 'acceptedAt', 'neededUntil', 'outcome', 'record'))
  if not state then return end
  if unsettledNow[state] then
    redis.call('HSET', record, 'retentionMs', afterEndMs)
    return
  end
  dropEnding(endingPrefix, id, state)
  if not neededUntil and string.find(wanted or '', '${FORMER_RECORD}', 1, true) == 1 then
    neededUntil = acceptedAt + afterEndMs
  end
  local leastMs = mayWork(state, outcome or '') and ${SEEN_WITHIN_MS} or ${REPEATED_WITHIN_MS}
  local left = math.max(tonumber(neededUntil or 0), acceptedAt + leastMs) - now
  if left > 0 then redis.call('PEXPIRE', record, left) else redis.call('DEL', record) end
end

local function makeRoom(accepted, most, retentionMs, intentPrefix, endingPrefix, afterEndMs)
  local over = redis.call('ZCARD', accepted) - most
  for dropped = 1, ${DROPPED_AT_ONCE} do
    local id, receivedAt = unpack(redis.call('ZRANGE', accepted, 0, 0, 'WITHSCORES'))
    if not id or dropped > over and tonumber(receivedAt) > now - retentionMs then return end
    redis.call('ZREM', accepted, id)
    forget(intentPrefix .. id, id, endingPrefix, afterEndMs)
  end
end
`;
