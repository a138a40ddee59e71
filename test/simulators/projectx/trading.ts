import assert from "node:assert/strict";
import { Exchange } from "../../../src/brokers/paper/exchange/exchange.ts";
import type { Quote } from "../../../src/brokers/paper/exchange/contract-book.ts";
import { REASONS } from "../../../src/brokers/paper/exchange/check-order.ts";
import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import { ticks } from "../../../src/domain/contracts/price.ts";
import {
  type AccountId,
  accountId,
  type ClOrdId,
  clOrdId,
  type OrderId,
  orderId,
} from "../../../src/domain/ids.ts";
import { toReport } from "../../../src/brokers/paper/exchange/exchange-order.ts";
import type { AccountView } from "../exchange/desk.ts";
import {
  type ExecutionReport,
  type NewOrderSingle,
  opposite,
  type OrderChange,
  type OrderReport,
  type Side,
  sign,
} from "../../../src/domain/order.ts";
import { openingQuote, productOf } from "../exchange/market.ts";
import type { Clock } from "./clock.ts";
import { STATUS } from "./entities.ts";
import type { Journal } from "./journal.ts";
import { type BookedOrder, hasEnded, type OrderBook } from "./order-book.ts";
import type { Settings } from "./settings.ts";

/** A leg as it is asked for: ticks away from the entry's fill, never negative here. */
export interface WantedLeg {
  readonly distance: number;
}

/** An order as it was read. */
export interface WantedOrder {
  readonly account: number;
  readonly code: ContractCode;
  readonly side: Side;
  readonly size: number;
  readonly type: "LIMIT" | "MARKET" | "STOP";
  readonly price?: number;
  readonly stopPx?: number;
  readonly tag: string | null;
  readonly takeProfit?: WantedLeg;
  readonly stopLoss?: WantedLeg;
}

export type Outcome =
  | { readonly kind: "taken"; readonly order: BookedOrder }
  | { readonly kind: "refused"; readonly reason: string; readonly order?: BookedOrder };

export interface TradingDeps {
  readonly clock: Clock;
  readonly orders: OrderBook;
  readonly journal: Journal;
  readonly settings: (account: number) => Settings;
}

interface Told {
  readonly account: AccountId;
  readonly report: ExecutionReport;
}

/** Children that the core does not know yet. */
interface Waiting {
  readonly entry: BookedOrder;
  readonly target: BookedOrder | undefined;
  readonly stop: BookedOrder | undefined;
}

/**
 * Commands, carried out by the matching core. What the core does is kept while it runs, and told when
 * it is done; what follows from it by ProjectX's own rules comes after that.
 */
export class Trading {
  readonly #deps: TradingDeps;
  readonly #exchange: Exchange;
  readonly #told: Told[] = [];
  #waiting: Waiting[] = [];
  /** Names of the core's orders: tags may be missing there, and are not made by its rules. */
  #lastName = 0;

  constructor(deps: TradingDeps) {
    this.#deps = deps;
    this.#exchange = new Exchange({
      product: productOf,
      now: deps.clock.now,
      sessionHours: true,
      pairs: (account) => ({
        areLinked: deps.settings(Number(account)).siblingOnPartFill === "shrinks",
        cancelEndsBoth: deps.settings(Number(account)).siblingOnCancel === "ends",
      }),
      events: {
        onReport: (account, report) => this.#told.push({ account, report }),
      },
    });
  }

  open(account: number): void {
    this.#exchange.addAccount(accountId(String(account)));
  }

  /** What is held, signed. */
  netQty(account: number, code: ContractCode): number {
    return this.#account(account).positions.get(code)?.netQty ?? 0;
  }

  /** Under the broker's own numbers, and the tags that clients gave. */
  view(account: number): Omit<AccountView, "isActive"> {
    const core = this.#account(account);
    const { orders } = this.#deps;
    const outside = <Seen extends { readonly orderId: OrderId; readonly clOrdId?: ClOrdId }>(
      seen: Seen,
    ): Seen => {
      const booked = orders.byCore(account, seen.orderId);
      const { clOrdId: _, ...rest } = seen;
      const tag = booked?.customTag ?? undefined;
      const id = orderId(String(booked?.id ?? 0));
      return { ...rest, orderId: id, ...(tag !== undefined && { clOrdId: clOrdId(tag) }) } as Seen;
    };
    return {
      positions: [...core.positions.values()]
        .filter(({ netQty }) => netQty !== 0)
        .map(({ contract, netQty }) => ({ contract, netQty })),
      workingOrders: [...core.working.values()].map((order) => outside(toReport(order))),
      fills: [...core.fills.values()].map((fill) => outside(fill)),
    };
  }

  quoteOf(code: ContractCode): Quote {
    this.#wantQuote(code);
    return this.#exchange.quote(code) ?? openingQuote(code);
  }

  setQuote(code: ContractCode, quote: Quote): void {
    this.#exchange.setQuote(code, quote);
    this.#settle();
  }

  expireOrders(): void {
    this.#exchange.expireOrders();
    this.#settle();
  }

  /** A refused order is kept, and its tag is used up [COM]. */
  place(wanted: WantedOrder): Outcome {
    const { account } = wanted;
    const { childrenOn } = this.#deps.settings(account);
    const isDeferred = childrenOn !== "eachFill";
    this.#wantQuote(wanted.code);
    const name = this.#newName();
    const request = toRequest(wanted, name, !isDeferred);
    const outcome = this.#exchange.submitOrder(accountId(String(account)), request);
    const booked = this.#bookNew(wanted, name);
    if (isDeferred && outcome.kind === "accepted") this.#defer(booked, wanted);
    this.#tellNew(booked);
    this.#settle();
    if (outcome.kind === "accepted") return { kind: "taken", order: booked };
    return { kind: "refused", reason: outcome.reason, order: booked };
  }

  /** An order that the broker keeps as refused, and the exchange never saw. */
  keepRefused(wanted: WantedOrder): BookedOrder {
    const { orders, journal } = this.#deps;
    const order = orders.add({
      account: wanted.account,
      customTag: wanted.tag,
      report: reportOf(wanted, "REJECTED", this.#deps.clock.now()),
    });
    journal.tellOrder(order, 0);
    return order;
  }

  /** An order that is taken, and refused by the risk check a moment later. */
  keepPending(wanted: WantedOrder): BookedOrder {
    const { orders, journal } = this.#deps;
    const order = orders.add({
      account: wanted.account,
      customTag: wanted.tag,
      report: reportOf(wanted, "PENDING_NEW", this.#deps.clock.now()),
    });
    journal.tellOrder(order, 0);
    return order;
  }

  refusePending(order: BookedOrder): void {
    const { orders, journal } = this.#deps;
    orders.update(order, { ...order.report, ordStatus: "REJECTED", leavesQty: 0 });
    journal.tellOrder(order, 1);
  }

  cancel(order: BookedOrder): string | undefined {
    if (hasEnded(order)) return REASONS.tooLate;
    const { coreId, account } = order;
    if (coreId === undefined) this.#cancelWaiting(order);
    else {
      const outcome = this.#exchange.cancelOrder(accountId(String(account)), coreId);
      if (outcome.kind === "rejected") return outcome.reason;
    }
    this.#settle();
    return undefined;
  }

  modify(
    order: BookedOrder,
    change: { readonly size?: number; readonly price?: number; readonly stopPx?: number },
  ): string | undefined {
    if (hasEnded(order)) return REASONS.tooLate;
    const { coreId, account } = order;
    const { size, price, stopPx } = change;
    const wanted = {
      ...(size !== undefined && { orderQty: size }),
      ...(price !== undefined && { price: ticks(price) }),
      ...(stopPx !== undefined && { stopPx: ticks(stopPx) }),
    };
    if (coreId === undefined) {
      const { orders, journal } = this.#deps;
      orders.update(order, { ...order.report, ...wanted }, STATUS.suspended);
      journal.tellOrder(order, 1);
      return undefined;
    }
    const asked: OrderChange = { orderId: coreId, ...wanted };
    const outcome = this.#exchange.modifyOrder(accountId(String(account)), asked);
    this.#settle();
    return outcome.kind === "rejected" ? outcome.reason : undefined;
  }

  /** A market order over what is held, or a part of it. Children and other orders stay as they are. */
  close(account: number, code: ContractCode, size: number): Outcome {
    const net = this.netQty(account, code);
    const side = net > 0 ? "SELL" : "BUY";
    return this.place({ account, code, side, size, type: "MARKET", tag: null });
  }

  #bookNew({ account, tag }: WantedOrder, name: ClOrdId): BookedOrder {
    const { orders } = this.#deps;
    const entry = this.#account(account).orderOf(name);
    assert(entry !== undefined, "the core keeps what it refuses too");
    const first = this.#firstReports(account);
    const own = first.get(entry.orderId);
    assert(own !== undefined, "a new order is reported");
    const booked = orders.add({ account, customTag: tag, report: own, coreId: entry.orderId });
    for (const [coreId, report] of first) {
      if (coreId === entry.orderId || report.parentOrderId !== entry.orderId) continue;
      const ending = report.role === "TAKE_PROFIT" ? "TP" : "SL";
      const customTag = tag === null ? null : `${tag}-${ending}`;
      orders.add({ account, customTag, report, coreId, parent: booked.id });
    }
    this.#link(booked);
    return booked;
  }

  /** The target names its stop, and the stop nothing [CAP]. */
  #link(entry: BookedOrder): void {
    const children = this.#deps.orders.childrenOf(entry.id);
    const target = children.find(({ report }) => report.role === "TAKE_PROFIT");
    const stop = children.find(({ report }) => report.role === "STOP_LOSS");
    if (target !== undefined && stop !== undefined) target.linked = stop.id;
  }

  /** How each order of the account that is not booked yet was reported first. */
  #firstReports(account: number): ReadonlyMap<OrderId, OrderReport> {
    const first = new Map<OrderId, OrderReport>();
    for (const { account: of, report } of this.#told) {
      const { orderId: id } = report.order;
      if (Number(of) === account && !first.has(id)) first.set(id, report.order);
    }
    return first;
  }

  /** Children are told before their entry, and the entry as pending before all else [CAP]. */
  #tellNew(booked: BookedOrder): void {
    const { orders, journal } = this.#deps;
    for (const child of orders.childrenOf(booked.id)) journal.tellOrder(child, 0);
    const isRefused = booked.status === STATUS.rejected;
    journal.tellOrder(booked, 0, isRefused ? undefined : { status: STATUS.pending });
  }

  /** Children by our own rules: the core hears of them when they go live. */
  #defer(entry: BookedOrder, wanted: WantedOrder): void {
    const { price: _price, stopPx: _stopPx, ...unpriced } = wanted;
    const { takeProfit, stopLoss, account, tag, side } = wanted;
    if (takeProfit === undefined && stopLoss === undefined) return;
    const { orders, clock } = this.#deps;
    const book = (ending: "TP" | "SL") =>
      orders.add({
        account,
        customTag: tag === null ? null : `${tag}-${ending}`,
        parent: entry.id,
        report: {
          ...reportOf({ ...unpriced, side: opposite(side) }, "HELD", clock.now()),
          ordType: ending === "TP" ? "LIMIT" : "STOP",
          role: ending === "TP" ? "TAKE_PROFIT" : "STOP_LOSS",
        },
      });
    const target = takeProfit === undefined ? undefined : book("TP");
    const stop = stopLoss === undefined ? undefined : book("SL");
    this.#link(entry);
    this.#waiting.push({ entry, target, stop });
    this.#distances.set(entry.id, wanted);
  }

  readonly #distances = new Map<number, WantedOrder>();

  /** Tells what the core has done, and does what follows from it, until nothing does. */
  #settle(): void {
    for (;;) {
      const told = this.#told.splice(0);
      if (told.length === 0) return;
      for (const each of told) if (!isPassedAtOnce(each, told)) this.#tell(each);
      for (const each of told) this.#follow(each);
      this.#activate();
    }
  }

  #tell({ account, report }: Told): void {
    const { orders, journal } = this.#deps;
    const core = this.#account(Number(account));
    const order = orders.byCore(Number(account), report.order.orderId);
    if (order === undefined) return;
    const isBooked = report.execType === "NEW" && report.order === order.report;
    // A child that waits was told when it was booked.
    if (isBooked && report.order.ordStatus === "HELD") return;
    if (report.execType === "REJECTED" || hasEnded(order)) return;
    if (this.#isUsedUp(order, report)) {
      // One that the other has used up is told as what it is then: ended.
      if (report.fill === undefined) return;
      const filled = { ...report.order, ordStatus: "FILLED", leavesQty: 0 } as const;
      journal.note(order, { ...report, order: filled });
    } else journal.note(order, report);
    if (report.fill !== undefined) journal.position(core, report.order.contract);
  }

  #follow({ account, report }: Told): void {
    const { orders, settings } = this.#deps;
    const of = settings(Number(account));
    const order = orders.byCore(Number(account), report.order.orderId);
    if (order === undefined || report.fill === undefined) return;
    const isFilled = report.order.ordStatus === "FILLED";
    if (order.parent !== null) {
      if (this.#isUsedUp(order, report)) {
        this.#end(order);
        this.#endSiblings(order);
      }
      if (of.siblingOnPartFill === "stays" && isFilled) this.#endSiblings(order);
      return;
    }
    if (
      of.partialExit === "endsChildren" &&
      reduces(report, this.netQty(order.account, order.code))
    ) {
      this.#endChildrenIn(order.account, order.code);
    }
  }

  /** To the core a child waits for what its entry may still fill. */
  #isUsedUp(order: BookedOrder, { order: { ordStatus } }: ExecutionReport): boolean {
    const { usedUpChildren } = this.#deps.settings(order.account);
    const isLive = order.parent !== null && order.wasLive;
    return usedUpChildren === "end" && isLive && ordStatus === "HELD";
  }

  #endSiblings(child: BookedOrder): void {
    for (const sibling of this.#deps.orders.childrenOf(child.parent ?? 0)) {
      if (sibling !== child && !hasEnded(sibling)) this.#end(sibling);
    }
  }

  #endChildrenIn(account: number, code: ContractCode): void {
    for (const order of this.#deps.orders.of(account)) {
      const isLiveChild = order.parent !== null && order.status === STATUS.open;
      if (order.code === code && isLiveChild) this.#end(order);
    }
  }

  #end(order: BookedOrder): void {
    if (order.coreId === undefined) return;
    this.#exchange.cancelOrder(accountId(String(order.account)), order.coreId);
  }

  /** Children that wait for more than their entry's first fill. */
  #activate(): void {
    this.#waiting = this.#waiting.filter((group) => !this.#isOver(group));
  }

  /** Whether they need not wait any longer: they go live, or end with their entry. */
  #isOver(group: Waiting): boolean {
    const { entry } = group;
    const { childrenOn } = this.#deps.settings(entry.account);
    const isFilled = entry.status === STATUS.filled;
    const isDue = childrenOn === "fullFill" ? isFilled : entry.report.cumQty > 0;
    if (isDue) this.#goLive(group);
    else if (hasEnded(entry)) for (const child of liveOf(group)) this.#cancelWaiting(child);
    return isDue || hasEnded(entry);
  }

  #goLive({ entry, target, stop }: Waiting): void {
    const wanted = this.#distances.get(entry.id);
    const { avgPx, side, cumQty, contract } = entry.report;
    if (wanted === undefined || avgPx === undefined) return;
    const from = Math.round(avgPx.numerator / avgPx.denominator);
    const [wins, name] = [sign(side), this.#newName()];
    const legs = [
      ...(target === undefined || hasEnded(target)
        ? []
        : [{ child: target, kind: "takeProfit" as const, name: clOrdId(`${name}-TP`) }]),
      ...(stop === undefined || hasEnded(stop)
        ? []
        : [{ child: stop, kind: "stopLoss" as const, name: clOrdId(`${name}-SL`) }]),
    ];
    const target_ = legs.find(({ kind }) => kind === "takeProfit");
    const stop_ = legs.find(({ kind }) => kind === "stopLoss");
    if (legs.length === 0) return;
    const at = (child: BookedOrder, own: "price" | "stopPx", distance: number) =>
      ticks(child.report[own] ?? from + distance);
    const outcome = this.#exchange.submitProtection(accountId(String(entry.account)), {
      contract,
      side: opposite(side),
      orderQty: cumQty,
      ...(target_ !== undefined && {
        takeProfit: {
          clOrdId: target_.name,
          price: at(target_.child, "price", wins * (wanted.takeProfit?.distance ?? 0)),
        },
      }),
      ...(stop_ !== undefined && {
        stopLoss: {
          clOrdId: stop_.name,
          stopPx: at(stop_.child, "stopPx", -wins * (wanted.stopLoss?.distance ?? 0)),
        },
      }),
    });
    for (const leg of legs) {
      // The market has passed the stop by then: both are gone, and the position stands bare.
      if (outcome.kind === "rejected") this.#cancelWaiting(leg.child);
      else {
        const core = this.#account(entry.account).orderOf(leg.name);
        if (core !== undefined) this.#deps.orders.bind(leg.child, core.orderId);
      }
    }
  }

  #cancelWaiting(child: BookedOrder): void {
    const { orders, journal } = this.#deps;
    orders.update(child, { ...child.report, ordStatus: "CANCELED", leavesQty: 0 });
    journal.tellOrder(child, 1);
  }

  #wantQuote(code: ContractCode): void {
    const isQuoted = this.#exchange.quote(code) !== undefined;
    if (!isQuoted && productOf(code) !== undefined) {
      this.#exchange.setQuote(code, openingQuote(code));
    }
  }

  #account(id: number) {
    const account = this.#exchange.account(accountId(String(id)));
    assert(account !== undefined, `account ${id} is open`);
    return account;
  }

  #newName(): ClOrdId {
    this.#lastName += 1;
    return clOrdId(`core${this.#lastName}`);
  }
}

/** A market order is never told as open: it goes from pending to filled [CAP]. */
function isPassedAtOnce({ account, report }: Told, told: readonly Told[]): boolean {
  if (report.execType !== "NEW" || report.order.ordType !== "MARKET") return false;
  const { orderId } = report.order;
  return told.some(
    (each) =>
      each.account === account &&
      each.report.order.orderId === orderId &&
      each.report.execType === "TRADE",
  );
}

const liveOf = ({ target, stop }: Waiting): readonly BookedOrder[] =>
  [target, stop].filter((child): child is BookedOrder => child !== undefined && !hasEnded(child));

/** Whether a fill leaves less of the position than there was, and some of it. */
function reduces({ fill }: ExecutionReport, netQty: number): boolean {
  return fill !== undefined && netQty !== 0 && sign(fill.side) !== Math.sign(netQty);
}

/** As the matching core has it, under the given name. */
export function toRequest(wanted: WantedOrder, name: ClOrdId, hasLegs: boolean): NewOrderSingle {
  const { takeProfit, stopLoss, type, price, stopPx } = wanted;
  const level = ({ distance }: WantedLeg) =>
    ({ by: "distance", distance: ticks(distance) }) as const;
  const isBracket = hasLegs && (takeProfit !== undefined || stopLoss !== undefined);
  return {
    clOrdId: name,
    contract: wanted.code,
    side: wanted.side,
    orderQty: wanted.size,
    ordType: type,
    // Nothing says how long an order stays: until it is cancelled is the least kind to who forgets one.
    timeInForce: "GTC",
    ...(type === "LIMIT" && price !== undefined && { price: ticks(price) }),
    ...(type === "STOP" && stopPx !== undefined && { stopPx: ticks(stopPx) }),
    ...(isBracket && {
      bracket: {
        ...(takeProfit !== undefined && { takeProfit: level(takeProfit) }),
        ...(stopLoss !== undefined && { stopLoss: level(stopLoss) }),
      },
    }),
  };
}

function reportOf(
  wanted: WantedOrder,
  ordStatus: OrderReport["ordStatus"],
  now: number,
): OrderReport {
  const { type, price, stopPx, size } = wanted;
  return {
    orderId: "" as OrderId,
    contract: wanted.code,
    side: wanted.side,
    ordType: type,
    timeInForce: "GTC",
    ordStatus,
    orderQty: size,
    cumQty: 0,
    leavesQty: ordStatus === "REJECTED" ? 0 : size,
    role: "ORDER",
    transactTimeAt: now,
    ...(type === "LIMIT" && price !== undefined && { price: ticks(price) }),
    ...(type === "STOP" && stopPx !== undefined && { stopPx: ticks(stopPx) }),
  };
}
