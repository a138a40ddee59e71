import { defineScript } from "../redis/script.ts";

/** Lua: writes an account's copy of its user's kill switch, unless it has a newer one. */
export const copyUserSwitch = `
local function copyUserSwitch(key, version, active, reason)
  local known = tonumber(redis.call('HGET', key, 'version') or '-1')
  if known >= tonumber(version) then return 0 end
  redis.call('HSET', key, 'version', version, 'active', active, 'reason', reason)
  return 1
end
`;

/**
 * KEYS the account's copy of the user's kill switch
 * ARGV version, active, reason
 * Answers 1, or 0 when it has this version or a newer one.
 */
export const setCopiedSwitch = defineScript(`
${copyUserSwitch}
return copyUserSwitch(KEYS[1], ARGV[1], ARGV[2], ARGV[3])
`);
