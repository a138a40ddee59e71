import { admitRemembered } from "./admit-remembered.ts";
import { defineScript } from "../redis/script.ts";
import { makeRoom } from "../alerts/make-room.ts";
import type { LaneLayout } from "./lane-layout.ts";
import { inLua, OF_ALERT } from "./acceptance-arguments.ts";
import { sameAlert } from "./find-same-alert.ts";
import { checkRequest, storeIntent, writeIntent } from "./write-intent.ts";

const { KEY, ARG } = inLua(OF_ALERT);

/** Ends the script where no new alert is to be accepted. */
export const checkAlert = `
${checkRequest}
${sameAlert(ARG.intentPrefix)}
${makeRoom}
local hasId, hasWindow = ${ARG.hasId} == '1', tonumber(${ARG.windowMs}) > 0
local isReplay = ${ARG.isReplay} == '1'
local earlier, isSameBody, isTaken
if isReplay then
  earlier = carriedOut(redis.call('GET', ${KEY.replayed}),
    hasId and redis.call('GET', ${KEY.sameAlert}))
  isSameBody = hasWindow and redis.call('HGET', ${KEY.newestBody}, 'body') == ${ARG.body}
  isTaken = true
else
  earlier, isSameBody, isTaken = sameAlert(${KEY.sameAlert}, ${KEY.newestBody}, ${KEY.counters},
    hasId, ${ARG.body}, ${ARG.place}, hasWindow, ${ARG.until}, tonumber(${ARG.idCountsMs}))
end
if earlier then return {'known', earlier} end

-- A replay asks for both as long as its alert is in the log.
local keptMs = math.max(tonumber(${ARG.retentionMs}), tonumber(${ARG.idCountsMs}))
if hasId then redis.call('SET', ${KEY.sameAlert}, ${ARG.intentId}, 'PX', keptMs) end
if isReplay then redis.call('SET', ${KEY.replayed}, ${ARG.intentId}, 'PX', keptMs) end

-- It came in one message with an earlier alert: what overtook that one overtakes it too.
if ${ARG.follows} ~= '' then
  local earlierOne = ${ARG.intentPrefix} .. ${ARG.follows}
  local seq, before = unpack(redis.call('HMGET', earlierOne, 'seq', 'since'))
  since = since or before or seq
end
`;

/** Stores it and what is kept of it besides its intent. */
export const storeAlert = `
if hasWindow then
  local body = ${KEY.newestBody}
  if not isSameBody then redis.call('DEL', body) end
  redis.call('HSET', body, 'body', ${ARG.body}, ${ARG.place}, ${ARG.intentId}, 'seq', seq)
  -- A place that joins does not prolong the window; one that is taken anew begins it anew.
  if not isSameBody or isTaken then redis.call('PEXPIRE', body, ${ARG.windowMs}) end
end
put('alert', ${ARG.entry}, 'body', ${ARG.text}, 'age', now - ${ARG.receivedAt},
  'retentionMs', ${ARG.retentionMs})
if tonumber(${ARG.repeatedWithinMs}) > 0 then
  put('neededUntil', now + ${ARG.repeatedWithinMs})
end
${storeIntent}
redis.call('ZADD', ${KEY.acceptedAlerts}, ${ARG.receivedAt}, ${ARG.intentId})
makeRoom(${KEY.acceptedAlerts}, tonumber(${ARG.mostAlerts}), tonumber(${ARG.retentionMs}),
  ${ARG.intentPrefix}, ${ARG.endingPrefix}, ${ARG.idCountsMs})
redis.call('PEXPIRE', ${KEY.acceptedAlerts}, ${ARG.retentionMs})
`;

/**
 * Writes the intent of an alert and what the alert log keeps of it, and puts it on its lane, unless
 * it comes too late or is the same as an alert before it (`find-same-alert.ts`).
 *
 * KEYS, ARGV as in `OF_ALERT`, then as in `TO_ADMIT`
 * Answers `accepted`, `late`, `reused`, or `known` with the intent id of the earlier one, as
 * `admit-remembered.ts` puts it, or `unadmitted`.
 */
export const createAcceptAlert = ({
  pushJob,
  ringLane,
}: Pick<LaneLayout, "pushJob" | "ringLane">) =>
  defineScript(`
${pushJob}
${ringLane}
${admitRemembered(ACCEPT, OF_ALERT)}
`);

const ACCEPT = `
${checkAlert}
${writeIntent}
${storeAlert}
pushJob(${ARG.lane}, ${ARG.intentId}, ${ARG.jobData})
ringLane(${ARG.lane}, ${ARG.doorbell})
return {'accepted'}
`;
