import { GOING_ON } from "../../domain/intent.ts";
import { defineScript, luaNames } from "../redis/script.ts";
import { emptiedAfter } from "./write-intent.ts";

/**
 * Whether a target for all of a contract was accepted after an intent, and carried out or begun.
 *
 * KEYS intent, the account's counters
 * ARGV the root and the contract, as `opens` names them
 * Answers 1 or 0.
 */
export const targetFollows = defineScript(`
${emptiedAfter}
local seq = redis.call('HGET', KEYS[1], 'seq')
return seq and endedAfter('reached', KEYS[2], ARGV[1], seq) and 1 or 0
`);

/**
 * Whether an intent was accepted after another one, also within one millisecond.
 *
 * KEYS the intent, the other one
 * Answers 1 or 0; 0 where either is forgotten.
 */
export const follows = defineScript(`
local own, other = redis.call('HGET', KEYS[1], 'seq'), redis.call('HGET', KEYS[2], 'seq')
return own and other and tonumber(own) > tonumber(other) and 1 or 0
`);

/**
 * Lets an exit that goes on send nothing more: from here on its write-ahead is refused. Its lane ends it.
 *
 * KEYS intent
 * Answers 1, or 0 where it does not go on.
 */
export const stopGoingOn = defineScript(`
local goingOn = ${luaNames(GOING_ON)}
if not goingOn[redis.call('HGET', KEYS[1], 'state') or ''] then return 0 end
redis.call('HSET', KEYS[1], 'stopped', '1')
return 1
`);
