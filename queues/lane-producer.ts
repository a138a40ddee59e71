import { Job, type MinimalQueue, Queue, type QueueOptions } from "bullmq";
import type { Redis } from "ioredis";
import type { AccountId, IntentId } from "../src/domain/ids.ts";
import { type LaneJob, laneMeta, laneName } from "./lane.ts";
import { openLaneBackend } from "./lane-backend.ts";
import type { Lanes } from "../src/trading/orders/ports.ts";

interface LaneProducerDeps {
  /** The same connection that intents are accepted on; it fails fast. */
  readonly redis: Redis;
  readonly prefix: string;
  /** The set of all lanes, for the dispatcher's sweep. */
  readonly laneNamesKey: string;
  /** The process that gets the outcome. */
  readonly processId: string;
  /** Notifies the lane's dispatcher, if it is in this process, that a job is on its way. Must not throw. */
  readonly expect: (account: AccountId, id: IntentId) => void;
  /** Wakes the lane's dispatcher, wherever it is. Must not throw. */
  readonly ring: (account: AccountId, id: IntentId) => void;
}

/** Adds pointers to intents to their accounts' lanes. */
export async function createLaneProducer(deps: LaneProducerDeps): Promise<Lanes> {
  const { redis, prefix, laneNamesKey, processId, expect, ring } = deps;
  const backend = await openLaneBackend(redis, prefix);
  const queues = new Map<AccountId, MinimalQueue>();
  // Lanes whose settings are known to be written.
  const prepared = new Set<AccountId>();
  const client = await backend("lanes").client;

  function queueOf(account: AccountId): MinimalQueue {
    const known = queues.get(account);
    if (known !== undefined) return known;
    const options: QueueOptions = { connection: redis, prefix, skipMetasUpdate: true };
    const queue = new Queue<LaneJob>(laneName(account), options, backend);
    queue.on("error", () => undefined); // The connection's owner hears of its errors.
    queues.set(account, queue);
    return queue;
  }

  return {
    ring,

    prepare: (account) => {
      if (prepared.has(account)) return;
      const name = laneName(account);
      Promise.all([
        redis.hset(`${prefix}:${name}:meta`, laneMeta),
        redis.sadd(laneNamesKey, name),
      ]).then(
        () => prepared.add(account),
        () => undefined, // What comes behind it on the connection fails too; it is written again.
      );
    },

    add: (account, id) => {
      const job = new Job(queueOf(account), "intent", { replyTo: processId }, JOB_OPTIONS, id);
      // BullMQ sends the command synchronously.
      const added = job.addJob(client);
      process.nextTick(expect, account, id);
      return added;
    },
  };
}

/** One attempt: a retry would run out of order. Finished jobs are removed: the outcome is in the record. */
const JOB_OPTIONS = { attempts: 1, removeOnComplete: true, removeOnFail: true } as const;
