import { MAX_FILLS_NOTED } from "../copying/redis-copy-news.ts";
import { keyInLua } from "../keys-in-lua.ts";
import { noteInLedger } from "../ledger/write-ledger.ts";
import { MAX_FILLS_KEPT } from "../../trading/reads/fill-pages.ts";
import { defineScript } from "../redis/script.ts";
import { UP_TO } from "./stored-quantities.ts";

const KEY = {
  fills: keyInLua((keys, account) => keys.fills(account)),
  fillTimes: keyInLua((keys, account) => keys.fillTimes(account)),
  filledNet: keyInLua((keys, account) => keys.filledNet(account)),
  positions: keyInLua((keys, account) => keys.positions(account)),
  base: keyInLua((keys, account) => keys.positionBase(account)),
  epoch: keyInLua((keys, account) => keys.epoch(account)),
  copyLead: keyInLua((keys, account) => keys.copyLead(account)),
  copyNews: keyInLua((keys, account) => keys.copyNews(account)),
};

/**
 * Adds fills to what is known of an account, each exactly once, and what is held with them. The
 * oldest fill makes room for a new one; one that would have to make room at once is left out, so
 * that what has made room is not taken for new when it is added again. The new fills of an account
 * that leads are noted for copying in the same step. Every new fill is a line of the ledger, and so is
 * what a known one turns out to have cost, and what the broker takes back or corrects of one. A fill that
 * was taken back stays so, whatever is said of it later; one that is taken back before it was known is
 * kept, and counts nowhere. A fill keeps its order's name where the broker does not say it again, and gets it
 * where it says it only then.
 *
 * KEYS account
 * ARGV positions ("" to leave them as they are), the sender's epoch, then for each fill: execId, time,
 *      body, contract, signed quantity, its intent ("" for none of ours), its fee ("" where the broker
 *      has not said it)
 * Answers the execIds that were new and count; those that had counted otherwise; and in turn the execId of each
 * that names the entries whose contracts it closes, new or not, and these.
 */
export const recordFills = defineScript(`
${noteInLedger}
-- The names of a fill follow its body, on a line of their own.
local function split(kept)
  local body = string.match(kept, '^[^\\n]*')
  return body, string.sub(kept, #body + 1)
end
local function read(body)
  local told = cjson.decode(body)
  local named = told[7] or told
  local name = told.clOrdId
  if told[4] and told[2] ~= cjson.null then name = told[2] end
  return {
    name = name,
    contract = told[3] or told.contract, side = told[4] or told.side,
    qty = told[5] or told.lastQty, px = told[6] or told.lastPx,
    cost = (named.fee or '') .. ' ' .. (named.feeCurrency or ''),
    tick = named.terms and named.terms.tickSize or '', takenBack = named.takenBack
  }
end
local function netOf(fill)
  if fill.takenBack then return 0 end
  return fill.side == 'BUY' and fill.qty or -fill.qty
end
-- All else of it stays as it is: the broker may not name its order when it takes it back.
local function markTakenBack(body)
  local told = cjson.decode(body)
  if told[4] then told[7] = told[7] or {} end
  local named = told[7] or told
  named.takenBack = true
  return cjson.encode(told)
end
local function withName(body, name)
  local told = cjson.decode(body)
  if told[4] then told[2] = name else told.clOrdId = name end
  return cjson.encode(told)
end
-- Prices in other ticks, and contracts by another name, are no correction.
local function isCorrected(was, is)
  if was.takenBack or not was.qty or was.contract ~= is.contract then return false end
  if is.takenBack or was.side ~= is.side or was.qty ~= is.qty then return true end
  return was.tick == is.tick and was.px ~= is.px
end
local added, corrected, closes = {}, {}, {}
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
    if isKept and read(body).takenBack then
      -- Those of before the account was first compared with its broker are no news.
      if redis.call('HEXISTS', ${KEY.base}, '${UP_TO}') == 1 then
        noteCorrection(execId, at, body, '')
      end
    elseif isKept then
      redis.call('HINCRBY', ${KEY.filledNet}, ARGV[index + 3], ARGV[index + 4])
      added[#added + 1] = execId
      local named = noteFill(execId, at, body, ARGV[index + 5])
      if named ~= '' then
        closes[#closes + 1] = execId
        closes[#closes + 1] = named
        redis.call('HSET', fills, execId, body .. '\\n' .. named)
      end
    end
  else
    local former, more = split(redis.call('HGET', fills, execId))
    local was, is = read(former), read(body)
    local isNamed = is.name and not was.name
    if isNamed then
      local _, _, named = originOf(ARGV[index + 5], body)
      more = named ~= '' and '\\n' .. named or ''
    elseif was.name and not is.name then
      body = withName(body, was.name)
    end
    if former ~= body and isCorrected(was, is) then
      if is.takenBack then body = markTakenBack(former) end
      redis.call('HSET', fills, execId, body .. more)
      redis.call('HINCRBY', ${KEY.filledNet}, is.contract, netOf(is) - netOf(was))
      noteCorrection(execId, at, body, former)
      corrected[#corrected + 1] = execId
      -- One that was not copied yet is not copied any more.
      if is.takenBack then redis.call('ZREM', ${KEY.copyNews}, execId) end
    elseif ARGV[index + 6] ~= '' and not was.takenBack and was.cost ~= is.cost then
      redis.call('HSET', fills, execId, body .. more)
      noteFee(execId, at, body, former)
    elseif isNamed then
      redis.call('HSET', fills, execId, withName(former, is.name) .. more)
    end
    if more ~= '' then
      closes[#closes + 1] = execId
      closes[#closes + 1] = string.sub(more, 2)
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
return { added, corrected, closes }
`);
