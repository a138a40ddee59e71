import { recordFieldsInLua } from "./intent-record.ts";
import { intentKey, keyInLua } from "../keys-in-lua.ts";
import { defineScript } from "../redis/script.ts";
import { emptiedAfter } from "./write-intent.ts";

const KEY = {
  counters: keyInLua((keys, account) => keys.counters(account)),
  unknown: keyInLua((keys, account) => keys.unknown(account)),
  sending: keyInLua((keys, account) => keys.sending(account)),
  parked: keyInLua((keys, account) => keys.parked(account)),
  limits: keyInLua((keys, account) => keys.limits(account)),
  killSwitch: keyInLua((keys, accountId) => keys.killSwitch({ accountId })),
};

/**
 * Needs `emptiedAfter`. Defines `contextOf(id)`: everything the lane decides on that is kept under the
 * account's hash tag, at one instant. An intent that was begun and never settled counts as unknown: it
 * is not this one's turn otherwise. An empty list for an intent that is not there.
 *
 * KEYS account
 */
export const contextOf = `
local function contextOf(id)
  local intent, counters = ${intentKey("id")}, ${KEY.counters}
  local seq, since, opens = unpack(redis.call('HMGET', intent, 'seq', 'since', 'opens'))
  if not seq then return {} end

  local unknown = {}
  for _, set in ipairs({ ${KEY.unknown}, ${KEY.sending} }) do
    for _, other in ipairs(redis.call('SMEMBERS', set)) do
      if other ~= id then
        local record, place = unpack(redis.call('HMGET', ${intentKey("other")}, 'record', 'seq'))
        unknown[#unknown + 1] = { record, place and tonumber(place) < tonumber(seq) and 1 or 0 }
      end
    end
  end

  -- An exit under a condition that came later: what is held when this one is looked at decides.
  local exit = false
  local place, last = string.match(redis.call('HGET', counters, 'mayEmpty') or '', '^(%d+) (.+)$')
  if place and tonumber(place) > tonumber(since or seq) then
    local state, record = unpack(redis.call('HMGET', ${intentKey("last")}, 'state', 'record'))
    if state == 'PREPARED' or state == 'SENDING' then exit = record end
  end
  return {
    now,
    redis.call('HMGET', intent, ${recordFieldsInLua}),
    endedAfter('flatten', counters, opens, since or seq) and 1 or 0,
    unknown,
    redis.call('ZCOUNT', ${KEY.parked}, '-inf', '(' .. seq),
    redis.call('HGETALL', ${KEY.limits}),
    redis.call('HGETALL', ${KEY.killSwitch}),
    exit,
    endedAfter('target', counters, opens, since or seq) and 1 or 0,
  }
end
`;

/**
 * What working an intent begins with.
 *
 * KEYS account
 * ARGV intentId
 */
export const loadForLane = defineScript(`
${emptiedAfter}
${contextOf}
return contextOf(ARGV[1])
`);
