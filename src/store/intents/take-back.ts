import { defineScript } from "../redis/script.ts";

/**
 * Undoes the write-ahead of an intent's first order, when its own sender does not send it, since the
 * answer was lost: the record says again, truly, that nothing was sent.
 *
 * KEYS intent, sent, sending
 * ARGV clOrdId, permit, intentId, until when it may be begun
 * Answers 0 once it is not begun and never will be, else in how many ms to ask again: it is not there,
 * and may still come.
 */
export const takeBack = defineScript(`
local intent = redis.call('HMGET', KEYS[1], 'state', 'clOrdIds', 'permit:' .. ARGV[1])
if not intent[1] then return math.max(0, ARGV[4] - now + 1) end
if intent[1] ~= 'SENDING' or intent[2] ~= ARGV[1] or intent[3] ~= ARGV[2] then return 0 end

redis.call('HSET', KEYS[1], 'state', 'PREPARED')
redis.call('HDEL', KEYS[1], 'clOrdIds', 'sentAt', 'plan', 'exitPlan', 'permit:' .. ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('SREM', KEYS[3], ARGV[3])
return 0
`);
