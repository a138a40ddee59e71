import { defineScript } from "../redis/script.ts";

/**
 * How far each of several intents has come: only what is needed of each, since an account has many.
 *
 * KEYS intents
 * Answers for each of them, in their order: its state, then the identifiers it was sent with.
 */
export const readProgress = defineScript(`
local found = {}
for _, key in ipairs(KEYS) do
  local standing = redis.call('HMGET', key, 'state', 'clOrdIds')
  found[#found + 1] = standing[1]
  found[#found + 1] = standing[2]
end
return found
`);
