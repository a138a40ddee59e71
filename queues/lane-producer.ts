import { Queue, type QueueOptions } from "bullmq";
import type { Redis } from "ioredis";
import type { AccountId, IntentId } from "../src/domain/ids.ts";
import { type Lanes, StoreError } from "../src/trading/store-ports.ts";
import { type LaneJob, laneMeta, laneName } from "./lane.ts";
import { openLaneBackend } from "./lane-backend.ts";

interface LaneProducerDeps {
  /** The same connection that intents are accepted on; it fails fast. */
  readonly redis: Redis;
  readonly prefix: string;
  /** The set of all lanes, for the dispatcher's sweep. */
  readonly laneNamesKey: string;
  /** The outcome is sent here. */
  readonly processId: string;
  /** Tells the lane's dispatcher that a job is on its way, if it is in this process. Must not throw. */
  readonly expect: (account: AccountId, id: IntentId) => void;
  /** Wakes the lane's dispatcher, wherever it is. Must not throw. */
  readonly ring: (account: AccountId, id: IntentId) => void;
}

/** Puts pointers to intents on their accounts' lanes. */
export async function createLaneProducer(deps: LaneProducerDeps): Promise<Lanes> {
  const { redis, prefix, laneNamesKey, processId, expect, ring } = deps;
  const backend = await openLaneBackend(redis, prefix);
  const queues = new Map<AccountId, Queue<LaneJob>>();

  function open(account: AccountId): Queue<LaneJob> {
    const options: QueueOptions = { connection: redis, prefix, skipMetasUpdate: true };
    const queue = new Queue<LaneJob>(laneName(account), options, backend);
    queue.on("error", () => undefined); // The connection's owner hears of its errors.
    return queue;
  }

  /** The lane's settings go ahead of its first job, on the same connection. */
  function prepare(account: AccountId): { queue: Queue<LaneJob>; ready: Promise<unknown> } {
    const known = queues.get(account);
    if (known !== undefined) return { queue: known, ready: Promise.resolve() };
    const queue = open(account);
    const meta = `${prefix}:${laneName(account)}:meta`;
    const ready = Promise.all([
      redis.hset(meta, laneMeta),
      redis.sadd(laneNamesKey, laneName(account)),
    ]).then(() => queues.set(account, queue));
    return { queue, ready };
  }

  return {
    add: async (account, id) => {
      const { queue, ready } = prepare(account);
      try {
        const job: LaneJob = { replyTo: processId };
        const added = queue.add("intent", job, { jobId: id, ...JOB_OPTIONS });
        // By then the job has been sent.
        process.nextTick(expect, account, id);
        await Promise.all([ready, added]);
      } catch (cause) {
        // Whether the job was added is not known; the record decides what becomes of it.
        const message = cause instanceof Error ? cause.message : "the lane could not be reached";
        throw new StoreError(message, { certainlyNotWritten: false, cause });
      }
      ring(account, id);
    },
  };
}

/** One attempt: a retry would overtake. Finished jobs go at once: our records tell what became. */
const JOB_OPTIONS = { attempts: 1, removeOnComplete: true, removeOnFail: true } as const;
