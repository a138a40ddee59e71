import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { AccountId, ClOrdId, ExecId, OrderId } from "../../../domain/ids.ts";
import { type Fill, isClosed, sign } from "../../../domain/order.ts";
import { applyFill, flat, type Position } from "../../../domain/position.ts";
import type { ExchangeOrder } from "./exchange-order.ts";

/** Everything an account is, for carrying it over a restart. */
export interface AccountState {
  readonly lastId: number;
  readonly orders: readonly ExchangeOrder[];
  readonly positions: readonly Position[];
  readonly fills: readonly Fill[];
}

export const KEPT_CLOSED_ORDERS = 1_000;
export const KEPT_FILLS = 5_000;
export const KEPT_MS = 7 * 86_400_000;
/** Forgetting goes in lots and by the hour: taking the oldest out one by one is slow. */
const SLACK = 100;
const LOOK_MS = 3_600_000;

/** The orders, positions and fills of one account at the exchange. */
export class ExchangeAccount {
  readonly accountId: AccountId;
  readonly working = new Map<OrderId, ExchangeOrder>();
  readonly closed = new Map<OrderId, ExchangeOrder>();
  readonly positions = new Map<ContractCode, Position>();
  readonly fills = new Map<ExecId, Fill>();
  readonly #byClOrdId = new Map<ClOrdId, ExchangeOrder>();
  #lastId: number;
  #nextLookAt = 0;

  constructor(accountId: AccountId, state?: AccountState) {
    this.accountId = accountId;
    this.#lastId = state?.lastId ?? 0;
    // As they stood: working orders as they came in, ended ones as they ended.
    const orders = [...(state?.orders ?? [])].sort(byOrderId);
    const isOver = ({ ordStatus }: ExchangeOrder) => isClosed(ordStatus);
    for (const order of orders.filter((each) => !isOver(each))) this.add(order);
    for (const order of orders.filter(isOver).sort(byTime)) this.add(order);
    for (const position of state?.positions ?? []) this.positions.set(position.contract, position);
    for (const fill of [...(state?.fills ?? [])].sort(byExecId)) this.fills.set(fill.execId, fill);
  }

  /** The last number given to an order or a fill. */
  get lastId(): number {
    return this.#lastId;
  }

  nextId(): string {
    this.#lastId += 1;
    return String(this.#lastId);
  }

  order(id: OrderId): ExchangeOrder | undefined {
    return this.working.get(id) ?? this.closed.get(id);
  }

  orderOf(clOrdId: ClOrdId): ExchangeOrder | undefined {
    return this.#byClOrdId.get(clOrdId);
  }

  add(order: ExchangeOrder): void {
    (isClosed(order.ordStatus) ? this.closed : this.working).set(order.orderId, order);
    if (order.clOrdId !== undefined) this.#byClOrdId.set(order.clOrdId, order);
  }

  /** Moves an order that has ended to where it is only looked up. */
  close(order: ExchangeOrder): void {
    this.working.delete(order.orderId);
    this.closed.set(order.orderId, order);
  }

  /**
   * Books a fill. Returns the ticks it won by closing something; undefined when it only opened.
   * A position counts its gains from flat on, so turning it around starts the count again.
   */
  book(fill: Pick<Fill, "contract" | "side" | "lastQty" | "lastPx">): number | undefined {
    const before = this.positions.get(fill.contract) ?? flat(fill.contract);
    const after = applyFill(before, fill);
    const closes = Math.sign(before.netQty) === -sign(fill.side);
    const turns = closes && Math.sign(after.netQty) === sign(fill.side);

    if (after.netQty === 0) this.positions.delete(fill.contract);
    else this.positions.set(fill.contract, turns ? { ...after, realizedTicks: 0 } : after);
    return closes ? after.realizedTicks - before.realizedTicks : undefined;
  }

  /** Forgets the oldest ended orders beyond what is kept; returns their ids. */
  forgetOrders(now: number): readonly OrderId[] {
    if (this.closed.size <= KEPT_CLOSED_ORDERS + SLACK && now < this.#nextLookAt) return [];
    this.#nextLookAt = now + LOOK_MS;
    const forgotten: OrderId[] = [];
    for (const order of this.closed.values()) {
      if (this.closed.size <= KEPT_CLOSED_ORDERS && order.transactTimeAt > now - KEPT_MS) break;
      this.closed.delete(order.orderId);
      if (order.clOrdId !== undefined) this.#byClOrdId.delete(order.clOrdId);
      forgotten.push(order.orderId);
    }
    return forgotten;
  }

  /** Forgets the oldest fills beyond what is kept; returns their ids. */
  forgetFills(): readonly ExecId[] {
    if (this.fills.size <= KEPT_FILLS + SLACK) return [];
    const forgotten: ExecId[] = [];
    for (const execId of this.fills.keys()) {
      if (this.fills.size <= KEPT_FILLS) break;
      this.fills.delete(execId);
      forgotten.push(execId);
    }
    return forgotten;
  }
}

function byTime(a: ExchangeOrder, b: ExchangeOrder): number {
  return a.transactTimeAt - b.transactTimeAt;
}

function byOrderId(a: ExchangeOrder, b: ExchangeOrder): number {
  return Number(a.orderId) - Number(b.orderId);
}

function byExecId(a: Fill, b: Fill): number {
  return Number(a.execId) - Number(b.execId);
}
