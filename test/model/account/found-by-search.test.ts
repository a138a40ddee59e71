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
  [
    "an exit that could not be cut while its market was closed is cut once it is open",
    [
      { do: "enter", root: "ES", side: "SELL", qty: 2, type: "MARKET", away: 3, stopLoss: 4 },
      { do: "byHand", side: "BUY", qty: 1 },
      { do: "closes", seconds: 5 },
      { do: "wait", seconds: 15 },
    ],
  ],
  [
    "a target whose exits were placed, and one of them cancelled by hand, is not called rejected",
    [
      { do: "copy", netQty: 3 },
      { do: "refuses", what: "place", times: 1 },
      { do: "target", root: "ES", netQty: 1, away: 6, takeProfit: 20, stopLoss: 10 },
      { do: "reduce", qty: 2 },
      { do: "cancelLeg", role: "TAKE_PROFIT" },
    ],
  ],
  [
    "an exit plan adds no pair while a close of its contract is not known",
    [
      { do: "planned", side: "BUY", qty: 4, plan: "twoTargets" },
      { do: "market", root: "ES", ticks: 0, size: 1 },
      { do: "exit", how: "root", root: "ES", isParked: true },
      { do: "wait", seconds: 15 },
    ],
  ],
];

test.each(FOUND)("%s", async (_, steps) => {
  expect(await carryOut(steps as readonly Step[])).toBeUndefined();
});
