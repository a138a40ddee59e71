import { defineScript } from "../redis/script.ts";

/**
 * Leases a process its share of the orders per minute of the whole appliance: what it has sent in the
 * last minute, of which nothing is given up, and a part more. Who needs the part gets of it what
 * nobody else has; who does not, only while half of the limit is left beside it.
 *
 * A share counts for a minute after its lease has ended: so long are orders that were sent by it in
 * somebody's sliding minute.
 *
 * KEYS shares
 * ARGV holder, how many it has sent in the last minute, part, whether it needs it ("1" or "0"), limit,
 *   how long the lease lasts ("0" to end it), a minute
 * Answers how many it has now, how many nobody has, and when the lease ends.
 */
export const leaseShare = defineScript(`
local used, part, limit = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[5])
local others = 0
local all = redis.call('HGETALL', KEYS[1])
for index = 1, #all, 2 do
  local count, freeAt = string.match(all[index + 1], '^(%d+) (%d+)$')
  if tonumber(freeAt) <= now then redis.call('HDEL', KEYS[1], all[index])
  elseif all[index] ~= ARGV[1] then others = others + tonumber(count) end
end

local isRoomy = 2 * (limit - others - used - part) >= limit
local wanted = used + ((ARGV[4] == '1' or isRoomy) and part or 0)
local share = math.max(used, math.min(wanted, limit - others))
local lasts = ARGV[6] + ARGV[7]
if share == 0 then redis.call('HDEL', KEYS[1], ARGV[1])
else redis.call('HSET', KEYS[1], ARGV[1], string.format('%d %d', share, now + lasts)) end
if redis.call('PTTL', KEYS[1]) < lasts then redis.call('PEXPIRE', KEYS[1], lasts) end
return { share, math.max(0, limit - others - share), now + ARGV[6] }
`);
