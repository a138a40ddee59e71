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
  [
    "an order is decided again after what fills while it is written ahead",
    [
      { do: "copy", netQty: 4 },
      { do: "meanwhile", wait: "read", nth: 1, event: "byHand", ticks: -30 },
      { do: "out", root: "ES", more: 2, takeProfit: 10, stopLoss: 20 },
    ],
  ],
  [
    "a refused reversal closes what is held when it leaves, and no more",
    [
      { do: "meanwhile", wait: "guards", nth: 3, event: "moves", ticks: -30 },
      { do: "copy", netQty: 3 },
      { do: "planned", side: "BUY", qty: 1, away: undefined, plan: "twoTargets" },
      { do: "switch", isOn: true },
      { do: "out", root: "ES", more: 2, takeProfit: 20, stopLoss: 10 },
    ],
  ],
  [
    "an order is no exit of what has not filled",
    [
      { do: "market", root: "ES", ticks: 30, size: 1 },
      { do: "closeThenEnter", side: "SELL", qty: 3, stopLoss: 4 },
      { do: "out", root: "ES", more: 0, takeProfit: 10, stopLoss: 10 },
      { do: "meanwhile", wait: "guards", nth: 1, event: "locks", ticks: -9 },
      {
        do: "enter",
        side: "SELL",
        qty: 6,
        type: "STOP",
        away: 3,
        cancelFirst: false,
        root: "ES",
        isParked: false,
        takeProfit: 4,
        stopLoss: 4,
      },
      {
        do: "enter",
        side: "BUY",
        qty: 1,
        type: "MARKET",
        away: 3,
        cancelFirst: false,
        root: "ES",
        isParked: false,
      },
    ],
  ],
  [
    "an order that only closed when it left has its plan for what it opens later",
    [
      { do: "closeThenEnter", side: "BUY", qty: 4, stopLoss: undefined },
      { do: "planned", side: "SELL", qty: 4, away: 3, plan: "timed" },
      { do: "market", root: "ES", ticks: 9, size: 1 },
      { do: "exit", how: "half", root: "ES", isParked: false },
    ],
  ],
  [
    "a part that still fills leaves the rest, its entry and its stop alone",
    [
      { do: "target", netQty: 3, away: 3, root: "ES", isParked: false, stopLoss: 4 },
      { do: "into", side: "BUY", qty: 3, whenHeld: "add" },
      { do: "market", root: "ES", ticks: -30, size: 1 },
      { do: "reduce", qty: 3 },
    ],
  ],
  [
    "contracts that a person opens within two seconds of an exit are its own",
    [
      { do: "closeThenEnter", side: "BUY", qty: 4 },
      { do: "refuses", what: "close", times: 1 },
      { do: "exit", how: "close", root: "ES", isParked: false },
      { do: "exit", how: "reduceAll", root: "ES", isParked: false },
      { do: "copy", netQty: 3 },
      { do: "byHand", side: "BUY", qty: 2 },
    ],
  ],
  [
    "an exit is not done while an entry fills at its last reading",
    [
      { do: "meanwhile", wait: "read", nth: 3, event: "moves", ticks: -9 },
      { do: "planned", side: "BUY", qty: 4, away: 3, plan: "trailing" },
      { do: "exit", how: "all", isParked: false },
    ],
  ],
];

test.each(FOUND)("%s", async (_, steps) => {
  expect(await carryOut(steps as readonly Step[])).toBeUndefined();
});
