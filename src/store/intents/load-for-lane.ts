import { recordFieldsInLua } from "./intent-record.ts";
import { defineScript } from "../redis/script.ts";
import { emptiedAfter } from "./write-intent.ts";

/**
 * Needs `emptiedAfter`. Defines `contextOf(id)`: everything the lane decides on that is kept under the
 * account's hash tag, at one instant. An intent that was begun and never settled counts as unknown: it
 * is not this one's turn otherwise. An empty list for an intent that is not there.
 *
 * KEYS as in `settle`, then limits, account kill switch
 * ARGV[1] intentKeyPrefix
 */
export const contextOf = `
local function contextOf(id)
  local intent = ARGV[1] .. id
  local seq, since, opens = unpack(redis.call('HMGET', intent, 'seq', 'since', 'opens'))
  if not seq then return {} end

  local unknown = {}
  for index = 2, 3 do
    for _, other in ipairs(redis.call('SMEMBERS', KEYS[index])) do
      if other ~= id then
        local record, place = unpack(redis.call('HMGET', ARGV[1] .. other, 'record', 'seq'))
        unknown[#unknown + 1] = { record, place and tonumber(place) < tonumber(seq) and 1 or 0 }
      end
    end
  end

  -- An exit under a condition that came later: what is held when this one is looked at decides.
  local exit = false
  local place, last = string.match(redis.call('HGET', KEYS[1], 'mayEmpty') or '', '^(%d+) (.+)$')
  if place and tonumber(place) > tonumber(since or seq) then
    local state, record = unpack(redis.call('HMGET', ARGV[1] .. last, 'state', 'record'))
    if state == 'PREPARED' or state == 'SENDING' then exit = record end
  end
  return {
    now,
    redis.call('HMGET', intent, ${recordFieldsInLua}),
    endedAfter('flatten', KEYS[1], opens, since or seq) and 1 or 0,
    unknown,
    redis.call('ZCOUNT', KEYS[4], '-inf', '(' .. seq),
    redis.call('HGETALL', KEYS[7]),
    redis.call('HGETALL', KEYS[8]),
    exit,
    endedAfter('target', KEYS[1], opens, since or seq) and 1 or 0,
  }
end
`;

/**
 * What working an intent begins with.
 *
 * KEYS, ARGV as in `contextOf`, then intentId
 */
export const loadForLane = defineScript(`
${emptiedAfter}
${contextOf}
return contextOf(ARGV[2])
`);
