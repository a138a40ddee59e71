import { defineScript } from "../redis/script.ts";

/**
 * Writes or removes a copy group, unless any group was changed since they were read, and says so to
 * every process. What is already as it is to be is done, so that the same command may come twice.
 *
 * KEYS copy groups
 * ARGV the version that was read, groupId, the group as JSON ("" to remove it), channel
 * Answers 1, or 0 when any group was changed meanwhile.
 */
export const changeCopyGroup = defineScript(`
local version, group = unpack(redis.call('HMGET', KEYS[1], 'version', ARGV[2]))
if (group or '') == ARGV[3] then return 1 end
if (version or '0') ~= ARGV[1] then return 0 end

if ARGV[3] == '' then
  redis.call('HDEL', KEYS[1], ARGV[2])
else
  redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
end
redis.call('HINCRBY', KEYS[1], 'version', 1)
redis.call('PUBLISH', ARGV[4], ARGV[2])
return 1
`);
