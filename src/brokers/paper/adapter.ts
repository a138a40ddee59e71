import assert from "node:assert/strict";
import { once } from "node:events";
import { LACKS_NOTHING } from "../../domain/broker-lacks.ts";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { Scaled } from "../../domain/contracts/decimal.ts";
import {
  accountId,
  type AccountId,
  type ClOrdId,
  type ConnectionId,
  type OrderId,
} from "../../domain/ids.ts";
import type {
  ExecutionReport,
  Fill,
  NewOrderSingle,
  OrderChange,
  OrderReport,
  ProtectionOrder,
} from "../../domain/order.ts";
import { averagePrice, type Position } from "../../domain/position.ts";
import { type Ticks, tickWorth } from "../../domain/contracts/price.ts";
import type { BrokerBalance } from "../../trading/money/ports.ts";
import {
  type BrokerAccount,
  type BrokerPosition,
  BrokerReadError,
  type BrokerStateStore,
  type CommandFailure,
  type CommandOutcome,
  type ReportListener,
  type SubmitOutcome,
} from "../../trading/ports.ts";
import type { BrokerAdapter, BrokerCapabilities } from "../broker-adapter.ts";
import type { AccountTotals } from "./account-totals.ts";
import { type PaperSettings, parseAccountNumbers } from "./config.ts";
import type { Exchange } from "./exchange/exchange.ts";
import type { ExchangeAccount } from "./exchange/exchange-account.ts";
import { toReport } from "./exchange/exchange-order.ts";
import type { PaperProduct } from "./exchange/product.ts";
import type { PriceFeed } from "./feed/price-feed.ts";
import { balancesOf } from "./paper-balances.ts";
import { PaperPrices } from "./paper-prices.ts";
import { PaperSession } from "./paper-session.ts";

export interface PaperAdapterDeps {
  readonly connectionId: ConnectionId;
  readonly settings: Pick<PaperSettings, "accounts" | "sessionHours" | "startBalance">;
  readonly feed: PriceFeed;
  readonly product: (contract: ContractCode) => PaperProduct | undefined;
  readonly state: BrokerStateStore;
  readonly now: () => number;
  /** What one contract costs on one side, in its currency. */
  readonly feeOf: (contract: ContractCode) => Scaled;
  /** When the broker's day of an instant began. */
  readonly dayBeganAt: (at: number) => number;
}

/** The adapter of the built-in demo broker, with the hand that its operator and tests need. */
export interface PaperBroker extends BrokerAdapter {
  /** Whether the broker lets the account trade. Cancels always pass. Not kept over a restart. */
  setActive(account: AccountId, isActive: boolean): void;
  /** Whether the broker reports the account at all. Not kept over a restart. */
  setReported(account: AccountId, isReported: boolean): void;
  /** Ends the running session as a lost link would. */
  breakSession(cause: Error): void;
}

export function createPaperAdapter(deps: PaperAdapterDeps): PaperBroker {
  return new PaperAdapter(deps);
}

const NOT_RUNNING: CommandFailure = {
  kind: "notSent",
  reason: "The paper broker's session is not running",
};
const UNKNOWN_ACCOUNT: CommandFailure = { kind: "rejected", reason: "Unknown account" };
const INACTIVE_ACCOUNT: CommandFailure = { kind: "rejected", reason: "Account is not active" };

class PaperAdapter implements PaperBroker {
  readonly broker = "paper";
  readonly environment = "demo";
  readonly capabilities: BrokerCapabilities = {
    nativeBracket: true,
    nativeOco: true,
    trailsFromMarket: true,
    keepsHours: false,
    cancelEndsLinkedLeg: true,
    refusesDuplicates: true,
    lacks: LACKS_NOTHING,
  };

  readonly prices: PaperPrices;

  readonly #deps: PaperAdapterDeps;
  readonly #accounts: ReadonlyMap<AccountId, string>;
  readonly #inactive = new Set<AccountId>();
  readonly #unreported = new Set<AccountId>();
  readonly #listeners = new Set<ReportListener>();
  #isRunning = false;
  #session: PaperSession | undefined;

  constructor(deps: PaperAdapterDeps) {
    this.#deps = deps;
    this.prices = new PaperPrices({ ...deps, notRunning: NOT_RUNNING.reason });
    const numbers = parseAccountNumbers(deps.settings.accounts);
    this.#accounts = new Map(
      numbers.map((number) => [accountId(`${deps.connectionId}-${number}`), `Paper ${number}`]),
    );
  }

  async runSession({ signal, onReady }: Parameters<BrokerAdapter["runSession"]>[0]): Promise<void> {
    if (signal.aborted) return;
    assert(!this.#isRunning, "a session runs once at a time");
    this.#isRunning = true;
    const session = this.#newSession();
    const ended = new AbortController();
    const aborted = once(signal, "abort", { signal: ended.signal });
    aborted.catch(() => undefined);
    try {
      await Promise.race([session.start(), session.broken, aborted]);
      if (signal.aborted) return;
      this.#session = session;
      this.prices.start();
      onReady();
      await Promise.race([session.broken, aborted]);
    } finally {
      ended.abort();
      this.#session = undefined;
      this.prices.stop();
      await session.close();
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
    this.#running();
    return [...this.#accounts]
      .filter(([id]) => !this.#unreported.has(id))
      .map(([id, name]) => ({
        accountId: id,
        name,
        currency: "USD",
        active: !this.#inactive.has(id),
      }));
  }

  submitOrder(account: AccountId, order: NewOrderSingle): Promise<SubmitOutcome> {
    return this.#trade(account, (exchange) => exchange.submitOrder(account, order), order.contract);
  }

  submitProtection(account: AccountId, order: ProtectionOrder): Promise<SubmitOutcome> {
    const run = (exchange: Exchange) => exchange.submitProtection(account, order);
    return this.#trade(account, run, order.contract);
  }

  modifyOrder(account: AccountId, change: OrderChange): Promise<CommandOutcome> {
    return this.#trade(account, (exchange) => exchange.modifyOrder(account, change));
  }

  cancelOrder(account: AccountId, order: OrderId): Promise<CommandOutcome> {
    return this.#command(account, (exchange) => exchange.cancelOrder(account, order));
  }

  closePosition(
    account: AccountId,
    contract: ContractCode,
    clOrdId: ClOrdId,
  ): Promise<SubmitOutcome> {
    const run = (exchange: Exchange) => exchange.closePosition(account, contract, clOrdId);
    return this.#trade(account, run, contract);
  }

  positions(account: AccountId): Promise<readonly BrokerPosition[]> {
    return this.#read(account, ({ positions }) =>
      [...positions.values()].map((position) => this.#toBrokerPosition(position)),
    );
  }

  /** Its contracts are those of our own table. */
  contractDoubt(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  unread(): readonly [] {
    return [];
  }

  hasRoomFor(): boolean {
    return true;
  }

  tendsExits(): boolean {
    return false;
  }

  workingOrders(account: AccountId): Promise<readonly OrderReport[]> {
    return this.#read(account, ({ working }) => [...working.values()].map(toReport));
  }

  findOrder(account: AccountId, clOrdId: ClOrdId): Promise<OrderReport | undefined> {
    return this.#read(account, (state) => {
      const order = state.orderOf(clOrdId);
      return order && toReport(order);
    });
  }

  fills(account: AccountId, sinceAt: number): Promise<readonly Fill[]> {
    return this.#read(account, ({ fills }) =>
      [...fills.values()].filter((fill) => fill.transactTimeAt >= sinceAt),
    );
  }

  balances(account: AccountId): Promise<readonly BrokerBalance[]> {
    const { startBalance } = this.#deps.settings;
    const markOf = (position: Position) => this.#markOf(position);
    return this.#read(account, ({ positions }, totals) =>
      balancesOf(
        { positions: [...positions.values()], totals },
        { ...this.#deps, startBalance, markOf },
      ),
    );
  }

  setActive(account: AccountId, isActive: boolean): void {
    if (isActive) this.#inactive.delete(account);
    else this.#inactive.add(account);
  }

  setReported(account: AccountId, isReported: boolean): void {
    if (isReported) this.#unreported.delete(account);
    else this.#unreported.add(account);
  }

  breakSession(cause: Error): void {
    this.#session?.fail(cause);
  }

  #newSession(): PaperSession {
    const { settings, state, ...deps } = this.#deps;
    return new PaperSession({
      ...deps,
      accounts: new Set(this.#accounts.keys()),
      sessionHours: settings.sessionHours,
      store: state,
      onReport: (account, report) => this.#report(account, report),
    });
  }

  #report(account: AccountId, report: ExecutionReport): void {
    for (const listener of this.#listeners) listener(account, report);
  }

  /** A command that an account which may not trade is refused. */
  #trade<Answer>(
    account: AccountId,
    run: (exchange: Exchange) => Answer,
    contract?: ContractCode,
  ): Promise<Answer | CommandFailure> {
    if (this.#session !== undefined && this.#inactive.has(account)) {
      return Promise.resolve(INACTIVE_ACCOUNT);
    }
    return this.#command(account, run, contract);
  }

  async #command<Answer>(
    account: AccountId,
    run: (exchange: Exchange) => Answer,
    contract?: ContractCode,
  ): Promise<Answer | CommandFailure> {
    const session = this.#session;
    if (session === undefined) return NOT_RUNNING;
    if (!this.#isKnown(account)) return UNKNOWN_ACCOUNT;
    const loading = session.ready(account);
    if (loading !== undefined && !(await this.#hasLoaded(session, loading))) return NOT_RUNNING;
    if (contract !== undefined) session.refresh(contract);
    return await session.command(account, run);
  }

  async #read<Answer>(
    account: AccountId,
    run: (state: ExchangeAccount, totals: AccountTotals) => Answer,
  ): Promise<Answer> {
    const session = this.#running();
    if (!this.#isKnown(account)) throw new BrokerReadError(`Unknown account ${account}`);
    const loading = session.ready(account);
    if (loading !== undefined && !(await this.#hasLoaded(session, loading))) {
      throw new BrokerReadError(NOT_RUNNING.reason);
    }
    return session.read(account, run);
  }

  /** False when the session ended meanwhile, or ends now because the account cannot be read. */
  async #hasLoaded(session: PaperSession, loading: Promise<void>): Promise<boolean> {
    try {
      await loading;
    } catch (cause) {
      session.fail(cause);
      return false;
    }
    return this.#session === session;
  }

  #running(): PaperSession {
    if (this.#session === undefined) throw new BrokerReadError(NOT_RUNNING.reason);
    return this.#session;
  }

  #isKnown(account: AccountId): boolean {
    return this.#accounts.has(account) && !this.#unreported.has(account);
  }

  /** What closing it would get: the bid for what is long, the ask for what is short. */
  #markOf({ contract, netQty }: Position): Ticks | undefined {
    const quote = this.#deps.feed.quote(contract);
    return netQty > 0 ? quote?.bid : quote?.ask;
  }

  #toBrokerPosition(position: Position): BrokerPosition {
    const { contract, netQty, realizedTicks } = position;
    const tickValue = this.#deps.product(contract)?.tickValue;
    const avgPx = averagePrice(position);
    assert(avgPx !== undefined, "a position that is held has a price");
    return {
      contract,
      netQty,
      avgPx,
      ...(tickValue !== undefined && { realizedPnl: tickWorth(realizedTicks, tickValue) }),
    };
  }
}
