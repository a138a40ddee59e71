import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import { formatTicks, type Ticks } from "../../../src/domain/contracts/price.ts";
import type { OrderId } from "../../../src/domain/ids.ts";
import type { OrderReport, OrdStatus } from "../../../src/domain/order.ts";
import type { Clock } from "./clock.ts";
import type { Contracts } from "./contracts.ts";
import { type HubOrder, ORDER_TYPE, type OrderEntity, STATUS } from "./entities.ts";

/** An order as it is kept: what the matching core knows of it, and what it is called outside. */
export interface BookedOrder {
  readonly id: number;
  readonly account: number;
  readonly code: ContractCode;
  readonly customTag: string | null;
  readonly createdAt: number;
  /** Absent on what the core does not know (yet). */
  coreId: OrderId | undefined;
  report: OrderReport;
  status: number;
  parent: number | null;
  linked: number | null;
  updated: string | null;
  readonly created: string;
  /** Whether it was ever live: a child that waits is in no list. */
  wasLive: boolean;
}

/** What is known of a new order. */
export interface Booking {
  readonly account: number;
  readonly customTag: string | null;
  readonly report: OrderReport;
  readonly coreId?: OrderId;
  readonly parent?: number | null;
  readonly linked?: number | null;
}

const FIRST_ORDER = 1_810_000_001;

/** All orders of all accounts, under the broker's own numbers. */
export class OrderBook {
  readonly #clock: Clock;
  readonly #contracts: Contracts;
  readonly #orders = new Map<number, BookedOrder>();
  readonly #byCore = new Map<string, BookedOrder>();
  readonly #tags = new Set<string>();
  #lastId = FIRST_ORDER;

  constructor(clock: Clock, contracts: Contracts) {
    this.#clock = clock;
    this.#contracts = contracts;
  }

  /** A tag is used up for ever by the order that had it, whatever became of that one [COM]. */
  isUsed(account: number, tag: string): boolean {
    return this.#tags.has(`${account} ${tag}`);
  }

  add({ account, customTag, report, coreId, parent = null, linked = null }: Booking): BookedOrder {
    this.#lastId += 1;
    const status = statusOf(report.ordStatus);
    const order: BookedOrder = {
      id: this.#lastId,
      account,
      code: report.contract,
      customTag,
      createdAt: this.#clock.now(),
      coreId,
      report,
      status,
      parent,
      linked,
      created: this.#clock.stamp(),
      updated: null,
      wasLive: status !== STATUS.suspended,
    };
    this.#orders.set(order.id, order);
    if (coreId !== undefined) this.bind(order, coreId);
    if (customTag !== null) this.#tags.add(`${account} ${customTag}`);
    return order;
  }

  /** From now on it is this one of the core. */
  bind(order: BookedOrder, coreId: OrderId): void {
    order.coreId = coreId;
    this.#byCore.set(`${order.account} ${coreId}`, order);
  }

  update(order: BookedOrder, report: OrderReport, status = statusOf(report.ordStatus)): void {
    order.report = report;
    order.status = status;
    order.wasLive ||= status !== STATUS.suspended;
    order.updated = this.#clock.stamp();
  }

  byId(id: number): BookedOrder | undefined {
    return this.#orders.get(id);
  }

  byCore(account: number, coreId: OrderId): BookedOrder | undefined {
    return this.#byCore.get(`${account} ${coreId}`);
  }

  of(account: number): readonly BookedOrder[] {
    return [...this.#orders.values()].filter((order) => order.account === account);
  }

  childrenOf(id: number): readonly BookedOrder[] {
    return [...this.#orders.values()].filter((order) => order.parent === id);
  }

  /** As REST lists it. */
  entity(order: BookedOrder): OrderEntity {
    const { report, code } = order;
    const listed = this.#contracts.byCode(code);
    const isWaiting = order.status === STATUS.suspended;
    const price = (at: Ticks | undefined) =>
      at === undefined || isWaiting || listed === undefined
        ? null
        : Number(formatTicks(at, listed.tickSize));
    return {
      id: order.id,
      accountId: order.account,
      contractId: listed?.entity.id ?? code,
      symbolId: listed?.entity.symbolId ?? code,
      creationTimestamp: order.created,
      updateTimestamp: order.updated,
      status: order.status,
      type: TYPES[report.ordType] ?? 0,
      side: report.side === "BUY" ? 0 : 1,
      size: report.orderQty,
      limitPrice: price(report.price),
      stopPrice: price(report.stopPx),
      fillVolume: report.cumQty,
      filledPrice: this.#average(order),
      customTag: order.customTag,
    };
  }

  hubOrder(order: BookedOrder): HubOrder {
    return {
      ...this.entity(order),
      parentOrderId: order.parent,
      linkedOrderId: order.linked,
      trailDistance: null,
      trailPrice: null,
    };
  }

  #average({ report: { avgPx }, code }: BookedOrder): number | null {
    const size = this.#contracts.byCode(code)?.entity.tickSize;
    if (avgPx === undefined || size === undefined) return null;
    return Number(((avgPx.numerator / avgPx.denominator) * size).toFixed(8));
  }
}

const TYPES: Readonly<Record<string, number>> = {
  LIMIT: ORDER_TYPE.limit,
  MARKET: ORDER_TYPE.market,
  STOP: ORDER_TYPE.stop,
};

const STATUSES: Readonly<Record<OrdStatus, number>> = {
  PENDING_NEW: STATUS.pending,
  HELD: STATUS.suspended,
  NEW: STATUS.open,
  PARTIALLY_FILLED: STATUS.open,
  PENDING_CANCEL: STATUS.pendingCancellation,
  FILLED: STATUS.filled,
  CANCELED: STATUS.cancelled,
  EXPIRED: STATUS.expired,
  REJECTED: STATUS.rejected,
};

const statusOf = (status: OrdStatus): number => STATUSES[status];

const ENDED: ReadonlySet<number> = new Set([
  STATUS.filled,
  STATUS.cancelled,
  STATUS.expired,
  STATUS.rejected,
]);

export const hasEnded = ({ status }: BookedOrder): boolean => ENDED.has(status);
