import { UNSETTLED } from "../../domain/intent.ts";
import { DENIED_ALERT_TRIED_ANEW, MAY_HAVE_SENT } from "../../domain/repeat.ts";
import { defineScript, luaSet } from "../redis/script.ts";
import { keyedIntent } from "./write-intent.ts";

/** Of the hash of a sender's id: 132 bits are as good as all, and take half the room. */
export const ID_HASH_CHARS = 22;

/**
 * Needs `keyedIntent`. Defines `intentOfId`, and `sameAlert`, which answers the intent that stands for an alert or nil,
 * whether the newest body is this one, and whether its place in it is taken.
 *
 * The newest body is a hash: `body` is its own hash, `seq` the place among the account's intents of
 * the last one that was accepted with it, each other field a place in it, with the intent that was
 * accepted there. It lives for the window from its first acceptance, and makes way for the next other
 * body. One that does not stand any more begins anew (`StandsUntil`).
 */
export const sameAlert = (keyOf: (id: string) => string): string => `
deniedAnew = ${luaSet(DENIED_ALERT_TRIED_ANEW)}
local unsettled = { ${UNSETTLED.map((state) => `${state} = true`).join(", ")} }
local mayHaveSent = ${luaSet(MAY_HAVE_SENT, (kind) => kind.toUpperCase())}

-- Of a replay: the one that was sent for the same alert, or under its sender's id. One whose record
-- left the log may have been sent.
local function carriedOut(...)
  for _, intent in ipairs({ ... }) do
    local state = intent and redis.call('HGET', ${keyOf("intent")}, 'state')
    if intent and (not state or unsettled[state] or mayHaveSent[state]) then return intent end
  end
  return nil
end

local function hasEnded(intent)
  return not unsettled[redis.call('HGET', ${keyOf("intent")}, 'state') or '']
end

-- The intent that the sender's id stands for; earlier versions wrote it elsewhere.
local function intentOfId(key, formerKey)
  return redis.call('GET', key) or redis.call('GET', formerKey)
end

local function sameAlert(
    ofId, bodyKey, counters, hasId, body, place, hasWindow, untilWhat, idCountsMs)
  local newest = hasWindow and redis.call('HMGET', bodyKey, 'body', place, 'seq') or {}
  local isSameBody = newest[1] == body

  -- The sender's own word on which alert this is goes before what its body looks like.
  local earlier = nil
  if hasId then
    earlier = ofId
    local acceptedAt = earlier and redis.call('HGET', ${keyOf("earlier")}, 'acceptedAt')
    if acceptedAt and now - acceptedAt >= idCountsMs then earlier = nil end
  elseif isSameBody then
    earlier = newest[2]
  end
  if not (earlier and stands(earlier)) then earlier = nil end

  if isSameBody and newest[2] and untilWhat ~= 'otherBody' then
    local isOver = newest[3] ~= redis.call('HGET', counters, 'accepted')
      or untilWhat == 'ended' and hasEnded(newest[2])
    if isOver then
      isSameBody = false
      if not hasId then earlier = nil end
    end
  end
  return earlier, isSameBody, newest[2]
end
`;

const keyOf = (id: string) => `ARGV[5] .. ${id}`;

/**
 * Which alert stands for one that is refused as things are now. Writes nothing.
 *
 * KEYS same id and where that was (used with one only), newest body (used with a window only),
 *      counters, replayed (used with a replay only)
 * ARGV has an id ("1" or "0"), body's hash, place in it, windowMs, intentKeyPrefix, until when the
 *      body stands, is a replay ("1" or "0"), ms for which an id counts
 * Answers `known` with the intent id of the earlier one, or `free`.
 */
export const findSameAlert = defineScript(`
${keyedIntent(keyOf)}
${sameAlert(keyOf)}
local hasId = ARGV[1] == '1'
local ofId = hasId and intentOfId(KEYS[1], KEYS[2])
local earlier
if ARGV[7] == '1' then
  earlier = carriedOut(redis.call('GET', KEYS[5]), ofId)
else
  earlier = sameAlert(ofId, KEYS[3], KEYS[4], hasId, ARGV[2], ARGV[3],
    tonumber(ARGV[4]) > 0, ARGV[6], tonumber(ARGV[8]))
end
return earlier and {'known', earlier} or {'free'}
`);
