import { setTimeout as sleep } from "node:timers/promises";
import { type Job, Worker, type WorkerOptions } from "bullmq";

/** Does what a job asks for; BullMQ's own errors say that it goes on later. */
export type DoJob = (job: Job, token: string | undefined) => Promise<void>;

/**
 * An orderly close also waits for the "end" of its blocking connection. ioredis emits none for a client, or
 * a node of a Cluster, that is between two attempts to connect. Without work, the close waits no longer
 * than this, ms: the connection has been cut by then.
 */
const LINGER_MS = 2_000;

export interface SharedWorker {
  /** Takes nothing more, and resolves once what it has in hand has ended. */
  readonly close: () => Promise<void>;
}

/** This process' part in a queue that several processes work. */
export async function openSharedWorker(
  name: string,
  doJob: DoJob,
  options: WorkerOptions,
  onError: (error: unknown) => void,
): Promise<SharedWorker> {
  const inHand = new Set<Promise<void>>();
  async function follow(job: Job, token: string | undefined): Promise<void> {
    const one = doJob(job, token);
    inHand.add(one);
    await one.finally(() => inHand.delete(one));
  }
  const worker = new Worker(name, follow, options);
  worker.on("error", onError);
  worker.on("failed", (_, error) => onError(error));
  await worker.waitUntilReady();
  /** Resolves once nothing has been in hand for `LINGER_MS`. */
  async function ended(signal: AbortSignal): Promise<void> {
    do {
      await Promise.allSettled(inHand);
      await sleep(LINGER_MS, undefined, { signal });
    } while (inHand.size > 0);
  }
  return {
    close: async () => {
      const over = new AbortController();
      await Promise.race([worker.close(), ended(over.signal)]).finally(() => over.abort());
    },
  };
}
