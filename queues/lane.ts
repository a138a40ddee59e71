import type { AccountId, IntentId } from "../src/domain/ids.ts";

/** BullMQ's queue of one account. The braces are its hash tag in a Redis Cluster. */
export const laneName = (account: AccountId): string => `{${account}}`;

export const laneAccount = (name: string): AccountId => name.slice(1, -1) as AccountId;

/** What a job carries: a pointer. What is to be done, and whether, stands in the intent's record. */
export interface LaneJob {
  /** The process whose caller waits for the outcome. */
  readonly replyTo: string;
}

/** Undefined for what no version of this gateway put there. */
export function parseLaneJob(data: string): LaneJob | undefined {
  try {
    const job = JSON.parse(data) as Partial<LaneJob> | null;
    return typeof job?.replyTo === "string" ? { replyTo: job.replyTo } : undefined;
  } catch {
    return undefined;
  }
}

/** A job's id is its intent's, so that adding it twice adds it once. */
export const jobIntent = (jobId: string): IntentId => jobId as IntentId;

/** BullMQ's meta fields of a lane, set before its first job. */
export const laneMeta = {
  // Without it a job that was started and not finished is overtaken by those behind it.
  concurrency: 1,
  // The events stream is of no use here; BullMQ keeps 10,000 entries a queue by default.
  "opts.maxLenEvents": 10,
};
