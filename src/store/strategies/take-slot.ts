import { defineScript } from "../redis/script.ts";

/**
 * Opens the evaluation of a slot, for whoever comes first.
 *
 * KEYS strategies, next slots, open evaluations, their times
 * ARGV strategyId, its version, the slot, the one after it ("" for none), evaluationId, the evaluation
 *      as JSON, the first slot that is told as missed with it ("" for none)
 * Answers 1, or 0 when the slot was taken or is to come yet, or the strategy has none any more, or
 * another schedule, or when the first one that was missed is another one by now.
 */
export const takeSlot = defineScript(`
local strategy = redis.call('HGET', KEYS[1], ARGV[1])
if not strategy or string.match(strategy, '^%d+') ~= ARGV[2] then return 0 end
local next, slot = redis.call('HGET', KEYS[2], ARGV[1]), tonumber(ARGV[3])
if not next or slot < tonumber(next) then return 0 end
if ARGV[7] ~= '' and tonumber(ARGV[7]) ~= tonumber(next) then return 0 end
-- The clock of whoever asks may be ahead, or behind.
if slot > now + 1000 or (ARGV[4] ~= '' and tonumber(ARGV[4]) <= slot) then return 0 end

if ARGV[4] == '' then
  redis.call('HDEL', KEYS[2], ARGV[1])
else
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[4])
end
redis.call('HSET', KEYS[3], ARGV[5], ARGV[6])
redis.call('ZADD', KEYS[4], now, ARGV[5])
return 1
`);
