import { noteEnding } from "../alerts/alert-endings.ts";
import { noteOutcome } from "../notify/note-outcome.ts";
import { intentKey, keyInLua } from "../keys-in-lua.ts";
import { FIRST_ALONE, recordFieldsInLua, sendingFieldsInLua } from "./intent-record.ts";
import { GOING_ON, UNSETTLED } from "../../domain/intent.ts";
import { defineScript, luaNames } from "../redis/script.ts";
import { emptiedAfter } from "./write-intent.ts";

/**
 * Deletes what nobody asks of an intent any more once it is settled: what it was let through with,
 * and what decided on its end. That it was parked stays: it may have been sent after later ones.
 */
const forgetSpent = `
local function forgetSpent(intent, sent)
  local spent = { 'opens', 'mayEmpty', 'targets', 'stopped' }
  for id in string.gmatch(sent or '', '[^,]+') do
    spent[#spent + 1] = 'permit:' .. id
  end
  redis.call('HDEL', intent, unpack(spent))
end
`;

const KEY = {
  counters: keyInLua((keys, account) => keys.counters(account)),
  unknown: keyInLua((keys, account) => keys.unknown(account)),
  goingOn: keyInLua((keys, account) => keys.goingOn(account)),
  sending: keyInLua((keys, account) => keys.sending(account)),
  parked: keyInLua((keys, account) => keys.parked(account)),
  open: keyInLua((keys, account) => keys.open(account)),
  runningPlans: keyInLua((keys, account) => keys.runningPlans(account)),
  acceptedAlerts: keyInLua((keys, account) => keys.acceptedAlerts(account)),
  endingPrefix: keyInLua((keys, account) => keys.alertsEndedAs(account, "")),
};

/**
 * Needs `emptiedAfter`. Defines `settle(id, ending, outcome, retentionMs, onlyFrom, overtaken, group, told, unseen)`:
 * ends an unsettled intent, or marks it unknown, or as what goes on. A settled one stays as it is: the first
 * outcome is the truth. What is withdrawn unsent, and could open what was emptied since, is overtaken:
 * nobody is to be told that it may be tried again. An exit under a condition empties once it is carried
 * out, and a target is noted as the one that exits of before make way for.
 * Its own retention goes before `retentionMs`; with `onlyFrom` it ends only in that state ("" for any
 * unsettled one); `overtaken` is the outcome of what is ("" for what is not tried anew); `group` is the
 * set of alerts that ended so ("" for none); `told` whether somebody is to be told how it ended ("1" or
 * "0"), as they are of what was unknown. That is noted in the same step. `unseen` is the exits of its order
 * that the broker has not shown ("" for none): from that step on they are placed, whatever dies.
 * Answers {1, now, what sending added} when it ended any unsettled one, whose caller knows the rest,
 * else {0, now, the whole record as it then stands}.
 *
 * KEYS account
 */
export const settle = `${forgetSpent}${noteEnding}${noteOutcome}
local unsettled = ${luaNames(UNSETTLED)}
local goingOn = ${luaNames(GOING_ON)}
local function settle(id, ending, outcome, retentionMs, onlyFrom, overtaken, group, told, unseen)
  local intent, counters = ${intentKey("id")}, ${KEY.counters}
  local state, retention, opens, seq, since, mayEmpty, targets = unpack(redis.call('HMGET', intent,
    'state', 'retentionMs', 'opens', 'seq', 'since', 'mayEmpty', 'targets'))
  local sending = redis.call('HMGET', intent, ${sendingFieldsInLua})
  if overtaken ~= '' and opens and emptiedAfter(counters, opens, since or seq) then
    ending, outcome, group = 'OVERTAKEN', overtaken, 'OVERTAKEN'
  end
  local ends = unsettled[state or ''] and (onlyFrom == '' or onlyFrom == state)
  local isCarriedOut = ending == 'DONE' or ending == 'UNKNOWN' or goingOn[ending]
  local function noteLast(name)
    local last = redis.call('HGET', counters, name) or 0
    if tonumber(last) < tonumber(seq) then redis.call('HSET', counters, name, seq) end
  end
  if ends and isCarriedOut and mayEmpty then noteLast('flatten' .. mayEmpty) end
  if ends and isCarriedOut and targets then noteLast('reached' .. targets) end
  if ends then
    -- What is still unknown is no news: it is looked up every few seconds.
    local wasOpen = state == 'UNKNOWN' or goingOn[state]
    if ending ~= state and (told == '1' or wasOpen) then noteOutcome(id, state, ending) end
    redis.call('SREM', ${KEY.sending}, id)
    redis.call('ZREM', ${KEY.parked}, id)
    if goingOn[state] and not goingOn[ending] then redis.call('HDEL', ${KEY.goingOn}, id) end
    if ending == 'UNKNOWN' then
      redis.call('HSET', intent, 'state', ending, 'outcome', outcome)
      redis.call('SADD', ${KEY.unknown}, id)
    elseif goingOn[ending] then
      -- Later entries do not wait for it.
      redis.call('HSET', intent, 'state', ending, 'outcome', outcome)
      redis.call('SREM', ${KEY.unknown}, id)
      redis.call('HSET', ${KEY.goingOn}, id, ending)
    else
      local ended = { 'state', ending, 'outcome', outcome, 'settledAt', now }
      if sending[2] == id .. '-1' then ended[7], ended[8] = 'clOrdIds', '${FIRST_ALONE}' end
      redis.call('HSET', intent, unpack(ended))
      if unseen ~= '' then redis.call('HSET', ${KEY.runningPlans}, id, unseen) end
      forgetSpent(intent, sending[2])
      redis.call('PEXPIRE', intent, retention or retentionMs)
      if group ~= '' then
        noteEnding(${KEY.endingPrefix}, ${KEY.acceptedAlerts}, id, group, retention or retentionMs)
      end
      redis.call('ZREM', ${KEY.open}, id)
      redis.call('SREM', ${KEY.unknown}, id)
    end
  end
  if ends and onlyFrom == '' then return { 1, now, sending } end
  return { 0, now, redis.call('HMGET', intent, ${recordFieldsInLua}) }
end
`;

/**
 * Ends an intent by itself: see `settle`.
 *
 * KEYS account
 * ARGV what `settle` takes
 */
export const settleIntent = defineScript(`
${emptiedAfter}
${settle}
return settle(unpack(ARGV))
`);
