import { expect, test } from "vitest";
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

test.each<[string, WorkingOrder, number]>([
  ["one that closes it", order({}), 1],
  ["a target", order({ role: "takeProfit", type: "limit" }), 0],
  ["one that waits for its entry", order({ status: "held" }), 0],
  ["one of another contract", order({ symbol: "ESH7" }), 0],
  ["one that would add", order({ action: "buy" }), 0],
])("the stop-losses of a position: %s", (_, resting, count) => {
  expect(exitsOf(POSITION, [resting]).stopLosses).toHaveLength(count);
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
