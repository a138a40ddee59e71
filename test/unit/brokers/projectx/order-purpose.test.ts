import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EntityStore } from "../../../../src/brokers/projectx/entity-store.ts";
import {
  heldQty,
  purposeOf,
  purposeOfChange,
} from "../../../../src/brokers/projectx/order-purpose.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { clOrdId, orderId } from "../../../../src/domain/ids.ts";
import { type OrderReport, SIDES, sign } from "../../../../src/domain/order.ts";
import { LIMIT, MARKET, TAG } from "./desk-kit.ts";

const holding = { account: "465", contractId: "CON.F.US.EP.U25" };

/** Above 0 long, below 0 short. */
function holds(qty: number, more: object = {}): EntityStore {
  const store = new EntityStore();
  const position = { id: 1, accountId: 465, contractId: holding.contractId };
  const [type, size] = [qty > 0 ? 1 : 2, Math.abs(qty)];
  store.apply("position", { ...position, type, size, ...more });
  store.apply("position", {
    ...position,
    id: 2,
    contractId: "CON.F.US.ENQ.U25",
    type: 1,
    size: 50,
  });
  store.apply("position", { ...position, id: 3, accountId: 466, type: 2, size: 60 });
  return store;
}

describe("what lowers risk", () => {
  test("is what can do no more than close what is held, and nothing else", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -5, max: 5 }),
        fc.constantFrom(...SIDES),
        fc.integer({ min: 1, max: 7 }),
        (qty, side, orderQty) => {
          const store = holds(qty);
          expect(heldQty(store, holding)).toBe(qty);
          const after = qty + sign(side) * orderQty;
          const lowers = Math.abs(after) < Math.abs(qty) && after * qty >= 0;
          const purpose = purposeOf(store, holding, { ...MARKET, side, orderQty });
          expect(purpose).toBe(lowers ? "protect" : "entry");
        },
      ),
    );
  });

  test("is a leg by its identifier, whatever is held", () => {
    const leg = { ...LIMIT, clOrdId: clOrdId(`${TAG}-SL`) };
    expect(purposeOf(holds(0), holding, leg)).toBe("protect");
  });

  test("is known of a contract that has a row, whatever another row leaves out", () => {
    const store = holds(2);
    store.apply("position", { id: 4, accountId: 465, type: 1, size: 3 });
    expect(heldQty(store, holding)).toBe(2);
    expect(purposeOf(store, holding, { ...MARKET, side: "SELL", orderQty: 2 })).toBe("protect");
    expect(heldQty(store, { ...holding, contractId: "CON.F.US.MES.U25" })).toBeUndefined();
  });

  test.each([
    ["which way it is held", { type: 0 }],
    ["how much is held", { size: null }],
    ["where it is held", { contractId: null }],
  ])("is never taken for granted: %s cannot be read", (_, more) => {
    const store = holds(4, more);
    expect(heldQty(store, holding)).toBeUndefined();
    expect(purposeOf(store, holding, { ...MARKET, side: "SELL", orderQty: 1 })).toBe("entry");
  });
});

describe("a change lowers risk", () => {
  const report: OrderReport = {
    ...LIMIT,
    orderId: orderId("7"),
    orderQty: 5,
    ordStatus: "PARTIALLY_FILLED",
    cumQty: 2,
    leavesQty: 3,
    role: "ORDER",
    transactTimeAt: 0,
  };
  const change = (told: object, qty = 0, more: Partial<OrderReport> = {}) =>
    purposeOfChange(
      holds(qty),
      holding,
      { ...report, ...more },
      { orderId: report.orderId, ...told },
    );

  test.each([
    ["that only makes it smaller", change({ orderQty: 4 }), "protect"],
    ["that makes it larger", change({ orderQty: 6 }), "entry"],
    ["that moves it", change({ price: ticks(41) }), "entry"],
    ["that moves it and makes it smaller", change({ price: ticks(41), orderQty: 4 }), "entry"],
    ["of an order that closes what is left of it", change({ price: ticks(41) }, -3), "protect"],
    ["to more than closes it", change({ price: ticks(41), orderQty: 6 }, -3), "entry"],
    ["of a leg", change({ price: ticks(41) }, 0, { clOrdId: clOrdId(`${TAG}-TP`) }), "protect"],
    [
      "of an entry's leg",
      change({ price: ticks(41) }, 0, { parentOrderId: orderId("6") }),
      "protect",
    ],
  ])("or not: one %s", (_, purpose, expected) => {
    expect(purpose).toBe(expected);
  });
});
