import { defineScript } from "../redis/script.ts";

/**
 * Corrects the outcome of an intent that is settled, when it is still as its corrector knew it.
 *
 * KEYS intent
 * ARGV known state, state, outcome, clOrdId that the broker shows
 * Answers 1, or 0 when it was not.
 */
export const amendIntent = defineScript(`
if redis.call('HGET', KEYS[1], 'state') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'state', ARGV[2], 'outcome', ARGV[3])
redis.call('HSETNX', KEYS[1], 'clOrdIds', ARGV[4])
return 1
`);
