import { defineScript } from "../redis/script.ts";

/**
 * Writes or removes an account group of a user while it is still what it was read as. What is as it is
 * to be already is done, so that the same command may come twice.
 *
 * KEYS the user's account groups
 * ARGV groupId, the group as it was ("" for none), as it is to be ("" to remove it), how many there may be
 * Answers 1, or 0 where it is another one by now, or where there are as many as there may be.
 */
export const changeAccountGroup = defineScript(`
local id, before, after, most = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local now = redis.call('HGET', KEYS[1], id) or ''
if now == after then return 1 end
if now ~= before then return 0 end
if after == '' then return redis.call('HDEL', KEYS[1], id) end
if now == '' and redis.call('HLEN', KEYS[1]) >= most then return 0 end
redis.call('HSET', KEYS[1], id, after)
return 1
`);
