import { admitRemembered } from "./admit-remembered.ts";
import { defineScript } from "../redis/script.ts";
import { checkAlert, storeAlert } from "./accept-alert.ts";
import type { LaneLayout } from "./lane-layout.ts";
import { checkNewRequest } from "./accept-intent.ts";
import { storeIntent, writeIntent } from "./write-intent.ts";

type Layout = Pick<LaneLayout, "laneRests" | "pushJob" | "startJob">;

/** `accept-alert.ts`, and the first write-ahead. */
export const createAlertAndBegin = (layout: Layout) =>
  acceptAndBegin(layout, { check: checkAlert, store: storeAlert, keys: 8, args: 25 });

/** `accept-intent.ts`, and the first write-ahead. */
export const createIntentAndBegin = (layout: Layout) =>
  acceptAndBegin(layout, { check: checkNewRequest, store: storeIntent, keys: 4, args: 12 });

/**
 * Accepts an intent as `accept-alert.ts` or `accept-intent.ts` does, and in the same step begins to send
 * its first order as `begin-sending.ts` does, where all is as its sender has foreseen: its lane rests,
 * nothing of the account is unsettled at the broker or parked, no exit or target stands over it, epoch
 * and limits are those that it was judged by, and nothing stops it: no kill switch, no dead key or
 * token, no share of the orders per minute that is used up. Otherwise its job goes to the lane,
 * where it is judged anew.
 *
 * KEYS as in either script, then epoch, unknown, sending, held, limits, account kill switch, sent, the
 *      account's copy of its user's kill switch, its revoked keys and tokens
 * ARGV as in either script, then until when it may be begun, the sender's epoch, the limits foreseen
 *      (three, "" for none), orders per minute ("" for what is always let through), its age in ms,
 *      clOrdId, permit, plan ("" for none), an exit's plan ("" for none), the worker, the key or
 *      token it came by ("" for none), whether its process has a share for it ("1" or "0")
 * Answers `begun` with the time, or `accepted` with the limits that stand; else as either script.
 */
function acceptAndBegin(layout: Layout, { check, store, keys, args }: Acceptance) {
  const KEY = (at: number) => `KEYS[${keys + at}]`;
  const ARG = (at: number) => `ARGV[${args + at}]`;
  const [lane, data] = [`ARGV[${args - 1}]`, `ARGV[${args}]`];
  return defineScript(`
${layout.laneRests}
${layout.pushJob}
${layout.startJob}
${admitRemembered(
  `
${check}
local limits = redis.call('HMGET', ${KEY(5)}, 'maxOrderQty', 'maxPositionQty', 'maxOrdersPerMinute')

local function isAsForeseen()
  if since or now > tonumber(${ARG(1)}) or tonumber(${ARG(7)}) <= 0 then return false end
  if redis.call('GET', ${KEY(1)}) ~= ${ARG(2)} then return false end
  if not laneRests(${lane}) then return false end
  if redis.call('EXISTS', ${KEY(2)}, ${KEY(3)}, ${KEY(4)}) > 0 then return false end
  for at = 1, 3 do
    if (limits[at] or '') ~= ARGV[${args + 2} + at] then return false end
  end
  if ${ARG(13)} ~= '' then
    local forgottenAt = redis.call('ZSCORE', ${KEY(9)}, ${ARG(13)})
    if forgottenAt and tonumber(forgottenAt) > now then return false end
  end
  if ${ARG(6)} == '' then return true end

  if ${ARG(14)} ~= '1' or redis.call('HGET', ${KEY(8)}, 'active') ~= '0' then return false end
  if redis.call('HGET', ${KEY(6)}, 'active') == '1' then return false end
  redis.call('ZREMRANGEBYSCORE', ${KEY(7)}, '-inf', now - 60000)
  if redis.call('ZCARD', ${KEY(7)}) >= tonumber(${ARG(6)}) then return false end
  redis.call('ZADD', ${KEY(7)}, now, ${ARG(8)})
  redis.call('PEXPIRE', ${KEY(7)}, 60000)
  return true
end
local begins = isAsForeseen()

${writeIntent}
if begins then
  fields[2] = 'SENDING'
  put('clOrdIds', ${ARG(8)}, 'permit:' .. ${ARG(8)}, ${ARG(9)}, 'sentAt', now)
  if ${ARG(10)} ~= '' then put('plan', ${ARG(10)}) end
  if ${ARG(11)} ~= '' then put('exitPlan', ${ARG(11)}) end
  redis.call('SADD', ${KEY(3)}, ARGV[1])
end
${store}
if begins then
  startJob(${lane}, ARGV[1], ${data}, ${ARG(12)})
  return {'begun', now}
end
pushJob(${lane}, ARGV[1], ${data})
return {'accepted', limits[1] or '', limits[2] or '', limits[3] or ''}
`,
  { keys: keys + 9, args: args + 14 },
)}
`);
}

/** The parts of the script that only accepts, and how many keys and arguments it has. */
interface Acceptance {
  readonly check: string;
  readonly store: string;
  readonly keys: number;
  readonly args: number;
}
