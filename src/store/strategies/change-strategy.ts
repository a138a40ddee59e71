import { defineScript } from "../redis/script.ts";

/**
 * Writes or removes a strategy, unless any strategy was changed since they were read, and says so to
 * every process. What is already as it is to be is done, so that the same command may come twice.
 *
 * KEYS strategies, next slots, the strategy's log
 * ARGV the version that was read, strategyId, the strategy ("" to remove it),
 *      its next slot ("" for none), channel
 * Answers 1, or 0 when any strategy was changed meanwhile.
 */
export const changeStrategy = defineScript(`
local version, strategy = unpack(redis.call('HMGET', KEYS[1], 'version', ARGV[2]))
if (strategy or '') == ARGV[3] then return 1 end
if (version or '0') ~= ARGV[1] then return 0 end

if ARGV[3] == '' then
  redis.call('HDEL', KEYS[1], ARGV[2])
  redis.call('UNLINK', KEYS[3])
else
  redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
end
if ARGV[4] == '' then
  redis.call('HDEL', KEYS[2], ARGV[2])
else
  redis.call('HSET', KEYS[2], ARGV[2], ARGV[4])
end
redis.call('HINCRBY', KEYS[1], 'version', 1)
redis.call('PUBLISH', ARGV[5], ARGV[2])
return 1
`);
