import { defineScript } from "../script.ts";

/**
 * Keeps what an open evaluation decided; the first decision stands.
 *
 * KEYS open evaluations
 * ARGV evaluationId, the evaluation as JSON
 * Answers what stands, or nil when it has ended.
 */
export const decideEvaluation = defineScript(`
local kept = redis.call('HGET', KEYS[1], ARGV[1])
if not kept then return nil end
if cjson.decode(kept).verdict then return kept end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return ARGV[2]
`);
