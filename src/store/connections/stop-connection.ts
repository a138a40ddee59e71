import { defineScript } from "../redis/script.ts";

/**
 * Keeps that nothing may log in on a connection, as long as the caller is its newest owner.
 *
 * KEYS connection, stop
 * ARGV epoch, status, reason
 * Answers 1 when it is kept, 0 when a later owner was there first.
 */
export const stopConnection = defineScript(`
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[2], 'status', ARGV[2], 'reason', ARGV[3], 'since', now)
return 1
`);
