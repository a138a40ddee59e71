// The goal: what random search has found of exits that go on stays mended. The method: the fewest steps that show
// each, in the model of one account.
import { expect, test } from "vitest";
import { carryOut } from "./sequences.ts";
import type { Step } from "./steps.ts";

const FOUND: readonly (readonly [string, readonly Partial<Step>[]])[] = [
  [
    "two exits of one position come to an end",
    [
      {
        do: "enter",
        root: "ES",
        side: "SELL",
        qty: 3,
        type: "MARKET",
        away: 15,
        cancelFirst: true,
        isParked: false,
        takeProfit: 20,
        stopLoss: 20,
      },
      { do: "market", root: "ES", ticks: 0, size: 1 },
      { do: "exit", how: "closeNamed", root: "ES", isParked: false },
      { do: "trouble", kind: "diesBefore", nth: 2 },
      { do: "planned", side: "BUY", qty: 3, away: 3, plan: "twoTargets" },
      { do: "closeThenEnter", side: "BUY", qty: 4, stopLoss: 20 },
      { do: "reduce", qty: 1 },
      { do: "wait", seconds: 30 },
    ],
  ],
  [
    "an exit with a timeout beside a plain stop opens nothing",
    [
      { do: "into", side: "BUY", qty: 1, whenHeld: "add" },
      { do: "plainExit", root: "ES", type: "STOP", away: 3, less: 0 },
      { do: "timed", what: "exit", side: "BUY", qty: 3, away: 3, seconds: 5, then: "market" },
      { do: "out", root: "ES", more: 0 },
    ],
  ],
];

test.each(FOUND)("%s", async (_, steps) => {
  expect(await carryOut(steps as readonly Step[])).toBeUndefined();
});
