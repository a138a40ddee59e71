import { setMaxListeners } from "node:events";
import { accountId, type AccountId, type ConnectionId } from "../../domain/ids.ts";
import { BrokerReadError } from "../../trading/ports.ts";
import {
  ContractDesk,
  type ContractDeskDeps,
  type ContractMemory,
  type ContractTerms,
} from "./contract-desk.ts";
import { type Change, EntityStore } from "./entity-store.ts";
import { HubLink } from "./hub-link.ts";
import { News, type NewsDeps } from "./news.ts";
import { type OrderView, viewOrder } from "./order-view.ts";
import { toWireId, unwrapEvents } from "./parse.ts";
import { PositionCheck } from "./position-check.ts";
import { type HeldQuestion, Questions } from "./questions.ts";
import type { RateBudget } from "./rate-budget.ts";
import { Requests } from "./requests.ts";
import type { RestClient } from "./rest-client.ts";
import type { SessionView } from "./session-view.ts";
import { Snapshot } from "./snapshot.ts";
import type { TokenKeeper } from "./token-keeper.ts";
import { Waits } from "../waits.ts";
import type { ProjectXAccount, ProjectXEntityType, ProjectXOrder } from "./wire.ts";

export interface ProjectXSessionDeps extends Pick<
  NewsDeps,
  "onReport" | "onVoided" | "onTrouble" | "now" | "elapsed"
> {
  readonly connectionId: ConnectionId;
  readonly hubUrl: string;
  readonly rest: RestClient;
  readonly keeper: TokenKeeper;
  readonly budget: RateBudget;
  readonly barsBudget: RateBudget;
  readonly terms: ContractTerms;
  readonly memory: ContractMemory;
  readonly mayWrite: () => boolean;
  readonly onDifference: ContractDeskDeps["onDifference"];
  readonly onWait?: ((ms: number) => void) | undefined;
}

const LOOK_EVERY_MS = 1_000;
/** What stands in an account takes so many questions at least. */
const QUESTIONS_EACH = 2;

const EVENTS: Readonly<Record<string, ProjectXEntityType>> = {
  GatewayUserAccount: "account",
  GatewayUserOrder: "order",
  GatewayUserPosition: "position",
  GatewayUserTrade: "trade",
};
/** `action` of what is there no more. */
const GONE = 2;
const SUBSCRIPTIONS = ["SubscribeOrders", "SubscribePositions", "SubscribeTrades"] as const;

/** One session: a token, a hub, the snapshot, and what has been said since. */
export class ProjectXSession implements SessionView {
  readonly store: EntityStore;
  readonly contracts: ContractDesk;
  /** The same for who wants prices: what is asked for that is no exit's. */
  readonly pricedContracts: ContractDesk;
  readonly requests: Requests;
  readonly snapshot: Snapshot;
  readonly questions: Questions;
  /** Rejects when the session breaks; never resolves. */
  readonly broken: Promise<never>;

  readonly #deps: ProjectXSessionDeps;
  readonly #news: News;
  readonly #ended = new AbortController();
  readonly #waits = new Waits(this.#ended.signal);
  readonly #followed = new Set<string>();
  #reject: (cause: Error) => void = () => undefined;
  #hub: HubLink | undefined;
  #heardAt: number | undefined;

  constructor(deps: ProjectXSessionDeps) {
    this.#deps = deps;
    this.broken = new Promise((_, reject) => (this.#reject = reject));
    this.broken.catch(() => undefined);
    const { keeper, elapsed } = deps;
    const { signal } = this.#ended;
    // Each request under way listens, and a snapshot is many of them.
    setMaxListeners(0, signal);
    this.requests = new Requests({
      ...deps,
      token: () => keeper.held,
      renew: async (refused) => await this.#replaceToken(refused),
      onRefused: (cause) => {
        keeper.drop();
        this.#break(cause);
      },
      signal,
    });
    // What cannot be read may be anything, and is asked for.
    this.store = new EntityStore(deps.onTrouble, (account) => this.questions.doubt(account));
    const read: ContractDeskDeps["read"] = (path, body, purpose) =>
      this.requests.read(path, body, purpose);
    this.contracts = new ContractDesk({ ...deps, read });
    const readIdly: ContractDeskDeps["read"] = (path, body) =>
      this.requests.read(path, body, "read");
    this.pricedContracts = new ContractDesk({ ...deps, read: readIdly });
    const { store, requests, contracts } = this;
    this.snapshot = new Snapshot({ ...deps, store, requests });
    const positions = new PositionCheck(store, elapsed);
    const shared = { ...deps, store, contracts, snapshot: this.snapshot, positions };
    const heardAt = () => this.#heardAt;
    this.questions = new Questions({ ...shared, waits: this.#waits, heardAt });
    const { questions, accountOf } = this;
    this.#news = new News({ ...shared, questions, accountOf, signal });
    store.onChange((changes) => this.#onChange(changes));
  }

  get heardAt(): number | undefined {
    return this.#heardAt;
  }

  /** Aborted when the session ends. */
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
    await this.#race(hub.open()).catch(async (cause: unknown) => {
      // A link that is refused does not say why: a token of an earlier session may be over.
      await keeper.check(signal);
      throw cause;
    });
    await this.#race(hub.call("SubscribeAccounts"));
    await this.#race(this.#load());
    signal.throwIfAborted();
    this.#news.begin(this.store.accounts().map(({ id }) => id));
    // Those that were told of meanwhile.
    for (const { id } of this.store.accounts()) this.#welcome(id);
    keeper.keepFresh(signal).catch((cause: Error) => this.#break(cause));
  }

  /** Ends the session; what is in flight is unknown. Resolves when nothing of it runs any more. */
  async close(): Promise<void> {
    this.#ended.abort();
    this.#news.end();
    this.#waits.wake();
    await this.#hub?.close();
  }

  async refresh(account: string, purpose: "protect" | "read" = "read"): Promise<void> {
    const { questions } = this;
    await Promise.all([questions.positions(account, purpose), questions.orders(account, purpose)]);
  }

  async settlePositions(account: string, question?: HeldQuestion): Promise<void> {
    await this.questions.settledPositions(account, this.#news.begunAt ?? 0, question);
  }

  async learnTrades(account: string, since: number): Promise<void> {
    await this.snapshot.trades(account, since, "protect");
  }

  async learnOrder(account: string, id: string): Promise<ProjectXOrder | undefined> {
    return await this.questions.order(account, id);
  }

  async learnAgain(account: string, id: string): Promise<ProjectXOrder | undefined> {
    return await this.questions.orderAgain(account, id);
  }

  takeListed(account: string, order: unknown): void {
    this.snapshot.take("order", order, account);
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
      onUnreadable: () => this.questions.doubt(undefined),
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
    const { questions, store } = this;
    await this.#untilAllowed(1);
    await questions.accounts("load");
    const accounts = store.accounts();
    await Promise.all(accounts.map(({ id }) => this.#follow(id)));
    // Of the others is asked when somebody asks.
    const trading = accounts.filter(({ canTrade }) => canTrade !== false);
    await this.#untilAllowed(QUESTIONS_EACH * trading.length);
    await Promise.all(trading.map(({ id }) => questions.whole(id)));
    for (const { id } of accounts) await questions.contractsOf(id);
  }

  async #follow(account: string): Promise<void> {
    this.#followed.add(account);
    const id = toWireId(account);
    await Promise.all(SUBSCRIPTIONS.map(async (method) => await this.#hub?.call(method, id)));
  }

  /** An account that is new is followed from its first word on. */
  #welcome(account: string): void {
    if (this.#news.begunAt === undefined || this.#followed.has(account)) return;
    this.#follow(account)
      .then(() => this.questions.whole(account))
      .then(() => this.#news.beginWith(account))
      .catch((cause: Error) => this.#break(cause));
  }

  #onChange(changes: readonly Change[]): void {
    if (this.#ended.signal.aborted) return;
    for (const change of changes) {
      if (change.type === "account") {
        if (!this.snapshot.isAnswering) this.snapshot.noteAccount(change.entity.id);
        this.#welcome(change.entity.id);
      } else {
        const { type, entity } = change;
        const order = type === "order" ? entity.id : undefined;
        if (!this.snapshot.isAnswering) this.snapshot.noteHeard(entity.accountId, order);
        this.#news.take(change);
      }
    }
    this.#waits.wake();
  }

  async #replaceToken(refused: string | undefined): Promise<boolean> {
    try {
      return await this.#deps.keeper.replace(refused, this.#ended.signal);
    } catch (error) {
      this.#break(error instanceof Error ? error : new Error(String(error)));
      return false;
    }
  }

  /** A snapshot that uses the budget up would leave nothing for what follows from it. */
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
