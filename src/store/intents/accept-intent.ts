import { defineScript } from "../redis/script.ts";
import type { LaneLayout } from "./lane-layout.ts";
import { checkRequest, storeIntent, writeIntent } from "./write-intent.ts";

/** Ends the script where nothing new is to be accepted. */
export const checkNewRequest = `
if ARGV[10] == '1' and redis.call('EXISTS', KEYS[1]) == 1 then return {'known', ARGV[1]} end
${checkRequest}
`;

/**
 * Writes a new intent and puts it on its lane, unless it comes too late, its Idempotency-Key already stands for one, or its
 * id follows from an event that was accepted before.
 *
 * KEYS as in `write-intent.ts`
 * ARGV as in `write-intent.ts`, then whether the id follows from an event ("1" or "0"), lane, job's data
 * Answers `accepted`, `late`, `reused`, or `known` with the id of the intent that stands for it.
 */
export const createAcceptIntent = ({ pushJob }: Pick<LaneLayout, "pushJob">) =>
  defineScript(`
${pushJob}
${checkNewRequest}
${writeIntent}
${storeIntent}
pushJob(ARGV[11], ARGV[1], ARGV[12])
return {'accepted'}
`);
