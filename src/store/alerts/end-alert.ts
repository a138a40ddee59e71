import { DROPPED_AT_ONCE } from "./make-room.ts";
import { noteLine } from "../notify/note-outcome.ts";
import { defineScript } from "../redis/script.ts";

/**
 * Writes an alert that has no intent, and its place in the log; the oldest ones make room, with
 * their records. Unless it was a duplicate, it is noted to be told.
 *
 * KEYS alert, ended alerts, those that were duplicates, the account's outbox
 * ARGV alertId, record, receivedAt, retentionMs, most alerts in the index, alertKeyPrefix, is a
 *      duplicate ("1" or "0")
 */
export const endAlert = defineScript(`
${noteLine}
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[4])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
local sets = { KEYS[2], KEYS[3], KEYS[5] }
local own = ({ duplicate = KEYS[3], split = KEYS[5] })[ARGV[7]]
if own then
  redis.call('ZADD', own, ARGV[3], ARGV[1])
else
  noteLine(KEYS[4], 'a', ARGV[1])
end
for _, set in ipairs(sets) do redis.call('ZREMRANGEBYSCORE', set, '-inf', now - ARGV[4]) end
local over = math.min(redis.call('ZCARD', KEYS[2]) - ARGV[5], ${DROPPED_AT_ONCE})
if over > 0 then
  for _, oldest in ipairs(redis.call('ZRANGE', KEYS[2], 0, over - 1)) do
    redis.call('DEL', ARGV[6] .. oldest)
    for _, set in ipairs(sets) do redis.call('ZREM', set, oldest) end
  end
end
for _, set in ipairs(sets) do redis.call('PEXPIRE', set, ARGV[4]) end
return 1
`);
