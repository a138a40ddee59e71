import { defineScript } from "../redis/script.ts";
import type { LaneLayout } from "./lane-layout.ts";

/**
 * Gives an active job back to the head of its lane.
 *
 * ARGV lane, worker, intentId
 */
export const createGiveBackJob = ({ giveBackJob }: Pick<LaneLayout, "giveBackJob">) =>
  defineScript(`
${giveBackJob}
giveBackJob(ARGV[1], ARGV[3], ARGV[2])
return 1
`);
