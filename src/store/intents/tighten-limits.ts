import { defineScript } from "../redis/script.ts";

/**
 * Sets an account's limits, unless one of them would become larger than what stands. What cannot be
 * compared counts as larger.
 *
 * KEYS limits
 * ARGV for each limit: its field, the new value, what holds where none was set
 * Answers 1, or 0 when nothing was changed.
 */
export const tightenLimits = defineScript(`
for i = 1, #ARGV, 3 do
  local stands = tonumber(redis.call('HGET', KEYS[1], ARGV[i]) or ARGV[i + 2])
  local wanted = tonumber(ARGV[i + 1])
  if not (stands and wanted and wanted <= stands) then return 0 end
end
for i = 1, #ARGV, 3 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
return 1
`);
