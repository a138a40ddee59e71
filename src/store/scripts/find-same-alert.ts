import { DENIED_ALERT_TRIED_ANEW } from "../../domain/repeat.ts";
import { luaSet } from "../lua-set.ts";
import { defineScript } from "../script.ts";
import { keyedIntent } from "./write-intent.ts";

/**
 * Needs `keyedIntent`. Defines `sameAlert`, which answers the intent that stands for an alert or nil,
 * whether the newest body is this one, and whether its place in it is taken.
 *
 * The newest body is a hash: `body` is its own hash, each other field a place in it, with the
 * intent that was accepted there. It lives for the window from its first acceptance, and makes way
 * for the next other body.
 */
export const sameAlert = `
deniedAnew = ${luaSet(DENIED_ALERT_TRIED_ANEW)}
local function sameAlert(idKey, bodyKey, hasId, body, place, hasWindow)
  local newest = hasWindow and redis.call('HMGET', bodyKey, 'body', place) or {}
  local isSameBody = newest[1] == body

  -- The sender's own word on which alert this is goes before what its body looks like.
  local earlier = nil
  if hasId then
    earlier = redis.call('GET', idKey)
  elseif isSameBody then
    earlier = newest[2]
  end
  if not (earlier and stands(earlier)) then earlier = nil end
  return earlier, isSameBody, newest[2]
end
`;

/**
 * Which alert stands for one that is refused as things are now. Writes nothing.
 *
 * KEYS same id (used with one only), newest body (used with a window only)
 * ARGV has an id ("1" or "0"), body's hash, place in it, windowMs, intentKeyPrefix
 * Answers `known` with the intent id of the earlier one, or `free`.
 */
export const findSameAlert = defineScript(`
${keyedIntent("ARGV[5]")}
${sameAlert}
local earlier = sameAlert(
  KEYS[1], KEYS[2], ARGV[1] == '1', ARGV[2], ARGV[3], tonumber(ARGV[4]) > 0)
return earlier and {'known', earlier} or {'free'}
`);
