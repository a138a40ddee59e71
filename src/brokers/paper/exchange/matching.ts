import assert from "node:assert/strict";
import type { AccountId } from "../../../domain/ids.ts";
import { isClosed } from "../../../domain/order.ts";
import { type Ticks, ticks } from "../../../domain/contracts/price.ts";
import type { ContractBook } from "./contract-book.ts";
import { type ExchangeOrder, leavesQty, limitOf } from "./exchange-order.ts";
import type { Ledger } from "./ledger.ts";

/** What the legs of a pair do to each other. */
export interface PairRules {
  /** Whether they are linked at all: one's fill shrinks or ends the other. */
  readonly areLinked: boolean;
  /** Whether a cancel of one ends the other too. */
  readonly cancelEndsBoth: boolean;
}

export const LINKED: PairRules = { areLinked: true, cancelEndsBoth: true };

/**
 * Fills orders against the street, best price first, then earliest, and keeps linked orders true:
 * legs grow with their entry's fills, and one leg's fill shrinks the other.
 */
export class Matching {
  readonly #ledger: Ledger;
  readonly #pairs: (account: AccountId) => PairRules;

  constructor(ledger: Ledger, pairs: (account: AccountId) => PairRules) {
    this.#ledger = ledger;
    this.#pairs = pairs;
  }

  /** Carries out all that the present quote allows. */
  match(book: ContractBook): void {
    for (;;) {
      const hit = book.nextHit();
      if (hit !== undefined) {
        this.#trigger(book, hit);
        continue;
      }
      const order = book.nextMatch();
      if (order === undefined) return;
      this.#execute(book, order);
    }
  }

  /** Cancels an order, and the other one of its pair where the pair's rules say so. */
  cancel(book: ContractBook, order: ExchangeOrder): void {
    const sibling = this.#siblingOf(order);
    this.end(book, order, { ordStatus: "CANCELED" });
    if (sibling === undefined || !this.#pairs(order.account).cancelEndsBoth) return;
    this.end(book, sibling, { ordStatus: "CANCELED", text: "The linked order was canceled" });
  }

  /** Ends an order that is not filled, and what hangs on it. */
  end(
    book: ContractBook,
    order: ExchangeOrder,
    { ordStatus, text }: { ordStatus: "CANCELED" | "EXPIRED"; text?: string },
  ): void {
    if (isClosed(order.ordStatus)) return;
    if (order.ordStatus !== "HELD") book.remove(order);
    this.#ledger.closed(order, ordStatus, text);
    for (const leg of this.#legsOf(order)) {
      if (order.cumQty === 0) {
        this.end(book, leg, { ordStatus: "CANCELED", text: "The entry ended without a fill" });
      } else if (leg.ordStatus === "HELD") {
        this.#ledger.closed(leg, leg.cumQty > 0 ? "FILLED" : "CANCELED");
      }
    }
  }

  /** Legs that wait show the quantity they may come to. */
  resizeHeldLegs(entry: ExchangeOrder): void {
    if (entry.cumQty > 0) return;
    for (const leg of this.#legsOf(entry)) {
      leg.orderQty = entry.orderQty;
      this.#ledger.restated(leg);
    }
  }

  #trigger(book: ContractBook, order: ExchangeOrder): void {
    book.remove(order);
    order.isTriggered = true;
    order.priority = this.#ledger.nextPriority();
    book.add(order);
    this.#ledger.changed(order);
  }

  #execute(book: ContractBook, order: ExchangeOrder): void {
    const { side } = order;
    const px = book.priceFor(side);
    assert(px !== undefined, "an order is filled at a quote");
    const leaves = leavesQty(order);
    const qty = Math.min(leaves, book.available(side, limitOf(order)));

    book.take(side, qty);
    if (qty === leaves) book.remove(order);
    this.#ledger.traded(order, { qty, px, product: book.product });
    if (order.ordStatus === "HELD") order.isTriggered = false;

    const sibling = this.#siblingOf(order);
    if (sibling !== undefined) this.#shrink(book, sibling, qty);
    for (const leg of this.#legsOf(order)) this.#grow(book, leg, { entry: order, qty, px });
  }

  /** The leg goes live with its entry's first fill, and closes no more than what is filled. */
  #grow(
    book: ContractBook,
    leg: ExchangeOrder,
    { entry, qty, px }: { entry: ExchangeOrder; qty: number; px: Ticks },
  ): void {
    const isFirst = entry.cumQty === qty;
    leg.orderQty = isFirst ? qty : leg.orderQty + qty;
    if (leg.ordStatus === "HELD") {
      if (leg.distance !== undefined) placeAt(leg, px, leg.distance);
      leg.distance = undefined;
      leg.ordStatus = leg.cumQty > 0 ? "PARTIALLY_FILLED" : "NEW";
      leg.priority = this.#ledger.nextPriority();
      book.add(leg);
    }
    this.#ledger.restated(leg);
  }

  #shrink(book: ContractBook, order: ExchangeOrder, qty: number): void {
    if (order.ordStatus === "HELD") return;
    if (qty < leavesQty(order)) {
      order.orderQty -= qty;
      this.#ledger.restated(order);
      return;
    }
    if (!this.#mayGrow(order)) {
      this.end(book, order, { ordStatus: "CANCELED", text: "The linked order was filled" });
      return;
    }
    book.remove(order);
    order.orderQty = order.cumQty;
    order.ordStatus = "HELD";
    order.isTriggered = false;
    this.#ledger.restated(order);
  }

  /** The other order of the pair, as long as it works. */
  #siblingOf({ account, linkedOrderId }: ExchangeOrder): ExchangeOrder | undefined {
    if (linkedOrderId === undefined) return undefined;
    return this.#ledger.account(account).working.get(linkedOrderId);
  }

  #mayGrow({ account, parentOrderId }: ExchangeOrder): boolean {
    if (parentOrderId === undefined) return false;
    return this.#ledger.account(account).working.has(parentOrderId);
  }

  #legsOf({ account, legIds }: ExchangeOrder): readonly ExchangeOrder[] {
    if (legIds.length === 0) return [];
    const { working } = this.#ledger.account(account);
    return legIds.flatMap((id) => working.get(id) ?? []);
  }
}

/** A take-profit lies on the winning side of the entry's price, a stop-loss on the losing one. */
function placeAt(leg: ExchangeOrder, entryPx: Ticks, distance: Ticks): void {
  const wins = leg.side === "SELL" ? 1 : -1;
  if (leg.role === "TAKE_PROFIT") leg.price = ticks(entryPx + wins * distance);
  else leg.stopPx = ticks(entryPx - wins * distance);
}
