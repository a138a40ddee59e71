import { defineScript } from "../redis/script.ts";

/**
 * Writes a copy and its place in the log; the oldest ones make room, with their records. One that is
 * there keeps its entry. Whether it is skipped may change until it has an intent: an event that comes
 * again after a crash is decided again.
 *
 * KEYS copy, copies, open copies, the copy's intent
 * ARGV copyId, entry, skipped ("" for what is to have an intent), notedAt, retentionMs, most copies
 *      in the log, copyKeyPrefix
 */
export const noteCopy = defineScript(`
local isNew = redis.call('HSETNX', KEYS[1], 'entry', ARGV[2]) == 1
local isDecided = redis.call('EXISTS', KEYS[4]) + redis.call('HEXISTS', KEYS[1], 'measure') > 0
if not isNew and isDecided then return 0 end

if ARGV[3] ~= '' then
  redis.call('HSETNX', KEYS[1], 'skipped', ARGV[3])
  redis.call('ZREM', KEYS[3], ARGV[1])
elseif redis.call('HDEL', KEYS[1], 'skipped') == 1 or isNew then
  redis.call('ZADD', KEYS[3], ARGV[4], ARGV[1])
  redis.call('PEXPIRE', KEYS[3], ARGV[5])
end
if not isNew then return 0 end

redis.call('PEXPIRE', KEYS[1], ARGV[5])
redis.call('ZADD', KEYS[2], ARGV[4], ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[5])
for index = 2, 3 do redis.call('ZREMRANGEBYSCORE', KEYS[index], '-inf', now - ARGV[5]) end
for _, oldest in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1 - ARGV[6])) do
  redis.call('DEL', ARGV[7] .. oldest)
  for index = 2, 3 do redis.call('ZREM', KEYS[index], oldest) end
end
return 1
`);
