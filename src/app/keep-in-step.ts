import { createRedisOrderDeadlines } from "../store/accounts/redis-order-deadlines.ts";
import { OrderDeadlines } from "../trading/lane/timeouts/order-deadlines.ts";
import { after } from "./after.ts";
import { ownedOf } from "./keep-guards.ts";
import { timeoutIntentIdOf } from "./new-ids.ts";
import { createRedisMissingExits } from "../store/accounts/redis-missing-exits.ts";
import { UnprotectedPositions } from "../trading/lane/legs/unprotected-positions.ts";
import type { ReportBus } from "../trading/report-bus.ts";
import type { Foundation } from "./open-foundation.ts";
import type { AccountId } from "../domain/ids.ts";
import { AccountProjector } from "../trading/lane/reconcile/account-projector.ts";
import type { ContractBooks } from "../trading/lane/book/contract-books.ts";
import type { SessionOf } from "../trading/lane/connected.ts";
import {
  LegKeeper,
  type LegKeeperDeps,
  type LegObserver,
} from "../trading/lane/legs/leg-keeper.ts";
import {
  AccountReconciler,
  type ReconcileObserver,
} from "../trading/lane/reconcile/reconcile-account.ts";
import { Reconciler } from "../trading/lane/reconcile/reconciler.ts";
import type { Connections } from "../trading/ports.ts";
import { retentionMs } from "../store/retention.ts";
import type { ChangeFeed } from "../trading/changes.ts";
import { waitFor } from "./wait-for.ts";
import type { LaneObserver } from "../trading/lane/run-intent.ts";
import type { ValueWorks } from "./keep-values.ts";
import type { AccountViews } from "../trading/reads/ports.ts";

interface InStepParts {
  readonly connections: Connections;
  readonly sessionOf: SessionOf;
  /** Called when an account can be worked that could not before. */
  readonly lookAt: (account: AccountId) => void;
  readonly looks: LegKeeperDeps["looks"];
  /** The account's exit plans may have been another process'. */
  readonly loadPlans: (account: AccountId) => void;
  readonly unprotected: UnprotectedPositions;
  readonly deadlines: Pick<OrderDeadlines, "load" | "onReport">;
  readonly reports: ReportBus;
  readonly observer: LegObserver & Pick<LaneObserver, "intentSettled">;
  readonly reconcileObserver: ReconcileObserver;
  readonly values: Pick<ValueWorks, "board" | "noteWorking" | "onReport">;
  readonly books: ContractBooks;
  /** A steady clock, ms. */
  readonly elapsed: () => number;
}

export type InStep = ReturnType<typeof composeInStep>;

/** What keeps our view of an account in step with its broker, and its legs with its positions. */
export function composeInStep(base: Foundation, parts: InStepParts) {
  const { config, accounts, changes, alarms, log, now } = base;
  const { intents, limits } = base.patient;
  const views = booked(base.patient.views, parts.books);
  const { connections, sessionOf, lookAt, reports, elapsed } = parts;
  const brokerOf = (account: AccountId) => {
    const stored = accounts.find(account);
    const owned = stored && connections.find(stored.connectionId);
    return owned && { broker: owned.broker, epoch: owned.ownership.epoch };
  };
  const projector = new AccountProjector({
    views: followingPositions(views, changes, parts.values.board),
    brokerOf,
    waitFor,
    onNews: reports.publishFills,
    onCorrected: (accountId, fill) => {
      alarms.raise({ kind: "fillCorrected", accountId, fill });
      // Exits are to fit what is held by now, whatever they were placed for.
      legs.suspect(accountId);
    },
    onError: (error, accountId) => log.error("The read model is behind", { accountId, error }),
  });
  const accountReconciler = new AccountReconciler({
    brokerOf,
    projector,
    views,
    intents,
    amended: parts.observer.intentSettled,
    retentionMs: retentionMs(config),
    now,
    elapsed,
  });
  const legs = new LegKeeper({ ...parts, accounts, limits, alarms });
  const reconciler = new Reconciler({
    reconcile: async (account) => {
      const isFirst = sessionOf(account) === undefined;
      const result = await accountReconciler.reconcile(account);
      if (isFirst) void parts.deadlines.load(account);
      parts.values.noteWorking(account, result.working);
      // What went on before its session was not reported, and then any report may be lost.
      const hasMissed = isFirst || result.adoptedFills > 0;
      if (hasMissed && !result.isQuiet) legs.suspect(account);
      else legs.look(account);
      return result;
    },
    observer: parts.reconcileObserver,
    alarms,
    onInStep: (account) => {
      lookAt(account);
      legs.look(account);
      parts.loadPlans(account);
    },
    elapsed,
    waitFor,
  });
  reports.onReport(projector.onReport);
  reports.onReport(legs.onReport);
  reports.onReport(parts.deadlines.onReport);
  reports.onReport((account) => reconciler.noteActivity(account));
  reports.onReport((account) => parts.unprotected.reported(account));
  reports.onReport(parts.values.onReport);
  return { projector, reconciler, legs };
}

/** As wired in a process that owns connections. */
export function openUnprotectedPositions(
  { store, accounts, alarms, log }: Foundation,
  connections: Connections,
): UnprotectedPositions {
  return new UnprotectedPositions({
    store: createRedisMissingExits({ redis: store.worker, keys: store.keys }),
    brokerOf: (account) => {
      const stored = accounts.find(account);
      const owned = stored && connections.find(stored.connectionId);
      return owned?.status === "CONNECTED" && owned.ownership.isOwned() ? owned.broker : undefined;
    },
    alarms,
    waitFor,
    onError: (accountId, error) =>
      log.warn("Whether an account's positions are protected could not be seen", {
        accountId,
        error,
      }),
  });
}

/** As wired in a process that owns connections; nothing is ended before it may submit. */
export function openOrderDeadlines(
  base: Foundation,
  parts: { readonly connections: Connections; readonly sessionOf: SessionOf },
): OrderDeadlines {
  const { store, patient, config, log, now } = base;
  const owned = ownedOf(base, parts);
  return new OrderDeadlines({
    store: createRedisOrderDeadlines({ redis: store.worker, keys: store.keys }),
    intents: patient.intents,
    brokerOf: (account) => owned(account)?.broker,
    intentIdOf: timeoutIntentIdOf,
    after,
    entryMaxAgeMs: config.ENTRY_MAX_AGE_SECONDS * 1_000,
    now,
    onError: (accountId, error) =>
      log.warn("An entry whose time was over could not be ended yet", { accountId, error }),
  });
}

/** The books follow the step that records fills, and the one that takes over what no fill explains. */
function booked(views: AccountViews, books: ContractBooks): AccountViews {
  return {
    ...views,
    recordFills: async (account, fills, read) => {
      const recorded = await views.recordFills(account, fills, read);
      books.noteFills(account, fills, recorded);
      return recorded;
    },
    saveBase: async (account, change) => {
      await views.saveBase(account, change);
      books.noteBase(account, change.base);
    },
  };
}

/**
 * Says when the positions that are shown become others, and of what prices are needed; the same ones
 * again are no news.
 */
function followingPositions(
  views: AccountViews,
  { publish }: Pick<ChangeFeed, "publish">,
  board: ValueWorks["board"],
): Pick<AccountViews, "recordFills"> {
  const published = new Map<AccountId, string>();
  return {
    recordFills: async (accountId, fills, read) => {
      const recorded = await views.recordFills(accountId, fills, read);
      if (read === undefined) return recorded;
      board.need(
        accountId,
        "held",
        read.positions.map(({ contract }) => contract),
      );
      const shown = JSON.stringify(read.positions);
      if (shown !== published.get(accountId)) {
        published.set(accountId, shown);
        publish({ accountId }, "positions");
      }
      return recorded;
    },
  };
}
