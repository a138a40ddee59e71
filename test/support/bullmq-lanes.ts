import { createRedisBackend, RedisQueueBackend } from "bullmq";
import type { Redis } from "ioredis";
import type { AccountId } from "../../src/domain/ids.ts";
import { laneName } from "../../queues/lane.ts";

/** BullMQ's own access to a lane, with which a former version of the gateway worked it. */
export type BullMqLane = (account: AccountId) => RedisQueueBackend;

export async function openBullMqLanes(connection: Redis, prefix: string): Promise<BullMqLane> {
  const options = { connection, prefix, lockDuration: 60_000, skipVersionCheck: true };
  const root = createRedisBackend("lanes", options, {});
  root.on("error", () => undefined);
  await root.waitUntilReady();

  return (account) => {
    const backend = root.forQueue(laneName(account));
    if (backend instanceof RedisQueueBackend) return backend;
    throw new Error("BullMQ gave a lane that is not on Redis");
  };
}
