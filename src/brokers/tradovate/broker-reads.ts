import type { AccountId, ClOrdId } from "../../domain/ids.ts";
import type { Fill, OrderReport } from "../../domain/order.ts";
import { type BrokerAccount, type BrokerPosition, BrokerReadError } from "../../trading/ports.ts";
import { currencyOf } from "./account-currency.ts";
import { reportOf, toFill, viewOrder } from "./order-view.ts";
import { toAveragePrice } from "./parse.ts";
import type { TradovateSession } from "./session.ts";
import type { TradovateAccount, TradovateEntityType, TradovatePosition } from "./wire.ts";

/** Orders that may still fill. */
const WORKING: ReadonlySet<string> = new Set([
  "PendingNew",
  "Working",
  "PendingReplace",
  "PendingCancel",
  "Suspended",
]);

/** How many orders are asked about in one request. */
const ORDERS_AT_ONCE = 100;

/** The reads of one session: each asks the broker now, and throws `BrokerReadError` if it cannot. */
export class BrokerReads {
  readonly #session: TradovateSession;

  constructor(session: TradovateSession) {
    this.#session = session;
  }

  async accounts(): Promise<readonly BrokerAccount[]> {
    await this.#session.refresh();
    return this.#session.store.all("account").map((account) => this.#toAccount(account));
  }

  async positions(account: AccountId): Promise<readonly BrokerPosition[]> {
    const id = await this.#accountId(account);
    const held = (await this.#session.positions(id)).filter(({ netPos }) => netPos !== 0);
    return await Promise.all(held.map((position) => this.#toPosition(position)));
  }

  async workingOrders(account: AccountId): Promise<readonly OrderReport[]> {
    const id = await this.#accountId(account);
    const working = this.#session.store
      .all("order")
      .filter((order) => order.accountId === id && WORKING.has(order.ordStatus))
      .sort((a, b) => a.id - b.id);
    return await Promise.all(working.map((order) => this.#toReport(order.id)));
  }

  /**
   * First what the socket has told, then, since an order that is not there may only not have been
   * told, the broker's lists by HTTP.
   */
  async findOrder(account: AccountId, clOrdId: ClOrdId): Promise<OrderReport | undefined> {
    const id = await this.#accountId(account);
    const { store } = this.#session;
    const find = () => {
      const named = store.named(clOrdId);
      return named !== undefined && store.get("order", named)?.accountId === id ? named : undefined;
    };
    if (find() === undefined) await this.#learnOrders(id);
    const found = find();
    return found === undefined ? undefined : await this.#toReport(found);
  }

  /** Of the current session of the exchange: the broker keeps no others at hand. */
  async fills(account: AccountId, sinceAt: number): Promise<readonly Fill[]> {
    const id = await this.#accountId(account);
    const { store, contracts } = this.#session;
    const own = store
      .all("fill")
      .filter((fill) => store.get("order", fill.orderId)?.accountId === id);
    const fills = own
      .sort((a, b) => a.id - b.id)
      .map((fill) => {
        const view = viewOrder(store, fill.orderId, contracts.byId);
        if (view === undefined) throw incomplete(fill.orderId);
        return toFill(store, view, fill);
      });
    return fills.filter(({ transactTimeAt }) => transactTimeAt >= sinceAt);
  }

  async #accountId(account: AccountId): Promise<number> {
    await this.#session.refresh();
    const found = this.#session.account(account);
    if (found === undefined) throw new BrokerReadError(`Unknown account ${account}`);
    return found.id;
  }

  /** Asks for the orders of an account that the socket has not told, with what names them. */
  async #learnOrders(account: number): Promise<void> {
    const { store } = this.#session;
    const orders = await this.#session.list(`order/deps?masterid=${account}`);
    const isNew = (id: unknown) => typeof id === "number" && store.get("order", id) === undefined;
    const fresh = orders.filter((order) => isNew((order as { id?: unknown } | null)?.id));
    if (fresh.length === 0) return;
    this.#merge("order", fresh);
    const ids = fresh.map((order) => (order as { id: number }).id);
    for (let from = 0; from < ids.length; from += ORDERS_AT_ONCE) {
      const masters = ids.slice(from, from + ORDERS_AT_ONCE).join(",");
      for (const type of ["command", "orderVersion", "fill"] as const) {
        this.#merge(type, await this.#session.list(`${type}/ldeps?masterids=${masters}`));
      }
    }
  }

  #merge(type: TradovateEntityType, list: readonly unknown[]): void {
    try {
      this.#session.store.merge(type, list);
    } catch (error) {
      throw new BrokerReadError(error instanceof Error ? error.message : "An unreadable list");
    }
  }

  async #toReport(id: number): Promise<OrderReport> {
    const { store, contracts } = this.#session;
    const contract = store.get("order", id)?.contractId ?? 0;
    if (contracts.byId(contract) === undefined) await contracts.learn(contract);
    const view = this.#session.view(id);
    if (view === undefined) throw incomplete(id);
    return reportOf(store, view);
  }

  async #toPosition(position: TradovatePosition): Promise<BrokerPosition> {
    const { contracts } = this.#session;
    const { contractId, netPos, netPrice } = position;
    if (contracts.byId(contractId) === undefined) await contracts.learn(contractId);
    const contract = contracts.byId(contractId);
    if (contract === undefined || netPrice === undefined) {
      throw new BrokerReadError(`Tradovate has not told all of the position ${position.id}`);
    }
    const avgPx = toAveragePrice(netPrice, netPos, contract.tickSize);
    return { contract: contract.code, netQty: netPos, avgPx };
  }

  #toAccount(account: TradovateAccount): BrokerAccount {
    const { id, name, active, readonly, restricted, closed, archived } = account;
    const isBarred = [readonly, restricted, closed, archived].includes(true);
    const currency = currencyOf(this.#session.store, id);
    return {
      accountId: this.#session.accountOf(id),
      name,
      ...(currency !== undefined && { currency }),
      active: active && !isBarred,
    };
  }
}

const incomplete = (order: number): BrokerReadError =>
  new BrokerReadError(`Tradovate has not told all of order ${order}`);
