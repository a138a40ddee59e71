import { defineScript } from "../script.ts";

/**
 * Opens the evaluation of a slot, for whoever comes first.
 *
 * KEYS next slots, open evaluations, their times
 * ARGV strategyId, the slot, the one after it ("" for none), evaluationId, the evaluation as JSON
 * Answers 1, or 0 when the slot was taken, or the strategy has none any more.
 */
export const takeSlot = defineScript(`
local next = redis.call('HGET', KEYS[1], ARGV[1])
if not next or tonumber(ARGV[2]) < tonumber(next) then return 0 end

if ARGV[3] == '' then
  redis.call('HDEL', KEYS[1], ARGV[1])
else
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
end
redis.call('HSET', KEYS[2], ARGV[4], ARGV[5])
redis.call('ZADD', KEYS[3], now, ARGV[4])
return 1
`);
