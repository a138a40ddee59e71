import { defineScript } from "../redis/script.ts";
import type { LaneLayout } from "./lane-layout.ts";

/**
 * Gives an active job back to the head of its lane.
 *
 * KEYS lane: in a cluster a script is sent to the node of its keys
 * ARGV worker, intentId
 */
export const createGiveBackJob = ({ giveBackJob }: Pick<LaneLayout, "giveBackJob">) =>
  defineScript(`
${giveBackJob}
giveBackJob(KEYS[1], ARGV[2], ARGV[1])
return 1
`);
