import { dropEnding, noteEnding } from "../alerts/alert-endings.ts";
import { noteOutcomeIn } from "../notify/note-outcome.ts";
import { defineScript } from "../redis/script.ts";

/**
 * Corrects the outcome of an intent that is settled, when it is still as its corrector knew it.
 *
 * KEYS intent, accepted alerts, the account's outbox, its exit plans that work
 * ARGV known state, state, outcome, clOrdId that the broker shows, intentId, the set of alerts that
 *      ended so ("" for none), key prefix of these sets, retentionMs (unless the intent has its own), the
 *      exits of its order that were not seen ("" for none)
 * Answers 1, or 0 when it was not.
 */
export const amendIntent = defineScript(`
${dropEnding}${noteEnding}${noteOutcomeIn}
if redis.call('HGET', KEYS[1], 'state') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'state', ARGV[2], 'outcome', ARGV[3])
redis.call('HSETNX', KEYS[1], 'clOrdIds', ARGV[4])
noteOutcomeIn(KEYS[3], ARGV[5], ARGV[1], ARGV[2])
dropEnding(ARGV[7], ARGV[5], ARGV[1])
if ARGV[6] ~= '' then
  local retention = redis.call('HGET', KEYS[1], 'retentionMs') or ARGV[8]
  noteEnding(ARGV[7], KEYS[2], ARGV[5], ARGV[6], retention)
end
if ARGV[9] ~= '' then redis.call('HSET', KEYS[4], ARGV[5], ARGV[9]) end
return 1
`);
