import { defineScript } from "../redis/script.ts";

/** In place of why an event is given up that nobody wants to know of. */
export const NOT_KEPT = "-";

/** The most folds that are kept: a reason with a price in it makes a new one each time. */
export const MOST_FOLDS = 500;

/**
 * Takes events off the way to a destination: they were told there, or are given up and kept for a while
 * with the reason.
 *
 * KEYS waiting, those that come first, notices, told, undelivered, undelivered notices, folds, state
 * ARGV Unix ms, how long those are kept (ms), most that are kept, how long it is remembered that one has
 *      ended (ms), the fold of what was told ("" for none), until when it waits, how long folds are kept
 *      (ms), then for each its id, and why it is given up as JSON ("" for what was told)
 */
export const endNotices = defineScript(`
local at, keptMs, most = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local wasTold = false
for index = 8, #ARGV, 2 do
  local id, lost = ARGV[index], ARGV[index + 1]
  redis.call('ZREM', KEYS[1], id)
  redis.call('ZREM', KEYS[2], id)
  redis.call('HDEL', KEYS[3], id)
  redis.call('ZADD', KEYS[4], at, id)
  if lost == '${NOT_KEPT}' then
    -- It is forgotten.
  elseif lost ~= '' then
    redis.call('ZADD', KEYS[5], at, id)
    redis.call('HSET', KEYS[6], id, lost)
  else
    wasTold = true
  end
end
if wasTold then
  redis.call('HSET', KEYS[8], 'deliveredAt', at)
  redis.call('HDEL', KEYS[8], 'failures', 'refusals', 'failingSince', 'pausedUntil', 'failure')
end
if ARGV[5] ~= '' then
  if redis.call('HLEN', KEYS[7]) >= ${MOST_FOLDS} then
    local folds = redis.call('HGETALL', KEYS[7])
    for index = 1, #folds, 2 do
      if tonumber(folds[index + 1]) <= at then redis.call('HDEL', KEYS[7], folds[index]) end
    end
    -- Without a fold an event is only sent by itself.
    if redis.call('HLEN', KEYS[7]) >= ${MOST_FOLDS} then redis.call('DEL', KEYS[7]) end
  end
  redis.call('HSET', KEYS[7], ARGV[5], ARGV[6])
  redis.call('PEXPIRE', KEYS[7], ARGV[7])
end
redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', at - ARGV[4])
redis.call('PEXPIRE', KEYS[4], ARGV[4])
local old = redis.call('ZRANGEBYSCORE', KEYS[5], '-inf', at - keptMs, 'LIMIT', 0, 100)
local over = redis.call('ZCARD', KEYS[5]) - #old - most
if over > 0 then
  for _, id in ipairs(redis.call('ZRANGE', KEYS[5], #old, #old + over - 1)) do old[#old + 1] = id end
end
for _, id in ipairs(old) do
  redis.call('ZREM', KEYS[5], id)
  redis.call('HDEL', KEYS[6], id)
end
return 1
`);
