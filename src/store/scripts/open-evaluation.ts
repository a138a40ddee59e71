import { defineScript } from "../script.ts";

/**
 * Opens an evaluation that somebody asked for.
 *
 * KEYS open evaluations, their times
 * ARGV evaluationId, the evaluation as JSON
 */
export const openEvaluation = defineScript(`
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[2], now, ARGV[1])
return 1
`);
