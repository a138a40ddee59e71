import { defineScript } from "../redis/script.ts";
import type { LaneLayout } from "./lane-layout.ts";
import { contextOf } from "./load-for-lane.ts";
import { emptiedAfter } from "./write-intent.ts";

/**
 * Removes an active job from its lane and, where asked to, takes the next one.
 *
 * KEYS as in `contextOf`
 * ARGV intentKeyPrefix, lane, worker, intentId, whether to take the next one ("1" or "0")
 * Answers whether the job was active here, then what `take-next.ts` answers.
 */
export const createFinishJob = ({
  finishJob,
  takeJob,
}: Pick<LaneLayout, "finishJob" | "takeJob">) =>
  defineScript(`
${emptiedAfter}
${contextOf}
${takeJob}
${finishJob}
if not finishJob(ARGV[2], ARGV[4], ARGV[3]) then return {0} end
local id, data
if ARGV[5] == '1' then id, data = takeJob(ARGV[2], ARGV[3]) end
if not id then return {1} end
return { 1, id, data or '', contextOf(id) }
`);
