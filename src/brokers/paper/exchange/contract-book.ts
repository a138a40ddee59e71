import assert from "node:assert/strict";
import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { Side } from "../../../domain/order.ts";
import { type Ticks, ticks } from "../../../domain/contracts/price.ts";
import { type ExchangeOrder, isWaitingStop, limitOf } from "./exchange-order.ts";
import { OrderQueue } from "./order-queue.ts";
import type { PaperProduct } from "./product.ts";

/** The best prices of the street and the contracts shown at them. A new object is a new quote. */
export interface Quote {
  readonly bid: Ticks;
  readonly ask: Ticks;
  readonly bidQty: number;
  readonly askQty: number;
}

/**
 * The live orders of one contract and the street they trade against. It knows who comes next;
 * what happens then is decided by `Matching`.
 */
export class ContractBook {
  readonly contract: ContractCode;
  readonly product: PaperProduct;
  /** Whether the owner of the exchange was told that quotes are wanted. */
  isWatched = false;

  #quote: Quote | undefined;
  /** What is left of the displayed size; buys take from the ask, sells from the bid. */
  readonly #left: Record<Side, number> = { BUY: 0, SELL: 0 };
  readonly #active: Record<Side, OrderQueue> = {
    BUY: new OrderQueue((order) => -(limitOf(order) ?? Infinity)),
    SELL: new OrderQueue((order) => limitOf(order) ?? -Infinity),
  };
  readonly #stops: Record<Side, OrderQueue> = {
    BUY: new OrderQueue((order) => order.stopPx ?? -Infinity),
    SELL: new OrderQueue((order) => -(order.stopPx ?? Infinity)),
  };
  readonly #trailing = new Set<ExchangeOrder>();

  constructor(contract: ContractCode, product: PaperProduct) {
    this.contract = contract;
    this.product = product;
  }

  get quote(): Quote | undefined {
    return this.#quote;
  }

  get isEmpty(): boolean {
    const { BUY, SELL } = this.#active;
    return BUY.size + SELL.size + this.#stops.BUY.size + this.#stops.SELL.size === 0;
  }

  /** Takes a new quote with its full size. Returns the trailing stops that it moved. */
  setQuote(quote: Quote): readonly ExchangeOrder[] {
    this.#quote = quote;
    this.#left.BUY = quote.askQty;
    this.#left.SELL = quote.bidQty;
    return [...this.#trailing].filter((order) => this.#ratchet(order));
  }

  add(order: ExchangeOrder): void {
    this.#queueOf(order).add(order);
    if (order.ordType === "TRAILING_STOP" && !order.isTriggered) this.#trailing.add(order);
  }

  remove(order: ExchangeOrder): void {
    this.#queueOf(order).remove(order);
    this.#trailing.delete(order);
  }

  /** The next stop that the market has reached. */
  nextHit(): ExchangeOrder | undefined {
    for (const side of ["BUY", "SELL"] as const) {
      const order = this.#stops[side].first;
      if (order?.stopPx !== undefined && this.isReached(side, order.stopPx)) return order;
    }
    return undefined;
  }

  /** The next order that the street fills, as long as displayed size is left. */
  nextMatch(): ExchangeOrder | undefined {
    for (const side of ["BUY", "SELL"] as const) {
      const order = this.#active[side].first;
      if (order !== undefined && this.available(side, limitOf(order)) > 0) return order;
    }
    return undefined;
  }

  /** Whether a stop at this price is at or through the market. */
  isReached(side: Side, stopPx: Ticks): boolean {
    const px = this.priceFor(side);
    if (px === undefined) return false;
    return side === "BUY" ? px >= stopPx : px <= stopPx;
  }

  /** The price a market order gets: the ask for a buy, the bid for a sell. */
  priceFor(side: Side): Ticks | undefined {
    return side === "BUY" ? this.#quote?.ask : this.#quote?.bid;
  }

  /** How many contracts an order with this limit could have at once. */
  available(side: Side, limit: Ticks | undefined): number {
    const px = this.priceFor(side);
    if (px === undefined) return 0;
    if (limit !== undefined && (side === "BUY" ? px > limit : px < limit)) return 0;
    return this.#left[side];
  }

  take(side: Side, qty: number): void {
    this.#left[side] -= qty;
  }

  /** Where a trailing stop stands if it follows the market from here on. */
  trailFrom(side: Side, offset: Ticks): Ticks | undefined {
    const px = this.priceFor(side);
    if (px === undefined) return undefined;
    return ticks(side === "BUY" ? px + offset : px - offset);
  }

  /** A trailing stop follows a market that moves its way, and never gives way. */
  #ratchet(order: ExchangeOrder): boolean {
    const { side, stopPx, trailOffset } = order;
    if (stopPx === undefined || trailOffset === undefined) return false;
    const next = this.trailFrom(side, trailOffset);
    if (next === undefined || (side === "BUY" ? next >= stopPx : next <= stopPx)) return false;
    this.remove(order);
    order.stopPx = next;
    this.add(order);
    return true;
  }

  #queueOf(order: ExchangeOrder): OrderQueue {
    return isWaitingStop(order) ? this.#stops[order.side] : this.#active[order.side];
  }
}

interface BooksDeps {
  readonly product: (contract: ContractCode) => PaperProduct | undefined;
  /** Whether the contract has live orders, and so needs its quotes. */
  readonly onInterest: (contract: ContractCode, isWanted: boolean) => void;
}

/** One book for each contract that was ever asked about. */
export class Books {
  readonly #deps: BooksDeps;
  readonly #books = new Map<ContractCode, ContractBook>();

  constructor(deps: BooksDeps) {
    this.#deps = deps;
  }

  /** Undefined for a contract that does not exist. */
  find(contract: ContractCode): ContractBook | undefined {
    const known = this.#books.get(contract);
    if (known !== undefined) return known;
    const product = this.#deps.product(contract);
    if (product === undefined) return undefined;
    const book = new ContractBook(contract, product);
    this.#books.set(contract, book);
    return book;
  }

  /** The book of an order that was taken once. */
  of({ contract }: ExchangeOrder): ContractBook {
    const book = this.find(contract);
    assert(book !== undefined, `${contract} has been traded, so it is known`);
    return book;
  }

  /** Says whether the book's quotes are wanted, when that has changed. */
  publishInterest(book: ContractBook): void {
    const isWanted = !book.isEmpty;
    if (isWanted === book.isWatched) return;
    book.isWatched = isWanted;
    this.#deps.onInterest(book.contract, isWanted);
  }
}
