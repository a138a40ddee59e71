import { defineScript } from "../redis/script.ts";

/**
 * Writes an alert that has no intent, and its place in the log; the oldest ones make room, with
 * their records.
 *
 * KEYS alert, ended alerts
 * ARGV alertId, record, receivedAt, retentionMs, most alerts in the index, alertKeyPrefix
 */
export const endAlert = defineScript(`
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[4])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - ARGV[4])
for _, oldest in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1 - ARGV[5])) do
  redis.call('DEL', ARGV[6] .. oldest)
  redis.call('ZREM', KEYS[2], oldest)
end
redis.call('PEXPIRE', KEYS[2], ARGV[4])
return 1
`);
