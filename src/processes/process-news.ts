import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import type { Greeting } from "./greeting.ts";

/** What a process tells the launcher that started it. */
export type ProcessNews =
  /** Its name in leases, said before it takes any: so that they can be ended when it dies. */
  | { readonly kind: "named"; readonly processId: string }
  /** All its ports are its own. */
  | { readonly kind: "ports" }
  | ({ readonly kind: "listening" } & Greeting);

/** What the launcher tells a process: it may begin, and where Redis is. */
interface Begin {
  readonly kind: "begin";
  readonly redisUrl: string;
}

/** Set in the environment of a process whose port others answer on until it can. */
export const OTHERS_ANSWER = "GATEWAY_OTHERS_ANSWER";

/**
 * The exit status of a start that the settings or the machine do not allow: trying again is of no
 * use. (EX_CONFIG of sysexits.h.)
 */
export const CANNOT_START = 78;

/** Whether a launcher started this process, and watches it. */
export const isLaunched = (): boolean => cluster.isWorker;

/** Resolves with where Redis is once the launcher lets this process begin; rejects when that is given up. */
export async function untilBegin(signal: AbortSignal): Promise<string> {
  const [{ redisUrl }] = (await once(process, "message", { signal })) as [Begin];
  return redisUrl;
}

export function letBegin(worker: Worker, redisUrl: string): void {
  const message: Begin = { kind: "begin", redisUrl };
  // One that has ended meanwhile is started again, and told then.
  if (worker.isConnected()) worker.send(message, undefined, () => undefined);
}

/** Does nothing in a process that was started by hand. */
export function notifyLauncher(news: ProcessNews): void {
  if (isLaunched()) process.send?.(news);
}

export function isProcessNews(message: unknown): message is ProcessNews {
  const { kind } = (message ?? {}) as { kind?: unknown };
  return kind === "named" || kind === "ports" || kind === "listening";
}
