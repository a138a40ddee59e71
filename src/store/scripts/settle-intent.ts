import { recordFieldsInLua, sendingFieldsInLua } from "../intent-record.ts";
import { defineScript } from "../script.ts";

/**
 * Ends an unsettled intent, or marks it unknown. A settled one stays as it is: the first outcome
 * is the truth.
 *
 * KEYS intent, open, unknown, sending, held
 * ARGV intentId, state, outcome, retentionMs (unless the intent has its own), only state to end (""
 *      for any unsettled one)
 * Answers {1, now, what sending added} when it ended any unsettled one, whose caller knows the rest,
 * else {0, now, the whole record as it then stands}.
 */
export const settleIntent = defineScript(`
local state, retention = unpack(redis.call('HMGET', KEYS[1], 'state', 'retentionMs'))
local unsettled = state == 'PREPARED' or state == 'SENDING' or state == 'UNKNOWN'
local ends = unsettled and (ARGV[5] == '' or ARGV[5] == state)
if ends then
  redis.call('SREM', KEYS[4], ARGV[1])
  redis.call('ZREM', KEYS[5], ARGV[1])
  if ARGV[2] == 'UNKNOWN' then
    redis.call('HSET', KEYS[1], 'state', ARGV[2], 'outcome', ARGV[3])
    redis.call('SADD', KEYS[3], ARGV[1])
  else
    redis.call('HSET', KEYS[1], 'state', ARGV[2], 'outcome', ARGV[3], 'settledAt', now)
    redis.call('PEXPIRE', KEYS[1], retention or ARGV[4])
    redis.call('ZREM', KEYS[2], ARGV[1])
    redis.call('SREM', KEYS[3], ARGV[1])
  end
end
if ends and ARGV[5] == '' then
  return { 1, now, redis.call('HMGET', KEYS[1], ${sendingFieldsInLua}) }
end
return { 0, now, redis.call('HMGET', KEYS[1], ${recordFieldsInLua}) }
`);
