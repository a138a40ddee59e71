import type { RedisQueueBackend } from "bullmq";
import type { Redis } from "ioredis";
import type { LaneJob } from "./lane.ts";

/** The intent's record says what is to be done; who waited for it is not known any more. */
const FOR_NOBODY = JSON.stringify({ replyTo: "" } satisfies LaneJob);

/**
 * Puts jobs that were started and not finished, by a dead owner or by a turn of ours that failed,
 * back to the head of their lane, in their order. Only for a lane that nobody works meanwhile. What each had done by then stands in its record.
 */
export async function putBackActiveJobs(redis: Redis, lane: RedisQueueBackend): Promise<void> {
  // The newest started comes first; going back one by one, the oldest ends up at the head.
  const started = await redis.lrange(lane.keys["active"] ?? "", 0, -1);
  for (const jobId of started) {
    // BullMQ leaves a job without its data where it is, and all behind it wait for ever.
    await redis.hsetnx(lane.toKey(jobId), "data", FOR_NOBODY);
    const lock = await redis.get(`${lane.toKey(jobId)}:lock`);
    await lane.moveJobFromActiveToWait(jobId, lock ?? "0");
  }
}
