import { defineScript } from "../redis/script.ts";

/**
 * Notes events that are to be told, and in the same step the states that they are of.
 *
 * KEYS outbox, then states (where there are any)
 * ARGV most lines, how long an outbox is kept (ms), how many states, then for each its key and the state
 *      as JSON ("" for one that is over), then events as JSON
 */
export const noteEvents = defineScript(`
local last = 3 + 2 * tonumber(ARGV[3])
for at = 4, last, 2 do
  if ARGV[at + 1] == '' then
    redis.call('HDEL', KEYS[2], ARGV[at])
  else
    redis.call('HSET', KEYS[2], ARGV[at], ARGV[at + 1])
  end
end
for at = last + 1, #ARGV do
  redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], '*', 'e', ARGV[at])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 1
`);
