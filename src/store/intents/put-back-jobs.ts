import { defineScript } from "../redis/script.ts";
import type { LaneLayout } from "./lane-layout.ts";

/**
 * Gives all active jobs back to the head of their lane, whoever took them.
 *
 * ARGV lane, data for a job that has none
 */
export const createPutBackJobs = ({ putBackJobs }: Pick<LaneLayout, "putBackJobs">) =>
  defineScript(`
${putBackJobs}
putBackJobs(ARGV[1], ARGV[2])
return 1
`);
