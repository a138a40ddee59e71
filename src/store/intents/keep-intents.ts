import { defineScript } from "../redis/script.ts";

/**
 * Keeps the records of settled intents as long as if they had been settled now. What is not settled
 * has no end anyway.
 *
 * KEYS intents
 * ARGV retentionMs (unless the intent has its own)
 */
export const keepIntents = defineScript(`
for _, key in ipairs(KEYS) do
  if redis.call('PTTL', key) > 0 then
    redis.call('PEXPIRE', key, redis.call('HGET', key, 'retentionMs') or ARGV[1])
  end
end
return 1
`);
