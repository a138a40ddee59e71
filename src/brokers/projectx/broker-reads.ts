import { isUnnamed } from "../../domain/contracts/contract.ts";
import type { OpaquePosition } from "../../domain/exposure.ts";
import type { AccountId, ClOrdId } from "../../domain/ids.ts";
import { type Fill, isClosed, type OrderReport, type WorkingOrder } from "../../domain/order.ts";
import {
  type BrokerAccount,
  type BrokerPosition,
  BrokerReadError,
  type Decider,
  OpaquePositionsError,
  type Unread,
} from "../../trading/ports.ts";
import { findOrder } from "./find-order.ts";
import { nameOf, oddityOf, reportOf, statusOf, toFill, toOpaque } from "./order-view.ts";
import { CURRENCY, hasEnded, parseInstant, toNetQty } from "./parse.ts";
import type { Purpose } from "./rate-budget.ts";
import { toAveragePrice } from "../price-numbers.ts";
import { type ProjectXSession, unknownAccount } from "./session.ts";
import type { ProjectXOrder, ProjectXPosition } from "./wire.ts";

/** As the documents of `Order/cancel` say. */
const CANNOT_CANCEL =
  "ProjectX cancels orders through its API only for simulated accounts that follow no other account, as its documents say, and this account is not reported as simulated";

/** The reads of one session: each asks the broker now, and throws `BrokerReadError` if it cannot. */
export class BrokerReads {
  readonly #session: ProjectXSession;
  readonly #liveCancels: boolean;

  /** `liveCancels`: its user knows that the firm's live accounts cancel orders through the API. */
  constructor(session: ProjectXSession, liveCancels: boolean) {
    this.#session = session;
    this.#liveCancels = liveCancels;
  }

  async accounts(): Promise<readonly BrokerAccount[]> {
    const { store, accountOf } = this.#session;
    await this.#session.questions.accounts();
    return store.accounts().map(({ id, name, canTrade, simulated }) => ({
      accountId: accountOf(id),
      name,
      number: id,
      currency: CURRENCY,
      // Where the broker does not say it, it is the broker that refuses.
      active: canTrade !== false,
      // An account that the broker does not call simulated counts as real money.
      environment: simulated === true ? "simulated" : "live",
      ...(simulated !== true && !this.#liveCancels && { cannotCancel: CANNOT_CANCEL }),
    }));
  }

  async positions(account: AccountId, by?: Decider): Promise<readonly BrokerPosition[]> {
    const id = this.#idOf(account);
    await this.#session.settlePositions(id, { purpose: purposeOf(by) });
    const told = this.#session.store.positionsOf(id).map((one) => this.#toPosition(one));
    const opaque = told.filter((one) => "problem" in one);
    const known = told.filter((one): one is BrokerPosition => !("problem" in one));
    if (opaque.length > 0) throw new OpaquePositionsError(known, opaque);
    return known;
  }

  /** All that has not ended, by whatever word for that: an order of which little is told is one. */
  async workingOrders(account: AccountId, by?: Decider): Promise<readonly WorkingOrder[]> {
    const id = this.#idOf(account);
    await this.#session.questions.orders(id, purposeOf(by));
    const { store } = this.#session;
    const working = store.ordersOf(id).filter((order) => !hasEnded(statusOf(store, order)));
    const vanished = new Set(this.#session.snapshot.vanishedOf(id).map((order) => order.id));
    return working.flatMap((order) => this.#toWorking(order, vanished.has(order.id)) ?? []);
  }

  /** What of the session's accounts is not understood, by what was told until now. */
  unread(): readonly Unread[] {
    const { store, contracts, snapshot, accountOf } = this.#session;
    const accounts = store.accounts().map(({ id }) => id);
    const odd = accounts
      .flatMap((account) => store.ordersOf(account))
      .filter((order) => !hasEnded(order.status) && oddityOf(store, order) !== undefined)
      .map((order) => ({ order, problem: toOpaque(store, order, contracts.byId).problem }));
    const vanished = accounts
      .flatMap((account) => snapshot.vanishedOf(account))
      .map((order) => ({ order, problem: VANISHED }));
    const orders = [...odd, ...vanished].map(({ order, problem }) => ({
      account: accountOf(order.accountId),
      problem: `order ${order.id}: ${problem}`,
    }));
    const positions = accounts
      .flatMap((account) => store.positionsOf(account))
      .flatMap((position) => {
        const problem = this.#oddityOf(position);
        return problem === undefined ? [] : [{ account: accountOf(position.accountId), problem }];
      });
    const apart = this.#session.positions
      .late()
      .map((account) => ({ account: accountOf(account), problem: APART }));
    const broken = store.unreadable.map((what) => ({ problem: `${what}, which cannot be read` }));
    return [...orders, ...positions, ...apart, ...broken];
  }

  /** The order in any state, as far back as the broker is asked for orders by their tags. */
  async findOrder(
    account: AccountId,
    name: ClOrdId,
    now: number,
    by?: Decider,
  ): Promise<OrderReport | undefined> {
    const look = { account: this.#idOf(account), now, purpose: purposeOf(by) };
    const found = await findOrder(this.#session, name, look);
    if (found === undefined) return undefined;
    const { store, contracts } = this.#session;
    if (found.contractId !== undefined) await contracts.learn(found.contractId);
    const view = this.#session.view(found.id);
    if (view !== undefined) return reportOf(store, view);
    // It is there: an answer that there is none would let it be given up as lost.
    throw new BrokerReadError(`Order ${found.id} is not understood: ${oddityOf(store, found)}`);
  }

  /** As far back as the broker keeps them. */
  async fills(account: AccountId, sinceAt: number): Promise<readonly Fill[]> {
    const id = this.#idOf(account);
    await this.#session.questions.trades(id, sinceAt);
    const { store, contracts } = this.#session;
    return store
      .tradesIn(id)
      .filter(({ creationTimestamp }) => parseInstant(creationTimestamp) >= sinceAt)
      .flatMap((trade) => {
        const contract = contracts.byId(trade.contractId);
        const order = store.order(trade.orderId);
        const clOrdId = order === undefined ? undefined : nameOf(order);
        return contract === undefined ? [] : [toFill(trade, { contract, clOrdId })];
      });
  }

  #idOf(account: AccountId): string {
    const found = this.#session.account(account);
    if (found === undefined) throw unknownAccount(account);
    return found.id;
  }

  #toWorking(order: ProjectXOrder, hasVanished: boolean): WorkingOrder | undefined {
    const { store, contracts } = this.#session;
    const view = this.#session.view(order.id);
    if (hasVanished) return toOpaque(store, order, contracts.byId, VANISHED);
    if (view === undefined) return toOpaque(store, order, contracts.byId);
    const report = reportOf(store, view);
    return isClosed(report.ordStatus) ? undefined : report;
  }

  #toPosition(position: ProjectXPosition): BrokerPosition | OpaquePosition {
    const { contractId = "", averagePrice } = position;
    const contract = this.#session.contracts.byId(contractId);
    const netQty = toNetQty(position);
    if (contract === undefined || netQty === undefined) {
      const of = contract === undefined ? "" : ` of ${contract.code}`;
      return {
        problem: `Position ${position.id}${of} cannot be read`,
        ...(contract !== undefined && { contract: contract.code }),
      };
    }
    const { code, terms, tickSize } = contract;
    return {
      contract: code,
      netQty,
      ...(terms !== undefined && { terms }),
      ...(averagePrice !== undefined && {
        avgPx: toAveragePrice(averagePrice, Math.abs(netQty), tickSize),
      }),
    };
  }

  #oddityOf(position: ProjectXPosition): string | undefined {
    const told = this.#toPosition(position);
    if ("problem" in told) return told.problem;
    if (!isUnnamed(told.contract)) return undefined;
    return `${told.netQty} of a contract that it does not describe (${told.contract})`;
  }
}

/** Only reads that an exit decides on may use the requests that are kept for exits. */
const purposeOf = (by: Decider | undefined): Purpose =>
  by === undefined ? "read" : by === "exit" ? "protect" : "entry";

const APART = "what it holds and what it has traded do not agree";
const VANISHED = "The broker lists it no more, and does not say what became of it";
