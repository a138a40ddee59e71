import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import { orderId } from "../../../src/domain/ids.ts";
import type { OrderReport } from "../../../src/domain/order.ts";
import {
  type ChangeTicket,
  hasValues,
  mayFillSooner,
  type OrderValues,
  prepareChange,
  withValues,
} from "../../../src/domain/order-change.ts";
import { tickSize, ticks } from "../../../src/domain/contracts/price.ts";

const QUARTERS = { tickSize: tickSize("0.25") };

const order = (change: Partial<OrderReport> = {}): OrderReport => ({
  orderId: orderId("7"),
  contract: "ESZ2026" as ContractCode,
  side: "BUY",
  ordType: "STOP_LIMIT",
  timeInForce: "DAY",
  ordStatus: "PARTIALLY_FILLED",
  orderQty: 4,
  cumQty: 1,
  leavesQty: 3,
  price: ticks(20_000),
  stopPx: ticks(19_990),
  role: "ORDER",
  transactTimeAt: 0,
  ...change,
});

describe("prepareChange", () => {
  test.each<[Partial<OrderReport>, ChangeTicket, OrderValues]>([
    [{}, { orderQty: 2 }, { orderQty: 2 }],
    [
      {},
      { limitPrice: 5000.25, stopPrice: "4999" },
      { price: ticks(20_001), stopPx: ticks(19_996) },
    ],
    [{ ordType: "LIMIT" }, { limitPrice: 5000 }, { price: ticks(20_000) }],
    [{ ordType: "STOP" }, { stopPrice: 5000 }, { stopPx: ticks(20_000) }],
    [{ ordType: "TRAILING_STOP" }, { trailOffset: 2.5 }, { trailOffset: ticks(10) }],
    [{ ordType: "LIMIT", role: "TAKE_PROFIT" }, { limitPrice: 5000 }, { price: ticks(20_000) }],
  ])("%j, %j: %j", (change, ticket, value) => {
    expect(prepareChange(ticket, order(change), QUARTERS)).toEqual({ ok: true, value });
  });

  test.each<[Partial<OrderReport>, ChangeTicket, string, string]>([
    [{}, { limitPrice: 5000.1 }, "limitPrice", "5000.1 is not a multiple of the tick size 0.25"],
    [{}, { stopPrice: 0 }, "stopPrice", "must be greater than 0"],
    [{}, { limitPrice: -5 }, "limitPrice", "must be greater than 0"],
    [{}, { trailOffset: 5 }, "trailOffset", "has no meaning on a stop-limit order"],
    [{ ordType: "STOP" }, { limitPrice: 5000 }, "limitPrice", "has no meaning on a stop order"],
    [{ ordType: "LIMIT" }, { stopPrice: 5000 }, "stopPrice", "has no meaning on a limit order"],
    [
      { ordType: "TRAILING_STOP" },
      { stopPrice: 5000 },
      "stopPrice",
      "has no meaning on a trailing-stop order",
    ],
    [{ ordType: "TRAILING_STOP" }, { trailOffset: -1 }, "trailOffset", "must be greater than 0"],
    [
      {},
      { orderQty: 1 },
      "qty",
      "must be more than the 1 filled already; to end the order, cancel it",
    ],
    [
      { ordType: "STOP", role: "STOP_LOSS" },
      { orderQty: 2 },
      "qty",
      "of a take-profit or stop-loss follows its position and cannot be changed",
    ],
  ])("%j, %j: %s %s", (change, ticket, path, message) => {
    const problems = [{ path, message }];
    expect(prepareChange(ticket, order(change), QUARTERS)).toEqual({ ok: false, problems });
  });

  test("names every problem at once", () => {
    const ticket = { orderQty: 1, limitPrice: 0.1, stopPrice: 0.1, trailOffset: 1 };
    const prepared = prepareChange(ticket, order(), QUARTERS);
    const paths = prepared.ok ? [] : prepared.problems.map(({ path }) => path);
    expect(paths).toEqual(["qty", "limitPrice", "stopPrice", "trailOffset"]);
  });

  test("a price below zero is one where the product trades there", () => {
    const terms = { ...QUARTERS, mayBeNegative: true };
    const value = { price: ticks(-4) };
    expect(prepareChange({ limitPrice: -1 }, order(), terms)).toEqual({ ok: true, value });
  });
});

describe("new values", () => {
  const price = fc.integer({ min: 1, max: 9 }).map(ticks);
  const values: fc.Arbitrary<OrderValues> = fc.record(
    { orderQty: fc.integer({ min: 2, max: 5 }), price, stopPx: price, trailOffset: price },
    { requiredKeys: [] },
  );

  test("an order has them once it was changed, and keeps all others", () => {
    fc.assert(
      fc.property(values, (change) => {
        const changed = withValues(order(), change);
        expect(hasValues(changed, change)).toBe(true);
        expect(changed.leavesQty).toBe(changed.orderQty - changed.cumQty);
        const { orderQty, leavesQty } = changed;
        expect(changed).toEqual({ ...order(), ...change, orderQty, leavesQty });
      }),
    );
  });

  test.each([
    ["SELL", 19_991, true],
    ["SELL", 19_989, false],
    ["BUY", 19_989, true],
    ["BUY", 19_991, false],
  ] as const)("a trailing %s put to 19990 that stands at %i: %j", (side, stands, isThere) => {
    const trailing = order({ side, ordType: "TRAILING_STOP", stopPx: ticks(stands) });
    expect(hasValues(trailing, { stopPx: ticks(19_990) })).toBe(isThere);
  });

  test("an order has them exactly when a change to them changes nothing", () => {
    fc.assert(
      fc.property(values, values, (before, change) => {
        const standing = withValues(order(), before);
        const after = withValues(standing, change);
        const isSame = JSON.stringify(after) === JSON.stringify(standing);
        expect(hasValues(standing, change)).toBe(isSame);
      }),
    );
  });
});

describe("a change may make an order fill sooner", () => {
  const trail = { ordType: "TRAILING_STOP", price: undefined, trailOffset: ticks(10) } as const;
  test.each<[string, object, OrderValues, boolean]>([
    ["a purchase's limit up", {}, { price: ticks(20_001) }, true],
    ["a purchase's limit down", {}, { price: ticks(19_999) }, false],
    ["a sale's limit down", { side: "SELL" }, { price: ticks(19_999) }, true],
    ["a sale's limit up", { side: "SELL" }, { price: ticks(20_001) }, false],
    ["a purchase's stop down", {}, { stopPx: ticks(19_989) }, true],
    ["a purchase's stop up", {}, { stopPx: ticks(19_991) }, false],
    ["a sale's stop up", { side: "SELL" }, { stopPx: ticks(19_991) }, true],
    ["a sale's stop down", { side: "SELL" }, { stopPx: ticks(19_989) }, false],
    ["a shorter trail", trail, { trailOffset: ticks(9) }, true],
    ["a longer trail", trail, { trailOffset: ticks(11) }, false],
    ["a shorter trail of a sale", { ...trail, side: "SELL" }, { trailOffset: ticks(9) }, true],
    ["a longer trail from nearer", trail, { trailOffset: ticks(11), stopPx: ticks(19_900) }, true],
    ["a start that is not shown", { ...trail, stopPx: undefined }, { stopPx: ticks(1) }, true],
    ["both away but one", {}, { stopPx: ticks(19_995), price: ticks(20_005) }, true],
    ["more", {}, { orderQty: 5 }, true],
    ["less", {}, { orderQty: 3 }, false],
    ["less, and nearer", {}, { orderQty: 3, price: ticks(20_001) }, true],
    ["nothing else than now", {}, { orderQty: 4, price: ticks(20_000) }, false],
  ])("%s", (_, change, values, may) => {
    expect(mayFillSooner(order(change as Partial<OrderReport>), values)).toBe(may);
  });
});
