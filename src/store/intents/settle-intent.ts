import { recordFieldsInLua, sendingFieldsInLua } from "./intent-record.ts";
import { noteEnding } from "../alerts/alert-endings.ts";
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
 * Ends an unsettled intent, or marks it unknown. A settled one stays as it is: the first outcome
 * is the truth. What is withdrawn unsent, and could open what was emptied since, is
 * overtaken: nobody is to be told that it may be tried again. An exit under a condition empties once it
 * is carried out.
 *
 * KEYS intent, open, unknown, sending, held, counters, accepted alerts
 * ARGV intentId, state, outcome, retentionMs (unless the intent has its own), only state to end (""
 *      for any unsettled one), the outcome of what is overtaken ("" for what is not tried anew),
 *      the set of alerts that ended so ("" for none), key prefix of these sets
 * Answers {1, now, what sending added} when it ended any unsettled one, whose caller knows the rest,
 * else {0, now, the whole record as it then stands}.
 */
export const settleIntent = defineScript(`
${emptiedAfter}${forgetSpent}${noteEnding}
local state, retention, opens, seq, since, mayEmpty =
  unpack(redis.call('HMGET', KEYS[1], 'state', 'retentionMs', 'opens', 'seq', 'since', 'mayEmpty'))
local sending = redis.call('HMGET', KEYS[1], ${sendingFieldsInLua})
local ending, outcome, group = ARGV[2], ARGV[3], ARGV[7]
if ARGV[6] ~= '' and opens and emptiedAfter(KEYS[6], opens, since or seq) then
  ending, outcome, group = 'OVERTAKEN', ARGV[6], 'OVERTAKEN'
end
local unsettled = state == 'PREPARED' or state == 'SENDING' or state == 'UNKNOWN'
local ends = unsettled and (ARGV[5] == '' or ARGV[5] == state)
if ends and mayEmpty and (ending == 'DONE' or ending == 'UNKNOWN') then
  local last = redis.call('HGET', KEYS[6], 'flatten' .. mayEmpty) or 0
  if tonumber(last) < tonumber(seq) then
    redis.call('HSET', KEYS[6], 'flatten' .. mayEmpty, seq)
  end
end
if ends then
  redis.call('SREM', KEYS[4], ARGV[1])
  redis.call('ZREM', KEYS[5], ARGV[1])
  if ending == 'UNKNOWN' then
    redis.call('HSET', KEYS[1], 'state', ending, 'outcome', outcome)
    redis.call('SADD', KEYS[3], ARGV[1])
  else
    redis.call('HSET', KEYS[1], 'state', ending, 'outcome', outcome, 'settledAt', now)
    forgetSpent(KEYS[1], sending[2])
    redis.call('PEXPIRE', KEYS[1], retention or ARGV[4])
    if group ~= '' then noteEnding(ARGV[8], KEYS[7], ARGV[1], group, retention or ARGV[4]) end
    redis.call('ZREM', KEYS[2], ARGV[1])
    redis.call('SREM', KEYS[3], ARGV[1])
  end
end
if ends and ARGV[5] == '' then return { 1, now, sending } end
return { 0, now, redis.call('HMGET', KEYS[1], ${recordFieldsInLua}) }
`);
