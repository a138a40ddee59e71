import { LaneDispatcher } from "../../queues/lane-dispatcher.ts";
import type { Config } from "../../config/index.ts";
import type { BrokerAdapter } from "../brokers/broker-adapter.ts";
import { ConnectionPool } from "../brokers/connection-pool.ts";
import type { AccountId, ConnectionId, IntentId } from "../domain/ids.ts";
import type { IntentRecord } from "../domain/intent.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { Logger } from "../observability/logger.ts";
import { createRedisAccountViews } from "../store/redis-account-views.ts";
import { createRedisIntentStore } from "../store/redis-intent-store.ts";
import type { AccountDirectory } from "../trading/account-directory.ts";
import type { DescribeContract } from "../trading/gateway.ts";
import type { User } from "../domain/credential.ts";
import { AccountProjector } from "../trading/lane/account-projector.ts";
import { connectedOf } from "../trading/lane/connected.ts";
import { OrderWatch } from "../trading/lane/order-watch.ts";
import { createRunIntent, type LaneObserver } from "../trading/lane/run-intent.ts";
import { UnknownSettler } from "../trading/lane/settle-unknown.ts";
import { createTendAccount } from "../trading/lane/tend-account.ts";
import type { IntentStore, Outcomes } from "../trading/store-ports.ts";
import { defaultLimits } from "./compose-gateway.ts";
import type { OpenStore } from "./open-store.ts";
import { retentionMs } from "./retention.ts";
import { takeOver } from "./take-over.ts";
import { waitFor } from "./wait-for.ts";

export interface LaneParts {
  readonly config: Config;
  readonly store: OpenStore;
  readonly owner: string;
  /** False once the lease of the lanes is lost. */
  readonly maySend: () => boolean;
  readonly accounts: AccountDirectory;
  readonly describe: DescribeContract;
  readonly outcomes: Outcomes;
  readonly observer: LaneObserver;
  readonly user: User;
  readonly log: Logger;
  readonly now: () => number;
}

/** The owner's side: connections to brokers, and the lanes of their accounts. */
export interface LaneWorks {
  readonly pool: ConnectionPool;
  readonly dispatcher: LaneDispatcher;
  /** Withdraws an unsent intent, however long the store is away. */
  readonly abandon: (account: AccountId, id: IntentId, reason: string) => void;
  /** Looks an unknown outcome up at the broker; leaves it as it is while that cannot be asked. */
  readonly settleNow: (record: IntentRecord) => Promise<IntentRecord>;
}

/** Wires what works the lanes. Nothing runs yet: see `startLanes`. */
export function composeLanes(parts: LaneParts): LaneWorks {
  const { config, store, accounts, log, now } = parts;
  const { worker: redis, keys } = store;
  const intents = createRedisIntentStore({ redis, keys, retentionMs: retentionMs(config) });
  const settler = new UnknownSettler({ intents, now });
  const { pool, watch, projector } = composeConnections(parts, () => ringAll());
  const dispatcher = composeDispatcher(parts, { intents, settler, pool, watch, projector });
  const ringAll = () => {
    dispatcher.ringAll().catch((error: unknown) => log.error("Lanes were not rung", { error }));
  };

  const settleNow = async (record: IntentRecord) => {
    const owned = connectedOf(record.accountId, { accounts, connections: pool });
    return owned === undefined ? record : await settler.settle(record, owned.broker);
  };
  const abandon: LaneWorks["abandon"] = (account, id, reason) => {
    intents
      .withdraw(account, id, { kind: "withdrawn", reason })
      // Nothing to withdraw is the good case: the write that lost its answer never happened.
      .catch((error: unknown) => log.debug("Nothing was withdrawn", { intentId: id, error }));
  };
  return { pool, dispatcher, settleNow, abandon };
}

/** The broker's side: its connections, and everyone who listens to their reports. */
function composeConnections(parts: LaneParts, onConnected: () => void) {
  const { store, accounts, log, now } = parts;
  const views = createRedisAccountViews({ redis: store.worker, keys: store.keys, now });
  const watch = new OrderWatch({ waitFor });
  const projector: AccountProjector = new AccountProjector({
    views,
    brokerOf: (account) => brokerOf(account, accounts, pool),
    waitFor,
    onError: (error, accountId) => log.error("The read model is behind", { accountId, error }),
  });
  const pool: ConnectionPool = new ConnectionPool({
    onSession: async (id, adapter) => await takeOver(id, adapter, { ...parts, projector }),
    onStatus: (connectionId, status) => {
      log.info("Connection status", { connectionId, state: status });
      if (status === "CONNECTED") onConnected();
    },
    onReport: (account, report) => {
      watch.onReport(account, report);
      projector.onReport(account, report);
    },
    onError: (connectionId, error) => log.error("Connection failed", { connectionId, error }),
  });
  return { pool, watch, projector };
}

interface DispatcherParts {
  readonly intents: IntentStore;
  readonly settler: UnknownSettler;
  readonly pool: ConnectionPool;
  readonly watch: OrderWatch;
  readonly projector: AccountProjector;
}

/** The queue's side: what takes intents off their lanes and carries them out. */
function composeDispatcher(
  { config, store, owner, accounts, describe, outcomes, observer, log, maySend }: LaneParts,
  { intents, settler, pool, watch, projector }: DispatcherParts,
): LaneDispatcher {
  const shared = { intents, accounts, connections: pool, settler, observer };
  return new LaneDispatcher({
    redis: store.worker,
    doorbell: store.subscriber(),
    prefix: store.keys.lanes,
    laneNamesKey: store.keys.laneNames,
    doorbellChannel: store.keys.doorbell,
    owner,
    work: createRunIntent({
      ...shared,
      outcomes,
      projector,
      watch,
      describe,
      maySend,
      defaultLimits: defaultLimits(config),
      maxOrdersPerMinute: config.MAX_ORDERS_PER_MINUTE,
    }),
    mayWork: maySend,
    tend: createTendAccount(shared),
    onError: (error, accountId) =>
      log.error("A lane failed and is tried again", {
        error,
        ...(accountId !== undefined && { accountId }),
      }),
  });
}

/** Connections first: a lane that finds its connection down can only wait or refuse. */
export async function startLanes(
  { pool, dispatcher }: LaneWorks,
  connections: ReadonlyMap<ConnectionId, BrokerAdapter>,
  lifecycle: Lifecycle,
): Promise<void> {
  for (const [id, adapter] of connections) pool.add(id, adapter);
  lifecycle.started("the broker connections", () => pool.stop());
  lifecycle.started("the lanes", () => dispatcher.stop());
  await dispatcher.start();
}

function brokerOf(account: AccountId, accounts: AccountDirectory, pool: ConnectionPool) {
  const stored = accounts.find(account);
  return stored && pool.find(stored.connectionId)?.broker;
}
