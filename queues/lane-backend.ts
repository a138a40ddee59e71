import type { Redis } from "ioredis";
import { createRedisBackend, type QueueOptions, RedisQueueBackend } from "bullmq";
import { encodeLaneJob } from "./lane.ts";

type Connection = NonNullable<QueueOptions["connection"]>;

/**
 * How long BullMQ's own lock of a started job lasts. Only the connection's owner ever takes a job, so
 * the lock just has to outlast the longest intent.
 */
const LOCK_MS = 15 * 60_000;

/** BullMQ's access to any lane, by its name, over one shared connection. */
export type LaneBackend = (lane: string) => RedisQueueBackend;

export async function openLaneBackend(
  connection: Connection,
  prefix: string,
): Promise<LaneBackend> {
  const options = { connection, prefix, lockDuration: LOCK_MS, skipVersionCheck: true };
  const root = createRedisBackend("lanes", options, {});
  root.on("error", () => undefined); // The connection's owner hears of its errors.
  await root.waitUntilReady();

  return (lane) => {
    const backend = root.forQueue(lane);
    if (backend instanceof RedisQueueBackend) return backend;
    throw new Error("BullMQ gave a lane that is not on Redis");
  };
}

/** The intent's record says what to do; which process waited for it is no longer known. */
const FOR_NOBODY = encodeLaneJob({ replyTo: "" });

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
