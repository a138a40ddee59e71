import type { Config } from "../../config/index.ts";
import type { ConnectionPool } from "../brokers/connection-pool.ts";
import type { AccountId } from "../domain/ids.ts";
import type { Logger } from "../observability/logger.ts";
import { createRedisAccountViews } from "../store/accounts/redis-account-views.ts";
import { createRedisMissingExits } from "../store/accounts/redis-missing-exits.ts";
import { createRedisLimitStore } from "../store/intents/redis-limit-store.ts";
import type { Alarms } from "../trading/alarms/alarm.ts";
import type { AccountDirectory } from "../trading/connections/account-directory.ts";
import {
  type AccountBroker,
  AccountProjector,
} from "../trading/lane/reconcile/account-projector.ts";
import { UnprotectedPositions } from "../trading/lane/legs/unprotected-positions.ts";
import type { SessionOf } from "../trading/lane/connected.ts";
import { LegKeeper, type LegObserver } from "../trading/lane/legs/leg-keeper.ts";
import {
  AccountReconciler,
  type ReconcileObserver,
} from "../trading/lane/reconcile/reconcile-account.ts";
import { Reconciler } from "../trading/lane/reconcile/reconciler.ts";
import type { Connections } from "../trading/ports.ts";
import type { OpenStore } from "./open-store.ts";
import { retentionMs } from "../store/retention.ts";
import type { ChangeFeed } from "../trading/changes.ts";
import { waitFor } from "./wait-for.ts";
import type { IntentStore } from "../trading/orders/ports.ts";
import type { AccountViews } from "../trading/reads/ports.ts";

export interface InStepParts {
  readonly config: Config;
  readonly store: OpenStore;
  readonly accounts: AccountDirectory;
  /** On the lanes' connection: it waits while the store is away. */
  readonly intents: IntentStore;
  readonly connections: Connections;
  readonly sessionOf: SessionOf;
  readonly brokerOf: (account: AccountId) => AccountBroker | undefined;
  /** Called when an account can be worked that could not before. */
  readonly lookAt: (account: AccountId) => void;
  readonly settleSoon: (account: AccountId, inMs: number) => void;
  readonly observer: LegObserver;
  readonly reconcileObserver: ReconcileObserver;
  readonly alarms: Alarms;
  readonly unprotected: UnprotectedPositions;
  readonly changes: Pick<ChangeFeed, "publish">;
  /** Fills of the account were recorded that were not known before. */
  readonly onFills: (account: AccountId) => void;
  readonly log: Logger;
  readonly now: () => number;
  /** A steady clock, ms. */
  readonly elapsed: () => number;
}

/** What keeps our view of an account in step with its broker, and its legs with its positions. */
export function composeInStep(parts: InStepParts) {
  const { config, store, intents, brokerOf, sessionOf, lookAt, log, now, elapsed } = parts;
  const views = createRedisAccountViews({ redis: store.worker, keys: store.keys, now });
  const projector = new AccountProjector({
    views: publishingPositions(views, parts.changes),
    brokerOf,
    waitFor,
    onAdded: parts.onFills,
    onError: (error, accountId) => log.error("The read model is behind", { accountId, error }),
  });
  const accountReconciler = new AccountReconciler({
    brokerOf,
    projector,
    views,
    intents,
    retentionMs: retentionMs(config),
    now,
    elapsed,
  });
  const limits = createRedisLimitStore({ redis: store.worker, keys: store.keys });
  const legs = new LegKeeper({ ...parts, limits });
  const reconciler = new Reconciler({
    reconcile: async (account) => {
      const result = await accountReconciler.reconcile(account);
      // What went on before its session was not reported, and then any report may be lost.
      const hasMissed = sessionOf(account) === undefined || result.adoptedFills > 0;
      if (hasMissed && !result.isQuiet) legs.suspect(account);
      else legs.look(account);
      return result;
    },
    observer: parts.reconcileObserver,
    alarms: parts.alarms,
    onInStep: (account) => {
      lookAt(account);
      legs.look(account);
    },
    elapsed,
    waitFor,
  });
  return { projector, reconciler, legs };
}

/** As wired in a process that owns connections. */
export function openUnprotectedPositions(
  { store, accounts, alarms, log }: Pick<InStepParts, "store" | "accounts" | "alarms" | "log">,
  works: () => { readonly pool: Pick<ConnectionPool, "find"> } | undefined,
): UnprotectedPositions {
  return new UnprotectedPositions({
    store: createRedisMissingExits({ redis: store.worker, keys: store.keys }),
    brokerOf: (account) => {
      const stored = accounts.find(account);
      const owned = stored && works()?.pool.find(stored.connectionId);
      return owned?.status === "CONNECTED" && owned.ownership.isOwned() ? owned.broker : undefined;
    },
    alarms,
    onError: (accountId, error) =>
      log.warn("Whether an account's positions are protected could not be seen", {
        accountId,
        error,
      }),
  });
}

/** Says when the positions that are shown become others; the same ones again are no news. */
function publishingPositions(
  views: AccountViews,
  { publish }: Pick<ChangeFeed, "publish">,
): Pick<AccountViews, "recordFills"> {
  const published = new Map<AccountId, string>();
  return {
    recordFills: async (accountId, fills, read) => {
      const added = await views.recordFills(accountId, fills, read);
      const shown = read && JSON.stringify(read.positions);
      if (shown !== undefined && shown !== published.get(accountId)) {
        published.set(accountId, shown);
        publish({ accountId }, "positions");
      }
      return added;
    },
  };
}
