import { expect, test } from "vitest";
import { ticks } from "../../../src/domain/contracts/price.ts";
import { quoteHeardAt } from "../../../src/domain/quote.ts";
import { exitAtOnce, isReached, isSafeUnseen } from "../../../src/domain/reached-exit.ts";

test.each([
  ["TAKE_PROFIT", 1, [99, 100, 101], [true, true, false]],
  ["STOP_LOSS", 1, [99, 100, 101], [false, true, true]],
  ["TAKE_PROFIT", -1, [99, 100, 101], [false, true, true]],
  ["STOP_LOSS", -1, [99, 100, 101], [true, true, false]],
] as const)("a %s of %i contracts is reached by a market at 100", (role, netQty, levels, are) => {
  const found = levels.map((px) => isReached({ role, px: ticks(px) }, netQty, ticks(100)));
  expect(found).toEqual(are);
});

test("unseen, a stop may always be sent, and a target where it wins", () => {
  const average = { numerator: 201, denominator: 2 };
  const isSafe = (role: "STOP_LOSS" | "TAKE_PROFIT", netQty: number, px: number, avgPx?: object) =>
    isSafeUnseen({ role, px: ticks(px) }, netQty, avgPx as typeof average | undefined);
  expect([99, 102].map((px) => isSafe("STOP_LOSS", 1, px))).toEqual([true, true]);
  expect([100, 101].map((px) => isSafe("TAKE_PROFIT", 1, px, average))).toEqual([false, true]);
  expect([100, 101].map((px) => isSafe("TAKE_PROFIT", -1, px, average))).toEqual([true, false]);
  expect(isSafe("TAKE_PROFIT", 1, 200)).toBe(false);
});

const at = (px: number) => ({ by: "price", price: ticks(px) }) as const;
const QUOTE = quoteHeardAt(0, { bid: ticks(100), ask: ticks(102) });

test.each([
  ["BUY", { takeProfit: at(100) }, "TAKE_PROFIT"],
  ["BUY", { takeProfit: at(101) }, undefined],
  ["BUY", { stopLoss: at(100) }, "STOP_LOSS"],
  ["SELL", { takeProfit: at(102), stopLoss: at(103) }, "TAKE_PROFIT"],
  ["SELL", { takeProfit: at(101), stopLoss: at(103) }, undefined],
  ["BUY", { takeProfit: { by: "distance", distance: ticks(1) } }, undefined],
] as const)("an entry at the market would be closed at once: %s %j", (side, bracket, role) => {
  expect(exitAtOnce({ side, ordType: "MARKET", bracket }, QUOTE)).toBe(role);
  expect(exitAtOnce({ side, ordType: "LIMIT", bracket }, QUOTE)).toBeUndefined();
  expect(exitAtOnce({ side, ordType: "MARKET", bracket }, undefined)).toBeUndefined();
});
