import { recordFieldsInLua } from "./intent-record.ts";
import { defineScript } from "../redis/script.ts";
import { emptiedAfter } from "./write-intent.ts";

/**
 * Everything the lane decides on that is kept under the account's hash tag, at one instant. An
 * intent that was begun and never settled counts as unknown: it is not this one's turn otherwise.
 *
 * KEYS intent, counters, unknown, sending, held, limits, account kill switch
 * ARGV intentId, intentKeyPrefix
 * Answers {} for an intent that is not there.
 */
export const loadForLane = defineScript(`
${emptiedAfter}
local seq, since, opens = unpack(redis.call('HMGET', KEYS[1], 'seq', 'since', 'opens'))
if not seq then return {} end

local unknown = {}
for index = 3, 4 do
  for _, id in ipairs(redis.call('SMEMBERS', KEYS[index])) do
    if id ~= ARGV[1] then
      local record, place = unpack(redis.call('HMGET', ARGV[2] .. id, 'record', 'seq'))
      unknown[#unknown + 1] = { record, place and tonumber(place) < tonumber(seq) and 1 or 0 }
    end
  end
end

-- An exit under a condition that came later: what is held when this one is looked at decides.
local exit = false
local place, last = string.match(redis.call('HGET', KEYS[2], 'mayEmpty') or '', '^(%d+) (.+)$')
if place and tonumber(place) > tonumber(since or seq) then
  local state, record = unpack(redis.call('HMGET', ARGV[2] .. last, 'state', 'record'))
  if state == 'PREPARED' or state == 'SENDING' then exit = record end
end
return {
  now,
  redis.call('HMGET', KEYS[1], ${recordFieldsInLua}),
  endedAfter('flatten', KEYS[2], opens, since or seq) and 1 or 0,
  unknown,
  redis.call('ZCOUNT', KEYS[5], '-inf', '(' .. seq),
  redis.call('HGETALL', KEYS[6]),
  redis.call('HGETALL', KEYS[7]),
  exit,
  endedAfter('target', KEYS[2], opens, since or seq) and 1 or 0,
}
`);
