import { keyInLua } from "../keys-in-lua.ts";
import { noteDecision } from "../notify/note-decision.ts";
import { defineScript } from "../redis/script.ts";

/** So many decisions of an account are kept. */
const MOST_DECISIONS = 2_000;

const KEY = {
  guards: keyInLua((keys, account) => keys.guards(account)),
  log: keyInLua((keys, account) => keys.guardLog(account)),
  epoch: keyInLua((keys, account) => keys.epoch(account)),
};

/**
 * Writes what was set or decided of an account's guards, with the lock that the write-ahead of every
 * entry asks for, the history, and what is to be told of it: in one step, or nothing of it.
 *
 * KEYS account
 * ARGV the writer's epoch ("" where a person writes), the version and the id of the lock that it was
 *   decided by ("" for none), the state that it was made from ("*" for any), how many fields, each with its value ("" takes it away), then decisions
 *   as JSON, each with what is told of it ("" for nothing)
 * Answers `written`, `fenced` or `changed`.
 */
export const writeGuards = defineScript(`
${noteDecision}
if ARGV[1] ~= '' and redis.call('GET', ${KEY.epoch}) ~= ARGV[1] then return 'fenced' end
local guards = ${KEY.guards}
local stands = redis.call('HMGET', guards, 'version', 'lockId')
if (stands[1] or '') ~= ARGV[2] or (stands[2] or '') ~= ARGV[3] then return 'changed' end
if ARGV[4] ~= '*' and (redis.call('HGET', guards, 'state') or '') ~= ARGV[4] then return 'changed' end
local last = 5 + 2 * tonumber(ARGV[5])
for at = 6, last, 2 do
  if ARGV[at + 1] == '' then
    redis.call('HDEL', guards, ARGV[at])
  else
    redis.call('HSET', guards, ARGV[at], ARGV[at + 1])
  end
end
for at = last + 1, #ARGV, 2 do
  redis.call('XADD', ${KEY.log}, 'MAXLEN', '~', ${MOST_DECISIONS}, '*', 'decision', ARGV[at])
  noteDecision(ARGV[at + 1])
end
return 'written'
`);
