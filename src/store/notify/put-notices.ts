import { defineScript } from "../redis/script.ts";

/**
 * Puts events on their way to a destination, each once: what is on its way, or was told or given up
 * there, is left. One that is equal to another of a moment ago waits to be told as one with others. Of
 * what is critical twice as much may wait.
 *
 * KEYS waiting, those that come first, notices, told, folds
 * ARGV most that wait, Unix ms, then for each its id, when it is due, the notice as JSON, its fold ("" for
 *      none), whether it is critical and whether it comes first ("1" or "0")
 * Answers the ids for which there was no room.
 */
export const putNotices = defineScript(`
local most, at = tonumber(ARGV[1]), tonumber(ARGV[2])
local left = {}
for index = 3, #ARGV, 6 do
  local id, due, notice, fold, isCritical, isFirst = unpack(ARGV, index, index + 5)
  local isKnown = redis.call('HEXISTS', KEYS[3], id) == 1 or redis.call('ZSCORE', KEYS[4], id)
  local room = isCritical == '1' and 2 * most or most
  if isKnown then
    -- It was put before.
  elseif redis.call('HLEN', KEYS[3]) >= room then
    left[#left + 1] = id
  else
    local untilAt = fold ~= '' and tonumber(redis.call('HGET', KEYS[5], fold) or '0') or 0
    if untilAt > at and untilAt > tonumber(due) then due = untilAt end
    redis.call('ZADD', isFirst == '1' and KEYS[2] or KEYS[1], due, id)
    redis.call('HSET', KEYS[3], id, notice)
  end
end
return left
`);
