import { defineScript } from "../redis/script.ts";
import type { LaneLayout } from "./lane-layout.ts";
import { contextOf } from "./load-for-lane.ts";
import { emptiedAfter } from "./write-intent.ts";

/**
 * Takes the next job of a lane, unless another worker has one, and reads what working it begins with.
 *
 * KEYS account
 * ARGV lane, worker
 * Answers {} where there is none, or its intentId, its data ("" for none) and its context.
 */
export const createTakeNext = ({ takeJob }: Pick<LaneLayout, "takeJob">) =>
  defineScript(`
${emptiedAfter}
${contextOf}
${takeJob}
local id, data = takeJob(ARGV[1], ARGV[2])
if not id then return {} end
return { id, data or '', contextOf(id) }
`);
