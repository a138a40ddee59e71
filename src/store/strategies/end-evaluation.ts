import { defineScript } from "../redis/script.ts";

/**
 * Moves an open evaluation into its strategy's log, while there is the strategy; the first end stands.
 *
 * KEYS open evaluations, their times, the strategy's log, strategies
 * ARGV evaluationId, the evaluation as JSON, strategyId, how long it is kept, ms, how many are, and how
 *      many bytes
 * Answers 1, or 0 when it had ended before.
 */
export const endEvaluation = defineScript(`
if redis.call('HDEL', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('ZREM', KEYS[2], ARGV[1])
if redis.call('HEXISTS', KEYS[4], ARGV[3]) == 0 then return 1 end

redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[5], '*', 'e', ARGV[2])
-- Now and then: asking costs more than adding.
local length = redis.call('XLEN', KEYS[3])
if length % 100 == 0 and redis.call('MEMORY', 'USAGE', KEYS[3]) > tonumber(ARGV[6]) then
  redis.call('XTRIM', KEYS[3], 'MAXLEN', '~', math.floor(length * 0.9))
end
redis.call('XTRIM', KEYS[3], 'MINID', '~', now - ARGV[4])
redis.call('PEXPIRE', KEYS[3], ARGV[4])
return 1
`);
