import {
  type AccountFigures,
  type LaneFigureDeps,
  type LaneFigures,
  readLaneFigures,
  totalFigures,
} from "../../queues/lane-figures.ts";
import type { AccountId } from "../domain/ids.ts";
import type { Logger } from "../observability/logger.ts";
import type { MetricReaders, Metrics } from "../observability/metrics.ts";
import { readNotifying } from "./keep-notifying.ts";
import { readActiveKillSwitches } from "../store/intents/redis-limit-store.ts";
import { isOfRoom } from "../store/trust/store-room.ts";
import type { OpenStore } from "./open-store.ts";
import { accountsOutOfStep } from "../trading/lane/reconcile/out-of-step.ts";
import { guardAlarmsIn } from "../trading/alarms/guard-alarms.ts";
import { planAlarmsIn } from "../trading/alarms/plan-alarms.ts";
import type { CopyWorks } from "./work-copies.ts";
import type { Foundation } from "./open-foundation.ts";
import type { Owner } from "./open-owner.ts";
import type { RedisClient } from "../store/redis/redis-client.ts";

const MS_PER_SECOND = 1_000;
const NOTHING_SHARED = { owned: 0, withoutRoom: 0 };
const NOTHING_VALUED = { watched: 0, stale: 0, staleHeld: 0, told: 0, differing: 0 };
const NOTHING_COPIED = { contracts: 0, followers: new Map<string, number>() };

export function laneFigureDeps({ keys }: OpenStore, redis: RedisClient): LaneFigureDeps {
  const { lanes: prefix, laneNames: laneNamesKey } = keys;
  return { redis, prefix, laneNamesKey, keysOf: keys };
}

/** What the metrics read when Prometheus asks; no owner and no copies where connections are others'. */
export function metricReaders(
  { config, store, accounts, alarms, reading: stores }: Foundation,
  owner: Owner | undefined,
  copies: CopyWorks | undefined,
): MetricReaders {
  const { reader: redis, keys } = store;
  // All metrics of one scrape come from one reading of every lane.
  let reading: Promise<readonly AccountFigures[]> | undefined;
  const byAccount = () =>
    (reading ??= readLaneFigures(laneFigureDeps(store, redis)).finally(
      () => (reading = undefined),
    ));
  const isWorkedHere = (account: AccountId): boolean => {
    const connection = accounts.find(account)?.connectionId;
    if (owner?.isHere(account) !== true || connection === undefined) return false;
    return owner.pool.find(connection)?.status === "CONNECTED";
  };
  let notifying: ReturnType<typeof readNotifying> | undefined;
  const total = async (): Promise<LaneFigures> => totalFigures(await byAccount());
  return {
    laneIntents: total,
    laneIntentsByAccount: config.METRICS_PER_ACCOUNT ? byAccount : undefined,
    laneActiveIntents: () => owner?.dispatcher.busy ?? 0,
    oldestIntentSeconds: async () => (await total()).oldestMs / MS_PER_SECOND,
    oldestWorkedSeconds: async () => {
      const worked = (await byAccount()).filter(({ accountId }) => isWorkedHere(accountId));
      return totalFigures(worked).oldestMs / MS_PER_SECOND;
    },
    unknownOutcomes: async () => (await total()).unknown,
    unfinishedExits: async () => (await total()).unfinished,
    heldExits: async () => (await total()).heldExits,
    unprotectedPositions: async () => (await total()).unprotected,
    accountsOutOfStep: () =>
      owner === undefined ? 0 : accountsOutOfStep(accounts.all(), owner).length,
    redisIsDurable: () => store.guard.findings.every(({ kind }) => isOfRoom(kind)),
    storeDiskFreeBytes: () => store.guard.room.freeBytes,
    storeMemoryShare: () => store.guard.room.memoryShare,
    storeSlowestSeconds: () => store.guard.room.slowestMs / MS_PER_SECOND,
    storeIsKnown: () => store.guard.reason === undefined,
    activeKillSwitches: async () => (await readActiveKillSwitches(redis, keys)).length,
    oldestReconciliationSeconds: () => (owner?.reconciler.figures().oldestMs ?? 0) / MS_PER_SECOND,
    suspectedPositions: () => owner?.reconciler.figures().suspected ?? 0,
    copying: () => copies?.figures() ?? NOTHING_COPIED,
    money: () => owner?.values.figures() ?? NOTHING_VALUED,
    guardAlarms: () => guardAlarmsIn(alarms.standing),
    planAlarms: () => planAlarmsIn(alarms.standing),
    sharing: () => owner?.pool.sharing() ?? NOTHING_SHARED,
    notifying: () =>
      (notifying ??= readNotifying(stores, Date.now()).finally(() => (notifying = undefined))),
    connections: () =>
      (owner?.pool.figures() ?? []).map((figures) => ({
        ...figures,
        clockOffsetMs: copies?.clockOffsetMs(figures.connectionId),
      })),
  };
}

/** A connection that fails is tried again by itself; how often it failed is worth knowing. */
export function countStoreFailures(store: OpenStore, metrics: Metrics): void {
  const { request, worker, reader } = store;
  for (const redis of [request, worker, reader]) {
    redis.on("error", () => metrics.storeErrors("connection"));
  }
}

/** What a process leaves behind when it ends. Redis may just be coming back: it is waited for. */
export async function reportRest(store: OpenStore, log: Logger): Promise<void> {
  const { waiting, unknown } = totalFigures(
    await readLaneFigures(laneFigureDeps(store, store.worker)),
  );
  if (waiting > 0) log.warn("Intents wait on their lanes for the next start", { count: waiting });
  if (unknown > 0) log.error("Intents have an unknown outcome", { count: unknown });
}
