import { defineScript } from "../redis/script.ts";

/**
 * Renews the claims of an account that are kept, and gives up its others. What was claimed a moment ago
 * is left as it is.
 *
 * KEYS the user's claims
 * ARGV account; what ends later was claimed a moment ago; what ends earlier is renewed; until when; then
 *   each "root side" that is kept
 */
export const keepSides = defineScript(`
local kept = {}
for at = 5, #ARGV do kept[ARGV[at]] = true end
local claims = redis.call('HGETALL', KEYS[1])
for at = 1, #claims, 2 do
  local account, of = string.match(claims[at], '^(%S+) (%S+ %S+)$')
  local ends = tonumber(claims[at + 1])
  if account == ARGV[1] and ends < tonumber(ARGV[2]) then
    if not kept[of] then
      redis.call('HDEL', KEYS[1], claims[at])
    elseif ends < tonumber(ARGV[3]) then
      redis.call('HSET', KEYS[1], claims[at], ARGV[4])
    end
  end
end
return ''
`);
