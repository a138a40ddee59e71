import { defineScript } from "../redis/script.ts";

/**
 * Writes a session that ends by itself, by Redis' clock, at a time after its sign-in.
 *
 * KEYS session
 * ARGV id, userId, ms from the sign-in to the end, time of the sign-in ("" for now)
 * Answers the time of the sign-in, and now.
 */
export const beginSession = defineScript(`
local signedInAt = ARGV[4] == '' and now or tonumber(ARGV[4])
local endsAt = signedInAt + ARGV[3]
redis.call('HSET', KEYS[1], 'id', ARGV[1], 'userId', ARGV[2], 'signedInAt', signedInAt,
  'confirmedAt', now, 'lastUsedAt', now, 'endsAt', endsAt)
redis.call('PEXPIREAT', KEYS[1], endsAt)
return { signedInAt, now }
`);
