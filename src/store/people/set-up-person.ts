import { defineScript } from "../redis/script.ts";

/**
 * Uses a set-up link up, and with it every other one of the person: gives its person the name and the
 * password to sign in with, in one step, so that a link is good for one set-up and a name is one
 * person's.
 *
 * KEYS link, names, person
 * ARGV userId, name in lower case, name, hash of the password
 * Answers `done`, `linkGone`, or `nameTaken`, which leaves the link as it is.
 */
export const setUpPerson = defineScript(`
local setUps = redis.call('HGET', KEYS[3], 'setUps') or '0'
if setUps == 'removed' then return 'linkGone' end
if redis.call('GET', KEYS[1]) ~= setUps .. ' ' .. ARGV[1] then return 'linkGone' end
local holder = redis.call('HGET', KEYS[2], ARGV[2])
if holder and holder ~= ARGV[1] then return 'nameTaken' end

local former = redis.call('HGET', KEYS[3], 'nameKey')
if former and former ~= ARGV[2] then redis.call('HDEL', KEYS[2], former) end
redis.call('DEL', KEYS[1])
redis.call('HINCRBY', KEYS[3], 'setUps', 1)
redis.call('HSET', KEYS[2], ARGV[2], ARGV[1])
redis.call('HSET', KEYS[3], 'nameKey', ARGV[2], 'name', ARGV[3], 'passwordHash', ARGV[4])
return 'done'
`);
