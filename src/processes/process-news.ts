import cluster from "node:cluster";
import type { Greeting } from "./greeting.ts";

/** What a process tells the launcher that started it. */
export type ProcessNews =
  /** Its name in leases, said before it takes any: so that they can be ended when it dies. */
  | { readonly kind: "named"; readonly processId: string }
  | ({ readonly kind: "listening" } & Greeting);

/**
 * The exit status of a start that the settings or the machine do not allow: trying again is of no
 * use. (EX_CONFIG of sysexits.h.)
 */
export const CANNOT_START = 78;

/** Whether a launcher started this process, and watches it. */
export const isLaunched = (): boolean => cluster.isWorker;

/** Does nothing in a process that was started by hand. */
export function notifyLauncher(news: ProcessNews): void {
  if (isLaunched()) process.send?.(news);
}

export function isProcessNews(message: unknown): message is ProcessNews {
  const { kind } = (message ?? {}) as { kind?: unknown };
  return kind === "named" || kind === "listening";
}
