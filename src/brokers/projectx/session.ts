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
import { type About, LastWords } from "./last-words.ts";
import { News, type NewsDeps } from "./news.ts";
import { type OrderView, viewOrder } from "./order-view.ts";
import { isRecord, parseEntity, toId, toWireId, unwrapEvents } from "./parse.ts";
import { PositionCheck } from "./position-check.ts";
import { type HeldQuestion, Questions } from "./questions.ts";
import type { Purpose, RateBudget } from "./rate-budget.ts";
import { BudgetUsedUpError, Requests } from "./requests.ts";
import type { RestClient } from "./rest-client.ts";
import type { SessionView } from "./session-view.ts";
import { Snapshot } from "./snapshot.ts";
import type { TokenKeeper } from "./token-keeper.ts";
import { Waits } from "../waits.ts";
import type { ProjectXAccount, ProjectXEntityType, ProjectXOrder } from "./wire.ts";

export interface ProjectXSessionDeps extends Pick<
  NewsDeps,
  "onReport" | "onTrouble" | "now" | "elapsed"
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
  /** An account may trade again, or may not any more. */
  readonly onAccounts?: (() => void) | undefined;
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
/** The subject of each event; a trade says neither what is held nor what works. */
const ABOUT: Readonly<Record<ProjectXEntityType, About | undefined>> = {
  account: "account",
  order: "orders",
  position: "positions",
  trade: undefined,
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
  readonly positions: PositionCheck;
  /** Rejects when the session breaks; never resolves. */
  readonly broken: Promise<never>;

  readonly #deps: ProjectXSessionDeps;
  readonly #news: News;
  readonly #ended = new AbortController();
  readonly #waits = new Waits(this.#ended.signal);
  readonly #followed = new Set<string>();
  readonly #accountWords = new Map<string, string>();
  #reject: (cause: Error) => void = () => undefined;
  readonly #words: LastWords;
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
    const words = new LastWords(elapsed);
    this.#words = words;
    this.snapshot = new Snapshot({ ...deps, store, requests, words });
    this.positions = new PositionCheck(store, elapsed);
    const { snapshot, positions } = this;
    const shared = { ...deps, store, contracts, snapshot, positions, words };
    this.questions = new Questions({ ...shared, waits: this.#waits });
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

  async refresh(account: string): Promise<void> {
    const { questions } = this;
    const purpose = "protect";
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

  async learnAgain(
    account: string,
    id: string,
    purpose: Purpose,
  ): Promise<ProjectXOrder | undefined> {
    return await this.questions.orderAgain(account, id, purpose);
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
      const isGone = action === GONE;
      this.#noteWord(type, data, isGone);
      this.store.apply(type, data, isGone);
    }
    this.#waits.wake();
  }

  /** The same word again is one too. */
  #noteWord(type: ProjectXEntityType, data: unknown, isGone: boolean): void {
    const position = type === "position" ? parseEntity("position", data) : undefined;
    if (position !== undefined) {
      this.positions.noteWord(isGone ? { ...position, type: 0, size: 0 } : position);
    }
    const about = ABOUT[type];
    const account = isRecord(data)
      ? toId(data[type === "account" ? "id" : "accountId"])
      : undefined;
    if (about !== undefined && account !== undefined) this.#words.note(about, account);
  }

  async #load(): Promise<void> {
    const { questions, store } = this;
    await this.#untilAllowed(1);
    await questions.accounts("load");
    const accounts = store.accounts();
    await Promise.all(accounts.map(({ id }) => this.#follow(id)));
    // Of the others is asked when somebody asks.
    const trading = accounts.filter(({ canTrade }) => canTrade !== false);
    const first = trading.slice(0, this.#deps.budget.mostFor("load") / QUESTIONS_EACH);
    await this.#untilAllowed(QUESTIONS_EACH * first.length);
    const loaded = await Promise.all(first.map(({ id }) => this.#isWhole(id)));
    // The budget did not allow for the others. They follow one by one: another session would fail likewise.
    const left = trading.filter((_, place) => loaded[place] !== true);
    for (const { id } of left) {
      do {
        await this.#untilAllowed(QUESTIONS_EACH);
        this.#ended.signal.throwIfAborted();
      } while (!(await this.#isWhole(id)));
    }
    for (const { id } of accounts) await questions.contractsOf(id);
  }

  /** False where the budget was used up before everything was asked. */
  async #isWhole(account: string): Promise<boolean> {
    try {
      await this.questions.whole(account);
      return true;
    } catch (error) {
      if (!(error instanceof BudgetUsedUpError)) throw error;
      return false;
    }
  }

  async #follow(account: string): Promise<void> {
    this.#followed.add(account);
    const id = toWireId(account);
    await Promise.all(SUBSCRIPTIONS.map(async (method) => await this.#hub?.call(method, id)));
  }

  /** An account that is new is followed from its first word on. */
  #welcome(account: string): void {
    const { aborted } = this.#ended.signal;
    if (aborted || this.#news.begunAt === undefined || this.#followed.has(account)) return;
    this.#follow(account)
      .then(() => this.questions.whole(account))
      .then(() => this.#news.beginWith(account))
      .catch((cause: Error) => this.#break(cause));
  }

  #onChange(changes: readonly Change[]): void {
    if (this.#ended.signal.aborted) return;
    for (const change of changes) {
      if (change.type === "account") {
        this.#noteAccount(change.entity);
        this.#requireKnown(change.entity.id);
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

  /** Its balance moves with each fill: only another word on what it may do is news. */
  #noteAccount({ id, canTrade, simulated }: ProjectXAccount): void {
    const word = `${String(canTrade)} ${String(simulated)}`;
    const isNews = this.#news.begunAt !== undefined && this.#accountWords.get(id) !== word;
    this.#accountWords.set(id, word);
    if (isNews) this.#deps.onAccounts?.();
  }

  /** An account that is listed later, or again, is taken over with the next session. */
  #requireKnown(account: string): void {
    const isNew = this.#news.begunAt !== undefined && !this.#followed.has(account);
    if (!isNew || !this.snapshot.isAnswering) return;
    this.#break(new Error("ProjectX lists an account that it did not list before"));
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
