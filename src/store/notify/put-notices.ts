import { defineScript } from "../redis/script.ts";

/**
 * Puts events on their way to a destination, each once: what is on its way, or was told or given up
 * there, is left. One that is equal to another of a moment ago waits to be told as one with others.
 *
 * KEYS waiting, notices, told, folds
 * ARGV most that wait (of what comes before all others twice as many), Unix ms, before which those are
 *      due, then for each its id, when it is due, the notice as JSON, its fold ("" for none)
 * Answers the ids for which there was no room.
 */
export const putNotices = defineScript(`
local most, at, ahead = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local left = {}
for index = 4, #ARGV, 4 do
  local id, due, notice, fold = unpack(ARGV, index, index + 3)
  local isKnown = redis.call('HEXISTS', KEYS[2], id) == 1 or redis.call('ZSCORE', KEYS[3], id)
  if isKnown then
    -- It was put before.
  elseif redis.call('ZCARD', KEYS[1]) >= (tonumber(due) < ahead and 2 * most or most) then
    left[#left + 1] = id
  else
    local untilAt = fold ~= '' and tonumber(redis.call('HGET', KEYS[4], fold) or '0') or 0
    if untilAt > at and untilAt > tonumber(due) then due = untilAt end
    redis.call('ZADD', KEYS[1], due, id)
    redis.call('HSET', KEYS[2], id, notice)
  end
end
return left
`);
