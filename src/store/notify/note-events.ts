import { defineScript } from "../redis/script.ts";
import { noteLine } from "./note-outcome.ts";

/**
 * Notes events that are to be told, and in the same step the states that they are of, unless one of
 * these was changed since it was read.
 *
 * KEYS outbox, then states (where there are any)
 * ARGV how many states, then for each its key, the state as it was read and as it is to be, both as JSON
 *      ("" for none), then events as JSON
 * Answers 1, or 0 where it did nothing.
 */
export const noteEvents = defineScript(`
${noteLine}
local last = 1 + 3 * tonumber(ARGV[1])
for at = 2, last, 3 do
  if (redis.call('HGET', KEYS[2], ARGV[at]) or '') ~= ARGV[at + 1] then return 0 end
end
for at = 2, last, 3 do
  if ARGV[at + 2] == '' then
    redis.call('HDEL', KEYS[2], ARGV[at])
  else
    redis.call('HSET', KEYS[2], ARGV[at], ARGV[at + 2])
  end
end
for at = last + 1, #ARGV do noteLine(KEYS[1], 'e', ARGV[at]) end
return 1
`);
