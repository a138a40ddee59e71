import { defineScript } from "../redis/script.ts";
import type { LaneLayout } from "./lane-layout.ts";

/**
 * Gives all active jobs back to the head of their lane, whoever took them.
 *
 * KEYS lane: in a cluster a script is sent to the node of its keys
 * ARGV data for a job that has none
 */
export const createPutBackJobs = ({ putBackJobs }: Pick<LaneLayout, "putBackJobs">) =>
  defineScript(`
${putBackJobs}
putBackJobs(KEYS[1], ARGV[1])
return 1
`);
