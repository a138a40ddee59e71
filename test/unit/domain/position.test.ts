import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import { SIDES, sign } from "../../../src/domain/order.ts";
import {
  applyFill,
  averagePrice,
  flat,
  openTicks,
  type Position,
} from "../../../src/domain/position.ts";
import { ticks } from "../../../src/domain/contracts/price.ts";

const FLAT = flat("ESZ2026" as ContractCode);
type Trade = readonly ["BUY" | "SELL", number, number];

function after(...trades: readonly Trade[]): Position {
  return trades.reduce(
    (position, [side, lastQty, lastPx]) =>
      applyFill(position, { side, lastQty, lastPx: ticks(lastPx) }),
    FLAT,
  );
}

describe("applyFill", () => {
  test("closes the oldest lot first", () => {
    const position = after(["BUY", 1, 100], ["BUY", 2, 110], ["SELL", 2, 120]);
    expect(position).toMatchObject({
      netQty: 1,
      lots: [{ qty: 1, px: 110 }],
      realizedTicks: 20 + 10,
    });
  });

  test("counts a falling price as a gain of a short position", () => {
    expect(after(["SELL", 2, 100], ["BUY", 2, 90])).toMatchObject({ netQty: 0, realizedTicks: 20 });
  });

  test("turns around with what is left at the price of the fill", () => {
    expect(after(["BUY", 1, 100], ["SELL", 3, 105])).toMatchObject({
      netQty: -2,
      lots: [{ qty: 2, px: 105 }],
      realizedTicks: 5,
    });
  });

  test("fills in a row at one price are one lot", () => {
    expect(after(["BUY", 1, 100], ["BUY", 2, 100], ["BUY", 1, 101], ["BUY", 1, 100]).lots).toEqual([
      { qty: 3, px: 100 },
      { qty: 1, px: 101 },
      { qty: 1, px: 100 },
    ]);
  });
});

test("the average is exact, and there is none when flat", () => {
  expect(averagePrice(FLAT)).toBeUndefined();
  const position = after(["BUY", 1, 100], ["BUY", 2, 101]);
  expect(averagePrice(position)).toEqual({ numerator: 302, denominator: 3 });
});

describe("over any fills", () => {
  const trade = fc.tuple(
    fc.constantFrom(...SIDES),
    fc.integer({ min: 1, max: 9 }),
    fc.integer({ min: -50, max: 50 }),
  );
  const trades = fc.array(trade, { maxLength: 40 });

  test("the position is their sum, in lots of its own side", () => {
    fc.assert(
      fc.property(trades, (all) => {
        const { netQty, lots } = after(...all);
        expect(netQty).toBe(all.reduce((sum, [side, qty]) => sum + sign(side) * qty, 0));
        expect(lots.reduce((sum, { qty }) => sum + qty, 0)).toBe(Math.abs(netQty));
        expect(lots.every(({ qty }) => qty > 0)).toBe(true);
      }),
    );
  });

  test("what is won, realised and open, is what was paid and what it is worth now", () => {
    fc.assert(
      fc.property(trades, fc.integer({ min: -50, max: 50 }), (all, px) => {
        const position = after(...all);
        const paid = all.reduce((sum, [side, qty, at]) => sum + sign(side) * qty * at, 0);
        const won = position.realizedTicks + openTicks(position, ticks(px));
        // Adding 0 turns a negative zero into the zero it is.
        expect(won + 0).toBe(position.netQty * px - paid + 0);
      }),
    );
  });
});
