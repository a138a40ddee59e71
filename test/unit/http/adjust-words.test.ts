import type { ExitPlan, ExitPlanTicket } from "../../../src/domain/exits/exit-plan.ts";
import { prepareExitPlan } from "../../../src/domain/exits/prepare-exit-plan.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import { orderId } from "../../../src/domain/ids.ts";
import type { Intent } from "../../../src/domain/intent.ts";
import type { IntentResult } from "../../../src/domain/intent-result.ts";
import { tickSize, ticks } from "../../../src/domain/contracts/price.ts";
import { presentAdjustment, presentTest } from "../../../src/http/present/adjust.ts";
import { AdjustReply, TestReply } from "../../../src/http/schemas/adjust.ts";
import { settled } from "./http-kit.ts";

const ES = "ESZ2026" as ContractCode;
const adjust: Intent = {
  kind: "ADJUST",
  contract: ES,
  aim: { to: "reverse" },
  terms: { ordType: "MARKET", timeInForce: "DAY" },
};
const describeContract = () => ({
  symbol: "ESZ6",
  tickSize: "0.25",
  tickValue: "12.50",
  currency: "USD",
});
const ajv = new Ajv2020({ validateFormats: false });

/** An adjustment in the API's words, as its schema describes it. */
function adjusted(change: Partial<Extract<IntentResult, { kind: "ADJUST" }>>) {
  const result = {
    kind: "ADJUST",
    contract: ES,
    closed: [],
    canceledOrderIds: [],
    problems: [],
    exits: { kind: "none" as const },
    ...change,
  } as const;
  const { record } = settled({ kind: "done", result }, adjust);
  const shown = presentAdjustment({ record, result }, describeContract);
  return { shown, isValid: ajv.validate(AdjustReply, shown) };
}

describe("an adjustment", () => {
  test("tells what was closed, cancelled and placed", () => {
    const { shown, isValid } = adjusted({
      closed: [{ contract: ES, netQty: 2, orderId: orderId("1") }],
      canceledOrderIds: [orderId("2")],
      order: {
        orderId: orderId("3"),
        side: "SELL",
        orderQty: 2,
        ordStatus: "FILLED",
        cumQty: 2,
        avgPx: { numerator: 8_000, denominator: 2 },
        ackMs: 3,
      },
      netQty: -2,
    });
    expect(isValid).toBe(true);
    expect(shown).toMatchObject({
      symbol: "ESZ6",
      position: { qty: 2, side: "short" },
      closed: [{ symbol: "ESZ6", qty: 2, side: "long", orderId: "1" }],
      canceledOrders: ["2"],
      order: { action: "sell", qty: 2, status: "filled", filledQty: 2, averagePrice: 1_000 },
    });
  });

  test.each([
    [{ netQty: 0 }, { position: { qty: 0, side: "flat" }, order: null }],
    [{ problems: ["Halted"] }, { position: null, problems: ["Halted"] }],
  ])("%j is %j", (change, words) => {
    const { shown, isValid } = adjusted(change);
    expect(isValid).toBe(true);
    expect(shown).toMatchObject(words);
  });
});

test("a test's steps are told in its order, each in the API's words", () => {
  const level = { by: "price", price: ticks(4_000) } as const;
  const order = {
    contract: ES,
    side: "BUY",
    orderQty: 2,
    ordType: "STOP_LIMIT",
    timeInForce: "GTC",
    price: ticks(4_000),
    stopPx: ticks(3_996),
  } as const;
  const result: Extract<IntentResult, { kind: "TEST" }> = {
    kind: "TEST",
    steps: [
      { kind: "wait", reason: "Something is not known" },
      { kind: "cancel", orderId: orderId("1"), contract: ES },
      { kind: "close", contract: ES, netQty: -2 },
      { kind: "order", order, adds: true },
      { kind: "protect", contract: ES, levels: { stopLoss: level } },
      { kind: "withhold", reason: "The kill switch is on" },
    ],
  };
  const { record } = settled({ kind: "done", result }, adjust);
  const shown = presentTest({ record, result }, describeContract);
  expect(ajv.validate(TestReply, shown)).toBe(true);
  expect(shown.wouldDo).toMatchObject([
    { step: "wait" },
    { step: "cancel", orderId: "1", symbol: "ESZ6" },
    { step: "close", symbol: "ESZ6", qty: 2, side: "short" },
    { step: "order", adds: true, order: { action: "buy", type: "stopLimit", limitPrice: 1_000 } },
    { step: "protect", symbol: "ESZ6", levels: { takeProfit: null, stopLoss: { price: 1_000 } } },
    { step: "withhold" },
  ]);
});

test("an order of a test has the plan that its exits would follow, as it could be asked for", () => {
  const plan: ExitPlan = {
    targets: [
      { at: { by: "r", r: "1.5" }, share: 50 },
      { at: { by: "price", price: ticks(4_100) }, qty: 1 },
      {},
    ],
    stop: { by: "ticks", ticks: ticks(20) },
    breakeven: { after: { by: "target", target: 1 }, plus: ticks(2) },
    trailing: {
      from: { by: "percent", percent: "0.5" },
      distance: { by: "money", money: "250" },
      step: ticks(4),
    },
    closeAfterSeconds: 60,
    closeBeforeSessionEndSeconds: 300,
  };
  const order = {
    contract: ES,
    side: "BUY",
    orderQty: 4,
    ordType: "MARKET",
    timeInForce: "DAY",
  } as const;
  const result: Extract<IntentResult, { kind: "TEST" }> = {
    kind: "TEST",
    steps: [
      { kind: "order", order, adds: true },
      { kind: "order", order, adds: false },
    ],
  };
  const intent = { kind: "PLACE", order, handling: { exitPlan: plan } } as const;
  const { record } = settled({ kind: "done", result }, intent);
  const shown = presentTest({ record, result }, describeContract);
  expect(ajv.validate(TestReply, shown)).toBe(true);
  const [first, second] = shown.wouldDo as readonly { readonly exitPlan?: ExitPlanTicket | null }[];
  expect(second?.exitPlan).toBeNull();
  expect(first?.exitPlan).toEqual({
    targets: [{ r: "1.5", share: 50 }, { price: 1_025, qty: 1 }, {}],
    stop: { ticks: 20 },
    breakeven: { after: { target: 1 }, plus: 2 },
    trailing: { from: { percent: "0.5" }, distance: { money: "250" }, step: 4 },
    closeAfterSeconds: 60,
    closeBeforeSessionEndSeconds: 300,
  });
  const terms = { tickSize: tickSize("0.25") };
  expect(prepareExitPlan(first?.exitPlan ?? {}, terms)).toEqual({ ok: true, value: plan });
});
