import { defineScript } from "../redis/script.ts";

/**
 * Opens an evaluation that somebody asked for, decided as it is.
 *
 * KEYS open evaluations, their times, strategies
 * ARGV evaluationId, the evaluation, strategyId, its version
 * Answers 1, or 0 when the strategy is gone, or of another version.
 */
export const openEvaluation = defineScript(`
local strategy = redis.call('HGET', KEYS[3], ARGV[3])
if not strategy or string.match(strategy, '^%d+') ~= ARGV[4] then return 0 end

redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[2], now, ARGV[1])
return 1
`);
