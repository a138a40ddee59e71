import { randomBytes } from "node:crypto";
import { contracts as products } from "../../config/contracts.ts";
import { closures, holidays } from "../../config/holidays.ts";
import { otherExchanges } from "../../config/other-exchanges.ts";
import { BROKER_KINDS } from "../brokers/broker-kinds.ts";
import type { BrokerKinds } from "../brokers/broker-kind.ts";
import type { Greeting } from "../processes/greeting.ts";
import type { Config } from "../../config/index.ts";
import type { Logger } from "../observability/logger.ts";
import { type ConnectionPlans, openConnectionPlans } from "./connection-plans.ts";
import type { EarlyListeners } from "./open-listeners.ts";
import type { RedisPlace } from "./open-redis.ts";
import { countStoreFailures, metricReaders, reportRest } from "./metric-readers.ts";
import { followConnections } from "./follow-connections.ts";
import { createCopyObserver } from "../observability/copy-observer.ts";
import { openFoundation } from "./open-foundation.ts";
import { openStore } from "./open-store.ts";
import { refuseUnsafeRedis } from "../store/trust/refuse-unsafe.ts";
import { openAlarms } from "../observability/alarm-log.ts";
import { createAlarmMetrics } from "../observability/alarm-metrics.ts";
import { createOverviewNews } from "../trading/reads/overview-news.ts";
import { openGateway } from "./compose-gateway.ts";
import { openNotifying, type ServicePlaces } from "./keep-notifying.ts";
import { openIngress } from "./open-ingress.ts";
import { openLinks } from "./open-links.ts";
import { openOwner, startOwner } from "./open-owner.ts";
import { serveOperations } from "./serve-http.ts";
import { untilConnected } from "../brokers/connection-board.ts";
import { createScheduleLookups, type ScheduleLookups } from "./schedule-lookups.ts";
import { startGuards } from "./start-guards.ts";
import { startTimeouts } from "./start-timeouts.ts";
import { startPlans } from "./start-plans.ts";
import { composeCopies } from "./work-copies.ts";
import { createStrategyObserver } from "../observability/strategy-observer.ts";
import { workStrategies } from "./work-strategies.ts";
import type { AnswerTimes } from "../trading/orders/answer-times.ts";
import { createContractDirectory } from "../domain/contracts/contract-directory.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Finding } from "../store/trust/durability.ts";
import { createMetrics } from "../observability/metrics.ts";
import type { OpenTraces } from "../observability/open-traces.ts";

export interface StartOptions {
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
  /** Other trading hours than the operator's tables have. */
  readonly scheduleLookups?: ScheduleLookups;
  /** Other times than the product's own, in which callers get an answer. */
  readonly answerTimes?: AnswerTimes | undefined;
  /** Where the services are that people are told by, instead of where they are. */
  readonly services?: ServicePlaces;
  readonly listeners: EarlyListeners;
  readonly place: RedisPlace;
}

/** Starts everything else, now that the ports are taken and Redis runs. */
export async function startProcess(options: StartOptions, lifecycle: Lifecycle): Promise<Greeting> {
  const { config, log, version, brokers: kinds = BROKER_KINDS, listeners, place } = options;
  const { progress } = listeners;
  progress.waitsFor = "The gateway waits for its Redis, and checks that it is the right one";
  const alarms = openAlarms(log);
  const judge = (findings: readonly Finding[]) => refuseUnsafeRedis(findings, config, alarms);
  const store = await openStore({
    place,
    config,
    lifecycle,
    log,
    alarms,
    judge,
    signal: options.signal,
  });
  const { processId = randomBytes(6).toString("hex") } = options;
  const traces = await openTracesIfAsked({ config, log, version, processId });
  if (traces !== undefined) lifecycle.started("traces", traces.close);
  const metrics = createMetrics(version, { isTraced: traces !== undefined });
  progress.metrics = () => metrics.text();
  lifecycle.started("the metrics", metrics.close);
  countStoreFailures(store, metrics);
  const contracts = createContractDirectory({ products, holidays, closures, otherExchanges });
  progress.waitsFor = "The gateway reads what is stored";
  const { scheduleLookups = createScheduleLookups() } = options;
  const named = {
    scheduleLookups,
    version,
    processId,
    kinds,
    evaluationProgram: options.evaluationProgram,
    answerTimes: options.answerTimes,
  };
  const base = await openFoundation({
    config,
    log,
    alarms,
    metrics,
    traces,
    store,
    contracts,
    ...named,
  });
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
  const notifying = await openNotifying(base, lifecycle, options.services);
  const uses = { evaluationObserver, destinationUses: notifying.uses };
  const gateway = openGateway(base, links, uses);
  const copies = owner && composeCopies(base, owner, links, createCopyObserver(base));
  metrics.read(metricReaders(base, owner, copies));
  if (owner !== undefined) {
    lifecycle.started("the report of what remains", () => reportRest(store, log));
    options.signal?.throwIfAborted();
    await startOwner(owner, base, lifecycle);
    await copies?.start(lifecycle);
    await startGuards(base, owner, links, lifecycle);
    startTimeouts(base, owner, links, lifecycle);
    await startPlans(base, owner, links, lifecycle);
    await workStrategies(base, links, evaluationObserver, lifecycle);
    await notifying.start(gateway, lifecycle);
  }
  progress.waitsFor = "The gateway waits for its broker connections";
  const paused = (await base.stores.setups.list()).filter((setup) => setup.paused);
  const resting = new Set(paused.map(({ connectionId }) => connectionId));
  await untilConnected(board, options.signal, resting);

  if (config.ROLE === "worker") {
    const url = await serveOperations({ ...base, board, listeners }, lifecycle);
    return { url, first: undefined, setUpLink: undefined };
  }
  return await openIngress(base, links, { listeners, gateway }, lifecycle);
}

/** What makes traces is only loaded where somebody wants them. */
async function openTracesIfAsked({
  config,
  ...rest
}: Pick<StartOptions, "config" | "log" | "version"> & { readonly processId: string }): Promise<
  OpenTraces | undefined
> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = config;
  if (endpoint === undefined) return undefined;
  const { openTraces } = await import("../observability/open-traces.ts");
  return openTraces({ endpoint, headers, ...rest });
}
