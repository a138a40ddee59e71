import { defineScript } from "../redis/script.ts";

/**
 * What forbids sending beyond the account: a revoked key or token, its user's kill switch, and the
 * orders of the whole appliance in an exact sliding minute, of which this one is counted. Asked
 * twice over a broken connection, it counts once.
 *
 * KEYS revoked, and for what adds risk: user kill switch, sentByAll
 * ARGV limit, member
 * Answers `clear`, `revoked`, `killed` with the reason it was given, or `limited`.
 */
export const askAppliance = defineScript(`
if redis.call('EXISTS', KEYS[1]) == 1 then return {'revoked'} end
if not KEYS[2] then return {'clear'} end

local switch = redis.call('HMGET', KEYS[2], 'active', 'reason')
if switch[1] == '1' then return {'killed', switch[2] or ''} end

if redis.call('ZSCORE', KEYS[3], ARGV[2]) then return {'clear'} end
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now - 60000)
if redis.call('ZCARD', KEYS[3]) >= tonumber(ARGV[1]) then return {'limited'} end
redis.call('ZADD', KEYS[3], now, ARGV[2])
redis.call('PEXPIRE', KEYS[3], 60000)
return {'clear'}
`);
