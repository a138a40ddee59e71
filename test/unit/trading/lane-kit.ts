import { LACKS_NOTHING } from "../../../src/domain/broker-lacks.ts";
import { type EntryGuards, NO_GUARD } from "../../../src/trading/guards/entry-guards.ts";
import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import type { Scaled } from "../../../src/domain/contracts/decimal.ts";
import type { MarketState } from "../../../src/domain/calendar/market-state.ts";
import type { Quote } from "../../../src/domain/quote.ts";
import type { BrokerBalance } from "../../../src/trading/money/ports.ts";
import {
  accountId,
  connectionId,
  credentialId,
  type ExecId,
  intentId,
  orderId,
  userId,
} from "../../../src/domain/ids.ts";
import {
  clOrdIdOf,
  type Intent,
  type IntentRecord,
  type Outcome,
} from "../../../src/domain/intent.ts";
import { type Fill, netOf, type OrderReport } from "../../../src/domain/order.ts";
import type { PreparedOrder } from "../../../src/domain/order-ticket.ts";
import type { LoggedAlert } from "../../../src/trading/alerts/alert-log.ts";
import type { RunningPlan } from "../../../src/domain/exits/running-plan.ts";
import { ticks } from "../../../src/domain/contracts/price.ts";
import { AccountDirectory } from "../../../src/trading/connections/account-directory.ts";
import { AccountProjector } from "../../../src/trading/lane/reconcile/account-projector.ts";
import type { LaneSession } from "../../../src/trading/lane/connected.ts";
import type { ContractBooks } from "../../../src/trading/lane/book/contract-books.ts";
import { NO_TRIP, type Trip } from "../../../src/domain/book/lots.ts";
import { Looks } from "../../../src/trading/lane/looks.ts";
import { LegKeeper } from "../../../src/trading/lane/legs/leg-keeper.ts";
import { OrderWatch } from "../../../src/trading/lane/order-watch.ts";
import {
  createRunIntent,
  type RunIntentDeps,
  storeStep,
} from "../../../src/trading/lane/run-intent.ts";
import type { Alarm } from "../../../src/trading/alarms/alarm.ts";
import { UnknownSettler } from "../../../src/trading/lane/settle/settle-unknown.ts";
import {
  createSettlePending,
  type SettlePendingDeps,
} from "../../../src/trading/lane/settle-pending.ts";
import type { BrokerPosition, OwnedConnection, WaitFor } from "../../../src/trading/ports.ts";
import { MemoryIntents } from "./memory-intents.ts";
import { ScriptedBroker } from "./scripted-broker.ts";
import type { AccountViews } from "../../../src/trading/reads/ports.ts";
import type { NewIntent } from "../../../src/trading/orders/ports.ts";
import type { OrderDeadline } from "../../../src/trading/lane/timeouts/ports.ts";
import type { StoredAccount } from "../../../src/trading/connections/ports.ts";

/** No account has guards. */
export const UNGUARDED: EntryGuards = {
  of: () => NO_GUARD,
  upToDate: () => undefined,
  reread: () => undefined,
};

export const ACCOUNT = accountId("paper-1");
export const ES = "ESZ2026" as ContractCode;
export const NQ = "NQZ2026" as ContractCode;
export const USER = userId("user_1");
export const KEY = credentialId("key_1");

export const STORED: StoredAccount = {
  accountId: ACCOUNT,
  name: "Paper 1",
  connectionId: connectionId("paper"),
  broker: "paper",
  environment: "demo",
  currency: "USD",
  active: true,
  userId: USER,
};

/** A read model in memory: each fill once, and what they add up to. */
export class MemoryViews implements AccountViews {
  stored: StoredAccount[] = [STORED];
  readonly saved: (readonly BrokerPosition[])[] = [];
  readonly addedFills: string[] = [];
  readonly #known = new Map<ExecId, Fill>();
  readonly filledNet = new Map<ContractCode, number>();
  readonly base = new Map<ContractCode, number>();
  upTo: number | undefined;
  /** The newest owner's. */
  epoch = 0;
  /** How often anything was written. */
  writes = 0;
  /** Called before each write. */
  onWrite: () => void | Promise<void> = () => undefined;

  readonly saveAccounts: AccountViews["saveAccounts"] = async () => undefined;
  readonly accounts: AccountViews["accounts"] = async () => this.stored;
  readonly positions: AccountViews["positions"] = async () => ({ value: [], asOf: 0 });
  readonly fills: AccountViews["fills"] = async (_account, { isOf, fromAt = 0 }) => ({
    items: [...this.#known.values()]
      .filter(
        ({ contract, transactTimeAt }) => isOf?.(contract) !== false && transactTimeAt >= fromAt,
      )
      .toSorted(newestFirst),
  });
  readonly recordFills: AccountViews["recordFills"] = async (_account, fills, read) => {
    await this.#write();
    const added: ExecId[] = [];
    const corrected: ExecId[] = [];
    for (const fill of fills) {
      const { execId, contract } = fill;
      const before = this.#known.get(execId);
      this.#known.set(execId, fill);
      const moved = netOf(fill) - (before === undefined ? 0 : netOf(before));
      if (before !== undefined && moved === 0) continue;
      if (before === undefined) this.addedFills.push(execId);
      (before === undefined ? added : corrected).push(execId);
      this.filledNet.set(contract, (this.filledNet.get(contract) ?? 0) + moved);
    }
    if (read !== undefined && read.epoch >= this.epoch) this.saved.push(read.positions);
    return { added, corrected, closes: new Map() };
  };
  readonly holdings: AccountViews["holdings"] = async () => ({
    base: new Map(this.base),
    filledNet: new Map(this.filledNet),
    reconciledUpTo: this.upTo,
  });
  readonly saveBase: AccountViews["saveBase"] = async (
    _account,
    { base, reconciledUpTo, epoch },
  ) => {
    await this.#write();
    if (epoch < this.epoch) return;
    for (const [contract, qty] of base) this.base.set(contract, qty);
    this.upTo = reconciledUpTo ?? this.upTo;
  };

  async #write(): Promise<void> {
    this.writes += 1;
    await this.onWrite();
  }
}

const newestFirst = (one: Fill, other: Fill): number =>
  other.transactTimeAt - one.transactTimeAt || (one.execId < other.execId ? 1 : -1);

/** A look that a keeper has asked for. */
interface LookTimer {
  readonly dueAt: number;
}

/** One lane with everything around it in memory. A next owner is given what is stored. */
export async function openLane({
  guards = UNGUARDED,
  intents = new MemoryIntents(),
  views = new MemoryViews(),
} = {}) {
  const broker = new ScriptedBroker();
  const accounts = new AccountDirectory({ views, now: () => intents.clock });
  await accounts.load();
  const waits: number[] = [];
  // A wait is over at once, as if its whole time had passed without a report.
  const waitFor: WaitFor = (ms, onWake) =>
    new Promise((resolve) => {
      waits.push(ms);
      onWake(resolve);
      setImmediate(resolve);
    });
  const watch = new OrderWatch({ waitFor });
  broker.report = (account, order) => watch.onReport(account, { execType: "NEW", order });
  let isHeld = true;
  const owned: OwnedConnection = {
    broker,
    status: "CONNECTED",
    cancelEndsLinkedLeg: false,
    nativeOco: true,
    trailsFromMarket: true,
    keepsHours: true,
    lacks: LACKS_NOTHING,
    ownership: { epoch: 1, isOwned: () => isHeld },
  };
  let connection: OwnedConnection | undefined = owned;
  const connections = { find: () => connection };
  let session: LaneSession | undefined = { beganAt: 0 };
  const sessionOf = () => session;
  const alarms: Alarm[] = [];
  const settler = new UnknownSettler({
    intents,
    alarms: { raise: (alarm) => void alarms.push(alarm) },
    sessionOf,
    elapsed: () => intents.clock,
  });
  const announced: { state: string; replyTo: string }[] = [];
  const observed: string[] = [];
  const stillOpen: (Outcome | undefined)[] = [];
  const errors: unknown[] = [];
  const unheard = () => undefined;
  const brokerOf = () => ({ broker, epoch: 1 });
  const projector = new AccountProjector({
    views,
    brokerOf,
    waitFor,
    onNews: unheard,
    onCorrected: unheard,
    onError: unheard,
  });
  /** The number of the newest copy into each contract. */
  const newestCopies = new Map<ContractCode, number>();
  const kept: string[] = [];
  const missing: string[] = [];
  const asked: number[] = [];
  const timers: LookTimer[] = [];
  const looks = new Looks({
    after: (inMs) => {
      asked.push(inMs);
      timers.push({ dueAt: intents.clock + inMs });
    },
    look: () => undefined,
    elapsed: () => intents.clock,
  });
  const timedOrders: OrderDeadline[] = [];
  const books: { kept?: ContractBooks } = {};
  /** The fills of a contract of which no book is kept. */
  const trips = new Map<ContractCode, Trip>();
  const legs = new LegKeeper({
    accounts,
    connections,
    sessionOf,
    observer: {
      legKept: (_account, { leg, leavesQty, why }) =>
        kept.push(`${leg.orderId} ${leavesQty} ${why}`),
    },
    alarms: {
      raise: (alarm) => {
        if (alarm.kind === "legDropped") kept.push(`${alarm.cut.leg.orderId} dropped`);
        if (alarm.kind === "legLost") kept.push(`${alarm.leg.orderId} lost`);
        if (alarm.kind === "legStuck") kept.push(`${alarm.cut.leg.orderId} stuck: ${alarm.reason}`);
        if (alarm.kind === "positionTurned") kept.push(`${alarm.contract} ${alarm.netQty} turned`);
      },
    },
    unprotected: {
      missing: (_account, { contract, exits }) =>
        void missing.push(`${contract} ${exits.join(" ")}`),
    },
    limits: {
      killSwitch: async (target) =>
        "accountId" in target ? intents.accountKillSwitch : intents.userKillSwitch,
    },
    looks,
    elapsed: () => intents.clock,
    books: {
      name: (...of) => books.kept?.name(...of),
      legLots: (...of) => books.kept?.legLots(...of),
    },
  });
  /** What is told of prices, of the account's worth, and of fees. */
  const money: {
    quote?: Quote;
    balances: readonly BrokerBalance[];
    fee?: Scaled;
  } = { balances: [] };
  /** The room in the store's memory. */
  const room = { isTight: false };
  /** The entries of the alert log. */
  const logged: LoggedAlert[] = [];
  /** How the markets of contracts are that do not trade. */
  const markets = new Map<ContractCode, MarketState>();
  /** Sides of contracts that an exit plan takes out: `ESZ2026 BUY`. */
  const managed = new Set<string>();
  /** Exit plans that were begun. */
  const begun: RunningPlan[] = [];
  const deps: RunIntentDeps & Pick<SettlePendingDeps, "legs" | "plans"> = {
    views,
    legs,
    deadlines: { take: (_account, deadline) => void timedOrders.push(deadline) },
    exits: {
      begin: async (_account, plan) => void begun.push(plan),
      take: (_account, plan) => void begun.push(plan),
      replace: async () => undefined,
      endAll: async () => undefined,
      rename: async () => undefined,
      manages: (_account, contract, side) => managed.has(`${contract} ${side}`),
    },
    plans: { keep: async () => undefined, takenOver: () => new Map() },
    intents,
    alerts: { list: async () => ({ items: logged }) },
    accounts,
    connections,
    sessionOf,
    watch,
    settler,
    projector,
    outcomes: {
      expect: () => ({ within: async () => undefined, stop: () => undefined }),
      isElsewhere: (replyTo) => replyTo !== "here",
      announce: ({ state }, replyTo = "nobody else") => {
        announced.push({ state, replyTo });
        lane.onAnnounce();
      },
    },
    observer: {
      intentSettled: (record) => {
        observed.push(record.state);
        lane.onSettled(record);
      },
      intentStillOpen: ({ outcome }) => stillOpen.push(outcome),
      intentFailed: (_record, error) => errors.push(error),
    },
    describe: () => ({ symbol: "ESZ6", tickSize: "0.25", tickValue: "12.50", currency: "USD" }),
    defaultLimits: { maxOrderQty: 10, maxPositionQty: 20, maxOrdersPerMinute: 60 },
    guards,
    maxOrdersPerMinute: 600,
    killSwitchOf: async () => intents.userKillSwitch,
    copies: {
      isOld: async (_follower, contract, { seq }) => (newestCopies.get(contract) ?? 0) > seq,
    },
    quoteOf: () => money.quote,
    freshQuote: async () => money.quote,
    marketOf: (_connection, contract) => markets.get(contract) ?? { kind: "open" },
    books: {
      read: async (account, contract, sinceAt) =>
        (await books.kept?.read(account, contract, sinceAt)) ?? trips.get(contract) ?? NO_TRIP,
    },
    balancesOf: async () => money.balances,
    expectedFee: () => money.fee,
    isStoreTight: () => room.isTight,
    now: () => intents.clock,
    elapsed: () => intents.clock,
  };
  const runIntent = createRunIntent(deps);
  let last = 0;

  async function accept(intent: Intent, change: Partial<NewIntent> = {}) {
    last += 1;
    const id = intentId(`i${last}`);
    await intents.accept({
      intentId: id,
      accountId: ACCOUNT,
      userId: USER,
      requestId: "r1",
      source: {
        kind: "api",
        credentialId: KEY,
      },
      intent,
      entryMaxAgeMs: 30_000,
      exitMaxAgeMs: 600_000,
      receivedAt: intents.clock,
      ...change,
    });
    return id;
  }

  /** Works it and waits until its outcome is stored and told. */
  async function work(id: ReturnType<typeof intentId>) {
    const step = await runIntent(ACCOUNT, id, { replyTo: "process-1" });
    await storeStep(intents, step);
    return step.kind;
  }

  const lane = {
    intents,
    broker,
    views,
    accounts,
    deps,
    settler,
    watch,
    announced,
    observed,
    /** What was told of intents whose outcome is unknown still. */
    stillOpen,
    legs,
    books,
    trips,
    managed,
    begun,
    logged,
    /** What the keeper of legs has done and said. */
    kept,
    /** Exits that the keeper of legs has called missing. */
    missing,
    markets,
    looks,
    /** In how many ms the keepers wanted a look. */
    asked,
    /** The looks that are still to come. */
    timers,
    errors,
    alarms,
    /** Orders that were sent to rest only so long. */
    timedOrders,
    waits,
    newestCopies,
    money,
    room,
    accept,
    work,
    onAnnounce: (): void => undefined,
    onSettled: (_record: IntentRecord): void => undefined,
    setConnection: (change: Partial<OwnedConnection> | undefined) => {
      connection = change === undefined ? undefined : { ...owned, ...change };
    },
    /** Undefined while the account could not be read in it. */
    setSession: (next: LaneSession | undefined) => {
      session = next;
    },
    loseLanes: () => {
      isHeld = false;
    },
    runIntent,
    settlePending: createSettlePending({ ...deps, runIntent }),
    record: (id: ReturnType<typeof intentId>) => intents.record(ACCOUNT, id),
    run: async (intent: Intent, change: Partial<NewIntent> = {}): Promise<IntentRecord> => {
      const id = await accept(intent, change);
      await work(id);
      return intents.record(ACCOUNT, id);
    },
  };
  return lane;
}

export type Lane = Awaited<ReturnType<typeof openLane>>;

export const order = (change: Partial<PreparedOrder> = {}): PreparedOrder => ({
  contract: ES,
  side: "BUY",
  orderQty: 1,
  ordType: "MARKET",
  timeInForce: "DAY",
  ...change,
});

export const place = (change: Partial<PreparedOrder> = {}): Intent => ({
  kind: "PLACE",
  order: order(change),
});

export const position = (netQty: number, contract = ES): BrokerPosition => ({
  contract,
  netQty,
  avgPx: { numerator: 4_000, denominator: 1 },
});

/** An intent that has placed a pair before the test begins. */
const EARLIER = intentId(`i${"0".repeat(28)}`);

/** A take-profit and a stop-loss that end each other, as the broker shows them. */
export function showPair(
  broker: ScriptedBroker,
  qty = 2,
): { profit: OrderReport; loss: OrderReport } {
  const common = { orderQty: qty, leavesQty: qty, contract: ES, side: "SELL" } as const;
  return {
    profit: broker.show({
      ...common,
      orderId: orderId("tp"),
      linkedOrderId: orderId("sl"),
      role: "TAKE_PROFIT",
      price: ticks(4040),
      clOrdId: clOrdIdOf(EARLIER, 1),
    }),
    loss: broker.show({
      ...common,
      orderId: orderId("sl"),
      linkedOrderId: orderId("tp"),
      ordType: "STOP",
      role: "STOP_LOSS",
      stopPx: ticks(3960),
      clOrdId: clOrdIdOf(EARLIER, 2),
    }),
  };
}

export const NOT_SENT = { kind: "notSent", reason: "The link is down" } as const;
export const REJECTED = { kind: "rejected", reason: "Not today" } as const;
export const UNKNOWN = { kind: "unknown", reason: "The answer was lost" } as const;
