import { takeFromWindow } from "../people/admit.ts";
import { inLua, type Names, OF_EVERY, TO_ADMIT } from "./acceptance-arguments.ts";

/**
 * Runs an acceptance; of an alert whose webhook is remembered it admits the sender in the same step,
 * where the webhook is still what was remembered, has a request left, and the time of receipt that was
 * estimated is right to a second. Else nothing is written or counted.
 *
 * KEYS, ARGV as in `names`, which are those of the acceptance, then as in `TO_ADMIT`
 * Answers {the acceptance's answer, limit, used, ms until one is free}.
 */
export function admitRemembered(acceptance: string, ...names: readonly Names[]): string {
  const { KEY, ARG } = inLua(TO_ADMIT, ...names);
  const { intentId } = inLua(OF_EVERY).ARG;
  return `
${takeFromWindow}
local function accept()
${acceptance}
end

if not ${KEY.webhook} then return { accept() } end
local version, arrival, own =
  unpack(redis.call('HMGET', ${KEY.webhook}, 'version', 'arrival', 'rateLimit'))
local isTime = math.abs(now - ${ARG.receivedAt}) < 1000
if version ~= ${ARG.version} or arrival or not isTime then return { { 'unadmitted' } } end
local limit, window = tonumber(own or ${ARG.limitByDefault}), tonumber(${ARG.windowMs})
local fits, used = takeFromWindow(${KEY.window}, limit, window, ${intentId})
if not fits then return { { 'unadmitted' } } end
redis.call('HSET', ${KEY.webhook}, 'lastUsedAt', now)
local oldest = redis.call('ZRANGE', ${KEY.window}, 0, 0, 'WITHSCORES')
return { accept(), limit, used, oldest[2] + window - now }
`;
}
