import { encodeLaneJob, FOR_NOBODY } from "../../queues/lane.ts";
import { laneScripts } from "../../src/app/lane-scripts.ts";
import { createRedisLaneStore } from "../../src/store/intents/redis-lane-store.ts";
import * as store from "../../src/store/intents/redis-intent-store.ts";
import type { LaneStore } from "../../src/trading/lane/ports.ts";
import type { IntentStore } from "../../src/trading/orders/ports.ts";

type Options = Parameters<typeof store.createRedisIntentStore>[0];

export const intentScripts = [...store.intentScripts, ...Object.values(laneScripts)];

/** The process that accepts what a test accepts. */
export const PROCESS = "process-1";

/** The intents of a process, on the lanes as the gateway lays them out. */
export const openIntentStore = (
  options: Omit<Options, "laneScripts" | "jobData" | "noteAccepted" | "isTight">,
  replyTo = PROCESS,
): IntentStore =>
  store.createRedisIntentStore({
    ...options,
    laneScripts,
    jobData: encodeLaneJob({ replyTo }),
    noteAccepted: () => undefined,
    isTight: () => false,
  });

type LaneOptions = Parameters<typeof createRedisLaneStore>[0];

/** The lanes as the process works them. */
export const openLaneStore = (
  options: Pick<LaneOptions, "redis" | "keys">,
  worker = PROCESS,
): LaneStore =>
  createRedisLaneStore({
    ...options,
    retentionMs: 60_000,
    laneScripts,
    worker,
    lostData: FOR_NOBODY,
  });
