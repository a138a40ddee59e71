import { createRedisBackend, type QueueOptions, RedisQueueBackend } from "bullmq";

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
