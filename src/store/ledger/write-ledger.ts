import { intentKey, keyInLua } from "../keys-in-lua.ts";

const LEDGER = keyInLua((keys, account) => keys.ledger(account));

/**
 * For scripts whose first key is `keys.account`. Lines of one kind have the same fields in the same
 * order, so that the stream stores their names once for many of them.
 *
 * `noteFill(execId, time, body, intent)` also keeps what says where its intent came from, which is not
 * kept for good: kind, key or webhook, leader and the price that an alert named, each "-" where there is
 * none, and the quote that stood as it was sent. Answers the entries that the intent names as those whose
 * contracts it closes, as JSON, "" where it names none.
 * `noteFee(execId, time, body, former)`: with the fill's body as it was before.
 * `noteCorrection(execId, time, body, former)`: the same, "" where the fill had no line.
 * `noteLot(contract, quantity, price, now)`: signed, with the broker's price as JSON.
 */
export const noteInLedger = `
-- A close of a part names the lots that it closes, and exits that are placed again the leg whose place they take.
local function carriedBy(exitPlan, name)
  local carried = exitPlan and name and cjson.decode(exitPlan) or {}
  for _, close in ipairs(carried.closes or {}) do
    if close.clOrdId == name then return close.lots and cjson.encode(close.lots) end
  end
  for _, given in ipairs(carried.given or {}) do
    if string.sub(name, 1, #given.clOrdId + 1) == given.clOrdId .. '-' then
      return not given.leg and '[]' or nil, given.leg
    end
  end
end

-- Exits for all of a position are for no entry of it before others. The leg that a cancel leaves of a pair, or that
-- a refused close gives back, is for the entries that the pair was for.
local function closesOf(intent, plan, exitPlan, name)
  local lots, given = carriedBy(exitPlan, name)
  if lots then return lots end
  if intent.closes and not given then return cjson.encode(intent.closes) end
  local left = given or intent.kind == 'CANCEL' and plan and cjson.decode(plan).survivorClOrdId
  if not left then return intent.kind == 'PROTECT' and '[]' or '' end
  local pair, ofPair = string.match(left, '^((i%x+)%-%d+)')
  local known = ofPair and redis.call('HGET', ${intentKey("ofPair")}, 'record')
  local asked = known and closesOf(cjson.decode(known).intent) or ''
  return asked == '' and pair and cjson.encode({ pair }) or asked
end

local function nameIn(body)
  local told = cjson.decode(body)
  local name = told[4] and told[2] or told.clOrdId
  return type(name) == 'string' and name or nil
end

local function originOf(intent, body)
  if intent == '' then return '', '', '' end
  local known = redis.call('HMGET', ${intentKey("intent")}, 'record', 'quote', 'plan', 'exitPlan')
  if not known[1] then return '', '', '' end
  local record = cjson.decode(known[1])
  local source = record.source
    or { kind = 'webhook', credentialId = record.from and record.from[2] or record.webhookId }
  local leader = record.copy and record.copy.leader
  local words = { source.kind, source.credentialId or '-', leader or '-', record.signalPrice or '-' }
  return table.concat(words, ' '), known[2] or '',
    closesOf(record.intent, known[3], known[4], known[4] and nameIn(body))
end

local function noteFill(execId, at, body, intent)
  local origin, quote, closes = originOf(intent, body)
  redis.call('XADD', ${LEDGER}, '*', 'e', execId, 't', at, 'b', body, 'o', origin, 'q', quote)
  return closes
end

local function noteFee(execId, at, body, former)
  redis.call('XADD', ${LEDGER}, '*', 'e', execId, 't', at, 'b', body, 'w', former)
end

local function noteCorrection(execId, at, body, former)
  redis.call('XADD', ${LEDGER}, '*', 'e', execId, 't', at, 'b', body, 'r', former)
end

local function noteLot(contract, qty, price, at)
  redis.call('XADD', ${LEDGER}, '*', 'c', contract, 'n', qty, 'p', price, 't', at)
end
`;
