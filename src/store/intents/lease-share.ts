import { defineScript } from "../redis/script.ts";

/**
 * Leases a process its share of the orders per minute of the whole appliance: what it has sent in the
 * last minute, of which nothing is given up, and some more. Who needs more now gets a part, or half of
 * what nobody has where that is less. Who does not has as many at hand as all processes can, and only
 * while half of the limit is left beside it.
 *
 * A share counts for a minute after its lease has ended: so long are orders that were sent by it in
 * somebody's sliding minute. One of nothing counts among the processes.
 *
 * KEYS shares
 * ARGV holder, how many it has sent in the last minute, the largest part, whether it needs more (`now`,
 *   `ahead` or `no`), limit, how long the lease lasts ("0" to end it), a minute
 * Answers how many it has now, how many nobody has, when the lease ends, and how many of a share are
 * to be at hand.
 */
export const leaseShare = defineScript(`
local used, part, limit = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[5])
local own, others, processes = 0, 0, 1
local all = redis.call('HGETALL', KEYS[1])
for index = 1, #all, 2 do
  local count, freeAt = string.match(all[index + 1], '^(%d+) (%d+)$')
  if tonumber(freeAt) <= now then redis.call('HDEL', KEYS[1], all[index])
  elseif all[index] == ARGV[1] then own = tonumber(count)
  else
    others = others + tonumber(count)
    if freeAt - ARGV[7] > now then processes = processes + 1 end
  end
end

local atHand = math.min(part, math.max(1, math.floor(limit / 2 / processes)))
local free = limit - others - used
local wanted = used
if ARGV[4] == 'now' then wanted = used + math.max(atHand, math.min(part, math.floor(free / 2)))
elseif 2 * (free - atHand) >= limit then wanted = used + atHand end
-- Who is at work goes on to use so much while it asks.
if ARGV[4] ~= 'no' then wanted = math.max(wanted, math.min(own, used + part)) end
local share = math.max(used, math.min(wanted, limit - others))
local lasts = ARGV[6] + ARGV[7]
if share == 0 and ARGV[6] == '0' then redis.call('HDEL', KEYS[1], ARGV[1])
else redis.call('HSET', KEYS[1], ARGV[1], string.format('%d %d', share, now + lasts)) end
if redis.call('PTTL', KEYS[1]) < lasts then redis.call('PEXPIRE', KEYS[1], lasts) end
return { share, math.max(0, limit - others - share), now + ARGV[6], atHand }
`);
