import { denialsWhere } from "../../domain/denials.ts";
import { TRIED_ANEW } from "../../domain/repeat.ts";
import { intentKey, keyInLua, lua } from "../keys-in-lua.ts";
import { luaNames, luaSet, PAST_LIMIT } from "../redis/script.ts";
import { inLua } from "../redis/named-arguments.ts";
import { OF_EVERY } from "./acceptance-arguments.ts";

/**
 * The parts that the scripts share which accept an intent: whether its request is still to be
 * carried out, and then the writing itself.
 * The reach is where no earlier intent may open anything once this one is accepted: `empties` for the
 * account, or `empties ES` for a root or a contract, or `empties ES BUY` for one side of it; `mayEmpty`
 * where only its being carried out says so; `replaces ES` where it says where all of it is to be; and where
 * it may open a position itself: `opens ES ESZ2026 BUY`, without the side where that is not known. A
 * target does both: `replaces ES;opens ES ESZ2026 BUY`.
 *
 * ARGV as in `OF_EVERY`
 */
const ARG = inLua(OF_EVERY);

const IDEMPOTENCY_TTL_MS = 24 * 3_600_000;

const COUNTERS = keyInLua((keys, account) => keys.counters(account));
const POSITIONS = keyInLua((keys, account) => keys.positions(account));
const OPEN = keyInLua((keys, account) => keys.open(account));
const idempotencyKey = (key: string) =>
  keyInLua((keys, account) => keys.idempotency(account, lua(key)));

/**
 * `keyed` answers `reused`, the intent that owns an Idempotency-Key, or nil for neither. A lost intent keeps
 * its key until it is among `lookedUp`.
 */
export const keyedIntent = (keyOf: (id: string) => string, lookedUp = "''"): string => `
-- An attempt that is tried anew, or is forgotten, leaves its place to another one: also before the
-- exits that came since. They have overtaken the request, however its first attempt ended.
local anew = ${luaSet(TRIED_ANEW, (kind) => kind.toUpperCase())}
local deniedAnew = ${luaNames(denialsWhere(({ isSafeToRepeat }) => isSafeToRepeat))}
local since
local function isLookedUp(intent)
  return string.find(' ' .. ${lookedUp} .. ' ', ' ' .. intent .. ' ', 1, true) ~= nil
end

-- An exit that was given up after it had closed a part.
local function hasClosed(outcome)
  local soFar = outcome and cjson.decode(outcome).soFar
  return soFar and soFar.closed and #soFar.closed > 0
end

local function standing(intent)
  local state, outcome, seq, before =
    unpack(redis.call('HMGET', ${keyOf("intent")}, 'state', 'outcome', 'seq', 'since'))
  if not state then return 'gone' end
  if state == 'LOST' and not isLookedUp(intent) then return 'lost' end
  local isAnew = anew[state] and not hasClosed(outcome) or state == 'DENIED' and deniedAnew[cjson.decode(outcome).code]
  return isAnew and 'anew' or 'stands', before or seq
end

local function stands(intent)
  local how, place = standing(intent)
  if how == 'anew' then since = place end
  return how == 'stands' or how == 'lost'
end

local function keyed(key, fingerprint)
  local known = redis.call('HMGET', key, 'fingerprint', 'intent')
  if not known[1] then return nil end
  if known[1] ~= fingerprint then return {'reused'} end
  if stands(known[2]) then return {'known', known[2]} end
  return nil
end
`;

/**
 * Ends the script with `late`, `reused`, the intent that the request's key is of, or `full`. While memory is
 * tight, that is the answer to an intent that can only open something. A possible exit is written, past
 * the limit too.
 */
export const checkRequest = `
if now > tonumber(${ARG.latestAt}) then return {'late'} end
${keyedIntent(intentKey, ARG.lookedUp)}
local key = ${ARG.fingerprint} ~= '' and ${idempotencyKey(ARG.idempotencyKey)}
local found = key and keyed(key, ${ARG.fingerprint})
if found then return found end

-- True of an intent that does anything else than open. Also while something is under way, while it is not
-- known what is held, and against a position in its root.
local function mayClose()
  local root, side = string.match(${ARG.reach}, '^opens (%S+) %S+ ?(%a*)$')
  if not root or redis.call('EXISTS', ${OPEN}) == 1 then return true end
  local held = redis.call('GET', ${POSITIONS})
  if not held then return true end
  for _, position in ipairs(cjson.decode(held).positions) do
    local isLong = position.netQty > 0
    local isOfRoot = string.match(position.contract, '^(.-)%a%d+$') == root
    if isOfRoot and side ~= (isLong and 'BUY' or 'SELL') then return true end
  end
  return false
end
if ${ARG.isTight} == '1' then
  if not mayClose() then return {'full'} end
  ${PAST_LIMIT}
end

if key then
  redis.call('HSET', key, 'fingerprint', ${ARG.fingerprint}, 'intent', ${ARG.intentId})
  redis.call('PEXPIRE', key, ${IDEMPOTENCY_TTL_MS})
end
`;

/**
 * Defines `endedAfter(by, counters, opens, seq)`: whether something that ends what an intent may open
 * was accepted after it, by an exit ("flatten") or a target ("target"), and `emptiedAfter(counters,
 * opens, seq)`, by either. What may open nothing is asked about the whole account.
 */
export const emptiedAfter = `
local function endedAfter(by, counters, opens, seq)
  local root, contract, side = string.match(opens or '', '^( [^ ]*)( ?[^ ]*)( ?[^ ]*)$')
  root, contract, side = root or '', contract or '', side or ''
  local lasts = redis.call('HMGET', counters,
    by, by .. root, by .. contract, by .. root .. side, by .. contract .. side)
  for _, last in ipairs(lasts) do
    if last and tonumber(last) > tonumber(seq) then return true end
  end
  return false
end

local function emptiedAfter(...)
  return endedAfter('flatten', ...) or endedAfter('target', ...)
end
`;

/** `asked(counters)` answers how many of the accepted intents people asked for. */
export const countAsked = `
local function asked(counters)
  local accepted, derived = unpack(redis.call('HMGET', counters, 'accepted', 'derived'))
  return (accepted or 0) - (derived or 0)
end
`;

/**
 * Counts the intent as accepted, or also as derived if no person asked for it, and gathers the fields of
 * its hash: `storeIntent` writes them.
 */
export const writeIntent = `
${emptiedAfter}local counters = ${COUNTERS}
local seq = redis.call('HINCRBY', counters, 'accepted', 1)
if ${ARG.isAsked} ~= '1' then redis.call('HINCRBY', counters, 'derived', 1) end
local fields = {
  'state', 'PREPARED', 'record', ${ARG.record}, 'seq', seq, 'acceptedAt', now,
  'maxAges', ${ARG.entryMaxAgeMs} .. ' ' .. ${ARG.exitMaxAgeMs},
}
local function put(...)
  for _, part in ipairs({ ... }) do fields[#fields + 1] = part end
end

local reach = {}
for word, scope in string.gmatch(${ARG.reach}, '(%a+)([^;]*)') do reach[word] = scope end
-- An exit is as old as it is: what follows it in its message comes after it. So is a target, unless it
-- is tried anew and was overtaken meanwhile: then it replaces nothing either.
local isAsOld = reach.empties or reach.mayEmpty
if reach.replaces then
  local pending = string.match(redis.call('HGET', counters, 'mayEmpty') or '', '^%d+')
  isAsOld = not since or not (emptiedAfter(counters, reach.opens, since)
    or pending and tonumber(pending) > tonumber(since))
end
if reach.empties then redis.call('HSET', counters, 'flatten' .. reach.empties, seq) end
if reach.replaces and isAsOld then redis.call('HSET', counters, 'target' .. reach.replaces, seq) end
if reach.mayEmpty then
  put('mayEmpty', reach.mayEmpty)
  redis.call('HSET', counters, 'mayEmpty', seq .. ' ' .. ${ARG.intentId})
end
if reach.replaces and isAsOld then put('targets', reach.replaces) end
if reach.opens then put('opens', reach.opens) end
if since and not isAsOld then put('since', since) end
redis.call('ZADD', ${OPEN}, seq, ${ARG.intentId})
`;

export const storeIntent = `
redis.call('HSET', ${intentKey(ARG.intentId)}, unpack(fields))
`;
