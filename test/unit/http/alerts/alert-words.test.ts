import { describe, expect, test } from "vitest";
import type { Aim, AlertRequest } from "../../../../src/domain/alert.ts";
import { orderId } from "../../../../src/domain/ids.ts";
import type { Outcome } from "../../../../src/domain/intent.ts";
import type { IntentResult } from "../../../../src/domain/intent-result.ts";
import {
  outcomeInWords,
  requestInWords,
  resultInWords,
} from "../../../../src/http/present/alert-words.ts";
import { ES, filled } from "../http-kit.ts";

const describeES = () => ({
  symbol: "ESZ6",
  tickSize: "0.25",
  tickValue: "12.50",
  currency: "USD",
});
const MARKET = { ordType: "MARKET" } as const;
const adjust = (aim: Aim): AlertRequest => ({ kind: "adjust", symbol: "ES", aim, terms: MARKET });
const order = (terms: object): AlertRequest => ({
  kind: "order",
  ticket: { symbol: "ES1!", side: "SELL", orderQty: 2, ...MARKET, ...terms },
});

describe("how an alert was understood", () => {
  test.each<[AlertRequest, string]>([
    [order({}), "sell 2 ES1!"],
    [order({ ordType: "LIMIT", limitPrice: "5000.25" }), "sell 2 ES1! as a limit order at 5000.25"],
    [
      order({ ordType: "STOP_LIMIT", limitPrice: 1, stopPrice: 2 }),
      "sell 2 ES1! as a stopLimit order at 1 from 2",
    ],
    [
      order({ ordType: "TRAILING_STOP", trailOffset: "5" }),
      "sell 2 ES1! as a trailingStop order 5 behind",
    ],
    [order({ size: { risk: "500" } }), "sell ES1!, as many as risk 500"],
    [
      order({ size: { riskPercent: 1, min: 1 } }),
      "sell ES1!, as many as risk 1 % of the account, 1 at least",
    ],
    [
      order({ bracket: { takeProfit: { price: 5010 }, stopLoss: { ticks: 20 } } }),
      "sell 2 ES1!, take-profit at 5010, stop-loss 20 ticks away",
    ],
    [order({ bracket: { stopLoss: { offset: "2.5" } } }), "sell 2 ES1!, stop-loss 2.5 away"],
    [adjust({ to: "order", side: "BUY", qty: 1 }), "buy 1 ES"],
    [adjust({ to: "position", netQty: 3 }), "bring ES to long 3"],
    [adjust({ to: "position", netQty: -2 }), "bring ES to short 2"],
    [adjust({ to: "position", netQty: 0 }), "bring ES to flat"],
    [adjust({ to: "reverse" }), "turn ES around"],
    [adjust({ to: "reverse", qty: 2 }), "turn ES around, to 2"],
    [adjust({ to: "close", qty: 2 }), "close 2 of ES"],
    [adjust({ to: "close", percent: 50 }), "close 50 % of ES"],
    [adjust({ to: "close", percent: 100, holding: "LONG" }), "close all of ES if it is long"],
    [adjust({ to: "add", qty: 1 }), "add 1 to ES"],
    [
      adjust({ to: "enter", side: "SELL", qty: 1, whenHeld: "add", whenOpposite: "close" }),
      "go short 1 ES, out of the other side first",
    ],
    [
      {
        kind: "adjust",
        symbol: "ES",
        aim: { to: "order", side: "BUY", qty: 1 },
        terms: { ordType: "STOP", stopPrice: "5000" },
        cancelFirst: true,
        onlyWhen: ["FLAT", "LONG"],
      },
      "buy 1 ES as a stop order from 5000; resting entries are cancelled first; only while flat or long",
    ],
    [{ kind: "flatten" }, "close every position and cancel every resting order of the account"],
    [
      { kind: "flatten", symbol: "ES" },
      "close every position and cancel every resting order of the account, if nothing but ES is held",
    ],
    [{ kind: "exit", symbol: "ES" }, "close ES and cancel what rests in it"],
    [{ kind: "cancel", symbol: "ES" }, "cancel the resting entries of ES"],
    [{ kind: "cancel" }, "cancel the resting entries of the account"],
    [
      { kind: "protect", symbol: "ES", legs: { stopLoss: { price: "5000" } } },
      "protect ES, stop-loss at 5000",
    ],
    [
      { kind: "protect", symbol: "ES", legs: { stopLoss: { atEntry: true } } },
      "protect ES, stop-loss at the entry's average price",
    ],
  ])("%j", (request, words) => {
    expect(requestInWords(request)).toBe(words);
  });
});

const closed = { contract: ES, orderId: orderId("c1") };
const flatten = (change: object): IntentResult => ({
  kind: "FLATTEN",
  closed: [],
  canceledOrderIds: [],
  remaining: [],
  remainingOrderIds: [],
  problems: [],
  ...change,
});
const adjusted = (change: object): IntentResult => ({
  kind: "ADJUST",
  contract: ES,
  closed: [],
  canceledOrderIds: [],
  problems: [],
  exits: { kind: "none" as const },
  ...change,
});

describe("what was achieved", () => {
  test.each<[IntentResult, string]>([
    [filled.result, "The order in ESZ6 is filled: 1 at 5000.25"],
    [
      {
        kind: "PLACE",
        contract: ES,
        order: { orderId: orderId("1"), ordStatus: "NEW", cumQty: 0 },
      },
      "The order in ESZ6 is working",
    ],
    [flatten({}), "Nothing was open or resting"],
    [
      flatten({ problems: ["Position 7 cannot be read"] }),
      "Closed nothing. Position 7 cannot be read",
    ],
    [flatten({ canceledOrderIds: ["a"] }), "Closed nothing. Cancelled 1 resting order"],
    [
      flatten({
        closed: [
          { ...closed, netQty: 2 },
          { ...closed, netQty: -1 },
        ],
        canceledOrderIds: ["a", "b"],
        problems: ["One could not be closed"],
      }),
      "Closed 2 ESZ6 long and 1 ESZ6 short. Cancelled 2 resting orders. One could not be closed",
    ],
    [adjusted({}), "The position is where it was to be: nothing was sent"],
    [
      adjusted({ canceledOrderIds: ["a"] }),
      "Cancelled 1 resting order. The position is where it was to be: nothing was sent",
    ],
    [adjusted({ problems: ["It was not closed"] }), "It was not closed"],
    [
      adjusted({
        closed: [{ ...closed, netQty: -1 }],
        order: { orderId: "o", ordStatus: "NEW", cumQty: 0, side: "BUY", orderQty: 1 },
      }),
      "Closed 1 ESZ6 short. The order in ESZ6 is working",
    ],
    [{ kind: "CANCEL_ENTRIES", canceledOrderIds: [] }, "Nothing was resting"],
    [{ kind: "PROTECT", contract: ES, orderQty: 1 }, "ESZ6 is protected"],
    [
      { kind: "PROTECT", contract: ES, orderQty: 1, growsTo: 3 },
      "1 of 3 ESZ6 are protected, and the rest is being filled",
    ],
    [{ kind: "TEST", steps: [] }, "A test: nothing was sent"],
  ])("%j", (result, words) => {
    expect(resultInWords(result, describeES)).toBe(words);
  });

  test.each<[Outcome, string]>([
    [filled, "The order in ESZ6 is filled: 1 at 5000.25"],
    [{ kind: "denied", code: "NO_POSITION", reason: "Nothing is held" }, "Nothing is held"],
    [{ kind: "unknown", reason: "The answer was lost" }, "The answer was lost"],
  ])("or why not: %j", (outcome, words) => {
    expect(outcomeInWords(outcome, describeES)).toBe(words);
  });
});
