import { defineScript } from "../redis/script.ts";

/**
 * Says for a while that a process owns connections, or that it does so no more, and reads all that do.
 *
 * KEYS members
 * ARGV name, what the others are to know of it as JSON ("" for one that leaves), how long in ms
 * Answers {name, JSON, name, JSON, ...} of those whose time is not over.
 */
export const meetMembers = defineScript(`
if ARGV[2] == '' then
  redis.call('HDEL', KEYS[1], ARGV[1])
else
  redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f', now + ARGV[3]) .. ' ' .. ARGV[2])
end
local living = {}
local all = redis.call('HGETALL', KEYS[1])
for at = 1, #all, 2 do
  local ends, told = all[at + 1]:match('^(%d+) (.*)$')
  if tonumber(ends) > now then
    living[#living + 1] = all[at]
    living[#living + 1] = told
  else
    redis.call('HDEL', KEYS[1], all[at])
  end
end
return living
`);
