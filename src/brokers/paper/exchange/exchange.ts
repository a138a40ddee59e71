import assert from "node:assert/strict";
import type { ContractCode } from "../../../domain/contract.ts";
import type { AccountId, ClOrdId, OrderId } from "../../../domain/ids.ts";
import {
  isClosed,
  type NewOrderSingle,
  type OrderChange,
  type ProtectionOrder,
} from "../../../domain/order.ts";
import { checkChange, checkOrder, checkProtection, MAX_ORDER_QTY, REASONS } from "./check-order.ts";
import { ContractBook } from "./contract-book.ts";
import { type AccountState, ExchangeAccount } from "./exchange-account.ts";
import { type ExchangeOrder, limitOf } from "./exchange-order.ts";
import { type ExchangeEvents, Ledger } from "./ledger.ts";
import { Matching } from "./matching.ts";
import {
  clOrdIdsOf,
  newEntry,
  newExits,
  newLegs,
  newOrder,
  newRefused,
  type Stamp,
} from "./new-order.ts";
import type { PaperProduct } from "./product.ts";
import type { Quote } from "./quote.ts";
import { createSessionClock, ROUND_THE_CLOCK, type SessionState } from "./session-hours.ts";

export interface ExchangeDeps {
  readonly product: (contract: ContractCode) => PaperProduct | undefined;
  readonly now: () => number;
  readonly events: ExchangeEvents;
  /** Whether products keep their session hours; otherwise everything trades round the clock. */
  readonly sessionHours?: boolean;
}

export interface Rejection {
  readonly kind: "rejected";
  readonly reason: string;
}

export interface OrderTaken {
  readonly kind: "accepted";
  readonly orderId: OrderId;
  readonly takeProfitOrderId?: OrderId;
  readonly stopLossOrderId?: OrderId;
}

/**
 * A small futures exchange. Accounts trade against a stream of quotes, never with each other, so
 * whatever happens changes one account at a time. It is synchronous, keeps no time of its own and
 * knows neither brokers nor stores: the paper broker and the broker simulators share it.
 */
export class Exchange {
  readonly #deps: ExchangeDeps;
  readonly #accounts = new Map<AccountId, ExchangeAccount>();
  readonly #books = new Map<ContractCode, ContractBook>();
  readonly #ledger: Ledger;
  readonly #matching: Matching;
  readonly #clock = createSessionClock();
  /** No day order ends before this instant. */
  #nextExpiryAt = Infinity;

  constructor(deps: ExchangeDeps) {
    this.#deps = deps;
    this.#ledger = new Ledger({ accounts: this.#accounts, events: deps.events, now: deps.now });
    this.#matching = new Matching(this.#ledger);
  }

  account(id: AccountId): ExchangeAccount | undefined {
    return this.#accounts.get(id);
  }

  /** Opens an account, with what it held before a restart; its orders go on where they stood. */
  addAccount(id: AccountId, state?: AccountState): ExchangeAccount {
    assert(!this.#accounts.has(id), `account ${id} is added once`);
    const account = new ExchangeAccount(id, state);
    this.#accounts.set(id, account);
    for (const order of account.working.values()) this.#resume(order);
    this.expireOrders();
    return account;
  }

  /** Lets go of an account that has no working orders. */
  removeAccount(id: AccountId): void {
    assert(this.#accounts.get(id)?.working.size === 0, "an account that works is not removed");
    this.#accounts.delete(id);
  }

  /** The quote that orders of this contract trade against now. */
  quote(contract: ContractCode): Quote | undefined {
    return this.#books.get(contract)?.quote;
  }

  /** The same object again is the same quote, whose size is used up by what it filled. */
  setQuote(contract: ContractCode, quote: Quote): void {
    this.expireOrders();
    const book = this.#book(contract);
    if (book === undefined || book.quote === quote) return;
    for (const order of book.setQuote(quote)) this.#ledger.changed(order);
    this.#run(book);
  }

  submitOrder(accountId: AccountId, request: NewOrderSingle): OrderTaken | Rejection {
    const account = this.#ledger.account(accountId);
    const isUsed = clOrdIdsOf(request).some((id) => account.orderOf(id) !== undefined);
    if (isUsed) return rejected(REASONS.duplicate);
    const book = this.#book(request.contract);
    if (book === undefined) return this.#refuse(account, request, REASONS.unknownContract);
    const refusal = this.#checkMarket(book) ?? checkOrder(request, book);
    if (refusal !== undefined) return this.#refuse(account, request, refusal);

    const stamp = this.#stamp(account);
    const entry = newEntry(stamp, request, { book, dayEndsAt: this.#session(book).endsAt });
    const legs = newLegs(stamp, request, entry);
    this.#enter(entry);
    for (const leg of legs) this.#enter(leg);
    this.#matchNew(book, entry);
    this.#tellInterest(book);
    return taken(entry, legs);
  }

  /** Two exits, linked; the quantity is not held against the position, as at a real exchange. */
  submitProtection(accountId: AccountId, request: ProtectionOrder): OrderTaken | Rejection {
    const account = this.#ledger.account(accountId);
    const { takeProfit, stopLoss } = request;
    const isUsed = [takeProfit, stopLoss].some(
      (leg) => leg !== undefined && account.orderOf(leg.clOrdId) !== undefined,
    );
    if (isUsed) return rejected(REASONS.duplicate);
    const book = this.#book(request.contract);
    if (book === undefined) return rejected(REASONS.unknownContract);
    const refusal = this.#checkMarket(book) ?? checkProtection(request, book);
    if (refusal !== undefined) return rejected(refusal);

    const exits = newExits(this.#stamp(account), request);
    for (const order of exits) {
      book.add(order);
      this.#enter(order);
    }
    this.#run(book);
    const [first] = exits;
    assert(first !== undefined, "a protection has a leg");
    return taken(first, exits);
  }

  modifyOrder(accountId: AccountId, change: OrderChange): { kind: "accepted" } | Rejection {
    const order = this.#ledger.account(accountId).order(change.orderId);
    if (order === undefined) return rejected(REASONS.unknownOrder);
    if (isClosed(order.ordStatus)) return rejected(REASONS.tooLate);
    const book = this.#bookOf(order);
    const refusal =
      this.#checkMarket(book) ??
      checkChange(order, change, book) ??
      this.#checkLegQty(order, change.orderQty);
    if (refusal !== undefined) return rejected(refusal);

    this.#change(book, order, change);
    this.#ledger.replaced(order);
    if (change.orderQty !== undefined) this.#matching.resizeHeldLegs(order);
    this.#run(book);
    return { kind: "accepted" };
  }

  /** Cancels an order; with one order of a linked pair the other one ends too. */
  cancelOrder(accountId: AccountId, id: OrderId): { kind: "accepted" } | Rejection {
    const order = this.#ledger.account(accountId).order(id);
    if (order === undefined) return rejected(REASONS.unknownOrder);
    if (isClosed(order.ordStatus)) return rejected(REASONS.tooLate);
    const book = this.#bookOf(order);
    const sibling = this.#matching.siblingOf(order);
    this.#matching.end(book, order, { ordStatus: "CANCELED" });
    if (sibling !== undefined) {
      const text = "The linked order was canceled";
      this.#matching.end(book, sibling, { ordStatus: "CANCELED", text });
    }
    this.#tellInterest(book);
    return { kind: "accepted" };
  }

  /** A market order over the whole net position. Working orders stay, as at a real exchange. */
  closePosition(accountId: AccountId, contract: ContractCode, id: ClOrdId): OrderTaken | Rejection {
    const account = this.#ledger.account(accountId);
    if (account.orderOf(id) !== undefined) return rejected(REASONS.duplicate);
    const netQty = account.positions.get(contract)?.netQty ?? 0;
    if (netQty === 0) return rejected(REASONS.flat);
    return this.submitOrder(accountId, {
      clOrdId: id,
      contract,
      side: netQty > 0 ? "SELL" : "BUY",
      orderQty: Math.min(Math.abs(netQty), MAX_ORDER_QTY),
      ordType: "MARKET",
      timeInForce: "DAY",
    });
  }

  /** Ends the day orders whose trade day is over. Cheap when there are none. */
  expireOrders(): void {
    const now = this.#deps.now();
    if (now < this.#nextExpiryAt) return;
    this.#nextExpiryAt = Infinity;
    for (const account of this.#accounts.values()) {
      for (const order of account.working.values()) {
        const { expireAt = Infinity } = order;
        if (expireAt > now) this.#nextExpiryAt = Math.min(this.#nextExpiryAt, expireAt);
        else this.#expire(order, "The trade day has ended");
      }
    }
  }

  /** Ends the orders of contracts that trade no more, and settles what is held of them in cash. */
  expireContracts(): void {
    const now = this.#deps.now();
    for (const account of this.#accounts.values()) {
      for (const order of account.working.values()) {
        const isOver = this.#bookOf(order).product.isExpired(now);
        if (isOver) this.#expire(order, REASONS.expiredContract);
      }
      for (const { contract, netQty } of account.positions.values()) {
        const book = this.#book(contract);
        if (book?.product.isExpired(now) === true) this.#settle(account, book, netQty);
      }
    }
  }

  #resume(order: ExchangeOrder): void {
    this.#ledger.resumed(order);
    const book = this.#book(order.contract);
    if (book === undefined) {
      this.#ledger.closed(order, "EXPIRED", REASONS.unknownContract);
      return;
    }
    this.#nextExpiryAt = Math.min(this.#nextExpiryAt, order.expireAt ?? Infinity);
    if (order.ordStatus !== "HELD") book.add(order);
    this.#tellInterest(book);
  }

  #settle(account: ExchangeAccount, book: ContractBook, netQty: number): void {
    const side = netQty > 0 ? "SELL" : "BUY";
    const px = book.priceFor(side);
    if (px === undefined) return;
    const order = newOrder(this.#stamp(account), {
      contract: book.contract,
      side,
      ordType: "MARKET",
      orderQty: Math.abs(netQty),
      text: "Cash settlement at expiry",
    });
    this.#enter(order);
    const { tickValue } = book.product;
    this.#ledger.traded(order, { qty: order.orderQty, px, tickValue });
  }

  #run(book: ContractBook): void {
    if (this.#session(book).isOpen) this.#matching.match(book);
    this.#tellInterest(book);
  }

  #session({ product }: ContractBook): SessionState {
    const keepsHours = this.#deps.sessionHours === true;
    const hours = keepsHours ? (product.hours ?? ROUND_THE_CLOCK) : ROUND_THE_CLOCK;
    return this.#clock(hours, this.#deps.now());
  }

  #checkMarket(book: ContractBook): string | undefined {
    if (book.product.isExpired(this.#deps.now())) return REASONS.expiredContract;
    if (!this.#session(book).isOpen) return REASONS.closed;
    return book.quote === undefined ? REASONS.noQuote : undefined;
  }

  /** A leg closes no more than what its entry filled and the other leg has not closed. */
  #checkLegQty(order: ExchangeOrder, orderQty: number | undefined): string | undefined {
    const { parentOrderId, linkedOrderId } = order;
    if (orderQty === undefined || parentOrderId === undefined) return undefined;
    if (order.ordStatus === "HELD") return REASONS.legQty;
    const account = this.#ledger.account(order.account);
    const sibling = linkedOrderId === undefined ? undefined : account.order(linkedOrderId);
    const filled = account.order(parentOrderId)?.cumQty ?? order.orderQty;
    return orderQty > filled - (sibling?.cumQty ?? 0) ? REASONS.legQty : undefined;
  }

  #change(book: ContractBook, order: ExchangeOrder, change: OrderChange): void {
    const isLive = order.ordStatus !== "HELD";
    if (isLive) book.remove(order);
    const { orderQty = order.orderQty, price, stopPx, trailOffset } = change;
    const keepsPlace = price === undefined && stopPx === undefined && orderQty <= order.orderQty;
    if (!keepsPlace) order.priority = this.#ledger.nextPriority();
    order.orderQty = orderQty;
    if (price !== undefined) order.price = price;
    if (trailOffset !== undefined) {
      order.trailOffset = trailOffset;
      order.stopPx = book.trailFrom(order.side, trailOffset);
    }
    if (stopPx !== undefined) order.stopPx = stopPx;
    if (price !== undefined || stopPx !== undefined) order.distance = undefined;
    if (isLive) book.add(order);
  }

  #refuse(account: ExchangeAccount, request: NewOrderSingle, reason: string): Rejection {
    this.#enter(newRefused(this.#stamp(account), request, reason));
    return rejected(reason);
  }

  #stamp(account: ExchangeAccount): Stamp {
    return { account, now: this.#deps.now(), nextPriority: () => this.#ledger.nextPriority() };
  }

  #enter(order: ExchangeOrder): void {
    this.#ledger.entered(order);
    this.#nextExpiryAt = Math.min(this.#nextExpiryAt, order.expireAt ?? Infinity);
  }

  /** What rests goes first: when a market opens it may be waiting for the quote that stands. */
  #matchNew(book: ContractBook, order: ExchangeOrder): void {
    const { timeInForce, side, orderQty } = order;
    this.#matching.match(book);
    book.add(order);
    const isKilled = timeInForce === "FOK" && book.available(side, limitOf(order)) < orderQty;
    if (!isKilled) this.#matching.match(book);
    if (timeInForce !== "IOC" && timeInForce !== "FOK") return;
    const text = isKilled ? "Not to be filled in full at once" : "The rest was not filled at once";
    this.#matching.end(book, order, { ordStatus: "CANCELED", text });
  }

  #expire(order: ExchangeOrder, text: string): void {
    const book = this.#bookOf(order);
    this.#matching.end(book, order, { ordStatus: "EXPIRED", text });
    this.#tellInterest(book);
  }

  #book(contract: ContractCode): ContractBook | undefined {
    const known = this.#books.get(contract);
    if (known !== undefined) return known;
    const product = this.#deps.product(contract);
    if (product === undefined) return undefined;
    const book = new ContractBook(contract, product);
    this.#books.set(contract, book);
    return book;
  }

  #bookOf({ contract }: ExchangeOrder): ContractBook {
    const book = this.#book(contract);
    assert(book !== undefined, `${contract} has been traded, so it is known`);
    return book;
  }

  #tellInterest(book: ContractBook): void {
    const isWanted = !book.isEmpty;
    if (isWanted === book.isWatched) return;
    book.isWatched = isWanted;
    this.#deps.events.onInterest?.(book.contract, isWanted);
  }
}

function rejected(reason: string): Rejection {
  return { kind: "rejected", reason };
}

function taken({ orderId: id }: ExchangeOrder, legs: readonly ExchangeOrder[]): OrderTaken {
  const target = legs.find(({ role }) => role === "TAKE_PROFIT");
  const stop = legs.find(({ role }) => role === "STOP_LOSS");
  return {
    kind: "accepted",
    orderId: id,
    ...(target !== undefined && { takeProfitOrderId: target.orderId }),
    ...(stop !== undefined && { stopLossOrderId: stop.orderId }),
  };
}
