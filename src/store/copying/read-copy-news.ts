import { defineScript } from "../redis/script.ts";

/**
 * What an account did that is not copied yet, and what its positions add up to, at one instant. A
 * noted fill that has made room since is forgotten.
 *
 * KEYS copy news, fills, filled net, position base, fill times
 * Answers {now, [number, id, time and body of each noted fill, oldest first], filled net, position
 * base}.
 */
export const readCopyNews = defineScript(`
local news = {}
local noted = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
for index = 1, #noted, 2 do
  local body = redis.call('HGET', KEYS[2], noted[index])
  if body then
    news[#news + 1] = noted[index + 1]
    news[#news + 1] = noted[index]
    news[#news + 1] = redis.call('ZSCORE', KEYS[5], noted[index])
    news[#news + 1] = body
  else
    redis.call('ZREM', KEYS[1], noted[index])
  end
end
return { now, news, redis.call('HGETALL', KEYS[3]), redis.call('HGETALL', KEYS[4]) }
`);
