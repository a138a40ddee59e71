import { Queue } from "bullmq";
import type { IntentId } from "../src/domain/ids.ts";
import type { SlotQueue } from "../src/trading/strategies/ports.ts";
import type { RedisClient } from "./redis-client.ts";
import { openSharedWorker } from "./shared-worker.ts";

/** One queue for all; the braces are its hash tag in a Redis Cluster. */
const NAME = "{slots}";

/** Another process takes over the slot of a dead one within about twice this time, ms. */
const LOCK_MS = 2_000;

/** An evaluation waits for bars and brokers more than it computes. */
const AT_ONCE = 32;

/** Finished jobs are removed: the outcome is in our own log. */
const JOB_OPTIONS = { attempts: 1, removeOnComplete: true, removeOnFail: true } as const;

export interface SlotQueueDeps {
  /** Waits while Redis is away. It is duplicated for the connection that waits for slots. */
  readonly redis: RedisClient;
  readonly prefix: string;
  /** Evaluates a slot; called again for one that was interrupted. */
  readonly run: (id: IntentId) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Waiting slots, and this process' worker for them. */
export interface OpenSlotQueue extends SlotQueue {
  /** Resolves when the slots begun here have ended. */
  readonly close: () => Promise<void>;
}

/** Hands each slot to a free process, and to another one when that process dies. */
export async function openSlotQueue(deps: SlotQueueDeps): Promise<OpenSlotQueue> {
  const { redis, prefix, run, onError } = deps;
  // Nobody reads its events; by default BullMQ keeps 10,000 of them.
  const streams = { events: { maxLen: 10 } };
  const queue = new Queue(NAME, { connection: redis, prefix, streams });
  queue.on("error", onError);
  const worker = await openSharedWorker(
    NAME,
    async ({ id = "" }) => await run(id as IntentId),
    {
      connection: redis,
      prefix,
      concurrency: AT_ONCE,
      lockDuration: LOCK_MS,
      stalledInterval: LOCK_MS,
      // The evaluation's own record decides whether it may run again, not a count.
      maxStalledCount: 100,
    },
    onError,
  );
  await queue.waitUntilReady();
  return {
    add: async (id) => {
      await queue.add("slot", {}, { ...JOB_OPTIONS, jobId: id });
    },
    close: async () => {
      await worker.close();
      await queue.close();
    },
  };
}
