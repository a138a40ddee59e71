import { keyInLua } from "../keys-in-lua.ts";
import { UP_TO } from "../accounts/stored-quantities.ts";
import { defineScript } from "../redis/script.ts";
import { noteInLedger } from "./write-ledger.ts";

const LEDGER = keyInLua((keys, account) => keys.ledger(account));
const POSITIONS = keyInLua((keys, account) => keys.positions(account));
const BASE = keyInLua((keys, account) => keys.positionBase(account));
const FILLS = keyInLua((keys, account) => keys.fills(account));
const TIMES = keyInLua((keys, account) => keys.fillTimes(account));
const FILLED = keyInLua((keys, account) => keys.filledNet(account));

/**
 * Begins the ledger of an account that has none with the fills that are kept, and before them with what
 * else it is known to hold: which fills that came from is not known any more. The positions that are shown tell the broker's prices alone. They may be
 * of another moment, and what they show and nothing explains is still to be taken over, by a line of
 * its own.
 *
 * KEYS account
 */
export const openLedger = defineScript(`
${noteInLedger}
if redis.call('EXISTS', ${LEDGER}) == 1 then return 0 end
local holds, prices = {}, {}
for _, key in ipairs({ ${BASE}, ${FILLED} }) do
  local known = redis.call('HGETALL', key)
  for index = 1, #known, 2 do
    local contract = known[index]
    if contract ~= '${UP_TO}' then
      holds[contract] = (holds[contract] or 0) + tonumber(known[index + 1])
    end
  end
end
local times = redis.call('ZRANGE', ${TIMES}, 0, -1, 'WITHSCORES')
local kept = {}
for index = 1, #times, 2 do
  local body = redis.call('HGET', ${FILLS}, times[index])
  if body then
    body = string.match(body, '^[^\\n]*')
    local fill = cjson.decode(body)
    local contract, side, qty = fill.contract or fill[3], fill.side or fill[4], fill.lastQty or fill[5]
    local clOrdId = fill.clOrdId or fill[2]
    local intent = type(clOrdId) == 'string' and string.match(clOrdId, '^(i%x+)%-%d') or ''
    holds[contract] = (holds[contract] or 0) - (side == 'BUY' and qty or -qty)
    kept[#kept + 1] = { times[index], times[index + 1], body, intent }
  end
end
local shown = redis.call('GET', ${POSITIONS})
for _, position in ipairs(shown and cjson.decode(shown).positions or {}) do
  prices[position.contract] = { avgPx = position.avgPx, terms = position.terms }
end
for contract, qty in pairs(holds) do
  local price = prices[contract] or {}
  local text = next(price) and cjson.encode(price) or '{}'
  if qty ~= 0 then noteLot(contract, string.format('%d', qty), text, now) end
end
for _, fill in ipairs(kept) do noteFill(unpack(fill)) end
return 1
`);
