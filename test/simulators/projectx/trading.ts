import assert from "node:assert/strict";
import { Exchange } from "../../../src/brokers/paper/exchange/exchange.ts";
import type { ExchangeAccount } from "../../../src/brokers/paper/exchange/exchange-account.ts";
import type { Quote } from "../../../src/brokers/paper/exchange/contract-book.ts";
import type { PaperProduct } from "../../../src/brokers/paper/exchange/product.ts";
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
import type { ExecutionReport, Fill, OrderChange } from "../../../src/domain/order.ts";
import { openingQuote, productOf } from "../exchange/market.ts";
import { obtain } from "../obtain.ts";
import { Children } from "./children.ts";
import type { Clock } from "./clock.ts";
import { reduces, reportOf, toRequest, type WantedOrder } from "./core-request.ts";
import { STATUS } from "./entities.ts";
import type { Journal } from "./journal.ts";
import { type BookedOrder, hasEnded, type OrderBook } from "./order-book.ts";
import type { Settings } from "./settings.ts";

export type Outcome =
  | { readonly kind: "taken"; readonly order: BookedOrder }
  | { readonly kind: "refused"; readonly reason: string; readonly order?: BookedOrder };

export interface TradingDeps {
  readonly clock: Clock;
  readonly orders: OrderBook;
  readonly journal: Journal;
  readonly settings: (account: number) => Settings;
}

/** New values of an order, prices in ticks. */
export interface Change {
  readonly size?: number;
  readonly price?: number;
  readonly stopPx?: number;
  readonly trailOffset?: number;
}

interface Told {
  readonly account: AccountId;
  readonly report: ExecutionReport;
}

/** Why an order that is pending is not changed. */
const PENDING = "Order is pending";

/**
 * Commands, carried out by the matching core. What the core does is kept while it runs, and told when
 * it is done; what follows from it by ProjectX's own rules comes after that.
 */
export class Trading {
  readonly #deps: TradingDeps;
  readonly #exchange: Exchange;
  readonly #children: Children;
  readonly #told: Told[] = [];
  readonly #products = new Map<ContractCode, PaperProduct>();
  readonly #ended = new Set<ContractCode>();
  /** Names of the core's orders: tags may be missing there, and are not made by its rules. */
  #lastName = 0;

  constructor(deps: TradingDeps) {
    this.#deps = deps;
    this.#exchange = new Exchange({
      product: (code) => this.#productOf(code),
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
    this.#children = new Children({
      ...deps,
      exchange: this.#exchange,
      newName: () => this.#newName(),
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

  /** Ends day orders whose trade day is over. */
  expireOrders(): void {
    this.#exchange.expireOrders();
    this.#settle();
  }

  /** The contract trades no more: its orders end, and what is held of it is settled in cash. */
  endContract(code: ContractCode): void {
    this.#wantQuote(code);
    this.#ended.add(code);
    this.#exchange.expireContracts();
    this.#settle();
  }

  /** A refused order is kept, and its tag is used up [COM]. */
  place(wanted: WantedOrder): Outcome {
    const { placeTakesMs } = this.#deps.settings(wanted.account);
    const entry = this.#book(wanted);
    if (placeTakesMs > 0) {
      this.#children.book(entry, wanted, this.#hasOwnRules(wanted));
      this.#tellNew(entry);
      this.#deps.clock.after(placeTakesMs, () => this.#placeNow(entry, wanted));
      return { kind: "taken", order: entry };
    }
    const { name, reason } = this.#submit(entry, wanted);
    if (reason === undefined) {
      this.#children.book(entry, wanted, this.#hasOwnRules(wanted));
      this.#children.bind(entry, name);
    }
    this.#tellNew(entry);
    this.#settle();
    return reason === undefined
      ? { kind: "taken", order: entry }
      : { kind: "refused", reason, order: entry };
  }

  /** An order that the broker keeps as refused, and the exchange never saw. */
  keepRefused(wanted: WantedOrder): BookedOrder {
    const order = this.#book(wanted, "REJECTED");
    this.#deps.journal.tellOrder(order, 0);
    return order;
  }

  /** An order that is taken, and refused by the risk check a moment later. */
  keepPending(wanted: WantedOrder): BookedOrder {
    const order = this.#book(wanted);
    this.#deps.journal.tellOrder(order, 0);
    return order;
  }

  refusePending(order: BookedOrder): void {
    if (hasEnded(order)) return;
    const { orders, journal } = this.#deps;
    orders.update(order, { ...order.report, ordStatus: "REJECTED", leavesQty: 0 });
    journal.tellOrder(order, 1);
    this.#cancelUnknownChildren(order);
  }

  /** Undefined where it is taken, and carried out at once unless cancels take their time. */
  cancel(order: BookedOrder): string | undefined {
    if (hasEnded(order)) return REASONS.tooLate;
    const { cancelTakesMs } = this.#deps.settings(order.account);
    if (cancelTakesMs === 0 || order.status !== STATUS.open) return this.cancelNow(order);
    const { orders, journal, clock } = this.#deps;
    order.isCanceling = true;
    orders.update(order, order.report);
    journal.tellOrder(order, 1);
    clock.after(cancelTakesMs, () => {
      order.isCanceling = false;
      if (!hasEnded(order)) this.cancelNow(order);
    });
    return undefined;
  }

  cancelNow(order: BookedOrder): string | undefined {
    if (hasEnded(order)) return REASONS.tooLate;
    const { coreId, account } = order;
    if (coreId === undefined) {
      this.#children.cancelWaiting(order);
      this.#cancelUnknownChildren(order);
    } else {
      const outcome = this.#exchange.cancelOrder(accountId(String(account)), coreId);
      if (outcome.kind === "rejected") return outcome.reason;
    }
    this.#settle();
    return undefined;
  }

  modify(order: BookedOrder, { size, ...prices }: Change): string | undefined {
    if (hasEnded(order)) return REASONS.tooLate;
    const { coreId, account } = order;
    const wanted = {
      ...(size !== undefined && { orderQty: size }),
      ...(prices.price !== undefined && { price: ticks(prices.price) }),
      ...(prices.stopPx !== undefined && { stopPx: ticks(prices.stopPx) }),
      ...(prices.trailOffset !== undefined && { trailOffset: ticks(prices.trailOffset) }),
    };
    if (coreId === undefined) {
      const { orders, journal } = this.#deps;
      const entry = orders.byId(order.parent ?? order.id);
      if (entry?.status === STATUS.pending) return PENDING;
      orders.update(order, { ...order.report, ...wanted }, STATUS.suspended);
      journal.tellOrder(order, 1);
      return undefined;
    }
    const asked: OrderChange = { orderId: coreId, ...wanted };
    const outcome = this.#exchange.modifyOrder(accountId(String(account)), asked);
    this.#settle();
    return outcome.kind === "rejected" ? outcome.reason : undefined;
  }

  /** A trade that was never made: what is held is as without it, and orders stay as they are. */
  takeBack(account: number, trade: Pick<Fill, "contract" | "side" | "lastQty" | "lastPx">): void {
    const core = this.#account(account);
    core.book({ ...trade, side: trade.side === "BUY" ? "SELL" : "BUY" });
    this.#deps.journal.position(core, trade.contract);
  }

  /** A market order over what is held, or a part of it. Children and other orders stay as they are. */
  close(account: number, code: ContractCode, size: number): Outcome {
    const net = this.netQty(account, code);
    const side = net > 0 ? "SELL" : "BUY";
    return this.place({ account, code, side, size, type: "MARKET", tag: null });
  }

  /** The broker itself cancels everything that works, and closes everything that is held. */
  liquidate(account: number): void {
    for (const order of this.#deps.orders.of(account)) this.cancelNow(order);
    for (const { contract, netQty } of this.#account(account).positions.values()) {
      if (netQty !== 0) this.close(account, contract, Math.abs(netQty));
    }
  }

  /** A new order, pending until the core has seen it. */
  #book(wanted: WantedOrder, ordStatus: "PENDING_NEW" | "REJECTED" = "PENDING_NEW"): BookedOrder {
    const { orders, clock } = this.#deps;
    const { account, tag, calledType, linked } = wanted;
    const report = reportOf(wanted, ordStatus, clock.now());
    return orders.add({ account, customTag: tag, report, calledType, linked });
  }

  /** What the core calls it, and why it refuses it if it does. */
  #submit(
    entry: BookedOrder,
    wanted: WantedOrder,
  ): { readonly name: ClOrdId; readonly reason: string | undefined } {
    const { orders, settings } = this.#deps;
    const { account, code } = wanted;
    this.#wantQuote(code);
    const name = this.#newName();
    const withLegs = !this.#hasOwnRules(wanted);
    const isDay = settings(account).ordersLast === "day";
    const request = toRequest(wanted, name, { withLegs, isDay });
    const outcome = this.#exchange.submitOrder(accountId(String(account)), request);
    const core = this.#account(account).orderOf(name);
    assert(core !== undefined, "the core keeps what it refuses too");
    orders.bind(entry, core.orderId);
    if (outcome.kind === "accepted") return { name, reason: undefined };
    orders.update(entry, toReport(core));
    return { name, reason: outcome.reason };
  }

  /** After a while in which it was pending. */
  #placeNow(entry: BookedOrder, wanted: WantedOrder): void {
    if (hasEnded(entry)) return;
    const { name, reason } = this.#submit(entry, wanted);
    if (reason === undefined) this.#children.bind(entry, name);
    else {
      this.#deps.journal.tellOrder(entry, 1);
      this.#cancelUnknownChildren(entry);
    }
    this.#settle();
  }

  #hasOwnRules({ account }: WantedOrder): boolean {
    return this.#deps.settings(account).childrenOn !== "eachFill";
  }

  #cancelUnknownChildren({ id }: BookedOrder): void {
    for (const child of this.#deps.orders.childrenOf(id)) {
      if (child.coreId === undefined && !hasEnded(child)) this.#children.cancelWaiting(child);
    }
  }

  /** The stop first, then the entry as pending, then the target, before all else [CAP]. */
  #tellNew(entry: BookedOrder): void {
    const { orders, journal } = this.#deps;
    const isRefused = entry.status === STATUS.rejected;
    const children = orders.childrenOf(entry.id);
    const [stops, targets] = [true, false].map((isStop) =>
      children.filter(({ report }) => (report.role === "STOP_LOSS") === isStop),
    );
    for (const stop of stops ?? []) journal.tellOrder(stop, 0);
    journal.tellOrder(entry, 0, isRefused ? undefined : { status: STATUS.pending });
    for (const target of targets ?? []) journal.tellOrder(target, 0);
  }

  /** Tells what the core has done, and does what follows from it, until nothing does. */
  #settle(): void {
    for (;;) {
      const told = this.#told.splice(0);
      if (told.length === 0) return;
      for (const each of told) if (!isPassedAtOnce(each, told)) this.#tell(each);
      for (const each of told) this.#follow(each);
      this.#children.activate();
    }
  }

  #tell({ account, report }: Told): void {
    const { orders, journal } = this.#deps;
    const core = this.#account(Number(account));
    const known = orders.byCore(Number(account), report.order.orderId);
    const order = known ?? this.#bookOwn(Number(account), report);
    // A child that waits was told when it was booked.
    if (report.execType === "NEW" && report.order.ordStatus === "HELD") return;
    if (report.execType === "REJECTED" || hasEnded(order)) return;
    if (this.#isUsedUp(order, report)) {
      // One that the other has used up is told as what it is then: ended.
      if (report.fill === undefined) return;
      const filled = { ...report.order, ordStatus: "FILLED", leavesQty: 0 } as const;
      journal.note(order, { ...report, order: filled });
    } else journal.note(order, report);
    if (report.fill !== undefined) journal.position(core, report.order.contract);
  }

  /** An order that the exchange itself has made, as it settles what has ended. */
  #bookOwn(account: number, { order: { orderId: coreId, ...made } }: ExecutionReport): BookedOrder {
    const { orders, journal } = this.#deps;
    const report = { ...made, orderId: coreId, ordStatus: "PENDING_NEW", cumQty: 0 } as const;
    const order = orders.add({ account, customTag: null, report, coreId });
    journal.tellOrder(order, 0);
    return order;
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
    if (isFilled) this.#endLinked(order);
    const { side } = report.fill;
    const isPartialExit = reduces(side, this.netQty(order.account, order.code));
    if (of.partialExit === "endsChildren" && isPartialExit) {
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

  /** What a client has linked with it, or it with. */
  #endLinked(order: BookedOrder): void {
    for (const other of this.#deps.orders.of(order.account)) {
      const isPair = other.linked === order.id || order.linked === other.id;
      if (isPair && other.parent === null && !hasEnded(other)) this.#end(other);
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

  #wantQuote(code: ContractCode): void {
    const isQuoted = this.#exchange.quote(code) !== undefined;
    if (!isQuoted && productOf(code) !== undefined) {
      this.#exchange.setQuote(code, openingQuote(code));
    }
  }

  #productOf(code: ContractCode): PaperProduct | undefined {
    const product = productOf(code);
    if (product === undefined) return undefined;
    return obtain(this.#products, code, () => ({
      ...product,
      isExpired: () => this.#ended.has(code),
    }));
  }

  #account(id: number): ExchangeAccount {
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
  const { orderId: id } = report.order;
  return told.some(
    (each) =>
      each.account === account &&
      each.report.order.orderId === id &&
      each.report.execType === "TRADE",
  );
}
