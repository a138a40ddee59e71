import { defineScript } from "../redis/script.ts";

/**
 * Sets where the present batch of an account's ledger ends, unless one has begun before: its fills are told
 * by order, and one that is repeated has to have the same.
 *
 * KEYS told up to
 * ARGV the line that it begins after ("" for the first), the line that it is to end with
 * Answers the line that it ends with; nil where it does not begin there any more.
 */
export const bindLedger = defineScript(`
local upTo, to = unpack(redis.call('HMGET', KEYS[1], 'ledger', 'ledgerTo'))
if (upTo or '') ~= ARGV[1] then return nil end
if to and to ~= (upTo or '') then return to end
redis.call('HSET', KEYS[1], 'ledgerTo', ARGV[2])
return ARGV[2]
`);
