import { defineScript } from "../redis/script.ts";

/**
 * Counts an account's alerts by minute: those that became intents, and those that did not.
 *
 * KEYS accepted alerts, ended alerts
 * ARGV when the first minute begins, how many minutes
 * Answers {accepted of each minute, ended of each minute}, oldest first; {} when there are none.
 */
export const countAlerts = defineScript(`
local first, minutes = tonumber(ARGV[1]), tonumber(ARGV[2])
local function count(key)
  local counts = {}
  for minute = 1, minutes do
    local from = first + (minute - 1) * 60000
    counts[minute] = redis.call('ZCOUNT', key, from, '(' .. string.format('%.0f', from + 60000))
  end
  return counts
end
local any = redis.call('ZCOUNT', KEYS[1], first, '+inf') + redis.call('ZCOUNT', KEYS[2], first, '+inf')
if any == 0 then return {} end
return { count(KEYS[1]), count(KEYS[2]) }
`);
