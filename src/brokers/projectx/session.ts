import { accountId, type AccountId, type ConnectionId } from "../../domain/ids.ts";
import type { BrokerReport } from "../../domain/order.ts";
import { BrokerReadError } from "../../trading/ports.ts";
import {
  ContractDesk,
  type ContractDeskDeps,
  type ContractMemory,
  type ContractTerms,
} from "./contract-desk.ts";
import { type Change, EntityStore } from "./entity-store.ts";
import { HubLink } from "./hub-link.ts";
import { type OrderView, updatedAt, viewOrder } from "./order-view.ts";
import { hasEnded, parseInstant, unwrapEvents } from "./parse.ts";
import { PositionCheck } from "./position-check.ts";
import type { RateBudget } from "./rate-budget.ts";
import { ReportPublisher } from "./report-publisher.ts";
import { BudgetUsedUpError, Requests } from "./requests.ts";
import type { RestClient } from "./rest-client.ts";
import type { SessionView } from "./session-view.ts";
import { Snapshot } from "./snapshot.ts";
import type { TokenKeeper } from "./token-keeper.ts";
import { Waits } from "./waits.ts";
import type { ProjectXAccount, ProjectXEntityType, ProjectXOrder, ProjectXTrade } from "./wire.ts";

export interface ProjectXSessionDeps {
  readonly connectionId: ConnectionId;
  readonly hubUrl: string;
  readonly rest: RestClient;
  readonly keeper: TokenKeeper;
  readonly budget: RateBudget;
  readonly terms: ContractTerms;
  readonly memory: ContractMemory;
  readonly mayWrite: () => boolean;
  readonly onReport: (account: AccountId, report: BrokerReport) => void;
  readonly onDifference: ContractDeskDeps["onDifference"];
  /** A trade that was told as a fill has been taken back. */
  readonly onVoided: (account: AccountId, trade: ProjectXTrade) => void;
  readonly onTrouble: (error: unknown) => void;
  readonly onWait?: ((ms: number) => void) | undefined;
  readonly now: () => number;
  readonly elapsed: () => number;
}

/** What belongs together comes together; so long a part of it may be late. */
const PARTS_WITHIN_MS = 5_000;
/** How often the broker is asked for what is missing before that is told without it. */
const ASKED_MOST = 3;
const SWEEP_EVERY_MS = 250;
/** The hub pings every 15 s: what it told until then is the broker's word of now. */
const HEARD_WITHIN_MS = 20_000;
/** More than a busy day has. */
const ORDERS_KEPT = 20_000;
/** Of an account in which something is open nothing is believed for longer without asking. */
const CHECK_AFTER_MS = 30_000;
const ACCOUNTS_FRESH_MS = 30_000;
const CHECK_EVERY_MS = 3_000;
/** So long a read waits for the hub before it asks again, and so often it does that. */
const AGREES_WITHIN_MS = 400;
const AGREE_TURNS = 3;
/** So long an answer may be behind what the hub has told. */
const ANSWERS_LATE_MS = 10_000;
const LOOK_EVERY_MS = 1_000;

const EVENTS: Readonly<Record<string, ProjectXEntityType>> = {
  GatewayUserAccount: "account",
  GatewayUserOrder: "order",
  GatewayUserPosition: "position",
  GatewayUserTrade: "trade",
};
/** `action` of what is there no more. */
const GONE = 2;

/** One session: a token, a hub, the snapshot, and what has been said since. */
export class ProjectXSession implements SessionView {
  readonly store: EntityStore;
  readonly contracts: ContractDesk;
  readonly requests: Requests;
  readonly snapshot: Snapshot;
  /** Rejects when the session breaks; never resolves. */
  readonly broken: Promise<never>;

  readonly #deps: ProjectXSessionDeps;
  readonly #publisher: ReportPublisher;
  readonly #positions: PositionCheck;
  readonly #ended = new AbortController();
  readonly #waits = new Waits(this.#ended.signal);
  #reject: (cause: Error) => void = () => undefined;
  #hub: HubLink | undefined;
  #heardAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Accounts whose snapshot is in, and when they were asked last. */
  readonly #loaded = new Map<string, number>();
  readonly #followed = new Map<string, Promise<void>>();
  readonly #asked = new Map<string, number>();
  readonly #asking = new Set<string>();
  readonly #settling = new Set<string>();
  #checkedAt = 0;
  #isReady = false;
  #begunAt = 0;
  #accountsAskedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: ProjectXSessionDeps) {
    this.#deps = deps;
    this.broken = new Promise((_, reject) => (this.#reject = reject));
    this.broken.catch(() => undefined);
    const { rest, budget, keeper, mayWrite, memory, terms, onDifference, elapsed, now } = deps;
    const { signal } = this.#ended;
    this.requests = new Requests({
      rest,
      budget,
      token: () => keeper.held,
      renew: async (refused) => await this.#replaceToken(refused),
      mayWrite,
      onRefused: (cause) => this.#break(cause),
      signal,
    });
    this.store = new EntityStore((error) => this.#passOver(error));
    const read: ContractDeskDeps["read"] = (path, body, purpose) =>
      this.requests.read(path, body, purpose);
    this.contracts = new ContractDesk({ memory, terms, read, onDifference, elapsed });
    const { store, requests } = this;
    this.snapshot = new Snapshot({ store, requests, onTrouble: deps.onTrouble, now });
    this.#publisher = new ReportPublisher({
      store,
      contractById: this.contracts.byId,
      accountOf: this.accountOf,
      onReport: deps.onReport,
      onVoided: (trade) => deps.onVoided(this.accountOf(trade.accountId), trade),
      elapsed,
    });
    this.#positions = new PositionCheck(store, elapsed);
    store.onChange((changes) => this.#onChange(changes));
  }

  get heardAt(): number | undefined {
    return this.#heardAt;
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  readonly accountOf = (brokerAccount: string): AccountId =>
    accountId(`${this.#deps.connectionId}-${brokerAccount}`);

  account(called: AccountId): ProjectXAccount | undefined {
    return this.store.accounts().find(({ id }) => this.accountOf(id) === called);
  }

  /** Undefined while something is missing without which the order cannot be told. */
  view(id: string): OrderView | undefined {
    return viewOrder(this.store, id, this.contracts.byId);
  }

  until(isTrue: () => boolean, withinMs: number): Promise<boolean> {
    return this.#waits.until(isTrue, withinMs);
  }

  /** Subscribes first, and asks then: what happens in between is told. Resolves when it stands. */
  async start(): Promise<void> {
    const { keeper, onWait } = this.#deps;
    const { signal } = this.#ended;
    await keeper.token(signal, onWait);
    signal.throwIfAborted();
    const hub = this.#connect();
    await this.#race(hub.open());
    await this.#race(hub.call("SubscribeAccounts"));
    await this.#race(this.#load());
    signal.throwIfAborted();
    this.#isReady = true;
    this.#begunAt = this.#deps.now();
    for (const { id } of this.store.accounts()) this.#beginWith(id);
    this.#timer = setInterval(() => this.#sweep(), SWEEP_EVERY_MS);
    keeper.keepFresh(signal).catch((cause: Error) => this.#break(cause));
  }

  /** Ends the session; what is in flight is unknown. Resolves when nothing of it runs any more. */
  async close(): Promise<void> {
    this.#ended.abort();
    clearInterval(this.#timer);
    this.#waits.wake();
    await this.#hub?.close();
  }

  async refresh(account: string, purpose: "protect" | "read" = "read"): Promise<void> {
    await Promise.all([this.askPositions(account, purpose), this.askOrders(account, purpose)]);
  }

  /** The same for what it holds alone. */
  askPositions(account: string, purpose: "protect" | "read" = "read"): Promise<void> {
    return this.#askOrBelieve(account, () => this.snapshot.positions(account, purpose));
  }

  /**
   * The same, until positions and trades agree, which come apart and each may be late. Throws
   * `BrokerReadError` where they do not.
   */
  async settlePositions(account: string): Promise<void> {
    const doAgree = () => {
      this.#positions.preferTold(account, ANSWERS_LATE_MS);
      return this.#positions.agrees(account);
    };
    for (let turn = 0; turn < AGREE_TURNS; turn += 1) {
      await this.askPositions(account);
      if (await this.until(doAgree, AGREES_WITHIN_MS)) return;
      if (turn === 0) await this.#askTrades(account);
    }
    if (!doAgree()) throw new BrokerReadError("ProjectX's trades and its positions do not agree");
  }

  /** The same for what it has working alone. */
  askOrders(account: string, purpose: "protect" | "read" = "read"): Promise<void> {
    return this.#askOrBelieve(account, () => this.snapshot.orders(account, purpose));
  }

  /** All that there are, asked for now. Throws `BrokerReadError`. */
  async askAccounts(): Promise<void> {
    try {
      await this.snapshot.accounts("read");
      this.#accountsAskedAt = this.#deps.elapsed();
    } catch (error) {
      if (!(error instanceof BudgetUsedUpError) || !this.#isHeard()) throw error;
    }
  }

  /**
   * Asks for accounts where neither the hub nor an answer has told of them lately. Answers how long ago
   * the broker was heard on them, ms: one that it does not speak of is as it was.
   */
  async askAccountsIfOld(): Promise<number> {
    const { elapsed } = this.#deps;
    if (elapsed() - this.#accountsAskedAt > ACCOUNTS_FRESH_MS) await this.askAccounts();
    const heardAt = this.#isHeard() ? (this.#heardAt ?? 0) : 0;
    return Math.max(0, elapsed() - Math.max(this.#accountsAskedAt, heardAt));
  }

  #isHeard(): boolean {
    const heardMs = this.#deps.elapsed() - (this.#heardAt ?? Number.NEGATIVE_INFINITY);
    return heardMs <= HEARD_WITHIN_MS;
  }

  async learnOrder(account: string, id: string): Promise<ProjectXOrder | undefined> {
    const found = await this.snapshot.order(account, id, "protect");
    if (found?.contractId !== undefined) await this.contracts.learn(found.contractId);
    return found;
  }

  /**
   * Every trade of the account since then, asked for now, with the orders that name them. Throws
   * `BrokerReadError`.
   */
  async learnTrades(account: string, since: number): Promise<void> {
    const ids = await this.snapshot.trades(account, since, "load");
    const trades = ids.flatMap((id) => this.store.trade(id) ?? []);
    const nameless = () => trades.filter(({ orderId }) => this.store.order(orderId) === undefined);
    if (nameless().length > 0) await this.snapshot.history(account, since, "load");
    for (const { orderId } of nameless()) await this.snapshot.order(account, orderId, "load");
    const contracts = new Set(trades.map(({ contractId }) => contractId));
    for (const contract of contracts) await this.contracts.learn(contract);
  }

  #connect(): HubLink {
    const { hubUrl, keeper, onTrouble, elapsed } = this.#deps;
    const hear = Object.entries(EVENTS).map(
      ([event, type]) =>
        [event, (...payload: readonly unknown[]) => this.#hear(type, payload)] as const,
    );
    const hub = new HubLink({
      url: hubUrl,
      token: () => keeper.held,
      events: {
        ...Object.fromEntries(hear),
        GatewayLogout: () => hub.end(new Error("ProjectX has logged the session out")),
      },
      onHeard: () => (this.#heardAt = elapsed()),
      onTrouble,
    });
    hub.broken.catch((cause: Error) => this.#break(cause));
    this.#hub = hub;
    return hub;
  }

  #hear(type: ProjectXEntityType, payload: readonly unknown[]): void {
    for (const { action, data } of payload.flatMap(unwrapEvents)) {
      this.store.apply(type, data, action === GONE);
    }
    this.#waits.wake();
  }

  async #load(): Promise<void> {
    const { snapshot, store } = this;
    await this.#untilAllowed(1);
    await snapshot.accounts("load");
    this.#accountsAskedAt = this.#deps.elapsed();
    const accounts = store.accounts();
    await Promise.all(accounts.map(({ id }) => this.#follow(id)));
    const trading = accounts.filter(({ canTrade }) => canTrade !== false);
    const share = 2 * trading.length;
    await this.#untilAllowed(share);
    await Promise.all(trading.map(({ id }) => this.#loadAccount(id)));
    const used = [...new Set(accounts.flatMap(({ id }) => this.#contractsOf(id)))];
    for (const contract of used) await this.contracts.learn(contract);
  }

  async #loadAccount(account: string): Promise<void> {
    await this.snapshot.whole(account, "load");
    this.#loaded.set(account, this.#deps.elapsed());
  }

  /** What is known of an account now has been told. */
  #beginWith(account: string): void {
    this.#publisher.begin(account);
    this.#positions.begin(account);
  }

  #contractsOf(account: string): readonly string[] {
    const held = this.store.positionsOf(account);
    return [...held, ...this.store.ordersOf(account)].flatMap(({ contractId }) => contractId ?? []);
  }

  /** Once for each account. */
  #follow(account: string): Promise<void> {
    const running = this.#followed.get(account);
    if (running !== undefined) return running;
    const id = Number(account);
    const calls = ["SubscribeOrders", "SubscribePositions", "SubscribeTrades"];
    const all = Promise.all(calls.map(async (method) => await this.#hub?.call(method, id)));
    const followed = all.then(() => undefined);
    this.#followed.set(account, followed);
    return followed;
  }

  /** A new account is followed from its first word on. */
  #welcome(account: string): void {
    if (!this.#isReady || this.#followed.has(account)) return;
    this.#follow(account)
      .then(() => this.#loadAccount(account))
      .then(() => this.#beginWith(account))
      .catch((cause: Error) => this.#break(cause));
  }

  /** What the hub has told is as good, as long as it is heard and the snapshot is in. */
  async #askOrBelieve(account: string, ask: () => Promise<void>): Promise<void> {
    const { elapsed } = this.#deps;
    try {
      await ask();
      this.#loaded.set(account, elapsed());
    } catch (error) {
      const isHeard = this.#loaded.has(account) && this.#isHeard();
      if (!(error instanceof BudgetUsedUpError) || !isHeard) throw error;
    }
    await Promise.all(this.#contractsOf(account).map((id) => this.contracts.learn(id)));
  }

  #onChange(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.type === "account") this.#welcome(change.entity.id);
      else {
        if (!this.snapshot.isAnswering) this.snapshot.noteHeard(change.entity.accountId);
        if (this.#isReady) this.#tell(change);
      }
    }
    this.#waits.wake();
  }

  #tell({ type, entity }: Exclude<Change, { readonly type: "account" }>): void {
    const publisher = this.#publisher;
    if (type === "order") {
      if (this.#isPast(entity.id, updatedAt(entity), entity.status)) publisher.pass(entity.id);
      else this.#publish(entity.id);
    }
    if (type === "trade") {
      if (entity.voided) publisher.noteVoided(entity);
      const order = this.store.order(entity.orderId);
      const at = parseInstant(entity.creationTimestamp);
      if (this.#isPast(entity.orderId, at, order?.status)) {
        publisher.passTrade(entity);
        this.#positions.passTrade(entity);
      } else {
        this.#positions.noteTrade(entity);
        this.#publish(entity.orderId);
      }
    }
    if (type === "position") this.#positions.notePosition(entity, !this.snapshot.isAnswering);
  }

  /** Answers list what was over before the session began. */
  #isPast(order: string, at: number, status: number | undefined): boolean {
    const isOld = this.snapshot.isAnswering && at < this.#begunAt;
    return (
      isOld && (!this.#publisher.knows(order) || hasEnded(status)) && !this.#publisher.isOpen(order)
    );
  }

  #publish(id: string): void {
    this.#publisher.publish(id);
    const contracts = [this.store.order(id), ...this.store.tradesOf(id)];
    for (const contract of new Set(contracts.flatMap((one) => one?.contractId ?? []))) {
      if (this.contracts.byId(contract) !== undefined) continue;
      this.contracts
        .learn(contract)
        .then(() => this.#publisher.publish(id))
        .catch(this.#deps.onTrouble);
    }
  }

  /** A trade that the hub has left out is in a list. */
  async #askTrades(account: string): Promise<void> {
    await this.snapshot.trades(account, this.#begunAt, "entry").catch((error: unknown) => {
      if (!(error instanceof BrokerReadError)) throw error;
    });
  }

  /** Who does not agree for long with what was traded has moved for another reason. */
  async #settle(account: string): Promise<void> {
    if (this.#settling.has(account)) return;
    this.#settling.add(account);
    try {
      await this.settlePositions(account);
    } catch (error) {
      this.#deps.onTrouble(error);
      if (this.#positions.late(ANSWERS_LATE_MS).includes(account)) this.#positions.believe(account);
    } finally {
      this.#settling.delete(account);
    }
  }

  #sweep(): void {
    for (const gone of this.store.prune(ORDERS_KEPT)) this.#publisher.forget(gone);
    for (const id of this.#publisher.sweep(PARTS_WITHIN_MS)) void this.#askFor(id);
    for (const account of this.#positions.late(PARTS_WITHIN_MS)) void this.#settle(account);
    this.#check();
  }

  /** An event may be left out without a word: what is open is asked for now and then. */
  #check(): void {
    const now = this.#deps.elapsed();
    if (now - this.#checkedAt < CHECK_EVERY_MS) return;
    const due = [...this.#loaded]
      .filter(([account, at]) => now - at >= CHECK_AFTER_MS && this.#isOpen(account))
      .sort(([, a], [, b]) => a - b)
      .map(([account]) => account);
    const [account] = due;
    if (account === undefined) return;
    this.#checkedAt = now;
    Promise.all([this.askOrders(account), this.#settle(account)]).catch(this.#deps.onTrouble);
  }

  #isOpen(account: string): boolean {
    const { store } = this;
    const isWorking = store.ordersOf(account).some(({ status }) => !hasEnded(status));
    return isWorking || store.positionsOf(account).length > 0;
  }

  /**
   * Something of an order has not come: the broker is asked for it. Where it has no more either, the
   * order is told as far as it can be.
   */
  async #askFor(id: string): Promise<void> {
    const account = this.store.order(id)?.accountId ?? this.#accountByTrade(id);
    if (this.#asking.has(id) || account === undefined) return;
    this.#asking.add(id);
    try {
      const order = await this.snapshot.order(account, id, "entry");
      const since = Date.parse(order?.creationTimestamp ?? "") || this.#deps.now() - 60_000;
      await this.snapshot.trades(account, since, "entry");
      if (order?.contractId !== undefined) await this.contracts.learn(order.contractId);
    } catch (error) {
      this.#deps.onTrouble(error);
    }
    if (this.#ended.signal.aborted) return;
    const asked = (this.#asked.get(id) ?? 0) + 1;
    this.#asked.set(id, asked);
    if (asked >= ASKED_MOST) this.#publisher.excuse(id);
    else this.#publish(id);
    setTimeout(() => this.#asking.delete(id), PARTS_WITHIN_MS).unref();
  }

  /** A trade says whose it is, though its order was never told. */
  #accountByTrade(order: string): string | undefined {
    return this.store.tradesOf(order)[0]?.accountId;
  }

  /** What cannot be read may be anything of anybody: everything that was loaded is asked for again. */
  #passOver(error: unknown): void {
    this.#deps.onTrouble(error);
    for (const account of this.#loaded.keys()) this.#loaded.set(account, 0);
  }

  async #replaceToken(refused: string | undefined): Promise<boolean> {
    try {
      return await this.#deps.keeper.replace(refused, this.#ended.signal);
    } catch (error) {
      this.#break(error instanceof Error ? error : new Error(String(error)));
      return false;
    }
  }

  async #untilAllowed(count: number): Promise<void> {
    const { budget, onWait } = this.#deps;
    const leftMs = budget.waitMs("load", count);
    if (leftMs <= 0) return;
    onWait?.(leftMs);
    while (!this.#ended.signal.aborted && budget.waitMs("load", count) > 0) {
      await this.until(() => false, LOOK_EVERY_MS);
    }
  }

  #race<Value>(step: Promise<Value>): Promise<Value> {
    return Promise.race([step, this.broken]);
  }

  #break(cause: Error): void {
    this.#ended.abort();
    this.#waits.wake();
    this.#reject(cause);
  }
}

export const unknownAccount = (account: AccountId): BrokerReadError =>
  new BrokerReadError(`Unknown account ${account}`);
