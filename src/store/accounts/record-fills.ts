import { MAX_FILLS_NOTED } from "../copying/redis-copy-news.ts";
import { keyInLua } from "../keys-in-lua.ts";
import { noteInLedger } from "../ledger/write-ledger.ts";
import { MAX_FILLS_KEPT } from "../../trading/reads/fill-pages.ts";
import { defineScript } from "../redis/script.ts";

const KEY = {
  fills: keyInLua((keys, account) => keys.fills(account)),
  fillTimes: keyInLua((keys, account) => keys.fillTimes(account)),
  filledNet: keyInLua((keys, account) => keys.filledNet(account)),
  positions: keyInLua((keys, account) => keys.positions(account)),
  epoch: keyInLua((keys, account) => keys.epoch(account)),
  copyLead: keyInLua((keys, account) => keys.copyLead(account)),
  copyNews: keyInLua((keys, account) => keys.copyNews(account)),
};

/**
 * Adds fills to what is known of an account, each exactly once, and what is held with them. The
 * oldest fill makes room for a new one; one that would have to make room at once is left out, so
 * that what has made room is not taken for new when it is added again. The new fills of an account
 * that leads are noted for copying in the same step. Every new fill is a line of the ledger, and so is
 * what a known one turns out to have cost.
 *
 * KEYS account
 * ARGV positions ("" to leave them as they are), the sender's epoch, then for each fill: execId, time,
 *      body, contract, signed quantity, its intent ("" for none of ours), its fee ("" where the broker
 *      has not said it)
 * Answers the execIds that were new.
 */
export const recordFills = defineScript(`
${noteInLedger}
local function costOf(body)
  local told = cjson.decode(body)
  local named = told[7] or told
  return (named.fee or '') .. ' ' .. (named.feeCurrency or '')
end
local added = {}
local fills, times = ${KEY.fills}, ${KEY.fillTimes}
for index = 3, #ARGV, 7 do
  local execId, at, body = ARGV[index], ARGV[index + 1], ARGV[index + 2]
  if redis.call('HSETNX', fills, execId, body) == 1 then
    redis.call('ZADD', times, at, execId)
    local isKept = true
    if redis.call('ZCARD', times) > ${MAX_FILLS_KEPT} then
      local oldest = redis.call('ZRANGE', times, 0, 0)[1]
      redis.call('ZREM', times, oldest)
      redis.call('HDEL', fills, oldest)
      isKept = oldest ~= execId
    end
    if isKept then
      redis.call('HINCRBY', ${KEY.filledNet}, ARGV[index + 3], ARGV[index + 4])
      added[#added + 1] = execId
      noteFill(execId, at, body, ARGV[index + 5])
    end
  elseif ARGV[index + 6] ~= '' then
    local former = redis.call('HGET', fills, execId)
    if former ~= body and costOf(former) ~= costOf(body) then
      redis.call('HSET', fills, execId, body)
      noteFee(execId, at, body, former)
    end
  end
end
local lead = ${KEY.copyLead}
if #added > 0 and redis.call('HGET', lead, 'leads') == '1' then
  local news = ${KEY.copyNews}
  for _, execId in ipairs(added) do
    redis.call('ZADD', news, redis.call('HINCRBY', lead, 'seq', 1), execId)
  end
  redis.call('ZREMRANGEBYRANK', news, 0, ${-1 - MAX_FILLS_NOTED})
end
-- What a former owner has read may come late; its fills are as true as ever.
if ARGV[1] ~= '' and tonumber(redis.call('GET', ${KEY.epoch}) or '0') <= tonumber(ARGV[2]) then
  redis.call('SET', ${KEY.positions}, ARGV[1])
end
return added
`);
