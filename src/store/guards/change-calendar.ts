import { defineScript } from "../redis/script.ts";

/**
 * Writes or removes a calendar of a user, and says so to every process.
 *
 * KEYS the user's calendars
 * ARGV name, the calendar ("" to remove it), the field of the version, how many there may be, channel
 * Answers 1, or 0 where there are as many others as there may be, or none to remove.
 */
export const changeCalendar = defineScript(`
local name, calendar, version = ARGV[1], ARGV[2], ARGV[3]
local exists = redis.call('HEXISTS', KEYS[1], name) == 1
if calendar == '' then
  if not exists then return 0 end
  redis.call('HDEL', KEYS[1], name)
else
  local others = redis.call('HLEN', KEYS[1]) - redis.call('HEXISTS', KEYS[1], version)
  if not exists and others >= tonumber(ARGV[4]) then return 0 end
  redis.call('HSET', KEYS[1], name, calendar)
end
redis.call('HINCRBY', KEYS[1], version, 1)
redis.call('PUBLISH', ARGV[5], name)
return 1
`);
