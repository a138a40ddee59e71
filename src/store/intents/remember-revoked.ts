import { defineScript } from "../redis/script.ts";

/**
 * Notes that a key or token is dead, for as long as one of its intents can be unsent.
 *
 * KEYS revoked
 * ARGV its id, how long the dead are remembered
 */
export const rememberRevoked = defineScript(`
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
`);
