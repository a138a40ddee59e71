import { keyInLua } from "../keys-in-lua.ts";
import { defineScript } from "../redis/script.ts";
import { noteInLedger } from "./write-ledger.ts";

const LEDGER = keyInLua((keys, account) => keys.ledger(account));
const POSITIONS = keyInLua((keys, account) => keys.positions(account));

/**
 * Begins the ledger of an account that has none with what it holds, at the broker's prices: which fills
 * they came from is not known any more.
 *
 * KEYS account
 */
export const openLedger = defineScript(`
${noteInLedger}
if redis.call('EXISTS', ${LEDGER}) == 1 then return 0 end
local known = redis.call('GET', ${POSITIONS})
if not known then return 0 end
for _, position in ipairs(cjson.decode(known).positions) do
  local price = { avgPx = position.avgPx, terms = position.terms }
  local text = next(price) and cjson.encode(price) or '{}'
  noteLot(position.contract, string.format('%d', position.netQty), text, now)
end
return 1
`);
