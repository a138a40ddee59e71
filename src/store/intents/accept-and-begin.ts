import { admitRemembered } from "./admit-remembered.ts";
import { keyInLua, lua } from "../keys-in-lua.ts";
import { defineScript } from "../redis/script.ts";
import { checkAlert, storeAlert } from "./accept-alert.ts";
import { inLua, type Names } from "../redis/named-arguments.ts";
import { OF_ALERT, OF_EVERY, OF_REQUEST, TO_BEGIN } from "./acceptance-arguments.ts";
import type { LaneLayout } from "./lane-layout.ts";
import { checkNewRequest } from "./accept-intent.ts";
import { LIMITS } from "./redis-limit-store.ts";
import { storeIntent, writeIntent } from "./write-intent.ts";

/**
 * Nothing is begun that its sender has given up waiting for, as it does after a second
 * (`redis/connect.ts`): nobody would send it, and the broker would be asked for it in vain.
 */
export const BEGUN_WITHIN_MS = 1_000;

type Layout = Pick<LaneLayout, "laneRests" | "pushJob" | "startJob">;

/** `accept-alert.ts`, and the first write-ahead. */
export const createAlertAndBegin = (layout: Layout) =>
  acceptAndBegin(layout, { check: checkAlert, store: storeAlert, names: OF_ALERT });

/** `accept-intent.ts`, and the first write-ahead. */
export const createIntentAndBegin = (layout: Layout) =>
  acceptAndBegin(layout, { check: checkNewRequest, store: storeIntent, names: OF_REQUEST });

/**
 * Accepts an intent as `accept-alert.ts` or `accept-intent.ts` does, and in the same step begins to send
 * its first order as `begin-sending.ts` does, where all is as its sender has foreseen: its lane rests,
 * nothing of the account is unsettled at the broker or parked, no exit or target stands over it, epoch
 * and limits are those that it was judged by, and nothing stops it: no kill switch, no lock, no dead key or
 * token, no share of the orders per minute that is used up. Otherwise its job goes to the lane,
 * where it is judged anew.
 *
 * KEYS account
 * ARGV as in either script, then as in `TO_BEGIN`, then as in `TO_ADMIT`
 * Answers `begun` with the time, or `accepted` with the limits that stand; else as either script.
 */
function acceptAndBegin(layout: Layout, { check, store, names }: Acceptance) {
  const EVERY = inLua(OF_EVERY);
  const ARG = inLua(TO_BEGIN, OF_EVERY, names);
  const { intentId, lane, jobData } = EVERY;
  const KEY = {
    epoch: keyInLua((keys, account) => keys.epoch(account)),
    unknown: keyInLua((keys, account) => keys.unknown(account)),
    sending: keyInLua((keys, account) => keys.sending(account)),
    parked: keyInLua((keys, account) => keys.parked(account)),
    limits: keyInLua((keys, account) => keys.limits(account)),
    killSwitch: keyInLua((keys, accountId) => keys.killSwitch({ accountId })),
    sent: keyInLua((keys, account) => keys.sent(account)),
    userSwitch: keyInLua((keys, account) => keys.userSwitch(account, lua(ARG.userId))),
    guards: keyInLua((keys, account) => keys.guards(account)),
    revoked: keyInLua((keys, account) => keys.revokedHere(account)),
    runningPlans: keyInLua((keys, account) => keys.runningPlans(account)),
    orderTimeouts: keyInLua((keys, account) => keys.orderTimeouts(account)),
  };
  return defineScript(
    `
${layout.laneRests}
${layout.pushJob}
${layout.startJob}
${admitRemembered(
  `
${check}
local limits =
  redis.call('HMGET', ${KEY.limits}, ${LIMITS.map((name) => `'${name}'`).join(", ")})
for at = 1, ${LIMITS.length} do limits[at] = limits[at] or '' end

local function isAsForeseen()
  if since or now > ${EVERY.receivedAt} + ${BEGUN_WITHIN_MS} then return false end
  local isEntry = ${ARG.perAccount} ~= ''
  local maxAgeMs = isEntry and ${EVERY.entryMaxAgeMs} or ${EVERY.exitMaxAgeMs}
  if tonumber(maxAgeMs) <= 0 then return false end
  if redis.call('GET', ${KEY.epoch}) ~= ${ARG.ownEpoch} then return false end
  if not laneRests(${lane}) then return false end
  if redis.call('EXISTS', ${KEY.unknown}, ${KEY.sending}, ${KEY.parked}) > 0 then return false end
  if table.concat(limits, ' ') ~= ${ARG.limits} then return false end
  if ${ARG.credentialId} ~= '' then
    local forgottenAt = redis.call('ZSCORE', ${KEY.revoked}, ${ARG.credentialId})
    if forgottenAt and tonumber(forgottenAt) > now then return false end
  end
  if not isEntry then return true end

  if now >= tonumber(${ARG.shareUntil}) then return false end
  if redis.call('HGET', ${KEY.userSwitch}, 'active') ~= '0' then return false end
  if redis.call('HGET', ${KEY.killSwitch}, 'active') == '1' then return false end
  local guards = redis.call('HMGET', ${KEY.guards}, 'version', 'lock')
  if guards[2] or (guards[1] or '') ~= ${ARG.guardVersion} then return false end
  local sent = ${KEY.sent}
  redis.call('ZREMRANGEBYSCORE', sent, '-inf', now - 60000)
  if redis.call('ZCARD', sent) >= tonumber(${ARG.perAccount}) then return false end
  redis.call('ZADD', sent, now, ${ARG.clOrdId})
  redis.call('PEXPIRE', sent, 60000)
  return true
end
local begins = isAsForeseen()

${writeIntent}
if begins then
  fields[2] = 'SENDING'
  put('clOrdIds', ${ARG.clOrdId}, 'permit:' .. ${ARG.clOrdId}, ${ARG.permit}, 'sentAt', now)
  if ${ARG.plan} ~= '' then put('plan', ${ARG.plan}) end
  if ${ARG.exitPlan} ~= '' then put('exitPlan', ${ARG.exitPlan}) end
  if ${ARG.quote} ~= '' then put('quote', ${ARG.quote}) end
  redis.call('SADD', ${KEY.sending}, ${intentId})
  if ${ARG.runningPlan} ~= '' then
    redis.call('HSET', ${KEY.runningPlans}, ${intentId}, ${ARG.runningPlan})
  end
  if ${ARG.deadline} ~= '' then
    redis.call('HSET', ${KEY.orderTimeouts}, ${ARG.clOrdId}, ${ARG.deadline})
  end
end
${store}
if begins then
  startJob(${lane}, ${intentId}, ${jobData}, ${ARG.worker})
  return {'begun', now}
end
pushJob(${lane}, ${intentId}, ${jobData})
return {'accepted', unpack(limits)}
`,
  OF_EVERY,
  names,
  TO_BEGIN,
)}
`,
    { asksForRoom: true },
  );
}

/** The parts of the script that only accepts, and its keys and arguments. */
interface Acceptance {
  readonly check: string;
  readonly store: string;
  /** Its arguments behind those of every intent. */
  readonly names: Names;
}
