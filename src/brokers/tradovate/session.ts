import type { ContractCode } from "../../domain/contracts/contract.ts";
import { accountId, type AccountId, type ConnectionId } from "../../domain/ids.ts";
import type { BrokerReport } from "../../domain/order.ts";
import { BrokerReadError, type OrderNames } from "../../trading/ports.ts";
import { Authorization } from "./authorization.ts";
import {
  ContractDesk,
  type ContractDeskDeps,
  type ContractDifference,
  type ContractMemory,
  type ContractTerms,
} from "./contract-desk.ts";
import { type Change, EntityStore, type Holdings, ordersOf } from "./entity-store.ts";
import { HttpLists, mergeList, replaceAll } from "./http-lists.ts";
import { NameBook } from "./name-book.ts";
import { type OrderView, viewOrder } from "./order-view.ts";
import { PositionCheck } from "./position-check.ts";
import { Questions } from "./questions.ts";
import type { RateBudget, RequestPurpose } from "./rate-budget.ts";
import { ReportPublisher } from "./report-publisher.ts";
import { Requests } from "./requests.ts";
import type { RestClient } from "./rest-client.ts";
import type { RiskAccess } from "./risk-access.ts";
import { type FeedTrust, SessionFeed } from "./session-feed.ts";
import { askAbout, incompleteOrders, synchronize } from "./synchronize.ts";
import { ShutdownError, type SocketTiming, TradovateSocket } from "./socket.ts";
import type { TokenKeeper } from "./token-keeper.ts";
import { TradingAccounts } from "./trading-accounts.ts";
import { Waits } from "../waits.ts";
import type { TradovateAccount, TradovateEntityType, TradovatePropsEvent } from "./wire.ts";

export interface TradovateSessionDeps {
  readonly connectionId: ConnectionId;
  readonly socketUrl: string;
  readonly rest: RestClient;
  readonly keeper: TokenKeeper;
  readonly budget: RateBudget;
  readonly terms: ContractTerms;
  readonly memory: ContractMemory;
  readonly timing: SocketTiming;
  readonly mayWrite: () => boolean;
  readonly onReport: (account: AccountId, report: BrokerReport) => void;
  readonly onDifference: (contract: ContractCode, difference: ContractDifference) => void;
  /** What is kept of what orders were placed as. */
  readonly names: OrderNames | undefined;
  readonly trust: FeedTrust;
  readonly risk: RiskAccess;
  /** What the broker tells by itself is not what it says when it is asked. */
  readonly onFeedTrouble: (reason: string) => void;
  readonly onTrouble: (error: unknown) => void;
  readonly onWait?: ((ms: number) => void) | undefined;
  /** An account may trade again, or may not any more. */
  readonly onAccounts?: (() => void) | undefined;
  readonly elapsed: () => number;
  readonly random: () => number;
}

/** What belongs together comes together; so long a part of it may be late. */
const PARTS_WITHIN_MS = 5_000;
/** A position that its fills contradict is not told; so long a read waits for it to follow. */
const AGREES_WITHIN_MS = 1_000;
const SWEEP_EVERY_MS = 100;
/** More than a busy day has; the broker and the gateway's own records know the older ones. */
const ORDERS_KEPT = 20_000;

/** One session: a token, a socket, the snapshot, and what has been said since. */
export class TradovateSession {
  readonly store: EntityStore;
  readonly contracts: ContractDesk;
  /** The same for who wants prices: what is asked for that ends no session, and is no exit's. */
  readonly pricedContracts: ContractDesk;
  readonly names: NameBook;
  /** Rejects when the session breaks; never resolves. */
  readonly broken: Promise<never>;

  readonly #deps: TradovateSessionDeps;
  readonly #publisher: ReportPublisher;
  readonly #positions: PositionCheck;
  readonly #feed: SessionFeed;
  /** The accounts that are told of; undefined for all that there are. */
  #fed: ReadonlySet<number> | undefined;
  /** Orders of which something is missing that the broker is being asked for. */
  readonly #asking = new Set<number>();
  readonly #trading: TradingAccounts;

  readonly #lists: HttpLists;
  readonly #ended = new AbortController();
  readonly #waits = new Waits(this.#ended.signal);
  #reject: (cause: Error) => void = () => undefined;
  #socket: TradovateSocket | undefined;
  #requests: Requests | undefined;
  #authorization: Authorization | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isLoaded = false;
  readonly #questions: Questions;

  constructor(deps: TradovateSessionDeps) {
    this.#deps = deps;
    this.store = new EntityStore(deps.onTrouble);
    this.#trading = new TradingAccounts(this.store, () => deps.onAccounts?.());
    this.broken = new Promise((_, reject) => (this.#reject = reject));
    this.broken.catch(() => undefined);
    const { memory, terms, onDifference, elapsed } = deps;
    const desk = { memory, store: this.store, terms, onDifference, elapsed };
    // Rare, and an exit may wait for it.
    const ask: ContractDeskDeps["ask"] = (endpoint, query) =>
      this.requests.look(endpoint, query, "protect");
    this.contracts = new ContractDesk({ ...desk, ask });
    const token = () => this.#authorization?.token?.accessToken;
    this.#lists = new HttpLists({ ...deps, token, signal: this.#ended.signal });
    this.pricedContracts = new ContractDesk({
      ...desk,
      ask: (endpoint, query) => this.#lists.item(`${endpoint}?${query}`, "read"),
    });
    this.#positions = new PositionCheck(this.store, deps.elapsed);
    this.#questions = new Questions({
      read: (...question) => this.requests.read(...question),
      onAccounts: (list) => this.#takeAccounts(list),
      heard: () => ({ spokeAt: this.#socket?.spokeAt, frameAt: this.heardAt }),
      elapsed,
    });
    this.#feed = this.#newFeed();
    const accountOf = (account: number) => this.accountOf(account);
    this.names = new NameBook({ ...deps, store: this.store, accountOf });
    this.#publisher = new ReportPublisher({
      store: this.store,
      contractById: this.contracts.byId,
      accountOf,
      onReport: (account, report) => {
        this.names.note(account, report);
        deps.onReport(account, report);
      },
      elapsed: deps.elapsed,
    });
  }

  /** Why nothing may be opened now, in words; exits go on. */
  get entriesHeld(): string | undefined {
    return this.#feed.held;
  }

  get isFed(): boolean {
    return this.#feed.isBelieved;
  }

  get requests(): Requests {
    if (this.#requests === undefined) throw new BrokerReadError("The session has not begun");
    return this.#requests;
  }

  get heardAt(): number | undefined {
    return this.#socket?.heardAt;
  }

  accountOf(brokerAccount: number): AccountId {
    return accountId(`${this.#deps.connectionId}-${brokerAccount}`);
  }

  /** Undefined when the broker lists none that is called so here. */
  account(called: AccountId): TradovateAccount | undefined {
    return this.store.all("account").find(({ id }) => this.accountOf(id) === called);
  }

  /** An order with everything that belongs to it; undefined while something is missing. */
  view(id: number): OrderView | undefined {
    return viewOrder(this.store, id, this.contracts.byId);
  }

  /** Logs in and loads the snapshot. Resolves when the session stands. */
  async start(): Promise<void> {
    const { keeper, onWait } = this.#deps;
    const { signal } = this.#ended;
    const token = await keeper.token(signal, onWait);
    signal.throwIfAborted();
    const { socket, authorization } = this.#connect();
    await this.#race(socket.opened);
    // A token of an earlier session may have been taken away meanwhile: one login, then it breaks.
    if (!(await authorization.take(token))) {
      keeper.drop();
      const fresh = await this.#race(keeper.token(signal, onWait));
      if (!(await authorization.take(fresh))) throw new Error("Tradovate refuses a new token");
    }
    await this.#synchronize();
    signal.throwIfAborted();
    this.#isLoaded = true;
    this.#trading.note();
    this.#publisher.begin();
    this.#timer = setInterval(() => this.#sweep(), SWEEP_EVERY_MS);
    authorization.keepFresh().catch((cause: Error) => this.#break(cause));
    void this.#feed.watch();
  }

  /** Ends the session; what is in flight is unknown. Resolves when nothing of it runs any more. */
  async close(): Promise<void> {
    this.#ended.abort();
    clearInterval(this.#timer);
    await this.#socket?.close();
    this.#waits.wake();
  }

  /**
   * Resolves when the broker has answered now: all that happened before is in the store then, since
   * one socket keeps its order. When the budget for questions is used up, what the broker pushes is
   * as good, as long as it says something. Throws `BrokerReadError`.
   */
  async refresh(): Promise<void> {
    await (this.#feed.isBelieved ? this.#questions.ask("read") : this.#feed.pull());
  }

  /** The same for an exit, with requests that are kept for exits: an answer of a moment ago is too old. */
  async renew(): Promise<void> {
    await (this.#feed.isBelieved ? this.#questions.ask("protect") : this.#feed.pullAnew());
  }

  /** What was held of an account at the last `refresh`. Throws `BrokerReadError` where fills say otherwise. */
  async holdings(account: number): Promise<Holdings> {
    const doesAgree = () => this.#positions.agrees(account);
    if (!(await this.until(doesAgree, AGREES_WITHIN_MS))) {
      throw new BrokerReadError("Tradovate's fills and its positions do not agree");
    }
    return this.store.holdingsOf(account);
  }

  /**
   * An order, or a command on it, that the broker has taken and nobody has told of: it is looked for
   * by HTTP, and the session, whose silence proves nothing any more, is over. False where the broker
   * does not show the order either, or cannot be asked.
   */
  async lookFor(order: number): Promise<boolean> {
    const heard = await this.#lists.learnOrder(order, this.store);
    this.#apply(heard ?? []);
    this.#waits.wake();
    this.#feed.giveUp(`Tradovate did not tell of order ${order}, which it had taken`);
    return heard !== undefined;
  }

  /** A list by HTTP: another surface than what the socket has told. Throws `BrokerReadError`. */
  async list(path: string, purpose: RequestPurpose = "protect"): Promise<readonly unknown[]> {
    return await this.#lists.list(path, purpose);
  }

  /** Whether it becomes true in time; looked at whenever the broker has said something. */
  until(isTrue: () => boolean, withinMs: number): Promise<boolean> {
    return this.#waits.until(isTrue, withinMs);
  }

  #connect(): { readonly socket: TradovateSocket; readonly authorization: Authorization } {
    const { socketUrl, timing, elapsed, budget, mayWrite } = this.#deps;
    const socket = new TradovateSocket({
      url: socketUrl,
      timing,
      elapsed,
      onProps: (event) => this.#onProps(event),
      onFrame: () => this.#waits.wake(),
    });
    socket.broken.catch((cause: Error) => this.#break(cause));
    const authorization = new Authorization({ ...this.#deps, socket, signal: this.#ended.signal });
    const reauthorize = () => authorization.again();
    this.#socket = socket;
    this.#authorization = authorization;
    const onCommand = () => this.#feed.noteCommand();
    this.#requests = new Requests({ socket, budget, mayWrite, reauthorize, onCommand });
    return { socket, authorization };
  }

  async #synchronize(): Promise<void> {
    const { store, requests } = this;
    const user = this.#authorization?.token?.userId;
    const { isFed, accounts } = await synchronize({ requests, store, user, risk: this.#deps.risk });
    this.#fed = accounts;
    await this.#feed.begin(isFed);
    await this.#complete(incompleteOrders(store));
    this.#positions.begin();
    await this.contracts.learnUsed();
  }

  /** What a snapshot leaves out of earlier orders is asked for, and their names of our own records. */
  async #complete(orders: readonly number[]): Promise<void> {
    const { store, requests } = this;
    await askAbout(orders, {
      store,
      ask: async (type, query) => await requests.read(`${type}/ldeps`, query, "protect"),
      take: (type, list) => store.begin(type, list),
    });
    await this.names.settle(orders);
  }

  #newFeed(): SessionFeed {
    const list = async (type: TradovateEntityType) =>
      await this.requests.read(`${type}/list`, "", "protect");
    return new SessionFeed({
      ...this.#deps,
      store: this.store,
      signal: this.#ended.signal,
      list: (path, purpose) => this.list(path, purpose),
      read: async (type) => {
        const told = await list(type);
        const isWhole = type === "account" || type === "position";
        const { store } = this;
        this.#apply(isWhole ? replaceAll(store, type, told) : mergeList(store, type, told));
      },
      onRead: async () => {
        const orders = this.store.all("order").map(({ id }) => id);
        await this.names.settle(orders);
        for (const id of orders) this.#publish(id);
        this.#waits.wake();
      },
      end: (cause) => this.#socket?.end(cause),
    });
  }

  #onProps(event: TradovatePropsEvent): void {
    this.#apply(this.store.apply(event));
  }

  #apply(changes: readonly Change[]): void {
    for (const change of changes) this.#positions.note(change);
    if (!this.#isLoaded) return;
    if (changes.some(({ type }) => type === "account")) this.#trading.note();
    const told = new Set(changes.flatMap((change) => ordersOf(this.store, change)));
    for (const id of told) this.#publish(id);
  }

  #publish(id: number): void {
    this.#publisher.publish(id);
    // The fills of a spread are in contracts of their own.
    const contracts = [this.store.get("order", id), ...this.store.of("fill", id)];
    for (const contract of new Set(contracts.map((one) => one?.contractId ?? 0))) {
      if (contract === 0 || this.contracts.byId(contract) !== undefined) continue;
      void this.contracts
        .learn(contract)
        .then((found) => found && this.#publisher.publish(id))
        .catch(this.#deps.onTrouble);
    }
  }

  #sweep(): void {
    for (const gone of this.store.prune(ORDERS_KEPT)) this.#publisher.forget(gone);
    this.#questions.sweep();
    const id = this.#publisher.sweep(PARTS_WITHIN_MS);
    // Nothing can have been left out where nothing is told.
    if (!this.#feed.isBelieved) this.#feed.sweep(this.#waits.isAny);
    else if (id !== undefined) void this.#askFor(id);
    else if (this.#positions.isLate(PARTS_WITHIN_MS)) {
      this.#socket?.end(new Error("Tradovate left out a fill or what it did to a position"));
    }
  }

  /**
   * Something of an order has not come. Where the broker has it, only a new snapshot can tell what
   * else was left out; where it has no more either, as of orders that nobody's command made, the order
   * is told as far as it can be.
   */
  async #askFor(id: number): Promise<void> {
    if (this.#asking.has(id)) return;
    this.#asking.add(id);
    const { store } = this;
    const before = store.extentOf(id);
    const heard = await this.#lists.learnOrder(id, store);
    if (this.#ended.signal.aborted) return;
    if (heard === undefined || store.extentOf(id) !== before) {
      this.#socket?.end(new Error(`Tradovate left out something that belongs to order ${id}`));
      return;
    }
    this.#apply(heard);
    store.settleParts(id);
    await this.names.settle([id]).catch(this.#deps.onTrouble);
    this.#publisher.excuse(id);
    this.#publish(id);
    this.#asking.delete(id);
    this.#waits.wake();
  }

  /** One that is not told of would seem to be at rest for ever. */
  #takeAccounts(list: unknown): void {
    this.#apply(replaceAll(this.store, "account", list));
    const accounts = this.store.all("account");
    if (accounts.every(({ id }) => this.#fed?.has(id) !== false)) return;
    this.#socket?.end(new Error("Tradovate lists an account that its feed does not tell of"));
  }

  #race<Value>(step: Promise<Value>): Promise<Value> {
    return Promise.race([step, this.broken]);
  }

  #break(cause: Error): void {
    this.#ended.abort();
    this.#waits.wake();
    if (!(cause instanceof ShutdownError) || !cause.isQuota) return this.#reject(cause);
    const isAgain = this.#deps.keeper.onQuota();
    const words = "another program logs in with the same user";
    this.#reject(isAgain ? new ShutdownError(cause.reasonCode, words) : cause);
  }
}
