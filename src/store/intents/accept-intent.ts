import { intentKey } from "../keys-in-lua.ts";
import { defineScript } from "../redis/script.ts";
import { inLua } from "../redis/named-arguments.ts";
import { OF_EVERY, OF_REQUEST } from "./acceptance-arguments.ts";
import type { LaneLayout } from "./lane-layout.ts";
import { checkRequest, storeIntent, writeIntent } from "./write-intent.ts";

const ARG = { ...inLua(OF_EVERY), ...inLua(OF_REQUEST, OF_EVERY) };

/** Ends the script where nothing new is to be accepted. */
export const checkNewRequest = `
if ${ARG.isDerived} == '1' and redis.call('EXISTS', ${intentKey(ARG.intentId)}) == 1 then
  return {'known', ${ARG.intentId}}
end
${checkRequest}
`;

/** Ends the script: puts what was written on its lane, and calls the process that works it. */
export const acceptOnLane = `
pushJob(${ARG.lane}, ${ARG.intentId}, ${ARG.jobData})
ringLane(${ARG.lane}, ${ARG.doorbell})
return {'accepted'}
`;

/**
 * Writes a new intent and puts it on its lane, unless it comes too late, its Idempotency-Key already
 * stands for one, or its id follows from an event that was accepted before.
 *
 * KEYS account
 * ARGV as in `OF_EVERY`, then as in `OF_REQUEST`
 * Answers `accepted`, `late`, `reused`, or `known` with the id of the intent that stands for it.
 */
export const createAcceptIntent = ({
  pushJob,
  ringLane,
}: Pick<LaneLayout, "pushJob" | "ringLane">) =>
  defineScript(
    `
${pushJob}
${ringLane}
${checkNewRequest}
${writeIntent}
${storeIntent}
${acceptOnLane}
`,
    { asksForRoom: true },
  );
