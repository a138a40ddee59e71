import { defineScript } from "../redis/script.ts";

/**
 * Adds fills to what is known of an account, each exactly once, and what is held with them. The
 * oldest fill makes room for a new one; one that would have to make room at once is left out, so
 * that what has made room is not taken for new when it is added again. The new fills of an account
 * that leads are noted for copying in the same step.
 *
 * KEYS fills, fill times, filled net, positions, epoch, copy lead, copy news
 * ARGV most fills, positions ("" to leave them as they are), the sender's epoch, most fills noted
 *      for copying, then for each fill: execId, time, body, contract, signed quantity
 * Answers the execIds that were new.
 */
export const recordFills = defineScript(`
local added = {}
for index = 5, #ARGV, 5 do
  local execId = ARGV[index]
  if redis.call('HSETNX', KEYS[1], execId, ARGV[index + 2]) == 1 then
    redis.call('ZADD', KEYS[2], ARGV[index + 1], execId)
    local isKept = true
    if redis.call('ZCARD', KEYS[2]) > tonumber(ARGV[1]) then
      local oldest = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
      redis.call('ZREM', KEYS[2], oldest)
      redis.call('HDEL', KEYS[1], oldest)
      isKept = oldest ~= execId
    end
    if isKept then
      redis.call('HINCRBY', KEYS[3], ARGV[index + 3], ARGV[index + 4])
      added[#added + 1] = execId
    end
  end
end
if #added > 0 and redis.call('HGET', KEYS[6], 'leads') == '1' then
  for _, execId in ipairs(added) do
    redis.call('ZADD', KEYS[7], redis.call('HINCRBY', KEYS[6], 'seq', 1), execId)
  end
  redis.call('ZREMRANGEBYRANK', KEYS[7], 0, -1 - ARGV[4])
end
-- What a former owner has read may come late; its fills are as true as ever.
if ARGV[2] ~= '' and tonumber(redis.call('GET', KEYS[5]) or '0') <= tonumber(ARGV[3]) then
  redis.call('SET', KEYS[4], ARGV[2])
end
return added
`);
