import { defineScript } from "../redis/script.ts";

/**
 * Takes a lease that nobody has, or keeps it.
 *
 * KEYS lease
 * ARGV process, for how long (ms)
 * Answers 1, or 0 where another process has it.
 */
export const holdTeller = defineScript(`
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`);
