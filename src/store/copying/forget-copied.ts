import { defineScript } from "../redis/script.ts";

/**
 * Forgets noted fills that are copied.
 *
 * KEYS copy news
 * ARGV their numbers
 */
export const forgetCopied = defineScript(`
for _, seq in ipairs(ARGV) do redis.call('ZREMRANGEBYSCORE', KEYS[1], seq, seq) end
return 1
`);
