import { expect, test } from "vitest";
import type { Aim, AlertRequest } from "../../../src/domain/alert.ts";
import { ERRORS } from "../../../src/errors.ts";
import { denialsWhere } from "../../../src/domain/denials.ts";
import { standsUntil, type StandsUntil } from "../../../src/domain/repeat.ts";

const symbol = "ES1!";
const enter = (whenHeld: "add" | "refuse" | "replace"): Aim => ({
  to: "enter",
  side: "SELL",
  qty: 1,
  whenHeld,
  whenOpposite: "close",
});

test.each<[AlertRequest | Aim, StandsUntil]>([
  [{ kind: "flatten" }, "ended"],
  [{ kind: "flatten", symbol }, "ended"],
  [{ kind: "exit", symbol }, "ended"],
  [{ kind: "cancel" }, "ended"],
  [{ to: "position", netQty: 0 }, "ended"],
  [{ to: "close", percent: 100 }, "ended"],
  [{ to: "close", percent: 100, holding: "LONG" }, "ended"],
  // Done twice they would take out twice as much, or put a position back that was left since.
  [{ to: "close", percent: 50 }, "otherIntent"],
  [{ to: "close", qty: 1 }, "otherIntent"],
  [{ to: "position", netQty: 2 }, "otherIntent"],
  [enter("refuse"), "otherIntent"],
  [enter("replace"), "otherIntent"],
  [{ kind: "protect", symbol, legs: { stopLoss: { price: 4_000 } } }, "otherIntent"],
  // These add up.
  [{ kind: "order", ticket: { symbol, side: "BUY", orderQty: 1, ordType: "MARKET" } }, "otherBody"],
  [{ to: "order", side: "BUY", qty: 1 }, "otherBody"],
  [{ to: "add", qty: 1 }, "otherBody"],
  [{ to: "reverse" }, "otherBody"],
  [enter("add"), "otherBody"],
])("%j stands for its repeat at most until: %s", (asked, until) => {
  const terms = { ordType: "MARKET" } as const;
  const request = "to" in asked ? ({ kind: "adjust", symbol, aim: asked, terms } as const) : asked;
  expect(standsUntil(request)).toBe(until);
});

test("a denial is tried anew under the same key where its error says that this is safe", () => {
  const anew = denialsWhere(({ isSafeToRepeat }) => isSafeToRepeat);
  expect(anew.map((code) => ERRORS[code].retry)).toEqual(anew.map(() => "safe"));
  expect(anew).toEqual(["ACCOUNT_INACTIVE", "STORE_FULL", "MARKET_CLOSED"]);
});
