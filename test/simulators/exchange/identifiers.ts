import { clOrdIdsOf } from "../../../src/brokers/paper/exchange/new-order.ts";
import { type ClOrdId, clOrdId } from "../../../src/domain/ids.ts";
import type { NewOrderSingle } from "../../../src/domain/order.ts";

/**
 * The matching core wants a fresh identifier for every order. Where the order has none, or one that
 * was used before and is to be taken all the same, it gets one of ours inside; this remembers what
 * the world outside calls it.
 */
export class Identifiers {
  readonly #outside = new Map<ClOrdId, ClOrdId | undefined>();
  #last = 0;

  /** The order under a fresh identifier, its legs included. */
  renew(order: NewOrderSingle): NewOrderSingle {
    const renewed = { ...order, clOrdId: this.#fresh() };
    const names = clOrdIdsOf(order);
    for (const [n, inside] of clOrdIdsOf(renewed).entries()) this.#outside.set(inside, names[n]);
    return renewed;
  }

  /** A fresh identifier for an order that outside has this one. */
  renewOne(outside: ClOrdId): ClOrdId {
    const inside = this.#fresh();
    this.#outside.set(inside, outside);
    return inside;
  }

  /** The order under a fresh identifier, of which nobody outside is told. */
  hide(order: Omit<NewOrderSingle, "clOrdId">): NewOrderSingle {
    const hidden = { ...order, clOrdId: this.#fresh() };
    for (const inside of clOrdIdsOf(hidden)) this.#outside.set(inside, undefined);
    return hidden;
  }

  /** An order or fill as the world outside sees it. */
  outside<T extends { readonly clOrdId?: ClOrdId }>(seen: T): T {
    const { clOrdId: inside } = seen;
    if (inside === undefined || !this.#outside.has(inside)) return seen;
    const { clOrdId: _, ...rest } = seen;
    const name = this.#outside.get(inside);
    return { ...rest, ...(name !== undefined && { clOrdId: name }) } as T;
  }

  #fresh(): ClOrdId {
    this.#last += 1;
    return clOrdId(`inside~${this.#last}`);
  }
}
