import { keyInLua } from "../keys-in-lua.ts";
import { noteInLedger } from "../ledger/write-ledger.ts";
import { defineScript } from "../redis/script.ts";
import { UP_TO } from "./stored-quantities.ts";

const BASE = keyInLua((keys, account) => keys.positionBase(account));
const EPOCH = keyInLua((keys, account) => keys.epoch(account));

/**
 * Writes what is held without fills that are known, unless the account has a newer owner than the
 * sender. By how much it changes is a line of the ledger.
 *
 * KEYS account
 * ARGV the sender's epoch, up to when every fill is known ("" to leave that), then for each contract:
 *      its name, quantity, and the broker's price as JSON
 * Answers 1, or 0 when there is a newer owner.
 */
export const saveHoldings = defineScript(`
${noteInLedger}
if tonumber(redis.call('GET', ${EPOCH}) or '0') > tonumber(ARGV[1]) then return 0 end
local base = ${BASE}
if ARGV[2] ~= '' then redis.call('HSET', base, '${UP_TO}', ARGV[2]) end
for index = 3, #ARGV, 3 do
  local contract, qty = ARGV[index], ARGV[index + 1]
  local change = tonumber(qty) - tonumber(redis.call('HGET', base, contract) or '0')
  redis.call('HSET', base, contract, qty)
  if change ~= 0 then noteLot(contract, string.format('%d', change), ARGV[index + 2], now) end
end
return 1
`);
