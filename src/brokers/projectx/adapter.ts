import assert from "node:assert/strict";
import { once } from "node:events";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { ServiceEnvironment } from "../../domain/environment.ts";
import type { AccountId, ClOrdId, ConnectionId, OrderId } from "../../domain/ids.ts";
import type {
  BrokerReport,
  Fill,
  NewOrderSingle,
  OrderChange,
  OrderReport,
  ProtectionOrder,
  WorkingOrder,
} from "../../domain/order.ts";
import type { BrokerBalance, PriceSource } from "../../trading/money/ports.ts";
import {
  type BrokerAccount,
  type BrokerPosition,
  BrokerReadError,
  type CommandFailure,
  type CommandOutcome,
  type Decider,
  type ReportListener,
  type SubmitOutcome,
  type Unread,
} from "../../trading/ports.ts";
import type { BrokerAdapter, BrokerCapabilities } from "../broker-adapter.ts";
import type { AdapterMemory } from "../broker-kind.ts";
import { AccountMoney } from "./account-money.ts";
import { BracketBook } from "./exits/bracket-book.ts";
import { BracketWatch } from "./exits/bracket-watch.ts";
import { BrokerClock } from "./broker-clock.ts";
import { BrokerReads } from "./broker-reads.ts";
import { type ContractDifference, ContractMemory, type ContractTerms } from "./contract-desk.ts";
import { BARS_LIMIT } from "./prices/bar-history.ts";
import { MarketData } from "./prices/market-data.ts";
import { MemoryParts } from "./memory-parts.ts";
import type { ProjectXObserver } from "./observer.ts";
import { LACKS } from "./order-body.ts";
import { OrderDesk } from "./order-desk.ts";
import { DEFAULT_LIMIT, RateBudget, type RateLimit } from "./rate-budget.ts";
import { RestClient } from "./rest-client.ts";
import { ProjectXSession, type ProjectXSessionDeps } from "./session.ts";
import { TokenKeeper } from "./token-keeper.ts";
import { type ProjectXHosts, projectXUrls } from "./urls.ts";

export interface ProjectXAdapterDeps {
  readonly connectionId: ConnectionId;
  readonly environment: ServiceEnvironment;
  readonly hosts: ProjectXHosts;
  readonly userName: string;
  readonly apiKey: string;
  /** Whether quotes and bars are wanted; they are where it is not said. */
  readonly marketData?: boolean | undefined;
  /** Whether the firm's live accounts cancel orders through the API, as its user says; absent: no. */
  readonly liveCancels?: boolean | undefined;
  readonly contracts: ContractTerms;
  readonly observer: ProjectXObserver;
  readonly now: () => number;
  /** A clock in ms that is never set. */
  readonly elapsed?: () => number;
  readonly random?: () => number;
  /**
   * Asked in the same turn of the event loop in which a login or command is written; false means
   * `notSent`.
   */
  readonly mayWrite?: () => boolean;
  /** Of everything but bars, which have a budget of their own. */
  readonly limit?: RateLimit;
  readonly barsLimit?: RateLimit;
  /** What the next owner goes on from: the token, and which exits entries were placed with. */
  readonly memory?: AdapterMemory | undefined;
}

export function createProjectXAdapter(deps: ProjectXAdapterDeps): BrokerAdapter {
  return new ProjectXAdapter(deps);
}

/** The hub's own silence ends the link after 30 s; this is for what that misses. */
const SILENT_AFTER_MS = 40_000;

const NOT_RUNNING = "The session with ProjectX is not running";

/** What works while a session stands. */
interface Running {
  readonly session: ProjectXSession;
  readonly reads: BrokerReads;
  readonly money: AccountMoney;
  readonly desk: OrderDesk;
  readonly exits: BracketWatch;
}

class ProjectXAdapter implements BrokerAdapter {
  readonly broker = "projectx";
  readonly environment: ServiceEnvironment;
  readonly silentAfterMs = SILENT_AFTER_MS;
  readonly capabilities: BrokerCapabilities = {
    nativeBracket: true,
    // Nothing can be attached to a position: its exits are two orders that know nothing of each other.
    nativeOco: false,
    cancelEndsLinkedLeg: false,
    trailsFromMarket: false,
    keepsHours: true,
    refusesDuplicates: true,
    lacks: LACKS,
  };

  readonly #deps: ProjectXAdapterDeps;
  readonly #elapsed: () => number;
  readonly #hubUrl: string;
  readonly #clock: BrokerClock;
  readonly #rest: RestClient;
  readonly #budget: RateBudget;
  readonly #parts: MemoryParts;
  readonly #keeper: TokenKeeper;
  readonly #book: BracketBook;
  readonly #barsBudget: RateBudget;
  readonly #market: MarketData;
  readonly prices: PriceSource;
  readonly #contracts = new ContractMemory();
  readonly #listeners = new Set<ReportListener>();
  readonly #differences = new Set<string>();
  #isRunning = false;
  #starting: ProjectXSession | undefined;
  #running: Running | undefined;

  constructor(deps: ProjectXAdapterDeps) {
    this.#deps = deps;
    const { environment, hosts, userName, apiKey, memory, observer, now, limit } = deps;
    this.environment = environment;
    this.#elapsed = deps.elapsed ?? (() => performance.now());
    const urls = projectXUrls(hosts);
    this.#hubUrl = urls.userHub;
    this.#clock = new BrokerClock(now);
    this.#rest = new RestClient(urls.rest, this.#clock);
    this.#budget = new RateBudget(limit ?? DEFAULT_LIMIT, this.#elapsed);
    const mayWrite = this.#mayWrite;
    this.#parts = new MemoryParts({ memory, mayWrite, onTrouble: observer.trouble });
    this.#book = new BracketBook(this.#parts);
    this.#keeper = new TokenKeeper({
      rest: this.#rest,
      url: urls.rest,
      userName,
      apiKey,
      budget: this.#budget,
      mayWrite,
      memory: this.#parts,
      onTrouble: observer.trouble,
      now,
      elapsed: this.#elapsed,
      random: deps.random ?? Math.random,
    });
    this.#barsBudget = new RateBudget(deps.barsLimit ?? BARS_LIMIT, this.#elapsed);
    this.#market = new MarketData({
      isWanted: deps.marketData !== false,
      url: urls.marketHub,
      token: () => this.#keeper.held,
      onTrouble: observer.trouble,
      random: deps.random ?? Math.random,
      now,
      brokerNow: this.#clock.now,
      elapsed: this.#elapsed,
    });
    this.prices = this.#market;
  }

  lastMessageAt(): number | undefined {
    // Whoever has to wait before the next login is not waiting for a word of the broker.
    return this.#keeper.isWaiting ? this.#elapsed() : this.#starting?.heardAt;
  }

  async runSession({
    signal,
    onReady,
    ...told
  }: Parameters<BrokerAdapter["runSession"]>[0]): Promise<void> {
    if (signal.aborted) return;
    assert(!this.#isRunning, "a session runs once at a time");
    this.#isRunning = true;
    const session = this.#newSession(told);
    this.#starting = session;
    const ended = new AbortController();
    let watch: BracketWatch | undefined;
    const aborted = once(signal, "abort", { signal: ended.signal });
    aborted.catch(() => undefined);
    try {
      const started = session.start();
      started.catch(() => undefined);
      await Promise.race([started, session.broken, aborted]);
      if (signal.aborted) return;
      this.#market.begin({
        requests: session.requests,
        find: (code) => session.pricedContracts.find(code),
      });
      const keeper = this.#newWatch(session, ended.signal);
      const desk = new OrderDesk({ session, keeper: keeper.watch, now: this.#deps.now });
      keeper.setDesk(desk);
      watch = keeper.watch;
      await Promise.race([watch.begin(), session.broken, aborted]);
      if (signal.aborted) return;
      this.#running = {
        session,
        reads: new BrokerReads(session, this.#deps.liveCancels === true),
        money: new AccountMoney({ session, now: this.#deps.now }),
        desk,
        exits: watch,
      };
      onReady();
      await Promise.race([session.broken, aborted]);
    } finally {
      ended.abort();
      watch?.end();
      this.#running = undefined;
      this.#starting = undefined;
      await Promise.all([session.close(), this.#market.end()]);
      this.#rest.close();
      // Before the connection is let go: the next owner goes on from it.
      await this.#parts.close();
      this.#isRunning = false;
    }
  }

  onReport(listener: ReportListener): () => void {
    // Wrapped, so that a listener added twice is called twice and removed once.
    const own: ReportListener = (account, report) => listener(account, report);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  async accounts(): Promise<readonly BrokerAccount[]> {
    const found = await this.#read(({ reads }) => reads.accounts());
    // Each firm has a service of its own, and numbers from it alone.
    return found.map((account) => ({ ...account, numberedBy: this.#deps.hosts.api }));
  }

  positions(account: AccountId, by?: Decider): Promise<readonly BrokerPosition[]> {
    return this.#read(({ reads }) => reads.positions(account, by));
  }

  workingOrders(account: AccountId, by?: Decider): Promise<readonly WorkingOrder[]> {
    return this.#read(({ reads }) => reads.workingOrders(account, by));
  }

  findOrder(account: AccountId, clOrdId: ClOrdId, by?: Decider): Promise<OrderReport | undefined> {
    return this.#read(({ reads }) => reads.findOrder(account, clOrdId, this.#deps.now(), by));
  }

  fills(account: AccountId, sinceAt: number): Promise<readonly Fill[]> {
    return this.#read(({ reads }) => reads.fills(account, sinceAt));
  }

  balances(account: AccountId): Promise<readonly BrokerBalance[]> {
    return this.#read(({ money }) => money.balances(account));
  }

  contractDoubt(contract: ContractCode): Promise<string | undefined> {
    return this.#read(({ session }) => session.contracts.doubt(contract));
  }

  hasRoomFor(requests: number): boolean {
    return this.#budget.hasRoomFor(requests);
  }

  tendsExits(entry: ClOrdId): boolean {
    return this.#running?.exits.tends(entry) ?? false;
  }

  unread(): readonly Unread[] {
    const disputed = [...this.#contracts.disputes].filter(([, told]) => told.length > 0);
    return [
      ...(this.#running?.reads.unread() ?? []),
      ...disputed.map(([contract]) => ({
        problem: `${contract}, which it describes otherwise than our contract table does`,
      })),
    ];
  }

  submitOrder(account: AccountId, order: NewOrderSingle): Promise<SubmitOutcome> {
    return this.#command((desk) => desk.submitOrder(account, order));
  }

  submitProtection(account: AccountId, order: ProtectionOrder): Promise<SubmitOutcome> {
    return this.#command((desk) => desk.submitProtection(account, order));
  }

  modifyOrder(account: AccountId, change: OrderChange): Promise<CommandOutcome> {
    return this.#command((desk) => desk.modifyOrder(account, change));
  }

  cancelOrder(account: AccountId, order: OrderId): Promise<CommandOutcome> {
    return this.#command((desk) => desk.cancelOrder(account, order));
  }

  closePosition(
    account: AccountId,
    contract: ContractCode,
    clOrdId: ClOrdId,
  ): Promise<SubmitOutcome> {
    return this.#command((desk) => desk.closePosition(account, contract, clOrdId));
  }

  readonly #mayWrite = (): boolean => this.#deps.mayWrite?.() ?? true;

  async #command<Answer>(
    run: (desk: OrderDesk) => Promise<Answer>,
  ): Promise<Answer | CommandFailure> {
    const running = this.#running;
    if (running === undefined) return { kind: "notSent", reason: NOT_RUNNING };
    return await run(running.desk);
  }

  async #read<Answer>(run: (running: Running) => Promise<Answer>): Promise<Answer> {
    const running = this.#running;
    if (running === undefined) throw new BrokerReadError(NOT_RUNNING);
    return await run(running);
  }

  #newSession(told: Pick<ProjectXSessionDeps, "onWait" | "onAccounts">): ProjectXSession {
    const { connectionId, contracts, observer } = this.#deps;
    return new ProjectXSession({
      connectionId,
      hubUrl: this.#hubUrl,
      rest: this.#rest,
      keeper: this.#keeper,
      budget: this.#budget,
      barsBudget: this.#barsBudget,
      terms: contracts,
      memory: this.#contracts,
      mayWrite: this.#mayWrite,
      onReport: (account, report) => this.#report(account, report),
      onDifference: (contract, difference) => this.#differs(contract, difference),
      onTrouble: observer.trouble,
      ...told,
      now: this.#clock.now,
      elapsed: this.#elapsed,
    });
  }

  #newWatch(session: ProjectXSession, signal: AbortSignal) {
    let desk: OrderDesk | undefined;
    const { observer, now } = this.#deps;
    const watch = new BracketWatch({
      session,
      book: this.#book,
      commands: () => {
        assert(desk !== undefined, "legs are watched once orders can be sent");
        return desk;
      },
      reference: ({ contract }) => this.#market.reference(contract),
      onTrouble: (account, trouble) => observer.legTrouble(session.accountOf(account), trouble),
      onError: observer.trouble,
      now,
      elapsed: this.#elapsed,
      signal,
    });
    return { watch, setDesk: (made: OrderDesk) => (desk = made) };
  }

  #report(account: AccountId, report: BrokerReport): void {
    for (const listener of this.#listeners) listener(account, report);
  }

  #differs(contract: ContractCode, difference: ContractDifference): void {
    const key = `${contract} ${difference.field}`;
    if (this.#differences.has(key)) return;
    this.#differences.add(key);
    this.#deps.observer.differs(contract, difference);
  }
}
