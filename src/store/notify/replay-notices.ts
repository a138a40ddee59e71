import { defineScript } from "../redis/script.ts";

/**
 * Puts events that were given up on their way again, each once.
 *
 * KEYS undelivered, undelivered notices, waiting, notices
 * ARGV Unix ms, then for each its id and the notice as JSON
 * Answers how many.
 */
export const replayNotices = defineScript(`
local count = 0
for index = 2, #ARGV, 2 do
  local id = ARGV[index]
  if redis.call('ZREM', KEYS[1], id) == 1 then
    redis.call('HDEL', KEYS[2], id)
    redis.call('HSET', KEYS[4], id, ARGV[index + 1])
    redis.call('ZADD', KEYS[3], ARGV[1], id)
    count = count + 1
  end
end
return count
`);
