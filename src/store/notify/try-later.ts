import { defineScript } from "../redis/script.ts";

/**
 * Puts off what was tried in vain, as far as it still waits: another turn may have told it meanwhile.
 *
 * KEYS waiting, those that come first, notices
 * ARGV for each its id, when it is due (Unix ms), and the notice as JSON
 */
export const tryLater = defineScript(`
for index = 1, #ARGV, 3 do
  local id, dueAt, notice = ARGV[index], ARGV[index + 1], ARGV[index + 2]
  for key = 1, 2 do
    if redis.call('ZSCORE', KEYS[key], id) then
      redis.call('ZADD', KEYS[key], dueAt, id)
      redis.call('HSET', KEYS[3], id, notice)
    end
  end
end
return 1
`);
