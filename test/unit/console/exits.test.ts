import { describe, expect, test } from "vitest";
import { exitsOf, orderText } from "../../../src/console/pages/accounts/exits.ts";
import type { Position, WorkingOrder } from "../../../src/console/pages/accounts/types.ts";

const POSITION = { symbol: "ESZ6", side: "long", qty: 3 } as Position;

const order = (more: Partial<WorkingOrder>): WorkingOrder =>
  ({
    symbol: "ESZ6",
    action: "sell",
    role: "stopLoss",
    type: "stop",
    status: "working",
    remainingQty: 3,
    limitPrice: null,
    stopPrice: 6_800,
    trailOffset: null,
    problem: null,
    ...more,
  }) as WorkingOrder;

describe("how much of a position no stop-loss stands for", () => {
  test.each<[string, readonly WorkingOrder[], number]>([
    ["nothing rests", [], 3],
    ["one for all", [order({})], 0],
    ["one for a part", [order({ remainingQty: 2 })], 1],
    ["two for parts", [order({ remainingQty: 2 }), order({ remainingQty: 1 })], 0],
    ["more than is held", [order({ remainingQty: 9 })], 0],
    ["only a target", [order({ role: "takeProfit", type: "limit" })], 3],
    ["one that waits for its entry", [order({ status: "held" })], 3],
    ["one of another contract", [order({ symbol: "ESH7" })], 3],
    ["one that would add", [order({ action: "buy" })], 3],
  ])("%s", (_, orders, unprotected) => {
    expect(exitsOf(POSITION, orders).unprotectedQty).toBe(unprotected);
  });

  test("of a short one, the stops that buy count", () => {
    const short = { ...POSITION, side: "short" } as Position;
    expect(exitsOf(short, [order({})]).unprotectedQty).toBe(3);
    expect(exitsOf(short, [order({ action: "buy" })]).unprotectedQty).toBe(0);
  });
});

test.each<[Partial<WorkingOrder>, string]>([
  [{}, "sell 3 ESZ6, stop-loss, stop 6800"],
  [{ type: "stopLimit", limitPrice: 6_799 }, "sell 3 ESZ6, stop-loss, stop 6800, limit 6799"],
  [{ stopPrice: null, status: "held" }, "sell 3 ESZ6, stop-loss, counted from the fill"],
  [{ stopPrice: null, role: "entry", type: "market" }, "sell 3 ESZ6, entry, at the market"],
  [{ role: null, problem: "It names none" }, "an order that is not understood: It names none"],
])("an order in a sentence: %#", (more, text) => {
  expect(orderText(order(more))).toBe(text);
});
