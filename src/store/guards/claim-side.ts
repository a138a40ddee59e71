import { defineScript } from "../redis/script.ts";

/**
 * Claims a side of a root for an account, unless another one has claimed the other side of a related
 * root. What has run out goes. An account may claim both sides of a root: each is a claim of its own.
 *
 * KEYS the user's claims
 * ARGV account, root, side, now, until, how many related roots, these, then the account by other logins
 * Answers the other account, or "" where it is claimed.
 */
export const claimSide = defineScript(`
local related, own = {}, { [ARGV[1]] = true }
local roots = 6 + tonumber(ARGV[6])
for at = 7, roots do related[ARGV[at]] = true end
for at = roots + 1, #ARGV do own[ARGV[at]] = true end
local claims = redis.call('HGETALL', KEYS[1])
for at = 1, #claims, 2 do
  local account, root, side = string.match(claims[at], '^(%S+) (%S+) (%S+)$')
  local ends = tonumber(claims[at + 1])
  if not account or not ends or ends <= tonumber(ARGV[4]) then
    redis.call('HDEL', KEYS[1], claims[at])
  elseif not own[account] and related[root] and side ~= ARGV[3] then
    return account
  end
end
redis.call('HSET', KEYS[1], ARGV[1] .. ' ' .. ARGV[2] .. ' ' .. ARGV[3], ARGV[5])
return ''
`);
