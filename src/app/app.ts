import { randomBytes } from "node:crypto";
import { contracts as products } from "../../config/contracts.ts";
import { holidays } from "../../config/holidays.ts";
import type { Config } from "../../config/index.ts";
import type { BrokerKinds } from "../brokers/broker-kind.ts";
import { BROKER_KINDS } from "../brokers/broker-kinds.ts";
import { createBrokerDesk } from "../trading/connections/broker-desk.ts";
import { type ConnectionPlans, openConnectionPlans } from "./connection-plans.ts";
import type { Greeting } from "../processes/greeting.ts";
import { countStoreFailures, metricReaders, reportRest } from "./metric-readers.ts";
import { followConnections } from "./follow-connections.ts";
import { openAlarms } from "../observability/alarm-log.ts";
import { createAlarmMetrics } from "../observability/alarm-metrics.ts";
import { createCopyObserver } from "../observability/copy-observer.ts";
import { createLaneObserver } from "../observability/lane-observer.ts";
import { createReconcileObserver } from "../observability/reconcile-observer.ts";
import { type Foundation, openFoundation } from "./open-foundation.ts";
import { openLanes } from "./open-lanes.ts";
import { openRedis, openStore } from "./open-store.ts";
import { refuseUnsafeRedis } from "../store/guard/refuse-unsafe.ts";
import { takeAlerts } from "./take-alerts.ts";
import { openListeners, serveOperations } from "./serve-http.ts";
import { untilConnected } from "../brokers/until-connected.ts";
import { composeCopies, type CopyWorks } from "./work-copies.ts";
import { createStrategyObserver } from "../observability/strategy-observer.ts";
import { workStrategies } from "./work-strategies.ts";
import { composeLanes, type LaneParts, type LaneWorks, startLanes } from "./work-lanes.ts";
import { createContractDirectory } from "../domain/contracts/contract-directory.ts";
import { Lifecycle, type StopReport } from "./lifecycle.ts";
import type { Finding } from "../store/guard/durability.ts";
import type { Logger } from "../observability/logger.ts";
import { createMetrics, type Metrics } from "../observability/metrics.ts";
import type { UnprotectedPositions } from "../trading/lane/legs/unprotected-positions.ts";
import { createOverviewNews } from "../trading/reads/overview-news.ts";
import { openUnprotectedPositions } from "./keep-in-step.ts";

export interface AppOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly version: string;
  /** This process' name in leases and locks; no two share one. */
  readonly processId?: string;
  /** Gives the start up. */
  readonly signal?: AbortSignal;
  /** The connections that may be owned here, instead of the paper broker's. */
  readonly connections?: ConnectionPlans;
  /** The brokers that connections can be added for, instead of all that there are. */
  readonly brokers?: BrokerKinds;
}

/** The URL of a process without HTTP is where its health is asked. */
export interface App extends Greeting {
  /** Takes in nothing more, finishes what was sent, and says what did not end in time. */
  readonly stop: () => Promise<StopReport>;
}

/** Starts one process of the gateway in order. Whatever fails, what was started is ended again. */
export async function startApp(options: AppOptions): Promise<App> {
  const lifecycle = new Lifecycle();
  const deadlineMs = options.config.SHUTDOWN_SECONDS * 1_000;
  try {
    const app = await start(options, lifecycle);
    return { ...app, stop: () => lifecycle.stop(deadlineMs) };
  } catch (error) {
    await lifecycle.stop(deadlineMs);
    throw error;
  }
}

async function start(options: AppOptions, lifecycle: Lifecycle): Promise<Omit<App, "stop">> {
  const { config, log, version, brokers: kinds = BROKER_KINDS } = options;
  const listeners = await openListeners(config, lifecycle);
  const place = await openRedis(config, lifecycle, log, options.signal);
  const alarms = openAlarms(log);
  const judge = (findings: readonly Finding[]) => refuseUnsafeRedis(findings, config, alarms);
  const store = await openStore({ place, config, lifecycle, log, alarms, judge });
  const { processId = randomBytes(6).toString("hex") } = options;
  const contracts = createContractDirectory({ products, holidays });
  const base = await openFoundation({ config, log, alarms, store, contracts, processId, kinds });
  // Whoever held a lease in a Redis that we have just started is dead.
  if (store.isOwn) await base.leases.endOf();

  const metrics = createMetrics({
    version,
    readers: metricReaders({ ...base, works: () => works, copies: () => copies }),
  });
  lifecycle.started("the metrics", metrics.close);
  countStoreFailures(store, metrics);
  alarms.listen(createAlarmMetrics(metrics));
  alarms.listen(createOverviewNews(base.changes));
  const unprotected = openUnprotectedPositions(base, () => works);
  const works =
    config.ROLE === "ingress"
      ? undefined
      : await openWorks(options, {
          ...base,
          metrics,
          unprotected,
          onFills: (account) => copies?.onFills(account),
          onReport: (account, report) => copies?.onReport(account, report),
          drifted: () => copies?.drifted() ?? [],
        });
  const { missing: exitsMissing } = unprotected;
  const board = await followConnections({ ...base, pool: works?.pool, exitsMissing }, lifecycle);
  const lanes = await openLanes({ ...base, works });
  const desk = createBrokerDesk({ ...base, works });
  const observer = createCopyObserver(log, metrics, base.changes);
  const copies: CopyWorks | undefined =
    works && composeCopies({ ...base, works, lanes, board, reads: desk, observer });
  const evaluationObserver = createStrategyObserver({ ...base, metrics });
  const shared = {
    ...base,
    ...desk,
    board,
    works,
    lanes,
    metrics,
    evaluationObserver,
    version,
    listeners,
  };
  if (works !== undefined) {
    lifecycle.started("the report of what remains", () => reportRest(store, log));
    options.signal?.throwIfAborted();
    await startLanes(works, base, lifecycle);
    await copies?.start(lifecycle);
    await workStrategies({ ...shared, reads: desk }, lifecycle);
  }
  const paused = (await base.setups.list()).filter((setup) => setup.paused);
  const resting = new Set(paused.map(({ connectionId }) => connectionId));
  await untilConnected(board, options.signal, resting);

  if (config.ROLE === "worker") {
    const url = await serveOperations(shared, lifecycle);
    return { url, first: undefined, setUpLink: undefined };
  }
  return await takeAlerts(shared, lifecycle);
}

async function openWorks(
  { connections = openConnectionPlans }: AppOptions,
  base: Foundation & {
    readonly metrics: Metrics;
    readonly unprotected: UnprotectedPositions;
    readonly onFills: LaneParts["onFills"];
    readonly onReport: LaneParts["onReport"];
    readonly drifted: LaneParts["drifted"];
  },
): Promise<LaneWorks> {
  return composeLanes({
    ...base,
    plans: await connections(base),
    observer: createLaneObserver(base),
    reconcileObserver: createReconcileObserver(base),
  });
}
