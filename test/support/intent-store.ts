import { encodeLaneJob } from "../../queues/lane.ts";
import { laneScripts } from "../../src/app/lane-scripts.ts";
import * as store from "../../src/store/intents/redis-intent-store.ts";
import type { IntentStore } from "../../src/trading/orders/ports.ts";

type Options = Parameters<typeof store.createRedisIntentStore>[0];

export const intentScripts = [...store.intentScripts, ...Object.values(laneScripts)];

/** The process that accepts what a test accepts. */
export const PROCESS = "process-1";

/** The intents of a process, on the lanes as the gateway lays them out. */
export const openIntentStore = (
  options: Omit<Options, "laneScripts" | "jobData">,
  replyTo = PROCESS,
): IntentStore =>
  store.createRedisIntentStore({ ...options, laneScripts, jobData: encodeLaneJob({ replyTo }) });
