import { defineScript } from "../redis/script.ts";

/**
 * Keeps what an open evaluation decided; the first decision stands. Texts begin with `o` while they
 * are open, with `d` once they are decided, and strategies with their version.
 *
 * KEYS open evaluations, strategies
 * ARGV evaluationId, the evaluation, strategyId, its version
 * Answers what stands; `changed` when the strategy is of another version; nil when it has ended.
 */
export const decideEvaluation = defineScript(`
local kept = redis.call('HGET', KEYS[1], ARGV[1])
if not kept then return nil end
if string.sub(kept, 1, 1) == 'd' then return kept end

local strategy = redis.call('HGET', KEYS[2], ARGV[3])
if not strategy or string.match(strategy, '^%d+') ~= ARGV[4] then return 'changed' end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return ARGV[2]
`);
