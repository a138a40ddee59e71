import { noteEnding } from "../alerts/alert-endings.ts";
import { noteOutcome } from "../notify/note-outcome.ts";
import { intentKey, keyInLua } from "../keys-in-lua.ts";
import { FIRST_ALONE, recordFieldsInLua, sendingFieldsInLua } from "./intent-record.ts";
import { defineScript } from "../redis/script.ts";
import { emptiedAfter } from "./write-intent.ts";

/**
 * Deletes what nobody asks of an intent any more once it is settled: what it was let through with,
 * and what decided on its end. That it was parked stays: it may have been sent after later ones.
 */
const forgetSpent = `
local function forgetSpent(intent, sent)
  local spent = { 'opens', 'mayEmpty' }
  for id in string.gmatch(sent or '', '[^,]+') do
    spent[#spent + 1] = 'permit:' .. id
  end
  redis.call('HDEL', intent, unpack(spent))
end
`;

const KEY = {
  counters: keyInLua((keys, account) => keys.counters(account)),
  unknown: keyInLua((keys, account) => keys.unknown(account)),
  sending: keyInLua((keys, account) => keys.sending(account)),
  parked: keyInLua((keys, account) => keys.parked(account)),
  open: keyInLua((keys, account) => keys.open(account)),
  acceptedAlerts: keyInLua((keys, account) => keys.acceptedAlerts(account)),
  endingPrefix: keyInLua((keys, account) => keys.alertsEndedAs(account, "")),
};

/**
 * Needs `emptiedAfter`. Defines `settle(id, ending, outcome, retentionMs, onlyFrom, overtaken, group, told)`:
 * ends an unsettled intent, or marks it unknown. A settled one stays as it is: the first
 * outcome is the truth. What is withdrawn unsent, and could open what was emptied since, is overtaken:
 * nobody is to be told that it may be tried again. An exit under a condition empties once it is carried
 * out.
 * Its own retention goes before `retentionMs`; with `onlyFrom` it ends only in that state ("" for any
 * unsettled one); `overtaken` is the outcome of what is ("" for what is not tried anew); `group` is the
 * set of alerts that ended so ("" for none); `told` whether somebody is to be told how it ended ("1" or
 * "0"), as they are of what was unknown. That is noted in the same step.
 * Answers {1, now, what sending added} when it ended any unsettled one, whose caller knows the rest,
 * else {0, now, the whole record as it then stands}.
 *
 * KEYS account
 */
export const settle = `${forgetSpent}${noteEnding}${noteOutcome}
local function settle(id, ending, outcome, retentionMs, onlyFrom, overtaken, group, told)
  local intent, counters = ${intentKey("id")}, ${KEY.counters}
  local state, retention, opens, seq, since, mayEmpty =
    unpack(redis.call('HMGET', intent, 'state', 'retentionMs', 'opens', 'seq', 'since', 'mayEmpty'))
  local sending = redis.call('HMGET', intent, ${sendingFieldsInLua})
  if overtaken ~= '' and opens and emptiedAfter(counters, opens, since or seq) then
    ending, outcome, group = 'OVERTAKEN', overtaken, 'OVERTAKEN'
  end
  local unsettled = state == 'PREPARED' or state == 'SENDING' or state == 'UNKNOWN'
  local ends = unsettled and (onlyFrom == '' or onlyFrom == state)
  if ends and mayEmpty and (ending == 'DONE' or ending == 'UNKNOWN') then
    local last = redis.call('HGET', counters, 'flatten' .. mayEmpty) or 0
    if tonumber(last) < tonumber(seq) then
      redis.call('HSET', counters, 'flatten' .. mayEmpty, seq)
    end
  end
  if ends then
    -- What is still unknown is no news: it is looked up every few seconds.
    if ending ~= state and (told == '1' or state == 'UNKNOWN') then noteOutcome(id, state, ending) end
    redis.call('SREM', ${KEY.sending}, id)
    redis.call('ZREM', ${KEY.parked}, id)
    if ending == 'UNKNOWN' then
      redis.call('HSET', intent, 'state', ending, 'outcome', outcome)
      redis.call('SADD', ${KEY.unknown}, id)
    else
      local ended = { 'state', ending, 'outcome', outcome, 'settledAt', now }
      if sending[2] == id .. '-1' then ended[7], ended[8] = 'clOrdIds', '${FIRST_ALONE}' end
      redis.call('HSET', intent, unpack(ended))
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
