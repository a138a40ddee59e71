import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import { formatTicks, type Ticks, ticks } from "../../../src/domain/contracts/price.ts";
import type { OrderId } from "../../../src/domain/ids.ts";
import type { OrderReport, OrdStatus } from "../../../src/domain/order.ts";
import type { Clock } from "./clock.ts";
import type { Contracts, Listed } from "./contracts.ts";
import { ENDED, type HubOrder, ORDER_TYPE, type OrderEntity, STATUS } from "./entities.ts";

/** An order as it is kept: what the matching core knows of it, and what it is called outside. */
export interface BookedOrder {
  readonly id: number;
  readonly account: number;
  readonly code: ContractCode;
  readonly customTag: string | null;
  /** The type by its number, where the core knows it by another one. */
  readonly calledType: number | undefined;
  /** How many ticks a child is away from its entry's fill, as it was asked for. */
  readonly distance: number | undefined;
  readonly createdAt: number;
  /** Absent on what the core does not know (yet). */
  coreId: OrderId | undefined;
  report: OrderReport;
  status: number;
  readonly parent: number | null;
  linked: number | null;
  updated: string | null;
  readonly created: string;
  /** Whether it was ever live: a child that waits is in no list. */
  wasLive: boolean;
  /** A cancel of it is taken, and not carried out yet. */
  isCanceling: boolean;
  /** How lists had it since when; undefined where they did not. */
  readonly past: { readonly at: number; readonly entity: OrderEntity | undefined }[];
}

/** What is known of a new order. */
export interface Booking {
  readonly account: number;
  readonly customTag: string | null;
  readonly report: OrderReport;
  readonly coreId?: OrderId;
  readonly calledType?: number | undefined;
  readonly distance?: number;
  readonly parent?: number;
  readonly linked?: number | undefined;
}

/** An order as a list has it. */
export interface ListedOrder {
  readonly createdAt: number;
  readonly entity: OrderEntity;
}

const FIRST_ORDER = 1_810_000_001;
/** Lists that are behind are so by seconds: no order changes more often in them. */
const PAST_KEPT = 100;

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

  add(booking: Booking): BookedOrder {
    const { account, customTag, report, coreId, calledType, distance } = booking;
    this.#lastId += 1;
    const status = statusOf(report.ordStatus);
    const order: BookedOrder = {
      id: this.#lastId,
      account,
      code: report.contract,
      customTag,
      calledType,
      distance,
      createdAt: this.#clock.now(),
      coreId,
      report,
      status,
      parent: booking.parent ?? null,
      linked: booking.linked ?? null,
      created: this.#clock.stamp(),
      updated: null,
      wasLive: status !== STATUS.suspended,
      isCanceling: false,
      past: [],
    };
    this.#orders.set(order.id, order);
    if (coreId !== undefined) this.bind(order, coreId);
    if (customTag !== null) this.#tags.add(`${account} ${customTag}`);
    this.#keep(order);
    return order;
  }

  /** From now on it is this one of the core. */
  bind(order: BookedOrder, coreId: OrderId): void {
    order.coreId = coreId;
    this.#byCore.set(`${order.account} ${coreId}`, order);
  }

  update(order: BookedOrder, report: OrderReport, status = statusOf(report.ordStatus)): void {
    order.report = report;
    const isLeaving = order.isCanceling && status === STATUS.open;
    order.status = isLeaving ? STATUS.pendingCancellation : status;
    order.wasLive ||= status !== STATUS.suspended;
    order.updated = this.#clock.stamp();
    this.#keep(order);
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

  /** As lists had the account's orders then; children that wait are in none. */
  listed(account: number, at: number): readonly ListedOrder[] {
    return this.of(account).flatMap(({ createdAt, past }) => {
      const entity = past.findLast((each) => each.at <= at)?.entity;
      return entity === undefined ? [] : [{ createdAt, entity }];
    });
  }

  /** As REST lists it. */
  entity(order: BookedOrder): OrderEntity {
    const { report, code } = order;
    const listed = this.#contracts.byCode(code);
    const isWaiting = order.status === STATUS.suspended;
    const price = (at: Ticks | undefined) => (isWaiting ? null : pointsOf(at, listed));
    return {
      id: order.id,
      accountId: order.account,
      contractId: listed?.entity.id ?? code,
      symbolId: listed?.entity.symbolId ?? code,
      creationTimestamp: order.created,
      updateTimestamp: order.updated,
      status: order.status,
      type: order.calledType ?? TYPES[report.ordType] ?? 0,
      side: report.side === "BUY" ? 0 : 1,
      size: report.orderQty,
      limitPrice: price(report.price),
      stopPrice: price(report.stopPx),
      fillVolume: report.cumQty,
      filledPrice: this.#average(order),
      customTag: order.customTag,
    };
  }

  /** What a child and a trailing stop are away is told in ticks, and in points as its price [CAP]. */
  hubOrder(order: BookedOrder): HubOrder {
    const { distance, report, code } = order;
    const trail = distance ?? report.trailOffset;
    return {
      ...this.entity(order),
      parentOrderId: order.parent,
      linkedOrderId: order.linked,
      trailDistance: trail ?? null,
      trailPrice: pointsOf(trail, this.#contracts.byCode(code)),
    };
  }

  #keep(order: BookedOrder): void {
    const { past, wasLive, status } = order;
    const isListed = wasLive && status !== STATUS.suspended;
    past.push({ at: this.#clock.now(), entity: isListed ? this.entity(order) : undefined });
    if (past.length > PAST_KEPT) past.shift();
  }

  #average({ report: { avgPx }, code }: BookedOrder): number | null {
    const size = this.#contracts.byCode(code)?.entity.tickSize;
    if (avgPx === undefined || size === undefined) return null;
    return Number(((avgPx.numerator / avgPx.denominator) * size).toFixed(8));
  }
}

const pointsOf = (at: number | undefined, listed: Listed | undefined): number | null =>
  at === undefined || listed === undefined ? null : Number(formatTicks(ticks(at), listed.tickSize));

const TYPES: Readonly<Record<string, number>> = {
  LIMIT: ORDER_TYPE.limit,
  MARKET: ORDER_TYPE.market,
  STOP: ORDER_TYPE.stop,
  TRAILING_STOP: ORDER_TYPE.trailingStop,
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

export const hasEnded = ({ status }: BookedOrder): boolean => ENDED.has(status);
