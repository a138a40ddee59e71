import { Queue, Worker } from "bullmq";
import type { Redis } from "ioredis";
import type { IntentId } from "../src/domain/ids.ts";
import type { SlotQueue } from "../src/trading/strategies/ports.ts";

/** One queue for all; the braces are its hash tag in a Redis Cluster. */
const NAME = "{slots}";

/** A slot whose process died is taken up by another one within about twice as long, ms. */
const LOCK_MS = 2_000;

/** Evaluating waits for bars and brokers more than it computes. */
const AT_ONCE = 32;

/** Finished ones go at once: our own log tells what became of each. */
const JOB_OPTIONS = { attempts: 1, removeOnComplete: true, removeOnFail: true } as const;

export interface SlotQueueDeps {
  /** Waits while Redis is away. One more of its kind is opened, which waits for slots. */
  readonly redis: Redis;
  readonly prefix: string;
  /** Evaluates a slot; called again for one that was interrupted. */
  readonly run: (id: IntentId) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Slots that wait, and what takes them here. */
export interface OpenSlotQueue extends SlotQueue {
  /** Resolves when what was begun here has ended. */
  readonly close: () => Promise<void>;
}

/** Hands slots to whichever process is free, and again when the one that took it died. */
export async function openSlotQueue(deps: SlotQueueDeps): Promise<OpenSlotQueue> {
  const { redis, prefix, run, onError } = deps;
  // Its events are read by nobody; BullMQ keeps 10,000 of them by default.
  const streams = { events: { maxLen: 10 } };
  const queue = new Queue(NAME, { connection: redis, prefix, streams });
  queue.on("error", onError);
  const running = new Set<Promise<void>>();
  async function runOne(id: IntentId): Promise<void> {
    const one = run(id);
    running.add(one);
    await one.finally(() => running.delete(one));
  }
  const worker = new Worker(NAME, async ({ id = "" }) => await runOne(id as IntentId), {
    connection: redis,
    prefix,
    concurrency: AT_ONCE,
    lockDuration: LOCK_MS,
    stalledInterval: LOCK_MS,
    // Whether it may run again is said by the evaluation's own record, not by a count.
    maxStalledCount: 100,
  });
  worker.on("error", onError);
  worker.on("failed", (_, error) => onError(error));
  await Promise.all([queue.waitUntilReady(), worker.waitUntilReady()]);
  return {
    add: async (id) => {
      await queue.add("slot", {}, { ...JOB_OPTIONS, jobId: id });
    },
    close: async () => {
      // Its own orderly close may wait for the end of a wait for jobs, which takes seconds.
      await worker.pause(true);
      await Promise.allSettled(running);
      await worker.close(true);
      await queue.close();
    },
  };
}
