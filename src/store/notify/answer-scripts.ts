import { defineScript } from "../redis/script.ts";

/**
 * Notes that an update is taken, in the process that has the bot, and once.
 *
 * KEYS holder, first update that nobody has taken
 * ARGV process, update, the one after it, for how long that is known (ms)
 * Answers 1, or 0 where it was taken before or the bot is another process'.
 */
export const takeUpdate = defineScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
local first = redis.call('GET', KEYS[2])
if first and tonumber(ARGV[2]) < tonumber(first) then return 0 end
redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[4])
return 1
`);

/**
 * Lets a bot go, where this process has it.
 *
 * KEYS holder
 * ARGV process
 */
export const releaseBot = defineScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1
`);

/**
 * Takes an offer, so that nobody else can, and notes that it was, and when.
 *
 * KEYS offer, begun acts
 * ARGV nonce, message that has the button, for how long the note is kept (ms)
 * Answers the offer, or false where there is none.
 */
export const beginAct = defineScript(`
local offer = redis.call('GET', KEYS[1])
if not offer then return false end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2] .. ' ' .. string.format('%.0f', now) .. ' ' .. offer)
redis.call('PEXPIRE', KEYS[2], ARGV[3])
return offer
`);
