import { createAcceptAlert } from "./accept-alert.ts";
import { createAlertAndBegin, createIntentAndBegin } from "./accept-and-begin.ts";
import { createAcceptIntent } from "./accept-intent.ts";
import { createEnqueueIntent } from "./enqueue-intent.ts";
import { createFinishIntent } from "./finish-intent.ts";
import { createGiveBackJob } from "./give-back-job.ts";
import { createPutBackJobs } from "./put-back-jobs.ts";
import { createTakeNext } from "./take-next.ts";
import type { LaneLayout } from "./lane-layout.ts";

/** The scripts that touch the lane, and mostly an intent in the same step. */
export type LaneScripts = ReturnType<typeof createLaneScripts>;

export function createLaneScripts(layout: LaneLayout) {
  return {
    acceptAlert: createAcceptAlert(layout),
    acceptIntent: createAcceptIntent(layout),
    alertAndBegin: createAlertAndBegin(layout),
    intentAndBegin: createIntentAndBegin(layout),
    enqueueIntent: createEnqueueIntent(layout),
    takeNext: createTakeNext(layout),
    finishIntent: createFinishIntent(layout),
    giveBackJob: createGiveBackJob(layout),
    putBackJobs: createPutBackJobs(layout),
  };
}
