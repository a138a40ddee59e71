import { defineScript } from "../redis/script.ts";

/**
 * Writes or removes an exit plan of a user.
 *
 * KEYS the user's exit plans
 * ARGV name, the plan ("" to remove it), how many there may be, "1" where it must be new
 * Answers saved or removed; exists or full, where nothing is written; or absent, where none is to remove.
 */
export const changeNamedPlan = defineScript(`
local name, plan = ARGV[1], ARGV[2]
local exists = redis.call('HEXISTS', KEYS[1], name) == 1
if plan == '' then
  if not exists then return 'absent' end
  redis.call('HDEL', KEYS[1], name)
  return 'removed'
end
if exists and ARGV[4] == '1' then return 'exists' end
if not exists and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then return 'full' end
redis.call('HSET', KEYS[1], name, plan)
return 'saved'
`);
