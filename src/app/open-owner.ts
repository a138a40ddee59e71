import { laneAccount } from "../../queues/lane.ts";
import { LaneDispatcher } from "../../queues/lane-dispatcher.ts";
import type { ConnectionPlan } from "../brokers/connection-owner.ts";
import { ConnectionPool } from "../brokers/connection-pool.ts";
import type { AccountId, UserId } from "../domain/ids.ts";
import type { AccountDirectory } from "../trading/connections/account-directory.ts";
import { answerQuestion, type OwnedWorks } from "../trading/connections/broker-desk.ts";
import { noteAccounts, takeOver } from "../trading/connections/take-over.ts";
import { createWindDown } from "../trading/connections/wind-down.ts";
import { FollowerStates } from "../trading/copying/follower-states.ts";
import type { ContractCode } from "../domain/contracts/contract.ts";
import type { LaneDeps } from "../trading/lane/lane-deps.ts";
import type { SessionOf } from "../trading/lane/connected.ts";
import { OrderWatch } from "../trading/lane/order-watch.ts";
import type { Reconciler } from "../trading/lane/reconcile/reconciler.ts";
import { RunsAhead } from "../trading/lane/run-ahead.ts";
import { createRunIntent, type RunIntent } from "../trading/lane/run-intent.ts";
import { createSettlePending } from "../trading/lane/settle-pending.ts";
import { UnknownSettler } from "../trading/lane/settle/settle-unknown.ts";
import type { Connections } from "../trading/ports.ts";
import { ReportBus } from "../trading/report-bus.ts";
import { defaultLimits } from "./default-limits.ts";
import { type CalendarMemory, createCalendarMemory } from "../trading/guards/calendar-memory.ts";
import type { GuardKeeper } from "../trading/guards/guard-keeper.ts";
import { FreshQuotes } from "../trading/money/fresh-quotes.ts";
import { composeGuards, ownedOf } from "./keep-guards.ts";
import { after } from "./after.ts";
import { Looks } from "../trading/lane/looks.ts";
import { ContractBooks } from "../trading/lane/book/contract-books.ts";
import {
  composeInStep,
  type InStep,
  openOrderDeadlines,
  openUnprotectedPositions,
} from "./keep-in-step.ts";
import { composePlans, marketNow } from "./keep-plans.ts";
import type { PlanKeeper } from "../trading/lane/exits/plan-keeper.ts";
import { composeValues, type ValueWorks } from "./keep-values.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { createLaneObserver } from "../observability/lane-observer.ts";
import { createReconcileObserver } from "../observability/reconcile-observer.ts";
import { guardAlarmsIn } from "../trading/alarms/guard-alarms.ts";
import { planAlarmsIn } from "../trading/alarms/plan-alarms.ts";
import { alarmOfConnection } from "../trading/alarms/connection-alarm.ts";
import type { Foundation } from "./open-foundation.ts";
import type { OrderDeadlines } from "../trading/lane/timeouts/order-deadlines.ts";
import type { UnprotectedPositions } from "../trading/lane/legs/unprotected-positions.ts";
import { waitFor } from "./wait-for.ts";

/** What a process has that owns connections: their sessions, and the lanes of their accounts. */
export interface Owner extends OwnedWorks {
  readonly pool: ConnectionPool;
  readonly dispatcher: LaneDispatcher;
  /** Of intents that this process accepts for lanes that it works. */
  readonly runsAhead: RunsAhead;
  readonly reconciler: Reconciler;
  /** Whether this process works the account's lane now. */
  readonly isHere: (account: AccountId) => boolean;
  /** What the brokers of these connections report. */
  readonly reports: ReportBus;
  readonly unprotected: UnprotectedPositions;
  /** Of entries that may rest only so long. */
  readonly deadlines: OrderDeadlines;
  readonly values: ValueWorks;
  readonly guards: GuardKeeper;
  readonly plans: PlanKeeper;
  readonly calendars: CalendarMemory;
  /** Does not change when the system's clock is set. */
  readonly elapsed: () => number;
  /** Of the leaders whose connections are owned here. */
  readonly followers: FollowerStates;
}

/** What a connection asks for when lanes can be worked that could not before. */
interface LanesHere {
  readonly lookAtAll: () => void;
  readonly lookAt: (account: AccountId) => void;
  readonly looks: Looks;
  readonly settlePending: (account: AccountId) => void;
  readonly finished: (accounts: readonly AccountId[]) => Promise<void>;
}

type Observed = Record<"observer", ReturnType<typeof createLaneObserver>>;
type Owned = OwnedWorks & Observed & Record<"books", ContractBooks>;

const elapsed = () => performance.now();

/** The owner's side: connections to brokers, and the lanes of their accounts. Nothing runs yet. */
export function openOwner(base: Foundation, plans: readonly ConnectionPlan[]): Owner {
  const { accounts, patient, log } = base;
  const connections: Connections = { find: (connection) => pool.find(connection) };
  const unprotected = openUnprotectedPositions(base, connections);
  const exits: Pick<PlanKeeper, "settled"> = { settled: (record) => exitPlans.settled(record) };
  const observing = { ...base, unprotected, exits };
  const sessionOf: SessionOf = (account) => inStep.reconciler.sessionOf(account);
  const deadlines = openOrderDeadlines(base, { connections, sessionOf });
  const followers = new FollowerStates();
  const owned = {
    connections,
    sessionOf,
    books: new ContractBooks({ views: patient.views, elapsed }),
    intents: patient.intents,
    settler: new UnknownSettler({
      intents: patient.intents,
      alarms: base.alarms,
      sessionOf,
      elapsed,
    }),
    observer: createLaneObserver(observing),
    drifted: () => followers.drifted(),
    guardAlarms: () => guardAlarmsIn(base.alarms.standing),
    planAlarms: () => planAlarmsIn(base.alarms.standing),
  };
  const lanes: LanesHere = {
    lookAtAll: () => {
      const failed = (error: unknown) => log.error("Lanes were not looked at", { error });
      dispatcher.lookAtAll().catch(failed);
    },
    lookAt: (account) => dispatcher.ring(account),
    // A lane that is not worked here by then is left alone: nothing is to be ended with the process.
    looks: new Looks({ after, look: (account) => dispatcher.look(account), elapsed }),
    settlePending: (account) => dispatcher.settlePending(account),
    finished: async (accountIds) => await dispatcher.finished(accountIds),
  };
  const isHere = (account: AccountId) => {
    const stored = accounts.find(account);
    if (stored === undefined || pool.isLeaving(stored.connectionId)) return false;
    return pool.find(stored.connectionId)?.ownership.isOwned() === true;
  };
  const reports = new ReportBus();
  const watch = new OrderWatch({ waitFor });
  reports.onReport((account, report) => watch.onReport(account, report));
  const values = composeValues(base, {
    connections,
    onQuote: (holders) => {
      for (const account of holders) {
        guards.noteQuote(account);
        exitPlans.noteQuote(account);
      }
    },
    onBalances: (account, said) => guards.noteBalances(account, said),
    elapsed,
  });
  const inStep = composeInStep(base, {
    ...owned,
    values,
    ...lanes,
    unprotected,
    deadlines,
    reports,
    loadPlans: (account) => void exitPlans.load(account),
    reconcileObserver: createReconcileObserver(observing),
    elapsed,
  });
  const latestQuote = (account: AccountId, contract: ContractCode) => {
    const stored = accounts.find(account);
    return stored && values.board.latest(stored.connectionId, contract);
  };
  const quotes = new FreshQuotes({
    watched: latestQuote,
    pricesOf: (account) => ownedOf(base, owned)(account)?.broker.prices,
    waitFor,
    now: base.now,
  });
  const quoteOf = quotes.known;
  const exitPlans = composePlans(base, { ...owned, ...lanes, quoteOf, unprotected, elapsed });
  reports.onReport(exitPlans.onReport);
  const pool = composePool(base, plans, { owned, lanes, inStep, reports, exitPlans });
  const calendars = createCalendarMemory({ store: base.reading.calendars, elapsed });
  const guards = composeGuards(base, {
    ...owned,
    calendars,
    latestQuote,
    quotes,
    askBalances: values.askSoon,
    fillsStored: async (account) => {
      await inStep.projector.upToDate(account);
      return inStep.projector.hasStored(account);
    },
    elapsed,
  });
  const lanesOf = {
    owned,
    watch,
    inStep,
    deadlines,
    isHere,
    quoteOf,
    freshQuote: quotes.fresh,
    values,
    guards,
    exitPlans,
  };
  const { dispatcher, runIntent } = composeDispatcher(base, lanesOf);
  const { reconciler } = inStep;
  const runsAhead = new RunsAhead({
    ...base,
    takeTurn: (account, intent, run) => dispatcher.takeTurn(account, intent, run),
    acceptAndBegin: base.stores.acceptAndBegin,
    runIntent,
    waitFor,
  });
  return {
    ...owned,
    pool,
    dispatcher,
    runsAhead,
    reconciler,
    isHere,
    reports,
    unprotected,
    deadlines,
    followers,
    values,
    guards,
    plans: exitPlans,
    calendars,
    elapsed,
  };
}

/** The broker's side: its connections, from the first lease to the last report. */
function composePool(
  { patient, accounts, desk, user, alarms, log, config }: Foundation,
  plans: readonly ConnectionPlan[],
  {
    owned,
    lanes,
    inStep: { projector, reconciler, legs },
    reports,
    exitPlans,
  }: {
    readonly owned: Owned;
    readonly lanes: LanesHere;
    readonly inStep: InStep;
    readonly reports: ReportBus;
    readonly exitPlans: Pick<PlanKeeper, "loadAll">;
  },
): ConnectionPool {
  const { leases, records } = patient;
  return new ConnectionPool({
    plans,
    leases,
    records,
    most: config.WORKER_MAX_CONNECTIONS,
    onWithoutRoom: (count) =>
      count > 0 ? alarms.raise({ kind: "noRoom", count }) : alarms.clear({ kind: "noRoom" }),
    onOwned: async (connectionId, { epoch }) => {
      log.info("Connection owned", { connectionId, count: epoch, pid: process.pid });
      await accounts.load(patient.views);
      await leases.fence(accounts.on(connectionId), epoch);
      return await desk.attend(connectionId, async (question) =>
        answerQuestion(question, { ...owned, accounts }),
      );
    },
    onOpened: async ({ broker, environment }, { connectionId, userId = user.userId }) =>
      await patient.records.describe(connectionId, { userId, broker, environment }),
    onSession: async (adapter, taken) => {
      projector.forget();
      await takeOver(adapter, taken, { ...patient, accounts, user, reconciler, waitFor });
    },
    onAccounts: async (adapter, taken, isWanted) =>
      await noteAccounts(adapter, taken, { ...patient, accounts, user, waitFor }, isWanted),
    ...createWindDown({ ...patient, ...lanes, accounts }),
    onState: (connectionId, state, why) => {
      alarmOfConnection(alarms, connectionId, state, why?.reason);
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
        lanes.lookAtAll();
        // One after another: thousands of them would ask the broker at once.
        for (const [ms, account] of accounts.idsOn(connectionId).entries()) legs.look(account, ms);
        void exitPlans.loadAll(accounts.idsOn(connectionId));
      } else void reconciler.stop(connectionId);
    },
    onReport: reports.publishReport,
    onError: (connectionId, error) =>
      connectionId === undefined
        ? log.error("The processes that own connections were not met", { error })
        : log.error("Connection failed", { connectionId, error }),
  });
}

/** The queue's side: what takes intents off their lanes and carries them out. */
function composeDispatcher(
  base: Foundation,
  {
    owned,
    watch,
    inStep: { projector, legs },
    deadlines,
    isHere,
    quoteOf,
    freshQuote,
    values,
    guards,
    exitPlans,
  }: {
    readonly owned: Owned;
    readonly watch: OrderWatch;
    readonly inStep: InStep;
    readonly deadlines: OrderDeadlines;
    readonly isHere: (account: AccountId) => boolean;
    readonly quoteOf: LaneDeps["quoteOf"];
    readonly freshQuote: LaneDeps["freshQuote"];
    readonly values: ValueWorks;
    readonly guards: GuardKeeper;
    readonly exitPlans: PlanKeeper;
  },
): Pick<Owner, "dispatcher"> & { readonly runIntent: RunIntent } {
  const { config, store, stores, patient, accounts, describe, expectedFee, outcomes, now } = base;
  const sending = {
    ...owned,
    views: patient.views,
    alerts: patient.alerts,
    accounts,
    outcomes,
    watch,
    legs,
    deadlines,
    describe,
    quoteOf,
    freshQuote,
    balancesOf: values.balancesOf,
    marketOf: marketNow(base),
    expectedFee,
    isStoreTight: store.guard.room.isTight,
    now,
    guards,
    exits: exitPlans,
    plans: exitPlans,
    killSwitchOf: (userId: UserId) => patient.limits.settledKillSwitch(userId),
    copies: patient.copyNews,
    defaultLimits: defaultLimits(config),
    maxOrdersPerMinute: config.MAX_ORDERS_PER_MINUTE,
    elapsed,
  };
  const runIntent = createRunIntent({
    ...sending,
    projector,
  });
  const dispatcher = new LaneDispatcher({
    redis: store.worker,
    prefix: store.keys.lanes,
    lanes: patient.lanes,
    early: stores.lanes,
    work: runIntent,
    openKeyOf: store.keys.open,
    settlePending: createSettlePending({ ...sending, runIntent }),
    accounts: () => workedHere(accounts, isHere),
    mayWork: isHere,
    onError: owned.observer.laneFailed,
    onDropped: owned.observer.jobDropped,
  });
  return { dispatcher, runIntent };
}

function* workedHere(
  accounts: AccountDirectory,
  isHere: (account: AccountId) => boolean,
): Iterable<AccountId> {
  for (const { accountId } of accounts.all()) if (isHere(accountId)) yield accountId;
}

/** Of a stop: where the lanes do not finish in time, the sessions still end in order. */
const LOGOUT_MS = 500;

/** Connections first: a lane that finds its connection down can only wait or refuse. */
export async function startOwner(
  { pool, dispatcher, reports, values }: Owner,
  { store, channels, changes, config, shares }: Foundation,
  lifecycle: Lifecycle,
): Promise<void> {
  await shares.open(config.MAX_ORDERS_PER_MINUTE);
  lifecycle.started("the share of the orders per minute", () => shares.close());
  // Last of those who hear a report: what is shown follows what was done.
  reports.onReport((accountId) => changes.publish({ accountId }, "orders"));
  dispatcher.start();
  await channels.listen(store.keys.doorbell, (lane) => dispatcher.ring(laneAccount(lane)));
  // Redis was away for either of them: what it lost meanwhile, and what was not heard, is not known.
  channels.onReturn(() => pool.resync());
  store.worker.on("ready", () => pool.resync());
  // Of what another server answered it may be missing something.
  store.guard.onNewServer(() => pool.resync());
  pool.start();
  values.start(lifecycle);
  // In reverse. Each connection is another worker's as soon as its own lanes have finished.
  lifecycle.started("the lanes", () => dispatcher.stop());
  lifecycle.started("the broker connections", (withinMs) =>
    pool.stop(Math.max(0, withinMs - LOGOUT_MS)),
  );
}
