import { noteEnding } from "../alerts/alert-endings.ts";
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

/**
 * Needs `emptiedAfter`. Defines `settle(id, ending, outcome, retentionMs, onlyFrom, overtaken, group,
 * groupPrefix)`: ends an unsettled intent, or marks it unknown. A settled one stays as it is: the first
 * outcome is the truth. What is withdrawn unsent, and could open what was emptied since, is overtaken:
 * nobody is to be told that it may be tried again. An exit under a condition empties once it is carried
 * out.
 * Its own retention goes before `retentionMs`; with `onlyFrom` it ends only in that state ("" for any
 * unsettled one); `overtaken` is the outcome of what is ("" for what is not tried anew); `group` is the
 * set of alerts that ended so ("" for none), behind the key prefix of these sets.
 * Answers {1, now, what sending added} when it ended any unsettled one, whose caller knows the rest,
 * else {0, now, the whole record as it then stands}.
 *
 * KEYS counters, unknown, sending, held, open, accepted alerts
 * ARGV[1] intentKeyPrefix
 */
export const settle = `${forgetSpent}${noteEnding}
local function settle(id, ending, outcome, retentionMs, onlyFrom, overtaken, group, groupPrefix)
  local intent = ARGV[1] .. id
  local state, retention, opens, seq, since, mayEmpty =
    unpack(redis.call('HMGET', intent, 'state', 'retentionMs', 'opens', 'seq', 'since', 'mayEmpty'))
  local sending = redis.call('HMGET', intent, ${sendingFieldsInLua})
  if overtaken ~= '' and opens and emptiedAfter(KEYS[1], opens, since or seq) then
    ending, outcome, group = 'OVERTAKEN', overtaken, 'OVERTAKEN'
  end
  local unsettled = state == 'PREPARED' or state == 'SENDING' or state == 'UNKNOWN'
  local ends = unsettled and (onlyFrom == '' or onlyFrom == state)
  if ends and mayEmpty and (ending == 'DONE' or ending == 'UNKNOWN') then
    local last = redis.call('HGET', KEYS[1], 'flatten' .. mayEmpty) or 0
    if tonumber(last) < tonumber(seq) then
      redis.call('HSET', KEYS[1], 'flatten' .. mayEmpty, seq)
    end
  end
  if ends then
    redis.call('SREM', KEYS[3], id)
    redis.call('ZREM', KEYS[4], id)
    if ending == 'UNKNOWN' then
      redis.call('HSET', intent, 'state', ending, 'outcome', outcome)
      redis.call('SADD', KEYS[2], id)
    else
      local ended = { 'state', ending, 'outcome', outcome, 'settledAt', now }
      if sending[2] == id .. '-1' then ended[7], ended[8] = 'clOrdIds', '${FIRST_ALONE}' end
      redis.call('HSET', intent, unpack(ended))
      forgetSpent(intent, sending[2])
      redis.call('PEXPIRE', intent, retention or retentionMs)
      if group ~= '' then noteEnding(groupPrefix, KEYS[6], id, group, retention or retentionMs) end
      redis.call('ZREM', KEYS[5], id)
      redis.call('SREM', KEYS[2], id)
    end
  end
  if ends and onlyFrom == '' then return { 1, now, sending } end
  return { 0, now, redis.call('HMGET', intent, ${recordFieldsInLua}) }
end
`;

/**
 * Ends an intent by itself: see `settle`.
 *
 * KEYS as in `settle`
 * ARGV intentKeyPrefix, then what `settle` takes
 */
export const settleIntent = defineScript(`
${emptiedAfter}
${settle}
return settle(unpack(ARGV, 2))
`);
