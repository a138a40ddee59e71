import type { AccountId } from "../../../domain/ids.ts";
import type { Books, ContractBook } from "./contract-book.ts";
import { REASONS } from "./check-order.ts";
import type { ExchangeAccount } from "./exchange-account.ts";
import type { ExchangeOrder } from "./exchange-order.ts";
import type { Ledger } from "./ledger.ts";
import type { Matching } from "./matching.ts";
import { newOrder } from "./new-order.ts";

export interface ExpiryDeps {
  readonly accounts: ReadonlyMap<AccountId, ExchangeAccount>;
  readonly books: Books;
  readonly ledger: Ledger;
  readonly matching: Matching;
  readonly now: () => number;
}

/** Ends what has had its time: day orders, and all that is left of contracts that trade no more. */
export class Expiry {
  readonly #deps: ExpiryDeps;
  /** No day order ends before this instant. */
  #nextAt = Infinity;

  constructor(deps: ExpiryDeps) {
    this.#deps = deps;
  }

  /** An order is in whose day may end. */
  watch({ expireAt = Infinity }: ExchangeOrder): void {
    this.#nextAt = Math.min(this.#nextAt, expireAt);
  }

  /** Ends the day orders whose trade day is over. Cheap when there are none. */
  endDayOrders(): void {
    const now = this.#deps.now();
    if (now < this.#nextAt) return;
    this.#nextAt = Infinity;
    for (const order of this.#working()) {
      if ((order.expireAt ?? Infinity) > now) this.watch(order);
      else this.#end(order, "The trade day has ended");
    }
  }

  /** Ends the orders of contracts that trade no more, and settles what is held of them in cash. */
  endContracts(): void {
    const { accounts, books, now } = this.#deps;
    const isOver = (book: ContractBook) => book.product.isExpired(now());
    for (const order of this.#working()) {
      if (isOver(books.of(order))) this.#end(order, REASONS.expiredContract);
    }
    for (const account of accounts.values()) {
      for (const { contract, netQty } of account.positions.values()) {
        const book = books.find(contract);
        if (book !== undefined && isOver(book)) this.#settle(account, book, netQty);
      }
    }
  }

  *#working(): Iterable<ExchangeOrder> {
    for (const { working } of this.#deps.accounts.values()) yield* working.values();
  }

  #end(order: ExchangeOrder, text: string): void {
    const { books, matching } = this.#deps;
    const book = books.of(order);
    matching.end(book, order, { ordStatus: "EXPIRED", text });
    books.publishInterest(book);
  }

  #settle(account: ExchangeAccount, book: ContractBook, netQty: number): void {
    const { ledger, now } = this.#deps;
    const side = netQty > 0 ? "SELL" : "BUY";
    const px = book.priceFor(side);
    if (px === undefined) return;
    const stamp = { account, now: now(), nextPriority: () => ledger.nextPriority() };
    const order = newOrder(stamp, {
      contract: book.contract,
      side,
      ordType: "MARKET",
      orderQty: Math.abs(netQty),
      text: "Cash settlement at expiry",
    });
    ledger.entered(order);
    ledger.traded(order, { qty: order.orderQty, px, product: book.product });
  }
}
