import { recordFieldsInLua } from "../intent-record.ts";
import { defineScript } from "../script.ts";
import { emptiedAfter } from "./write-intent.ts";

/**
 * Everything the lane decides on that is kept under the account's hash tag, at one instant. An
 * intent that was begun and never settled counts as unknown: it is not this one's turn otherwise.
 *
 * KEYS intent, counters, unknown, sending, held, limits, account kill switch
 * ARGV intentId
 * Answers {} for an intent that is not there.
 */
export const loadForLane = defineScript(`
${emptiedAfter}
local seq, since, opens = unpack(redis.call('HMGET', KEYS[1], 'seq', 'since', 'opens'))
if not seq then return {} end

local others = 0
for index = 3, 4 do
  others = others + redis.call('SCARD', KEYS[index])
    - redis.call('SISMEMBER', KEYS[index], ARGV[1])
end
return {
  now,
  redis.call('HMGET', KEYS[1], ${recordFieldsInLua}),
  emptiedAfter(KEYS[2], opens, since or seq) and 1 or 0,
  others,
  redis.call('ZCOUNT', KEYS[5], '-inf', '(' .. seq),
  redis.call('HGETALL', KEYS[6]),
  redis.call('HGETALL', KEYS[7]),
}
`);
