import { defineScript } from "../redis/script.ts";

/** An order that was sent after its claim is seen at the broker by then. */
const ON_ITS_WAY_MS = 15_000;

/**
 * Claims a side of a root for an account, unless another one has claimed the other side of a related
 * root. What has run out goes. With it is kept when it was claimed, by Redis' clock.
 *
 * KEYS the user's claims
 * ARGV account, root, side, now, until, then the related roots
 * Answers the other account, or "" where it is claimed.
 */
export const claimSide = defineScript(`
local related = {}
for at = 6, #ARGV do related[ARGV[at]] = true end
local claims = redis.call('HGETALL', KEYS[1])
for at = 1, #claims, 2 do
  local account, root = string.match(claims[at], '^(%S+) (%S+)$')
  local side, ends = string.match(claims[at + 1], '^(%S+) (%d+)')
  if not ends or tonumber(ends) <= tonumber(ARGV[4]) then
    redis.call('HDEL', KEYS[1], claims[at])
  elseif account ~= ARGV[1] and related[root] and side ~= ARGV[3] then
    return account
  end
end
redis.call('HSET', KEYS[1], ARGV[1] .. ' ' .. ARGV[2], ARGV[3] .. ' ' .. ARGV[5] .. ' ' .. string.format('%d', now))
return ''
`);

/**
 * Gives up the claims of an account on all roots but some. One that was claimed a moment ago stays.
 *
 * KEYS the user's claims
 * ARGV account, then the roots that stay
 */
export const keepSides = defineScript(`
local stays = {}
for at = 2, #ARGV do stays[ARGV[at]] = true end
local claims = redis.call('HGETALL', KEYS[1])
for at = 1, #claims, 2 do
  local account, root = string.match(claims[at], '^(%S+) (%S+)$')
  local claimedAt = string.match(claims[at + 1], ' (%d+)$')
  local isOld = not claimedAt or tonumber(claimedAt) + ${ON_ITS_WAY_MS} <= now
  if account == ARGV[1] and not stays[root] and isOld then
    redis.call('HDEL', KEYS[1], claims[at])
  end
end
`);
