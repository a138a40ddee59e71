import type { AccountId } from "../src/domain/ids.ts";

/** BullMQ's queue of one account. The braces are its hash tag in a Redis Cluster. */
export const laneName = (account: AccountId): string => `{${account}}`;

export const laneAccount = (name: string): AccountId => name.slice(1, -1) as AccountId;

/** A job is a pointer: what to do, and whether, is in the intent's record. */
export interface LaneJob {
  /** The process whose caller waits for the outcome. */
  readonly replyTo: string;
}

/** As it is kept in the job. */
export const encodeLaneJob = (job: LaneJob): string => JSON.stringify(job);

/** Undefined for data that no version of this gateway has written. */
export function parseLaneJob(data: string): LaneJob | undefined {
  try {
    const job = JSON.parse(data) as Partial<LaneJob> | null;
    return typeof job?.replyTo === "string" ? { replyTo: job.replyTo } : undefined;
  } catch {
    return undefined;
  }
}

/** The intent's record says what to do; which process waited for it is no longer known. */
export const FOR_NOBODY = encodeLaneJob({ replyTo: "" });

/** BullMQ's meta fields of a lane, set before its first job. */
export const laneMeta = {
  // Without it, later jobs overtake one that was started and not finished.
  concurrency: 1,
  // Nobody reads the events stream; by default BullMQ keeps 10,000 entries per queue.
  "opts.maxLenEvents": 10,
};
