import { randomBytes } from "node:crypto";
import { contracts as products } from "../../config/contracts.ts";
import { holidays } from "../../config/holidays.ts";
import type { Config } from "../../config/index.ts";
import type { BrokerKinds } from "../brokers/broker-kind.ts";
import { BROKER_KINDS } from "../brokers/broker-kinds.ts";
import { type ConnectionPlans, openConnectionPlans } from "./connection-plans.ts";
import type { Greeting } from "../processes/greeting.ts";
import { countStoreFailures, metricReaders, reportRest } from "./metric-readers.ts";
import { followConnections } from "./follow-connections.ts";
import { createCopyObserver } from "../observability/copy-observer.ts";
import { openFoundation } from "./open-foundation.ts";
import { openRedis, openStore } from "./open-store.ts";
import { refuseUnsafeRedis } from "../store/guard/refuse-unsafe.ts";
import { openAlarms } from "../observability/alarm-log.ts";
import { createAlarmMetrics } from "../observability/alarm-metrics.ts";
import { createOverviewNews } from "../trading/reads/overview-news.ts";
import { openIngress } from "./open-ingress.ts";
import { openLinks } from "./open-links.ts";
import { openOwner, startOwner } from "./open-owner.ts";
import { openListeners, serveOperations } from "./serve-http.ts";
import { untilConnected } from "../brokers/connection-board.ts";
import { composeCopies } from "./work-copies.ts";
import { createStrategyObserver } from "../observability/strategy-observer.ts";
import { workStrategies } from "./work-strategies.ts";
import { createContractDirectory } from "../domain/contracts/contract-directory.ts";
import { Lifecycle, type StopReport } from "./lifecycle.ts";
import type { Finding } from "../store/guard/durability.ts";
import type { Logger } from "../observability/logger.ts";
import { createMetrics } from "../observability/metrics.ts";

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
  /** What the thread that evaluates strategies runs, where that is not beside its source. */
  readonly evaluationProgram?: URL | undefined;
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
  const metrics = createMetrics(version);
  lifecycle.started("the metrics", metrics.close);
  countStoreFailures(store, metrics);
  const { processId = randomBytes(6).toString("hex") } = options;
  const contracts = createContractDirectory({ products, holidays });
  const named = { version, processId, kinds, evaluationProgram: options.evaluationProgram };
  const base = await openFoundation({ config, log, alarms, metrics, store, contracts, ...named });
  const { evaluationThread } = base;
  lifecycle.started("the thread that evaluates", () => evaluationThread.close());
  const { changes, patient } = base;
  alarms.listen(createAlarmMetrics(metrics));
  alarms.listen(createOverviewNews(changes));
  // Whoever held a lease in a Redis that we have just started is dead.
  if (store.isOwn) await patient.leases.endOf();

  const { connections: plans = openConnectionPlans } = options;
  const owner = config.ROLE === "ingress" ? undefined : openOwner(base, await plans(base));
  const board = await followConnections(base, owner, lifecycle);
  const links = await openLinks(base, owner, board);
  const evaluationObserver = createStrategyObserver(base);
  const copies = owner && composeCopies(base, owner, links, createCopyObserver(base));
  metrics.read(metricReaders(base, owner, copies));
  if (owner !== undefined) {
    lifecycle.started("the report of what remains", () => reportRest(store, log));
    options.signal?.throwIfAborted();
    await startOwner(owner, base, lifecycle);
    await copies?.start(lifecycle);
    await workStrategies(base, links, evaluationObserver, lifecycle);
  }
  const paused = (await base.stores.setups.list()).filter((setup) => setup.paused);
  const resting = new Set(paused.map(({ connectionId }) => connectionId));
  await untilConnected(board, options.signal, resting);

  if (config.ROLE === "worker") {
    const url = await serveOperations({ ...base, board, listeners }, lifecycle);
    return { url, first: undefined, setUpLink: undefined };
  }
  return await openIngress(base, links, { listeners, evaluationObserver }, lifecycle);
}
