import assert from "node:assert/strict";
import { once } from "node:events";
import { LACKS_NOTHING } from "../../domain/broker-lacks.ts";
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
import {
  type BrokerAccount,
  type BrokerPosition,
  BrokerReadError,
  type CommandFailure,
  type CommandOutcome,
  type Decider,
  type OrderNames,
  type ReportListener,
  type SubmitOutcome,
  type Unread,
} from "../../trading/ports.ts";
import type { AdapterMemory } from "../broker-kind.ts";
import type { BrokerAdapter, BrokerCapabilities } from "../broker-adapter.ts";
import type { BrokerBalance, BrokerGuards, PriceSource } from "../../trading/money/ports.ts";
import { BrokerReads } from "./broker-reads.ts";
import type { TradovateSettings } from "./config.ts";
import { type ContractDifference, ContractMemory, type ContractTerms } from "./contract-desk.ts";
import { AccountMoney, type AccountMoneyDeps } from "./account-money.ts";
import { GuardReads } from "./guard-reads.ts";
import { LegMender } from "./leg-mender.ts";
import { MarketData } from "./market-data.ts";
import type { LegTrouble } from "./mended-bracket.ts";
import { OrderDesk } from "./order-desk.ts";
import { DEFAULT_LIMITS, RateBudget, type RateLimits } from "./rate-budget.ts";
import { RestClient } from "./rest-client.ts";
import { RiskAccess } from "./risk-access.ts";
import { TradovateSession, type TradovateSessionDeps } from "./session.ts";
import { FeedTrust } from "./session-feed.ts";
import { SOCKET_TIMING, type SocketTiming } from "./socket.ts";
import { TokenKeeper } from "./token-keeper.ts";
import { tradovateUrls } from "./urls.ts";

/** Hears what a person may have to know; for logs, alarms and metrics. */
export interface TradovateObserver {
  /** The broker's contract data are not those of our table. Once per contract and field. */
  readonly differs: (contract: ContractCode, difference: ContractDifference) => void;
  /** The exits of an entry are not as they were asked for, and it could not be put right. */
  readonly legTrouble: (account: AccountId, trouble: LegTrouble) => void;
  /** What the broker tells by itself is not what it says when it is asked. */
  readonly feedTrouble: (reason: string) => void;
  /** Something failed that is tried again. */
  readonly trouble: (error: unknown) => void;
}

export interface TradovateAdapterDeps {
  readonly connectionId: ConnectionId;
  readonly settings: TradovateSettings;
  /** Stable and unique for this installation and connection; live orders are refused without it. */
  readonly deviceId: string;
  readonly contracts: ContractTerms;
  readonly observer: TradovateObserver;
  readonly now: () => number;
  /** A clock in ms that is never set. */
  readonly elapsed?: () => number;
  readonly random?: () => number;
  /**
   * Asked in the same turn of the event loop in which a login or command is written; false means
   * `notSent` and ends the session.
   */
  readonly mayWrite?: () => boolean;
  readonly limits?: RateLimits;
  /** What the next owner goes on from: the token, and pauses between logins. */
  readonly memory?: AdapterMemory | undefined;
  /** What orders were placed as, for when the broker does not say so any more. */
  readonly names?: OrderNames | undefined;
  readonly timing?: Partial<SocketTiming>;
}

export function createTradovateAdapter(deps: TradovateAdapterDeps): BrokerAdapter {
  return new TradovateAdapter(deps);
}

const NOT_RUNNING = "The session with Tradovate is not running";

/** What works while a session stands. */
interface Running {
  readonly session: TradovateSession;
  readonly legs: LegMender;
  readonly reads: BrokerReads;
  readonly desk: OrderDesk;
  readonly money: AccountMoney;
  readonly guards: GuardReads;
}

class TradovateAdapter implements BrokerAdapter {
  readonly broker = "tradovate";
  readonly environment: ServiceEnvironment;
  /** Six heartbeats of the broker: a second login can take its events while the socket stays up. */
  readonly silentAfterMs = 15_000;
  readonly prices: PriceSource;
  readonly capabilities: BrokerCapabilities = {
    nativeBracket: true,
    nativeOco: true,
    cancelEndsLinkedLeg: true,
    // Whoever trades there sends a start with the distance, and no price is known here to guess one.
    trailsFromMarket: false,
    keepsHours: true,
    // Nothing of Tradovate's says that a used identifier is refused.
    refusesDuplicates: false,
    lacks: LACKS_NOTHING,
  };

  readonly #deps: TradovateAdapterDeps;
  readonly #elapsed: () => number;
  readonly #socketUrl: string;
  readonly #rest: RestClient;
  readonly #budget: RateBudget;
  readonly #keeper: TokenKeeper;
  readonly #market: MarketData;
  readonly #listeners = new Set<ReportListener>();
  readonly #differences = new Set<string>();
  readonly #memory = new ContractMemory();
  readonly #trust = new FeedTrust();
  readonly #risk: RiskAccess;
  #isRunning = false;
  #starting: TradovateSession | undefined;
  #running: Running | undefined;

  constructor(deps: TradovateAdapterDeps) {
    this.#deps = deps;
    const { settings, deviceId, now } = deps;
    this.environment = settings.environment;
    this.#elapsed = deps.elapsed ?? (() => performance.now());
    const urls = tradovateUrls(settings);
    this.#socketUrl = urls.socket;
    this.#risk = new RiskAccess(this.#elapsed, deps.observer.trouble);
    this.#rest = new RestClient(urls.rest);
    const onLockOut = () => this.#keeper.keep();
    this.#budget = new RateBudget(deps.limits ?? DEFAULT_LIMITS, this.#elapsed, onLockOut);
    this.#keeper = new TokenKeeper({
      rest: this.#rest,
      settings,
      deviceId,
      budget: this.#budget,
      mayWrite: this.#mayWrite,
      memory: deps.memory,
      onTrouble: deps.observer.trouble,
      now,
      elapsed: this.#elapsed,
    });
    this.#market = new MarketData({
      isWanted: settings.marketData !== false,
      url: urls.marketData,
      timing: { ...SOCKET_TIMING, ...deps.timing },
      token: () => this.#keeper.held,
      budget: this.#budget,
      mayWrite: this.#mayWrite,
      onTrouble: deps.observer.trouble,
      now,
      elapsed: this.#elapsed,
      random: deps.random ?? Math.random,
    });
    this.prices = this.#market;
  }

  lastMessageAt(): number | undefined {
    // Whoever has to wait before the next login is not waiting for a word of the broker.
    return this.#keeper.isWaiting ? this.#elapsed() : this.#starting?.heardAt;
  }

  entriesHeld(): string | undefined {
    return this.#running?.session.entriesHeld;
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
    const mender = this.#newMender(session);
    this.#starting = session;
    const ended = new AbortController();
    const aborted = once(signal, "abort", { signal: ended.signal });
    aborted.catch(() => undefined);
    try {
      const started = session.start();
      started.catch(() => undefined);
      await Promise.race([started, session.broken, aborted]);
      if (signal.aborted) return;
      const desk = new OrderDesk(session, mender.legs);
      mender.setDesk(desk);
      const asking = this.#asking(session, ended.signal);
      this.#running = {
        session,
        legs: mender.legs,
        desk,
        reads: new BrokerReads(session),
        money: new AccountMoney(asking),
        guards: new GuardReads({ ...asking, risk: this.#risk }),
      };
      this.#market.begin(session.pricedContracts);
      onReady();
      await Promise.race([session.broken, aborted]);
    } finally {
      ended.abort();
      this.#running = undefined;
      this.#starting = undefined;
      mender.legs.stop();
      await Promise.all([session.close(), this.#market.end()]);
      // Before the connection is let go: the next owner goes on from it.
      await this.#keeper.close();
      this.#isRunning = false;
    }
  }

  onReport(listener: ReportListener): () => void {
    // Wrapped, so that a listener added twice is called twice and removed once.
    const own: ReportListener = (account, report) => listener(account, report);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  accounts(): Promise<readonly BrokerAccount[]> {
    return this.#read((reads) => reads.accounts());
  }

  positions(account: AccountId, by?: Decider): Promise<readonly BrokerPosition[]> {
    return this.#read((reads) => reads.positions(account, by));
  }

  workingOrders(account: AccountId, by?: Decider): Promise<readonly WorkingOrder[]> {
    return this.#read((reads) => reads.workingOrders(account, by));
  }

  findOrder(account: AccountId, clOrdId: ClOrdId, by?: Decider): Promise<OrderReport | undefined> {
    return this.#read((reads) => reads.findOrder(account, clOrdId, by));
  }

  fills(account: AccountId, sinceAt: number): Promise<readonly Fill[]> {
    return this.#read((reads) => reads.fills(account, sinceAt));
  }

  async balances(account: AccountId): Promise<readonly BrokerBalance[]> {
    const money = this.#running?.money;
    if (money === undefined) throw new BrokerReadError(NOT_RUNNING);
    return await money.balances(account);
  }

  async brokerGuards(account: AccountId): Promise<BrokerGuards | undefined> {
    const guards = this.#running?.guards;
    if (guards === undefined) throw new BrokerReadError(NOT_RUNNING);
    return await guards.brokerGuards(account);
  }

  contractDoubt(contract: ContractCode): Promise<string | undefined> {
    return this.#read((_, { contracts }) => contracts.doubt(contract));
  }

  hasRoomFor(requests: number): boolean {
    return this.#budget.hasRoomFor(requests);
  }

  tendsExits(entry: ClOrdId): boolean {
    return this.#running?.legs.tends(entry) ?? false;
  }

  unread(): readonly Unread[] {
    const disputed = [...this.#memory.disputes].filter(([, differences]) => differences.length > 0);
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
    try {
      return await run(running.desk);
    } catch (error) {
      // Commands ask the broker before they send anything; the question is all that can fail so.
      if (!(error instanceof BrokerReadError)) throw error;
      return { kind: "notSent", reason: error.message };
    }
  }

  async #read<Answer>(
    run: (reads: BrokerReads, session: TradovateSession) => Promise<Answer>,
  ): Promise<Answer> {
    const running = this.#running;
    if (running === undefined) throw new BrokerReadError(NOT_RUNNING);
    return await run(running.reads, running.session);
  }

  #newSession(told: Pick<TradovateSessionDeps, "onWait" | "onAccounts">): TradovateSession {
    const { connectionId, contracts, observer, random = Math.random, timing, names } = this.#deps;
    return new TradovateSession({
      connectionId,
      socketUrl: this.#socketUrl,
      rest: this.#rest,
      keeper: this.#keeper,
      budget: this.#budget,
      terms: contracts,
      memory: this.#memory,
      timing: { ...SOCKET_TIMING, ...timing },
      mayWrite: this.#mayWrite,
      onReport: (account, report) => this.#report(account, report),
      onDifference: (contract, difference) => this.#differs(contract, difference),
      names,
      trust: this.#trust,
      risk: this.#risk,
      onFeedTrouble: observer.feedTrouble,
      onTrouble: observer.trouble,
      ...told,
      elapsed: this.#elapsed,
      random,
    });
  }

  /** What reads need that go by HTTP. */
  #asking(session: TradovateSession, signal: AbortSignal): AccountMoneyDeps {
    return {
      session,
      rest: this.#rest,
      token: () => this.#keeper.held?.accessToken,
      budget: this.#budget,
      now: this.#deps.now,
      elapsed: this.#elapsed,
      signal,
    };
  }

  #newMender(session: TradovateSession) {
    let desk: OrderDesk | undefined;
    const legs = new LegMender({
      session,
      commands: () => {
        assert(desk !== undefined, "legs are watched once orders can be sent");
        return desk;
      },
      onTrouble: this.#deps.observer.legTrouble,
      onError: this.#deps.observer.trouble,
      elapsed: this.#elapsed,
    });
    return { legs, setDesk: (made: OrderDesk) => (desk = made) };
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
