import { type ContractCode, isUnnamed } from "../../domain/contracts/contract.ts";
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
import type { EntityStore, UnreadPosition } from "./entity-store.ts";
import { mergeList } from "./http-lists.ts";
import { hasEnded } from "./order-status.ts";
import { nameOf, oddityOf, reportOf, toFill, toOpaque, viewOrder } from "./order-view.ts";
import { toAveragePrice } from "../price-numbers.ts";
import type { TradovateSession } from "./session.ts";
import { askAbout } from "./synchronize.ts";
import { mayTrade } from "./trading-accounts.ts";
import type { TradovateAccount, TradovateOrder, TradovatePosition } from "./wire.ts";

/** What belongs to an order comes right after it; so long a read waits for it. */
const PARTS_FOLLOW_MS = 500;

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

  async positions(account: AccountId, by?: Decider): Promise<readonly BrokerPosition[]> {
    const id = await this.#accountId(account, by);
    const { positions, unread } = await this.#session.holdings(id);
    const held = positions.filter(({ netPos }) => netPos !== 0);
    const told = await Promise.all([
      ...held.map((position) => this.#toPosition(position)),
      ...unread.map((position) => this.#toOpaque(position)),
    ]);
    const opaque = told.filter((one) => "problem" in one);
    const known = addedUp(told.filter((one): one is BrokerPosition => !("problem" in one)));
    if (opaque.length === 0) return known;
    const isWhole = (code: ContractCode) => !opaque.some(({ contract }) => contract === code);
    throw new OpaquePositionsError(
      known.filter(({ contract }) => isWhole(contract)),
      opaque,
    );
  }

  /** All that has not ended, by whatever word for that: an order of which little is told is one. */
  async workingOrders(account: AccountId, by?: Decider): Promise<readonly WorkingOrder[]> {
    const id = await this.#accountId(account, by);
    const working = this.#session.store
      .all("order")
      .filter((order) => order.accountId === id && !hasEnded(order.ordStatus))
      .sort((a, b) => a.id - b.id);
    const told = await Promise.all(working.map((order) => this.#toWorking(order)));
    return told.filter((order) => order !== undefined);
  }

  /** What of a session's accounts is not understood, by what was told until now. */
  unread(): readonly Unread[] {
    const { store, contracts } = this.#session;
    const orders = store
      .all("order")
      .filter(({ id, ordStatus }) => !hasEnded(ordStatus) && oddityOf(store, id) !== undefined)
      .map((order) => {
        const { orderId, problem } = toOpaque(store, order, contracts.byId);
        const account = this.#session.accountOf(order.accountId);
        return { account, problem: `order ${orderId}: ${problem}` };
      });
    const positions = store
      .all("position")
      .filter(({ netPos }) => netPos !== 0)
      .flatMap(({ accountId, contractId, netPos }) => {
        const code = contracts.byId(contractId)?.code;
        if (code === undefined || !isUnnamed(code)) return [];
        const account = this.#session.accountOf(accountId);
        return [
          { account, problem: `${netPos} of a contract that it does not describe (${code})` },
        ];
      });
    const broken = store.unreadable.map((what) => ({ problem: `${what}, which cannot be read` }));
    return [...orders, ...positions, ...broken];
  }

  /**
   * First what the socket has told, then, since an order that is not there may only not have been
   * told, the broker's lists by HTTP.
   */
  async findOrder(
    account: AccountId,
    clOrdId: ClOrdId,
    by?: Decider,
  ): Promise<OrderReport | undefined> {
    const id = await this.#accountId(account, by);
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
      .map(async (fill) => {
        const contract = await contracts.learn(fill.contractId);
        const view = viewOrder(store, fill.orderId, contracts.byId);
        // What belongs to it may still come, its name among it.
        if (view === undefined && oddityOf(store, fill.orderId) === undefined) {
          throw incomplete(fill.orderId);
        }
        const clOrdId = view?.clOrdId ?? nameOf(store, fill.orderId);
        return contract && toFill(store, { contract, clOrdId }, fill);
      });
    const told = (await Promise.all(fills)).filter((fill) => fill !== undefined);
    return told.filter(({ transactTimeAt }) => transactTimeAt >= sinceAt);
  }

  async #accountId(account: AccountId, by?: Decider): Promise<number> {
    await (by === "exit" ? this.#session.renew() : this.#session.refresh());
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
    mergeList(store, "order", fresh);
    const ids = fresh.map((order) => (order as { id: number }).id);
    await askAbout(ids, {
      store,
      ask: async (type, query) => await this.#session.list(`${type}/ldeps?${query}`),
      take: (type, list) => void mergeList(store, type, list),
    });
    await this.#session.names.settle(ids);
  }

  async #toReport(id: number): Promise<OrderReport> {
    const { store, contracts } = this.#session;
    await contracts.learn(store.get("order", id)?.contractId ?? 0);
    const view = this.#session.view(id);
    if (view === undefined) throw incomplete(id);
    return reportOf(store, view);
  }

  /** Undefined for what ended while the rest of it was waited for. */
  async #toWorking(order: TradovateOrder): Promise<WorkingOrder | undefined> {
    const { store, contracts } = this.#session;
    const { id } = order;
    await contracts.learn(order.contractId ?? 0);
    const isClear = () =>
      this.#session.view(id) !== undefined || oddityOf(store, id) !== undefined || hasEnded(now());
    const now = () => store.get("order", id)?.ordStatus ?? "Canceled";
    await this.#session.until(isClear, PARTS_FOLLOW_MS);
    if (hasEnded(now())) return undefined;
    const view = this.#session.view(id);
    if (view === undefined) return toOpaque(store, order, contracts.byId);
    const report = reportOf(store, view);
    return isClosed(report.ordStatus) ? undefined : report;
  }

  async #toPosition(position: TradovatePosition): Promise<BrokerPosition | OpaquePosition> {
    const { contracts } = this.#session;
    const { contractId, netPos, netPrice } = position;
    const contract = await contracts.learn(contractId);
    if (contract === undefined) return await this.#toOpaque(position);
    const { code, terms, tickSize } = contract;
    return {
      contract: code,
      netQty: netPos,
      ...(terms !== undefined && { terms }),
      ...(typeof netPrice === "number" && { avgPx: toAveragePrice(netPrice, netPos, tickSize) }),
    };
  }

  async #toOpaque({
    id,
    contractId = 0,
  }: Pick<UnreadPosition, "id" | "contractId">): Promise<OpaquePosition> {
    const contract = await this.#session.contracts.learn(contractId);
    const of = contract === undefined ? "" : ` of ${contract.code}`;
    return {
      problem: `Position ${id}${of} cannot be read`,
      ...(contract !== undefined && { contract: contract.code }),
    };
  }

  #toAccount(account: TradovateAccount): BrokerAccount {
    const { id, name } = account;
    const currency = currencyOf(this.#session.store, id);
    return {
      accountId: this.#session.accountOf(id),
      name,
      number: String(id),
      ...(currency !== undefined && { currency }),
      active: mayTrade(account),
    };
  }
}

/** What is held of a contract is what all that is told of it comes to: nobody reads a second row. */
function addedUp(told: readonly BrokerPosition[]): readonly BrokerPosition[] {
  const byContract = new Map<ContractCode, BrokerPosition>();
  for (const one of told) {
    const before = byContract.get(one.contract);
    const { avgPx: _, ...rest } = one;
    const both = before && { ...rest, netQty: before.netQty + one.netQty };
    byContract.set(one.contract, both ?? one);
  }
  return [...byContract.values()].filter(({ netQty }) => netQty !== 0);
}

const incomplete = (order: number): BrokerReadError =>
  new BrokerReadError(`Tradovate has not told all of order ${order}`);

/** What the account's balance is in; undefined where the broker tells of none, or of several. */
export function currencyOf(store: Pick<EntityStore, "all" | "get">, account: number) {
  const balances = store.all("cashBalance").filter(({ accountId }) => accountId === account);
  const ids = [...new Set(balances.map(({ currencyId }) => currencyId))];
  const [id] = ids;
  const name = ids.length === 1 && id !== undefined ? store.get("currency", id)?.name : undefined;
  return name !== undefined && /^[A-Z]{3}$/.test(name) ? name : undefined;
}
