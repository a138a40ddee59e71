import { defineScript } from "../script.ts";

/**
 * Ends an unsettled intent, or marks it unknown. A settled one stays as it is: the first outcome
 * is the truth. Answers the intent's fields as they then stand.
 *
 * KEYS intent, open, unknown
 * ARGV intentId, state, outcome, retentionMs, only state to end ("" for any unsettled one)
 */
export const settleIntent = defineScript(`
local state = redis.call('HGET', KEYS[1], 'state')
local unsettled = state == 'PREPARED' or state == 'SENDING' or state == 'UNKNOWN'
if unsettled and (ARGV[5] == '' or ARGV[5] == state) then
  redis.call('HSET', KEYS[1], 'state', ARGV[2], 'outcome', ARGV[3])
  if ARGV[2] == 'UNKNOWN' then
    redis.call('SADD', KEYS[3], ARGV[1])
  else
    redis.call('HSET', KEYS[1], 'settledAt', now)
    redis.call('PEXPIRE', KEYS[1], ARGV[4])
    redis.call('ZREM', KEYS[2], ARGV[1])
    redis.call('SREM', KEYS[3], ARGV[1])
  end
end
return redis.call('HGETALL', KEYS[1])
`);
