import type { RedisQueueBackend } from "bullmq";
import type { Redis } from "ioredis";

/**
 * Puts jobs that were started and not finished, by a dead owner or by a turn of ours that failed,
 * back to the head of their lane, in their order. Only for a lane that nobody works meanwhile. What each had done by then stands in its record.
 */
export async function putBackActiveJobs(redis: Redis, lane: RedisQueueBackend): Promise<void> {
  // The newest started comes first; going back one by one, the oldest ends up at the head.
  const started = await redis.lrange(lane.keys["active"] ?? "", 0, -1);
  for (const jobId of started) {
    const lock = await redis.get(`${lane.toKey(jobId)}:lock`);
    await lane.moveJobFromActiveToWait(jobId, lock ?? "0");
  }
}
