import { DelayedError, Job, Queue } from "bullmq";
import type { DestinationId } from "../src/domain/notify/destination.ts";
import type { RedisClient } from "./redis-client.ts";
import { openSharedWorker, type SharedWorker } from "./shared-worker.ts";

/** One queue for all; the braces are its hash tag in a Redis Cluster. */
const NAME = "{destinations}";

/** A destination that hangs keeps one of these for 15 s at most, and then pauses. */
const AT_ONCE = 32;

/** Another process takes over the turn of a dead one within about twice this time, ms. */
const LOCK_MS = 5_000;

/** Rung for during its turn, a destination is rung for again after so long. */
const AGAIN_MS = 1_000;

/** Finished jobs are removed: what waits for a destination is in its own records. */
const JOB_OPTIONS = { attempts: 1, removeOnComplete: true, removeOnFail: true } as const;

export interface DestinationQueueDeps {
  /** Waits while Redis is away. It is duplicated for the connection that waits for turns. */
  readonly redis: RedisClient;
  readonly prefix: string;
  readonly onError: (error: unknown) => void;
}

/** Tells a destination what is due; answers in how many ms to go on, or undefined for nothing more. */
export type TakeTurn = (id: DestinationId, signal: AbortSignal) => Promise<number | undefined>;

export interface DestinationQueue {
  /** Something is due there: its turn comes at once, however long it was to wait. */
  readonly ring: (id: DestinationId) => Promise<void>;
  /** From now on turns are taken here, too. */
  readonly work: (turn: TakeTurn) => Promise<void>;
  /** Breaks off the turns taken here; what they had not told is told at the next one. */
  readonly close: () => Promise<void>;
}

/** Gives each destination one turn at a time, in whichever process is free. */
export async function openDestinationQueue(deps: DestinationQueueDeps): Promise<DestinationQueue> {
  const { redis, prefix, onError } = deps;
  // Nobody reads its events; by default BullMQ keeps 10,000 of them.
  const queue = new Queue(NAME, {
    connection: redis,
    prefix,
    streams: { events: { maxLen: 10 } },
  });
  queue.on("error", onError);
  await queue.waitUntilReady();
  const ending = new AbortController();
  let worker: SharedWorker | undefined;

  async function work(turn: TakeTurn): Promise<void> {
    worker = await openSharedWorker(
      NAME,
      async (job, token) => {
        const waitMs = await turn(jobDestination(job), ending.signal);
        if (waitMs === undefined) return;
        // By this process' clock, which BullMQ counts with.
        await job.moveToDelayed(Date.now() + waitMs, token);
        throw new DelayedError();
      },
      {
        connection: redis,
        prefix,
        concurrency: AT_ONCE,
        lockDuration: LOCK_MS,
        stalledInterval: LOCK_MS,
        maxStalledCount: 1_000,
      },
      onError,
    );
  }

  /** Rung for while their turn was on: it may have looked already, and would not again. */
  const again = new Set<DestinationId>();

  async function ring(id: DestinationId): Promise<void> {
    // Where it is there already, this does nothing.
    await queue.add("turn", { id }, { ...JOB_OPTIONS, jobId: id });
    const job = await Job.fromId(queue, id);
    if ((await job?.isDelayed()) === true) {
      // It may be its turn just now.
      await job?.promote().catch(() => undefined);
    } else if ((await job?.isActive()) === true && !again.has(id)) {
      again.add(id);
      setTimeout(() => {
        again.delete(id);
        if (!ending.signal.aborted) ring(id).catch(onError);
      }, AGAIN_MS).unref();
    }
  }

  return {
    ring,
    work,
    close: async () => {
      ending.abort();
      await worker?.close();
      await queue.close();
    },
  };
}

const jobDestination = ({ data }: Job): DestinationId => (data as { id: DestinationId }).id;
