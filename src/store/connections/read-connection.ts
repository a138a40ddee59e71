import { defineScript } from "../redis/script.ts";

/**
 * How a connection stands, as its owner last said; an owner whose lease has ended says nothing.
 *
 * KEYS connection
 * Answers {status, owner, why}, or {} when nobody owns it.
 */
export const readConnection = defineScript(`
local status, owner, expiresAt, why = unpack(redis.call('HMGET', KEYS[1],
  'status', 'owner', 'expiresAt', 'why'))
if (tonumber(expiresAt) or 0) <= now then return {} end
return {status, owner, why}
`);
