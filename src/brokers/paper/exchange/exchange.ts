import assert from "node:assert/strict";
import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { Scaled } from "../../../domain/contracts/decimal.ts";
import type { AccountId, ClOrdId, OrderId } from "../../../domain/ids.ts";
import {
  isClosed,
  type NewOrderSingle,
  type OrderChange,
  type ProtectionOrder,
} from "../../../domain/order.ts";
import { Books, type ContractBook, type Quote } from "./contract-book.ts";
import { applyChange, checkLegQty, checkOwnLegs } from "./change-order.ts";
import { checkChange, checkOrder, checkProtection, MAX_ORDER_QTY, REASONS } from "./check-order.ts";
import { type AccountState, ExchangeAccount } from "./exchange-account.ts";
import { type ExchangeOrder, limitOf } from "./exchange-order.ts";
import { Expiry } from "./expiry.ts";
import { type ExchangeEvents, Ledger } from "./ledger.ts";
import { LINKED, Matching, type PairRules } from "./matching.ts";
import { clOrdIdsOf, newEntry, newExits, newLegs, newRefused, type Stamp } from "./new-order.ts";
import type { PaperProduct } from "./product.ts";
import { createSessionClock, ROUND_THE_CLOCK, type SessionState } from "./session-hours.ts";

export interface ExchangeDeps {
  readonly product: (contract: ContractCode) => PaperProduct | undefined;
  readonly now: () => number;
  readonly events: ExchangeEvents;
  /** Whether products keep their session hours; otherwise everything trades round the clock. */
  readonly sessionHours?: boolean;
  /**
   * What one contract costs on one side, in its product's currency. Fills name no fee
   * where this is left out.
   */
  readonly feeOf?: (contract: ContractCode) => Scaled;
  /** How the legs of an account's pairs hang together; by default fill and cancel end the other. */
  readonly pairs?: (account: AccountId) => PairRules;
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
  readonly #books: Books;
  readonly #ledger: Ledger;
  readonly #matching: Matching;
  readonly #expiry: Expiry;
  readonly #clock = createSessionClock();

  constructor(deps: ExchangeDeps) {
    this.#deps = deps;
    const { product, now, events, feeOf } = deps;
    const accounts = this.#accounts;
    const books = new Books({
      product,
      onInterest: (contract, isWanted) => events.onInterest?.(contract, isWanted),
    });
    const ledger = new Ledger({ accounts, events, now, ...(feeOf !== undefined && { feeOf }) });
    const matching = new Matching(ledger, (id) => this.#pairRules(id));
    this.#books = books;
    this.#ledger = ledger;
    this.#matching = matching;
    this.#expiry = new Expiry({ accounts, books, ledger, matching, now });
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
    return this.#books.find(contract)?.quote;
  }

  /** The same object again is the same quote, whose size is used up by what it filled. */
  setQuote(contract: ContractCode, quote: Quote): void {
    this.expireOrders();
    const book = this.#books.find(contract);
    if (book === undefined || book.quote === quote) return;
    for (const order of book.setQuote(quote)) this.#ledger.changed(order);
    this.#run(book);
  }

  submitOrder(accountId: AccountId, request: NewOrderSingle): OrderTaken | Rejection {
    const account = this.#ledger.account(accountId);
    const isUsed = clOrdIdsOf(request).some((id) => account.orderOf(id) !== undefined);
    if (isUsed) return rejected(REASONS.duplicate);
    const book = this.#books.find(request.contract);
    if (book === undefined) return this.#refuse(account, request, REASONS.unknownContract);
    const refusal = this.#checkMarket(book) ?? checkOrder(request, book);
    if (refusal !== undefined) return this.#refuse(account, request, refusal);

    const stamp = this.#stamp(account);
    const entry = newEntry(stamp, request, { book, dayEndsAt: this.#session(book).endsAt });
    const legs = newLegs(stamp, request, { entry, ...this.#pairRules(accountId) });
    this.#enter(entry);
    for (const leg of legs) this.#enter(leg);
    this.#matchNew(book, entry);
    this.#books.publishInterest(book);
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
    const book = this.#books.find(request.contract);
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
    const account = this.#ledger.account(accountId);
    const order = account.order(change.orderId);
    if (order === undefined) return rejected(REASONS.unknownOrder);
    if (isClosed(order.ordStatus)) return rejected(REASONS.tooLate);
    const book = this.#books.of(order);
    const refusal =
      this.#checkMarket(book) ??
      checkChange(order, change, book) ??
      checkLegQty(account, order, change.orderQty) ??
      checkOwnLegs(account, order, change.price);
    if (refusal !== undefined) return rejected(refusal);

    applyChange(book, order, { change, nextPriority: () => this.#ledger.nextPriority() });
    this.#ledger.replaced(order);
    if (change.orderQty !== undefined) this.#matching.resizeHeldLegs(order);
    this.#run(book);
    return { kind: "accepted" };
  }

  /** Cancels an order; with one order of a linked pair the other one ends too, as the pairs' rules say. */
  cancelOrder(accountId: AccountId, id: OrderId): { kind: "accepted" } | Rejection {
    const order = this.#ledger.account(accountId).order(id);
    if (order === undefined) return rejected(REASONS.unknownOrder);
    if (isClosed(order.ordStatus)) return rejected(REASONS.tooLate);
    const book = this.#books.of(order);
    this.#matching.cancel(book, order);
    this.#books.publishInterest(book);
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
    this.#expiry.endDayOrders();
  }

  /** Ends the orders of contracts that trade no more, and settles what is held of them in cash. */
  expireContracts(): void {
    this.#expiry.endContracts();
  }

  #resume(order: ExchangeOrder): void {
    this.#ledger.resumed(order);
    const book = this.#books.find(order.contract);
    if (book === undefined) {
      this.#ledger.closed(order, "EXPIRED", REASONS.unknownContract);
      return;
    }
    this.#expiry.watch(order);
    if (order.ordStatus !== "HELD") book.add(order);
    this.#books.publishInterest(book);
  }

  #run(book: ContractBook): void {
    if (this.#session(book).isOpen) this.#matching.match(book);
    this.#books.publishInterest(book);
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

  #refuse(account: ExchangeAccount, request: NewOrderSingle, reason: string): Rejection {
    this.#enter(newRefused(this.#stamp(account), request, reason));
    return rejected(reason);
  }

  #stamp(account: ExchangeAccount): Stamp {
    return { account, now: this.#deps.now(), nextPriority: () => this.#ledger.nextPriority() };
  }

  #pairRules(account: AccountId): PairRules {
    return this.#deps.pairs?.(account) ?? LINKED;
  }

  #enter(order: ExchangeOrder): void {
    this.#ledger.entered(order);
    this.#expiry.watch(order);
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
