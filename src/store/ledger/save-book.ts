import { keyInLua } from "../keys-in-lua.ts";
import { defineScript } from "../redis/script.ts";

const BOOK = keyInLua((keys, account) => keys.ledgerBook(account));

/**
 * Keeps what a ledger adds up to, unless what is kept is of a later line: several read it at once.
 *
 * KEYS account
 * ARGV the line, the book, and their fields: `upTo` and `book`, or `baseUpTo` and `base`
 */
export const saveBook = defineScript(`
local book = ${BOOK}
local function parts(id)
  local ms, seq = string.match(id, '^(%d+)-(%d+)$')
  return tonumber(ms), tonumber(seq)
end
local kept = redis.call('HGET', book, ARGV[3])
if kept then
  local ms, seq = parts(kept)
  local newMs, newSeq = parts(ARGV[1])
  if newMs < ms or (newMs == ms and newSeq <= seq) then return 0 end
end
redis.call('HSET', book, ARGV[3], ARGV[1], ARGV[4], ARGV[2])
return 1
`);
