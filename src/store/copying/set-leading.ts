import { defineScript } from "../redis/script.ts";

/**
 * Keeps whether an account leads copy groups, by a version of all groups. That it leads holds until
 * a version as new says otherwise: who has read older groups does not undo what a newer one began.
 * What is noted of an account that leads no more is forgotten.
 *
 * KEYS copy lead, copy news
 * ARGV whether it leads ("1" or "0"), by which version
 */
export const setLeading = defineScript(`
local since, version = tonumber(redis.call('HGET', KEYS[1], 'since') or '0'), tonumber(ARGV[2])
if ARGV[1] == '1' then
  redis.call('HSET', KEYS[1], 'leads', 1, 'since', math.max(since, version))
elseif since <= version then
  redis.call('HSET', KEYS[1], 'leads', 0)
  redis.call('DEL', KEYS[2])
end
return 1
`);
