import assert from "node:assert/strict";
import type { ExchangeOrder } from "./exchange-order.ts";

/** Orders of one side in the order in which the market reaches them: best rank, then earliest. */
export class OrderQueue {
  readonly #rank: (order: ExchangeOrder) => number;
  /** The best one last, where taking it moves nothing. */
  readonly #orders: ExchangeOrder[] = [];

  /** `rank` is smaller for what comes first, and must not change while an order is queued. */
  constructor(rank: (order: ExchangeOrder) => number) {
    this.#rank = rank;
  }

  get size(): number {
    return this.#orders.length;
  }

  get first(): ExchangeOrder | undefined {
    return this.#orders.at(-1);
  }

  add(order: ExchangeOrder): void {
    this.#orders.splice(this.#indexOf(order), 0, order);
  }

  remove(order: ExchangeOrder): void {
    let index = this.#indexOf(order);
    while (this.#orders[index] !== order) {
      assert(index < this.#orders.length, "the order is in the queue");
      index += 1;
    }
    this.#orders.splice(index, 1);
  }

  /** Where the first order stands that does not come after the given one. */
  #indexOf(order: ExchangeOrder): number {
    let low = 0;
    let high = this.#orders.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#orders[middle];
      if (other !== undefined && this.#comesAfter(other, order)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #comesAfter(order: ExchangeOrder, other: ExchangeOrder): boolean {
    const rank = this.#rank(order);
    const otherRank = this.#rank(other);
    return rank === otherRank ? order.priority > other.priority : rank > otherRank;
  }
}
