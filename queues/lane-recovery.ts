import type { RedisQueueBackend } from "bullmq";
import type { Redis } from "ioredis";
import type { LaneJob } from "./lane.ts";

/** The intent's record says what to do; which process waited for it is no longer known. */
const FOR_NOBODY = JSON.stringify({ replyTo: "" } satisfies LaneJob);

/**
 * Puts jobs that were started and not finished, by a dead owner or by a failed turn of ours, back at
 * the head of their lane, in their order. Only for a lane that nobody works meanwhile. How far each
 * had come is in its record.
 */
export async function putBackActiveJobs(redis: Redis, lane: RedisQueueBackend): Promise<void> {
  // The most recently started comes first: put back one by one, the oldest ends up at the head.
  const started = await redis.lrange(lane.keys["active"] ?? "", 0, -1);
  for (const jobId of started) {
    // BullMQ leaves a job without data where it is, and everything behind it waits for ever.
    await redis.hsetnx(lane.toKey(jobId), "data", FOR_NOBODY);
    const lock = await redis.get(`${lane.toKey(jobId)}:lock`);
    await lane.moveJobFromActiveToWait(jobId, lock ?? "0");
  }
}
