import { admitRemembered } from "./admit-remembered.ts";
import { intentKey, keyInLua, lua } from "../keys-in-lua.ts";
import { defineScript } from "../redis/script.ts";
import { ACCEPTED_ALERTS_KEPT } from "../alerts/alert-record.ts";
import { makeRoom } from "../alerts/make-room.ts";
import type { LaneLayout } from "./lane-layout.ts";
import { inLua } from "../redis/named-arguments.ts";
import { OF_ALERT, OF_EVERY } from "./acceptance-arguments.ts";
import { acceptOnLane } from "./accept-intent.ts";
import { ID_HASH_CHARS, refusedBodies, sameAlert } from "./find-same-alert.ts";
import { checkRequest, storeIntent, writeIntent } from "./write-intent.ts";

/** After this an id counts as another alert's; for a replay it counts as long as alerts are kept. */
export const ALERT_ID_COUNTS_MS = 24 * 3_600_000;

const ARG = { ...inLua(OF_EVERY), ...inLua(OF_ALERT, OF_EVERY) };
const sameAlertKey = (hash: string) =>
  keyInLua((keys, account) =>
    keys.sameAlert(account, lua(ARG.webhookId), lua(`string.sub(${hash}, 1, ${ID_HASH_CHARS})`)),
  );
const KEY = {
  counters: keyInLua((keys, account) => keys.counters(account)),
  acceptedAlerts: keyInLua((keys, account) => keys.acceptedAlerts(account)),
  endingPrefix: keyInLua((keys, account) => keys.alertsEndedAs(account, "")),
  sameAlert: sameAlertKey(ARG.alertId),
  withoutPosition: sameAlertKey(ARG.formerAlertId),
  formerSameAlert: keyInLua((keys, account) =>
    keys.formerSameAlert(account, lua(ARG.webhookId), lua(ARG.alertId)),
  ),
  newestBody: keyInLua((keys, account) => keys.newestBody(account, lua(ARG.webhookId))),
  refusedBodies: keyInLua((keys, account) => keys.refusedBodies(account, lua(ARG.webhookId))),
  replayed: keyInLua((keys, account) => keys.replayed(account, lua(ARG.replayOf))),
};

/** Ends the script where no new alert is to be accepted. */
export const checkAlert = `
${checkRequest}
${sameAlert(intentKey)}
${refusedBodies(intentKey)}
${makeRoom}
local hasId, hasWindow = ${ARG.alertId} ~= '', tonumber(${ARG.windowMs}) > 0
local isReplay = ${ARG.replayOf} ~= ''
local ofId = hasId and intentOfId(${KEY.sameAlert}, ${KEY.formerSameAlert},
  ${ARG.formerAlertId} ~= '' and ${KEY.withoutPosition})
local earlier, isSameBody, isTaken
if isReplay then
  earlier = carriedOut(${ARG.replayOf}, redis.call('GET', ${KEY.replayed}), ofId)
  isSameBody = hasWindow and redis.call('HGET', ${KEY.newestBody}, 'body') == ${ARG.body}
  isTaken = true
else
  earlier, isSameBody, isTaken = sameAlert(ofId, ${KEY.newestBody}, ${KEY.counters},
    hasId, ${ARG.body}, ${ARG.place}, tonumber(${ARG.windowMs}), ${ARG.until}, ${ALERT_ID_COUNTS_MS})
end
if earlier then return {'known', earlier} end
-- A body that was refused and comes again is as old as its first attempt. The sender's own id says by itself which alert it is.
if hasWindow and not (hasId or isReplay or since) then
  earlier =
    ageOfRefused(${KEY.refusedBodies}, ${ARG.body}, ${ARG.place}, tonumber(${ARG.windowMs}))
  if earlier then return {'known', earlier} end
end

-- A replay asks for both as long as its alert is in the log.
local keptMs = math.max(tonumber(${ARG.retentionMs}), ${ALERT_ID_COUNTS_MS})
if hasId then redis.call('SET', ${KEY.sameAlert}, ${ARG.intentId}, 'PX', keptMs) end
if isReplay then redis.call('SET', ${KEY.replayed}, ${ARG.intentId}, 'PX', keptMs) end

-- It came in one message with an earlier alert: what overtook that one overtakes it too.
if ${ARG.follows} ~= '' then
  local seq, before = unpack(redis.call('HMGET', ${intentKey(ARG.follows)}, 'seq', 'since'))
  since = since or before or seq
end
`;

/** Stores it and what is kept of it besides its intent. */
export const storeAlert = `
if hasWindow then
  local body = ${KEY.newestBody}
  if not isSameBody then
    keepRefused(body, ${KEY.refusedBodies}, ${ARG.body}, ${ARG.place}, ${ARG.windowMs})
    makeWay(body, ${ARG.body}, ${ARG.place})
  end
  redis.call('HSET', body, 'body', ${ARG.body}, ${ARG.place}, ${ARG.intentId}, 'seq', asked(counters))
  -- A place that joins does not prolong the window; one that is taken anew begins it anew.
  if not isSameBody or isTaken then redis.call('PEXPIRE', body, ${ARG.windowMs}) end
end
put('alert', ${ARG.entry}, 'body', ${ARG.text}, 'age', now - ${ARG.listedAt},
  'retentionMs', ${ARG.retentionMs})
if tonumber(${ARG.repeatedWithinMs}) > 0 then
  put('neededUntil', now + ${ARG.repeatedWithinMs})
end
${storeIntent}
local accepted = ${KEY.acceptedAlerts}
redis.call('ZADD', accepted, ${ARG.listedAt}, ${ARG.intentId})
makeRoom(accepted, ${ACCEPTED_ALERTS_KEPT}, tonumber(${ARG.retentionMs}), ${intentKey("''")},
  ${KEY.endingPrefix}, ${ALERT_ID_COUNTS_MS})
redis.call('PEXPIRE', accepted, ${ARG.retentionMs})
`;

/**
 * Writes the intent of an alert and what the alert log keeps of it, and puts it on its lane, unless
 * it comes too late or is the same as an alert before it (`find-same-alert.ts`).
 *
 * KEYS account
 * ARGV as in `OF_EVERY`, then as in `OF_ALERT`, then as in `TO_ADMIT`
 * Answers `accepted`, `late`, `reused`, or `known` with the intent id of the earlier one, as
 * `admit-remembered.ts` puts it, or `unadmitted`.
 */
export const createAcceptAlert = ({
  pushJob,
  ringLane,
}: Pick<LaneLayout, "pushJob" | "ringLane">) =>
  defineScript(
    `
${pushJob}
${ringLane}
${admitRemembered(ACCEPT, OF_EVERY, OF_ALERT)}
`,
    { asksForRoom: true },
  );

const ACCEPT = `
${checkAlert}
${writeIntent}
${storeAlert}
${acceptOnLane}
`;
