import type { Config } from "../../config/index.ts";
import type { Channels } from "../../queues/channels.ts";
import { laneAccount } from "../../queues/lane.ts";
import { LaneDispatcher } from "../../queues/lane-dispatcher.ts";
import type { ConnectionPlan } from "../brokers/connection-owner.ts";
import { ConnectionPool } from "../brokers/connection-pool.ts";
import type { AccountId } from "../domain/ids.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { QueueObserver } from "../observability/lane-observer.ts";
import type { Logger } from "../observability/logger.ts";
import { createRedisAccountViews } from "../store/accounts/redis-account-views.ts";
import { createRedisConnectionRecords } from "../store/connections/redis-connection-records.ts";
import { createRedisConnectionSetups } from "../store/connections/redis-connection-setups.ts";
import { createRedisCopyNews } from "../store/copying/redis-copy-news.ts";
import { createRedisLimitStore } from "../store/intents/redis-limit-store.ts";
import { createRedisIntentStore } from "../store/intents/redis-intent-store.ts";
import type { AccountDirectory } from "../trading/connections/account-directory.ts";
import type { Alarms } from "../trading/alarms/alarm.ts";
import { alarmOfConnection } from "../trading/alarms/connection-alarm.ts";
import type { ChangeFeed } from "../trading/changes.ts";
import type { User } from "../domain/people/credential.ts";
import type { AccountProjector } from "../trading/lane/reconcile/account-projector.ts";
import type { LegKeeper, LegObserver } from "../trading/lane/legs/leg-keeper.ts";
import type { UnprotectedPositions } from "../trading/lane/legs/unprotected-positions.ts";
import type { SessionOf } from "../trading/lane/connected.ts";
import type { ReconcileObserver } from "../trading/lane/reconcile/reconcile-account.ts";
import type { Reconciler } from "../trading/lane/reconcile/reconciler.ts";
import { OrderWatch } from "../trading/lane/order-watch.ts";
import { createRunIntent, type LaneObserver } from "../trading/lane/run-intent.ts";
import { UnknownSettler } from "../trading/lane/settle/settle-unknown.ts";
import { createSettlePending } from "../trading/lane/settle-pending.ts";
import type { DriftedFollower, Connections, OwnerDesk, ReportListener } from "../trading/ports.ts";
import type { ConnectionLeases } from "../trading/connections/connection-leases.ts";
import { answerQuestion, type OwnedWorks } from "../trading/connections/broker-desk.ts";
import { defaultLimits } from "./compose-gateway.ts";
import { composeInStep } from "./keep-in-step.ts";
import { createWindDown } from "../trading/connections/wind-down.ts";
import type { OpenStore } from "./open-store.ts";
import { retentionMs } from "../store/retention.ts";
import { takeOver } from "../trading/connections/take-over.ts";
import { waitFor } from "./wait-for.ts";
import type { DescribeContract } from "../trading/orders/describe-contract.ts";
import type { IntentStore, Outcomes } from "../trading/orders/ports.ts";
import type { LaneContext } from "../trading/lane/ports.ts";

export interface LaneParts {
  readonly config: Config;
  readonly store: OpenStore;
  readonly processId: string;
  readonly plans: readonly ConnectionPlan[];
  readonly leases: ConnectionLeases;
  readonly channels: Channels;
  readonly desk: OwnerDesk;
  /** On the connection that serves callers. */
  readonly intents: IntentStore;
  readonly accounts: AccountDirectory;
  readonly describe: DescribeContract;
  readonly outcomes: Outcomes;
  readonly observer: LaneObserver & LegObserver & QueueObserver;
  readonly reconcileObserver: ReconcileObserver;
  readonly alarms: Alarms;
  readonly unprotected: UnprotectedPositions;
  readonly changes: Pick<ChangeFeed, "publish">;
  /** Fills of the account were recorded that were not known before. */
  readonly onFills: (account: AccountId) => void;
  /** A broker has told something of one of the account's orders. Must not throw. */
  readonly onReport: ReportListener;
  /** Followers that need a person, of the leaders whose connections are held here. */
  readonly drifted: () => readonly DriftedFollower[];
  readonly user: User;
  readonly log: Logger;
  readonly now: () => number;
}

/** The owner's side: connections to brokers, and the lanes of their accounts. */
export interface LaneWorks extends OwnedWorks {
  readonly pool: ConnectionPool;
  readonly dispatcher: LaneDispatcher<LaneContext | undefined>;
  readonly reconciler: Reconciler;
  /** Whether this process works the account's lane now. */
  readonly isHere: (account: AccountId) => boolean;
}

/** What the works are wired from once, inside. */
interface Wired extends OwnedWorks {
  readonly legs: LegKeeper;
  readonly watch: OrderWatch;
  readonly projector: AccountProjector;
}

/** What a connection asks for when lanes can be worked that could not before. */
interface LooksAtLanes {
  readonly lookAtAll: () => void;
  readonly lookAt: (account: AccountId) => void;
  readonly settleSoon: (account: AccountId, inMs: number) => void;
  readonly settlePending: (account: AccountId) => void;
  readonly finished: (accounts: readonly AccountId[]) => Promise<void>;
}

/** Does not change when the system's clock is set. */
const elapsed = () => performance.now();

/** Wires what works the lanes. Nothing runs yet: see `startLanes`. */
export function composeLanes(parts: LaneParts): LaneWorks {
  const { config, store, accounts, log } = parts;
  const { worker: redis, keys } = store;
  const intents = createRedisIntentStore({ redis, keys, retentionMs: retentionMs(config) });
  const sessionOf: SessionOf = (account) => wired.reconciler.sessionOf(account);
  const settler = new UnknownSettler({ intents, sessionOf, elapsed });
  const isHere = (account: AccountId) => {
    const stored = accounts.find(account);
    if (stored === undefined || pool.isLeaving(stored.connectionId)) return false;
    return pool.find(stored.connectionId)?.ownership.isOwned() === true;
  };
  const lookAtAll = () => {
    const failed = (error: unknown) => log.error("Lanes were not looked at", { error });
    dispatcher.lookAtAll().catch(failed);
  };
  const lookAt = (account: AccountId) => dispatcher.ring(account);
  // A lane that is not worked here by then is not tended: nothing is to be ended with the process.
  const settleSoon = (account: AccountId, inMs: number) =>
    void setTimeout(() => dispatcher.settlePending(account), inMs).unref();
  const { observer, drifted } = parts;
  const works = { intents, settler, sessionOf, observer, drifted };
  const finished = async (lanes: readonly AccountId[]) => await dispatcher.finished(lanes);
  const settlePending = (account: AccountId) => dispatcher.settlePending(account);
  const looks = { lookAtAll, lookAt, settleSoon, settlePending, finished };
  const wired = { ...works, ...composeConnections(parts, works, looks) };
  const { pool } = wired;
  const dispatcher: LaneWorks["dispatcher"] = composeDispatcher(parts, wired, isHere);
  const { connections, reconciler } = wired;
  return { ...works, pool, connections, dispatcher, reconciler, isHere };
}

/** The broker's side: its connections, and everyone who listens to their reports. */
function composeConnections(
  parts: LaneParts,
  works: Omit<OwnedWorks, "connections">,
  looks: LooksAtLanes,
) {
  const { lookAtAll, lookAt, settleSoon } = looks;
  const { plans, store, leases, accounts, desk, user, log } = parts;
  const records = createRedisConnectionRecords({ redis: store.worker, keys: store.keys });
  const setups = createRedisConnectionSetups({ redis: store.worker, keys: store.keys });
  const views = createRedisAccountViews({ redis: store.worker, keys: store.keys });
  const watch = new OrderWatch({ waitFor });
  const brokerOf = (account: AccountId) => {
    const stored = accounts.find(account);
    const owned = stored && pool.find(stored.connectionId);
    return owned && { broker: owned.broker, epoch: owned.ownership.epoch };
  };
  const connections: Connections = { find: (connection) => pool.find(connection) };
  const { projector, reconciler, legs } = composeInStep({
    ...parts,
    ...works,
    observer: parts.observer,
    connections,
    brokerOf,
    lookAt,
    settleSoon,
    elapsed,
  });
  const pool: ConnectionPool = new ConnectionPool({
    plans,
    leases,
    records,
    onOwned: async (connectionId, { epoch }) => {
      log.info("Connection owned", { connectionId, count: epoch, pid: process.pid });
      await accounts.load(views);
      await leases.fence(accounts.idsOn(connectionId), epoch);
      return await desk.attend(connectionId, async (question) =>
        answerQuestion(question, { ...works, connections, accounts }),
      );
    },
    onOpened: async ({ broker, environment }, { connectionId, userId = user.userId }) =>
      await records.describe(connectionId, { userId, broker, environment }),
    onSession: async (adapter, owned) => {
      projector.forget();
      await takeOver(adapter, owned, { ...parts, intents: works.intents, views, reconciler });
    },
    ...createWindDown({ accounts, views, records, setups, ...looks }),
    onState: (connectionId, state, why) => {
      alarmOfConnection(parts.alarms, connectionId, state, why?.reason);
      log.info("Connection status", {
        connectionId,
        state,
        ...(why && { reason: why.reason }),
        ...(why?.retryAt !== undefined && { delayMs: why.retryAt - Date.now() }),
      });
    },
    onStatus: (connectionId, status) => {
      if (status === "CONNECTED") {
        reconciler.start(connectionId);
        lookAtAll();
        // One after another: thousands of them would ask the broker at once.
        for (const [ms, account] of accounts.idsOn(connectionId).entries()) legs.look(account, ms);
      } else void reconciler.stop(connectionId);
    },
    onReport: (account, report) => {
      watch.onReport(account, report);
      projector.onReport(account, report);
      legs.onReport(account, report);
      reconciler.noteActivity(account);
      parts.onReport(account, report);
      parts.changes.publish({ accountId: account }, "orders");
    },
    onError: (connectionId, error) => log.error("Connection failed", { connectionId, error }),
  });
  return { pool, connections, watch, projector, reconciler, legs };
}

/** The queue's side: what takes intents off their lanes and carries them out. */
function composeDispatcher(
  {
    config,
    store,
    processId,
    intents: requestIntents,
    accounts,
    describe,
    outcomes,
    observer,
  }: LaneParts,
  { intents, settler, sessionOf, connections, watch, projector, legs }: Wired,
  isHere: (account: AccountId) => boolean,
): LaneDispatcher<LaneContext | undefined> {
  const limits = createRedisLimitStore({ redis: store.worker, keys: store.keys });
  const shared = { intents, accounts, connections, sessionOf, settler, observer, outcomes };
  const sending = {
    ...shared,
    watch,
    legs,
    describe,
    defaultLimits: defaultLimits(config),
    maxOrdersPerMinute: config.MAX_ORDERS_PER_MINUTE,
    elapsed,
  };
  const runIntent = createRunIntent({
    ...sending,
    projector,
    copies: createRedisCopyNews({ redis: store.worker, keys: store.keys }),
    killSwitchOf: (userId) => limits.killSwitch({ userId }),
  });
  return new LaneDispatcher({
    redis: store.worker,
    prefix: store.keys.lanes,
    processId,
    early: { redis: store.request, read: requestIntents.loadForLane },
    work: runIntent,
    openKeyOf: store.keys.open,
    settlePending: createSettlePending({ ...sending, runIntent }),
    accounts: () => owned(accounts, isHere),
    mayWork: isHere,
    onError: observer.laneFailed,
    onDropped: observer.jobDropped,
  });
}

function* owned(
  accounts: AccountDirectory,
  isHere: (account: AccountId) => boolean,
): Iterable<AccountId> {
  for (const { accountId } of accounts.all()) if (isHere(accountId)) yield accountId;
}

/** Connections first: a lane that finds its connection down can only wait or refuse. */
export async function startLanes(
  { pool, dispatcher }: LaneWorks,
  { store, channels }: Pick<LaneParts, "store" | "channels">,
  lifecycle: Lifecycle,
): Promise<void> {
  await dispatcher.start();
  await channels.listen(store.keys.doorbell, (lane) => dispatcher.ring(laneAccount(lane)));
  // Redis was away for either of them: what it lost meanwhile, and what was not heard, is not known.
  channels.onReturn(() => pool.resync());
  store.worker.on("ready", () => pool.resync());
  pool.start();
  // In reverse: the lanes end what they have in hand while their connections stand.
  lifecycle.started("the broker connections", () => pool.stop());
  lifecycle.started("the lanes", () => dispatcher.stop());
}
