import { defineScript } from "../redis/script.ts";

/**
 * Changes what a broker inside this gateway keeps of one account, all or nothing, and only when
 * the entry that numbers its writes is as the writer last left it: a writer that was frozen and
 * replaced meanwhile changes nothing.
 *
 * KEYS broker state
 * ARGV expected key, whether it is there ("1" or "0"), its value, how many names to remove,
 *      the names, then names and values to put
 * Answers 1, or 0 when another writer was there first.
 */
export const commitBrokerState = defineScript(`
local found = redis.call('HGET', KEYS[1], ARGV[1])
local expected = ARGV[2] == '1' and ARGV[3] or false
if found ~= expected then return 0 end

local removed = tonumber(ARGV[4])
for index = 5, 4 + removed do redis.call('HDEL', KEYS[1], ARGV[index]) end
-- In parts: Lua passes only so many values at once.
for from = 5 + removed, #ARGV, 1000 do
  redis.call('HSET', KEYS[1], unpack(ARGV, from, math.min(from + 999, #ARGV)))
end
return 1
`);
