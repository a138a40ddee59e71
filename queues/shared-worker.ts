import { setImmediate } from "node:timers/promises";
import { type Job, Worker, type WorkerOptions } from "bullmq";

/** Does what a job asks for; BullMQ's own errors say that it goes on later. */
export type DoJob = (job: Job, token: string | undefined) => Promise<void>;

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
  return {
    close: async () => {
      const blocking = await worker.backend.blockingClient;
      // An orderly close also waits for a job that Redis is handing over right now.
      if (blocking?.status !== "reconnecting") return await worker.close();
      // It waits for the "end" of the blocking connection, too. ioredis never emits that for a client that
      // is between two attempts to connect, so the close would hang.
      await worker.pause(true);
      await Promise.allSettled(inHand);
      // By then BullMQ has sent how they ended, over the connection that stays.
      await setImmediate();
      await worker.close(true);
    },
  };
}
