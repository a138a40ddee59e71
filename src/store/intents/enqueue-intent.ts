import { defineScript } from "../redis/script.ts";
import type { LaneLayout } from "./lane-layout.ts";

/**
 * Puts an intent that is still unsent on its lane, unless it is there.
 *
 * KEYS intent
 * ARGV intentId, lane, job's data
 */
export const createEnqueueIntent = ({ pushJob }: Pick<LaneLayout, "pushJob">) =>
  defineScript(`
${pushJob}
if redis.call('HGET', KEYS[1], 'state') == 'PREPARED' then pushJob(ARGV[2], ARGV[1], ARGV[3]) end
return 1
`);
