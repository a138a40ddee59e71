import fc from "fast-check";
import { expect, test } from "vitest";
import type { ExchangeOrder } from "../../../../src/brokers/paper/exchange/exchange-order.ts";
import { OrderQueue } from "../../../../src/brokers/paper/exchange/order-queue.ts";

const asOrder = (price: number, priority: number) =>
  ({ price, priority }) as unknown as ExchangeOrder;
const rank = (order: ExchangeOrder) => order.price ?? Infinity;

test("orders come out by rank and then by priority, whatever was added and removed between", () => {
  const entry = fc.record({ price: fc.integer({ min: 1, max: 5 }), isRemoved: fc.boolean() });
  fc.assert(
    fc.property(
      fc.array(entry, { maxLength: 60 }),
      fc.integer({ min: 1, max: 7 }),
      (entries, step) => {
        const queue = new OrderQueue(rank);
        // Priorities come in a mixed order, as when accounts are loaded one after the other.
        const orders = entries.map(({ price }, i) => asOrder(price, (i * step) % 61));
        for (const order of orders) queue.add(order);
        for (const [i, order] of orders.entries()) if (entries[i]?.isRemoved) queue.remove(order);

        const left = orders.filter((_, i) => entries[i]?.isRemoved === false);
        const expected = left.sort((a, b) => rank(a) - rank(b) || a.priority - b.priority);
        const taken: ExchangeOrder[] = [];
        for (let first = queue.first; first !== undefined; first = queue.first) {
          taken.push(first);
          queue.remove(first);
        }
        expect(taken).toEqual(expected);
        expect(queue.size).toBe(0);
      },
    ),
  );
});
