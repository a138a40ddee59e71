import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { contracts as products } from "../config/contracts.ts";
import { holidays } from "../config/holidays.ts";
import type { Config } from "../config/index.ts";
import { readLaneFigures } from "../queues/lane-figures.ts";
import { createLaneProducer } from "../queues/lane-producer.ts";
import { createReplyChannel } from "../queues/reply-channel.ts";
import { auditChanges } from "./app/audit-changes.ts";
import { composeGateway } from "./app/compose-gateway.ts";
import { createFirstCredentials, type FirstCredentials } from "./app/first-start.ts";
import { createLaneObserver, laneFigureDeps, metricReaders } from "./app/observers.ts";
import { openRedis, openStore, type OpenStore } from "./app/open-store.ts";
import { openStores, type Stores } from "./app/open-stores.ts";
import { openPaperConnection } from "./app/paper-connection.ts";
import { serveHttp } from "./app/serve-http.ts";
import { waitFor } from "./app/wait-for.ts";
import { composeLanes, type LaneWorks, startLanes } from "./app/work-lanes.ts";
import type { PaperBroker } from "./brokers/paper/adapter.ts";
import type { PriceFeed } from "./brokers/paper/feed/price-feed.ts";
import { createContractDirectory } from "./domain/contract-directory.ts";
import { connectionId } from "./domain/ids.ts";
import { Lifecycle, type StopReport } from "./lifecycle.ts";
import type { Logger } from "./observability/logger.ts";
import { createMetrics } from "./observability/metrics.ts";
import { checkDurability } from "./store/durability.ts";
import { type OwnerLease, takeOwnerLease } from "./store/owner-lease.ts";
import { createDescribeContract } from "./trading/describe-contract.ts";

/** The paper connection that every appliance comes with. */
const PAPER = connectionId("paper");

/** How long the first session may take before the gateway listens without it. */
const CONNECT_WITHIN_MS = 5_000;

export interface AppOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly version: string;
  /** The lanes may not be worked any more: the process must end. */
  readonly onFatal: (reason: string) => void;
  /** Gives the start up. */
  readonly signal?: AbortSignal;
  /** A test's hand on the paper prices. */
  readonly paperFeed?: PriceFeed;
}

export interface App {
  /** What printed URLs start with. */
  readonly url: string;
  /** Present on the very first start only. */
  readonly first: FirstCredentials | undefined;
  /** A test's hand on the paper broker. */
  readonly paper: PaperBroker;
  /** Takes in nothing more, finishes what was sent, and says what did not end in time. */
  readonly stop: () => Promise<StopReport>;
}

/** The gateway cannot start; the message says what to do. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** Starts the whole gateway in order. Whatever fails, what was started is ended again. */
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
  const { config, log, version } = options;
  const store = await openStore(
    await openRedis(config, lifecycle, log, options.signal),
    lifecycle,
    log,
  );
  const isDurable = await refuseUnsafeRedis(store, config, log);
  const owner = randomBytes(6).toString("hex");
  const lease = await ownLanes(store, owner, options, lifecycle);

  const stores = await openStores(store, config);
  const contracts = createContractDirectory({ products, holidays });
  const describe = createDescribeContract(contracts);
  const metrics = createMetrics({ version, readers: metricReaders(store, () => works) });
  lifecycle.started("the metrics", metrics.close);
  metrics.redisDurable(isDurable);

  const shared = { ...stores, config, store, owner, contracts, describe, log, now: Date.now };
  const outcomes = await openReplies(shared);
  const observer = createLaneObserver(log, metrics);
  const works: LaneWorks = composeLanes({
    ...shared,
    outcomes,
    observer,
    maySend: lease.isHeld,
  });
  const lanes = await createLaneProducer({
    redis: store.request,
    prefix: store.keys.lanes,
    laneNamesKey: store.keys.laneNames,
    processId: owner,
    ring: (account) => works.dispatcher.ring(account),
  });
  const paper = await openPaperConnection({
    ...shared,
    connectionId: PAPER,
    feed: options.paperFeed,
  });
  lifecycle.started("the report of what remains", () => reportRest(store, log));
  options.signal?.throwIfAborted();
  await startLanes(works, new Map([[PAPER, paper]]), lifecycle);
  await untilConnected(works);

  const { pool: connections, settleNow, abandon } = works;
  const uses = composeGateway({ ...shared, lanes, outcomes, connections, settleNow, abandon });
  const gateway = auditChanges(uses, log);
  const url = await serveHttp({ ...shared, gateway, works, metrics, version }, lifecycle);
  await store.request.set(store.keys.url, url);
  const first = await createFirstCredentials(stores.credentials, stores.accounts, stores.user);
  return { url, first, paper };
}

/** "Rules for money" 1: not durable is refused, unless the operator insists. */
async function refuseUnsafeRedis(store: OpenStore, config: Config, log: Logger): Promise<boolean> {
  const problems = await checkDurability(store.worker);
  if (problems.length === 0) return true;
  if (!config.ALLOW_UNSAFE_REDIS) {
    const list = problems.map((problem) => `  ${problem}`).join("\n");
    throw new StartError(
      `This Redis is not a safe place for accepted orders:\n${list}\n` +
        "Set it right, or set ALLOW_UNSAFE_REDIS=true to start all the same.",
    );
  }
  for (const reason of problems) log.error("Running on a Redis that may lose orders", { reason });
  return false;
}

/** One gateway works the lanes of one Redis; the holder of our own Redis is known to be dead. */
async function ownLanes(
  { worker: redis, keys, isOwn }: OpenStore,
  owner: string,
  { onFatal }: AppOptions,
  lifecycle: Lifecycle,
): Promise<OwnerLease> {
  const onLost = () => onFatal("Another gateway works the lanes of this Redis now");
  const lease = await takeOwnerLease({ redis, keys, owner, onLost }, isOwn);
  if (lease === undefined) {
    throw new StartError(
      "Another gateway works on this Redis. Stop it first, or set REDIS_URL to another one.",
    );
  }
  lifecycle.started("the lease of the lanes", lease.release);
  return lease;
}

async function openReplies({ store, owner, intents, log }: Stores & ReplyParts) {
  return await createReplyChannel({
    processId: owner,
    intents,
    redis: store.request,
    subscriber: store.subscriber(),
    channelOf: store.keys.replies,
    waitFor,
    onError: (error) => log.error("A reply was lost between processes", { error }),
  });
}

interface ReplyParts {
  readonly store: OpenStore;
  readonly owner: string;
  readonly log: Logger;
}

async function untilConnected({ pool }: LaneWorks): Promise<void> {
  const deadline = performance.now() + CONNECT_WITHIN_MS;
  while (pool.statuses().some(({ status }) => status === "CONNECTING")) {
    if (performance.now() > deadline) return;
    await sleep(10);
  }
}

async function reportRest(store: OpenStore, log: Logger): Promise<void> {
  const { waiting, unknown } = await readLaneFigures(laneFigureDeps(store));
  if (waiting > 0) log.warn("Intents wait on their lanes for the next start", { count: waiting });
  if (unknown > 0) log.error("Intents have an unknown outcome", { count: unknown });
}
