import { admitRemembered } from "./admit-remembered.ts";
import { defineScript } from "../redis/script.ts";
import { makeRoom } from "../alerts/make-room.ts";
import type { LaneLayout } from "./lane-layout.ts";
import { sameAlert } from "./find-same-alert.ts";
import { checkRequest, storeIntent, writeIntent } from "./write-intent.ts";

/** Ends the script where no new alert is to be accepted. */
export const checkAlert = `
${checkRequest}
${sameAlert("ARGV[9]")}
${makeRoom}
local hasId, hasWindow = ARGV[14] == '1', tonumber(ARGV[18]) > 0
local isReplay = ARGV[20] == '1'
local earlier, isSameBody, isTaken
if isReplay then
  earlier = carriedOut(redis.call('GET', KEYS[8]), hasId and redis.call('GET', KEYS[6]))
  isSameBody, isTaken = hasWindow and redis.call('HGET', KEYS[7], 'body') == ARGV[16], true
else
  earlier, isSameBody, isTaken = sameAlert(KEYS[6], KEYS[7], KEYS[3], hasId, ARGV[16], ARGV[17],
    hasWindow, ARGV[19], tonumber(ARGV[15]))
end
if earlier then return {'known', earlier} end

-- A replay asks for both as long as its alert is in the log.
local keptMs = math.max(tonumber(ARGV[12]), tonumber(ARGV[15]))
if hasId then redis.call('SET', KEYS[6], ARGV[1], 'PX', keptMs) end
if isReplay then redis.call('SET', KEYS[8], ARGV[1], 'PX', keptMs) end

-- It came in one message with an earlier alert: what overtook that one overtakes it too.
if ARGV[21] ~= '' then
  local seq, before = unpack(redis.call('HMGET', ARGV[9] .. ARGV[21], 'seq', 'since'))
  since = since or before or seq
end
`;

/** Stores it and what is kept of it besides its intent. */
export const storeAlert = `
if hasWindow then
  if not isSameBody then redis.call('DEL', KEYS[7]) end
  redis.call('HSET', KEYS[7], 'body', ARGV[16], ARGV[17], ARGV[1], 'seq', seq)
  -- A place that joins does not prolong the window; one that is taken anew begins it anew.
  if not isSameBody or isTaken then redis.call('PEXPIRE', KEYS[7], ARGV[18]) end
end
put('alert', ARGV[10], 'retentionMs', ARGV[12])
if tonumber(ARGV[22]) > 0 then put('neededUntil', now + ARGV[22]) end
${storeIntent}
redis.call('ZADD', KEYS[5], ARGV[11], ARGV[1])
makeRoom(KEYS[5], tonumber(ARGV[13]), tonumber(ARGV[12]), ARGV[9], ARGV[23], ARGV[15])
redis.call('PEXPIRE', KEYS[5], ARGV[12])
`;

/**
 * Writes the intent of an alert and what the alert log keeps of it, and puts it on its lane, unless
 * it comes too late or is the same as an alert before it (`find-same-alert.ts`).
 *
 * KEYS as in `write-intent.ts`, then accepted alerts, same id (used with one only), newest body
 *      (used with a window only), replayed (used with a replay only)
 * ARGV as in `write-intent.ts`, then alert entry, receivedAt, retentionMs, most alerts in the
 *      index, has an id ("1" or "0"), ms for which it counts, body's hash, place in it, windowMs, until
 *      when the body stands, is a replay ("1" or "0"), the alert that it follows in its message ("" for none),
 *      ms for which a repeat may ask for its record, key prefix of alerts by their ending, lane, job's data
 * Answers `accepted`, `late`, `reused`, or `known` with the intent id of the earlier one, as
 * `admit-remembered.ts` puts it, or `unadmitted`.
 */
export const createAcceptAlert = ({ pushJob }: Pick<LaneLayout, "pushJob">) =>
  defineScript(`
${pushJob}
${admitRemembered(ACCEPT, { keys: 8, args: 25 })}
`);

const ACCEPT = `
${checkAlert}
${writeIntent}
${storeAlert}
pushJob(ARGV[24], ARGV[1], ARGV[25])
return {'accepted'}
`;
