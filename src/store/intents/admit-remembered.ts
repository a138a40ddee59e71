import { takeFromWindow } from "../people/admit.ts";
import { keyInLua, lua } from "../keys-in-lua.ts";
import { WINDOW_SECONDS } from "../people/quota.ts";
import { inLua, type Names } from "../redis/named-arguments.ts";
import { OF_EVERY, TO_ADMIT } from "./acceptance-arguments.ts";

/** How far an estimated time of receipt may be off. */
export const TIME_OFF_MS = 1_000;

/**
 * Runs an acceptance; of an alert whose webhook is remembered it admits the sender in the same step,
 * where the webhook is still what was remembered, has a request left, and the time of receipt that was
 * estimated is right to a second. Else nothing is written or counted. What can open nothing may come as
 * late as it may be accepted: Redis may have stood still, and nobody sends it again.
 *
 * KEYS account
 * ARGV as in `names`, which are those of the acceptance, then as in `TO_ADMIT`
 * Answers {the acceptance's answer, limit, used, ms until one is free}.
 */
export function admitRemembered(acceptance: string, ...names: readonly Names[]): string {
  const { intentId, receivedAt } = inLua(OF_EVERY);
  const { hash, version, limitByDefault, admitsUntil } = inLua(TO_ADMIT, ...names);
  const webhook = keyInLua((keys, account) => keys.webhook(account, lua(hash)));
  const window = keyInLua((keys, account) => keys.webhookWindow(account, lua(hash)));
  return `
${takeFromWindow}
local function accept()
${acceptance}
end

if not ${hash} then return { accept() } end
local webhook, windowKey, window = ${webhook}, ${window}, ${WINDOW_SECONDS * 1_000}
local version, arrival, own =
  unpack(redis.call('HMGET', webhook, 'version', 'arrival', 'rateLimit'))
local isTime = now > ${receivedAt} - ${TIME_OFF_MS} and now < tonumber(${admitsUntil})
if version ~= ${version} or arrival or not isTime then return { { 'unadmitted' } } end
local limit = tonumber(own or ${limitByDefault})
local fits, used = takeFromWindow(windowKey, limit, window, ${intentId})
if not fits then return { { 'unadmitted' } } end
redis.call('HSET', webhook, 'lastUsedAt', now)
local oldest = redis.call('ZRANGE', windowKey, 0, 0, 'WITHSCORES')
return { accept(), limit, used, oldest[2] + window - now }
`;
}
