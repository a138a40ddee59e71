import { takeFromWindow } from "../people/admit.ts";

/**
 * Runs an acceptance; of an alert whose webhook is remembered it admits the sender in the same step,
 * where the webhook is still what was remembered, has a request left, and the time of receipt that was
 * estimated is right to a second. Else nothing is written or counted.
 *
 * KEYS behind those of the acceptance: webhook, its window (neither where the sender is admitted)
 * ARGV behind those of the acceptance: version, requests in a window by default, the window in ms,
 *      receivedAt
 * Answers {the acceptance's answer, limit, used, ms until one is free}.
 */
export const admitRemembered = (
  acceptance: string,
  { keys, args }: { readonly keys: number; readonly args: number },
): string => `
${takeFromWindow}
local function accept()
${acceptance}
end

if not KEYS[${keys + 1}] then return { accept() } end
local version, arrival, own =
  unpack(redis.call('HMGET', KEYS[${keys + 1}], 'version', 'arrival', 'rateLimit'))
local isTime = math.abs(now - ARGV[${args + 4}]) < 1000
if version ~= ARGV[${args + 1}] or arrival or not isTime then return { { 'unadmitted' } } end
local limit, window = tonumber(own or ARGV[${args + 2}]), tonumber(ARGV[${args + 3}])
local fits, used = takeFromWindow(KEYS[${keys + 2}], limit, window, ARGV[1])
if not fits then return { { 'unadmitted' } } end
redis.call('HSET', KEYS[${keys + 1}], 'lastUsedAt', now)
local oldest = redis.call('ZRANGE', KEYS[${keys + 2}], 0, 0, 'WITHSCORES')
return { accept(), limit, used, oldest[2] + window - now }
`;
