import { defineScript } from "../redis/script.ts";

/**
 * Keeps the records of settled intents as long as if they had been settled now. What is not settled
 * has no end anyway. Nor does one that leaves the alert log meanwhile go before that.
 *
 * KEYS intents
 * ARGV retentionMs (unless the intent has its own)
 */
export const keepIntents = defineScript(`
for _, key in ipairs(KEYS) do
  if redis.call('PTTL', key) > 0 then
    local retention = redis.call('HGET', key, 'retentionMs') or ARGV[1]
    redis.call('PEXPIRE', key, retention)
    redis.call('HSET', key, 'neededUntil', now + retention)
  end
end
return 1
`);
