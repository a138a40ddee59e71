import { defineScript } from "../redis/script.ts";

/**
 * Everything that is kept of a connection.
 *
 * KEYS connection, stop
 * Answers {user, broker, environment, status ("" when nobody owns it), since when, stop's status,
 * stop's reason, why it is that status}; what was never written is null.
 */
export const readConnectionRecord = defineScript(`
local user, broker, environment, status, since, expiresAt, why = unpack(redis.call('HMGET', KEYS[1],
  'userId', 'broker', 'environment', 'status', 'since', 'expiresAt', 'why'))
local stopStatus, stopReason, stoppedAt = unpack(redis.call('HMGET', KEYS[2],
  'status', 'reason', 'since'))

since = tonumber(since) or 0
expiresAt = tonumber(expiresAt) or 0
if expiresAt <= now then
  -- A lease that was given back ended at 'since', one that ran out when it did.
  status = ''
  since = math.max(since, expiresAt)
elseif status == stopStatus then
  -- A new owner that finds the stop has not begun it.
  since = tonumber(stoppedAt)
end
return {user, broker, environment, status, since, stopStatus, stopReason, why}
`);
