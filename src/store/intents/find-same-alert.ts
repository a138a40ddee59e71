import { UNSETTLED } from "../../domain/intent.ts";
import { denialsWhere } from "../../domain/denials.ts";
import { MAY_HAVE_SENT } from "../../domain/repeat.ts";
import { defineScript, luaNames, luaSet } from "../redis/script.ts";
import { countAsked, keyedIntent } from "./write-intent.ts";

/** Of the hash of a sender's id: 132 bits are as good as all, and take half the room. */
export const ID_HASH_CHARS = 22;

/**
 * Needs `keyedIntent`. Defines `intentOfId`, and `sameAlert`, which answers the intent that stands for an alert or nil,
 * whether the newest body is this one, and whether its place in it is taken.
 *
 * The newest body is a hash: `body` is its own hash, `seq` the place among what people asked of the
 * account of the last one that was accepted with it, each other field a place in it, with the intent that
 * was accepted there. It lives for the window from its first acceptance, and makes way for the next other
 * body. One that does not stand any more begins anew from that place on (`StandsUntil`).
 */
export const sameAlert = (keyOf: (id: string) => string): string => `
${countAsked}
deniedAnew = ${luaNames(denialsWhere(({ isAlertTriedAnew }) => isAlertTriedAnew))}
local unsettled = ${luaNames(UNSETTLED)}
local mayHaveSent = ${luaSet(MAY_HAVE_SENT, (kind) => kind.toUpperCase())}

-- Of a replay: the one that was sent for the same alert, or under its sender's id. One whose record
-- left the log may have been sent, and one that was lost is looked up again first.
local function carriedOut(original, ...)
  for _, intent in ipairs({ ... }) do
    local kept = intent and redis.call('HMGET', ${keyOf("intent")}, 'state', 'outcome') or {}
    local state = kept[1]
    local stays = not state or unsettled[state] or mayHaveSent[state] or hasClosed(kept[2])
    if intent and (stays or standing(intent) == 'lost') then return intent end
  end
  return standing(original) == 'lost' and original or nil
end

local function hasEnded(intent)
  return not unsettled[redis.call('HGET', ${keyOf("intent")}, 'state') or '']
end

-- The intent of the sender's id; earlier versions wrote it elsewhere, and by another hash.
local function intentOfId(key, formerKey, withoutPosition)
  return redis.call('GET', key) or redis.call('GET', formerKey)
    or withoutPosition and redis.call('GET', withoutPosition)
end

local function sameAlert(
    ofId, bodyKey, counters, hasId, body, place, windowMs, untilWhat, idCountsMs)
  local newest = windowMs > 0 and redis.call('HMGET', bodyKey, 'body', place, 'seq') or {}
  local isSameBody = newest[1] == body

  -- The sender's own word on which alert this is goes before what its body looks like.
  local earlier = nil
  if hasId then earlier = ofId elseif isSameBody then earlier = newest[2] end
  local acceptedAt = earlier and redis.call('HGET', ${keyOf("earlier")}, 'acceptedAt')
  -- A later place of the body may have begun the body's window anew.
  if acceptedAt and now - acceptedAt >= (hasId and idCountsMs or windowMs) then earlier = nil end
  if not (earlier and stands(earlier)) then earlier = nil end

  if isSameBody and newest[2] and untilWhat ~= 'otherBody' then
    local isOver = tonumber(newest[3]) ~= asked(counters)
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

/** Refused bodies kept for one webhook: a sender repeats a failed alert within seconds. */
const REFUSED_KEPT = 16;

/**
 * Needs `keyedIntent` and `sameAlert`. A body of which nothing was sent is sent again, perhaps behind
 * another body. Then it is carried out, and is as old as its first attempt: an exit that came since has
 * overtaken it. `keepRefused` keeps what may come again of a body that makes way for another one, and
 * `makeWay` lets it go: of the same body only from a place on.
 * `ageOfRefused` finds an alert's earlier attempt there, within its window, and takes it out. It answers a
 * lost attempt, which must be looked up again first.
 */
export const refusedBodies = (keyOf: (id: string) => string): string => `
local function keepRefused(bodyKey, key, body, place, windowMs)
  local kept = redis.call('HGETALL', bodyKey)
  local former, intents = nil, {}
  for at = 1, #kept, 2 do
    local field, value = kept[at], kept[at + 1]
    if field == 'body' then former = value
    elseif field ~= 'seq' then intents[#intents + 1] = { place = field, id = value } end
  end
  for _, intent in ipairs(intents) do
    local isAtHand = former == body and intent.place == place
    local how = standing(intent.id)
    if not isAtHand and (how == 'anew' or how == 'lost' or not hasEnded(intent.id)) then
      local many = redis.call('RPUSH', key, former .. ' ' .. intent.place .. ' ' .. intent.id)
      if many > ${REFUSED_KEPT} then redis.call('LPOP', key) end
      redis.call('PEXPIRE', key, windowMs)
    end
  end
end

local function makeWay(bodyKey, body, place)
  if redis.call('HGET', bodyKey, 'body') ~= body then return redis.call('DEL', bodyKey) end
  for _, field in ipairs(redis.call('HKEYS', bodyKey)) do
    local at = tonumber(field)
    if at and at >= tonumber(place) then redis.call('HDEL', bodyKey, field) end
  end
end

local function ageOfRefused(key, body, place, windowMs)
  local kept, named = redis.call('LRANGE', key, 0, -1), body .. ' ' .. place .. ' '
  for at = #kept, 1, -1 do
    if string.sub(kept[at], 1, #named) == named then
      local earlier = string.sub(kept[at], #named + 1)
      local acceptedAt = redis.call('HGET', ${keyOf("earlier")}, 'acceptedAt')
      local isOver = not acceptedAt or now - acceptedAt >= windowMs
      if not isOver and standing(earlier) == 'lost' then return earlier end
      if isOver or not stands(earlier) then redis.call('LREM', key, 0, kept[at]) end
      return nil
    end
  end
  return nil
end
`;

/**
 * Which alert stands for one that is refused as things are now. Writes nothing.
 *
 * KEYS same id and where that was (used with one only), newest body (used with a window only),
 *      counters, replayed (used with a replay only), same id by its former hash (absent where that is the same)
 * ARGV has an id ("1" or "0"), body's hash, place in it, windowMs, intentKeyPrefix, until when the
 *      body counts, is a replay ("1" or "0"), ms for which an id counts, the alert that it replays
 * Answers `known` with the intent id of the earlier one, or `free`.
 */
export const findSameAlert = defineScript(`
${keyedIntent(keyOf)}
${sameAlert(keyOf)}
local hasId = ARGV[1] == '1'
local ofId = hasId and intentOfId(KEYS[1], KEYS[2], KEYS[6])
local earlier
if ARGV[7] == '1' then
  earlier = carriedOut(ARGV[9], redis.call('GET', KEYS[5]), ofId)
else
  earlier = sameAlert(ofId, KEYS[3], KEYS[4], hasId, ARGV[2], ARGV[3],
    tonumber(ARGV[4]), ARGV[6], tonumber(ARGV[8]))
end
return earlier and {'known', earlier} or {'free'}
`);
