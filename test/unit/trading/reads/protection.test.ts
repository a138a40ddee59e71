import { expect, test } from "vitest";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { orderId } from "../../../../src/domain/ids.ts";
import type { OrderReport } from "../../../../src/domain/order.ts";
import { judgeProtection, type Opening } from "../../../../src/trading/reads/protection.ts";

const ES = "ESZ2026" as ContractCode;
const LONG_2 = { contract: ES, netQty: 2 };

const order = (change: Partial<OrderReport> = {}) =>
  ({
    contract: ES,
    side: "SELL",
    ordType: "STOP",
    ordStatus: "NEW",
    leavesQty: 2,
    role: "STOP_LOSS",
    ...change,
  }) as OrderReport;

const opening = (change: Partial<Opening> = {}): Opening => ({
  by: "alert",
  asksForStop: false,
  qty: 2,
  isUnderWay: false,
  ...change,
});

test.each([
  ["a stop for all of it", [order()]],
  ["two stops that make up all of it", [order({ leavesQty: 1 }), order({ leavesQty: 1 })]],
  ["a stop that was placed by hand", [order({ role: "ORDER" })]],
  ["a trailing stop", [order({ ordType: "TRAILING_STOP" })]],
])("it is protected by %s", (_, working) => {
  expect(judgeProtection(LONG_2, working, [], opening())).toEqual({ kind: "protected" });
});

test.each([
  ["nothing", []],
  ["a stop for a part of it", [order({ leavesQty: 1 })]],
  ["a stop of another contract", [order({ contract: "NQZ2026" as ContractCode })]],
  ["a stop on its own side", [order({ side: "BUY" })]],
  ["a stop that waits for its entry", [order({ ordStatus: "HELD" })]],
  ["a stop that was cancelled", [order({ ordStatus: "CANCELED" })]],
  ["a target", [order({ role: "TAKE_PROFIT", ordType: "LIMIT" })]],
  ["a limit order by hand", [order({ role: "ORDER", ordType: "LIMIT" })]],
])("it is not protected by %s", (_, working) => {
  expect(judgeProtection(LONG_2, working, [], opening())).toEqual({
    kind: "noneAsked",
    openedBy: "alert",
  });
});

test.each<[string, Parameters<typeof judgeProtection>[2], Opening | undefined, object]>([
  ["asked for and remembered", ["STOP_LOSS"], undefined, { kind: "missing", exits: ["STOP_LOSS"] }],
  [
    "asked for by what opened it",
    [],
    opening({ asksForStop: true }),
    { kind: "missing", exits: ["STOP_LOSS"] },
  ],
  [
    "maybe on its way",
    [],
    opening({ asksForStop: true, isUnderWay: true }),
    { kind: "unknown", reason: "The order that opened it is still under way" },
  ],
  ["of nobody knows whom", [], undefined, { kind: "noneAsked" }],
  [
    "of a person at the broker",
    [],
    opening({ by: "elsewhere" }),
    { kind: "noneAsked", openedBy: "elsewhere" },
  ],
])("a position without a stop that was %s", (_, asked, by, expected) => {
  expect(judgeProtection(LONG_2, [], asked, by)).toEqual(expected);
});

test("a stop for what was added last leaves the rest to its own choice", () => {
  const added = opening({ asksForStop: true, qty: 1 });
  expect(judgeProtection(LONG_2, [order({ leavesQty: 1 })], [], added)).toEqual({
    kind: "noneAsked",
    openedBy: "alert",
  });
  expect(judgeProtection(LONG_2, [], [], added)).toMatchObject({ kind: "missing" });
});

test("an order that is not understood may be its stop: nobody knows", () => {
  const opaque = { orderId: orderId("1"), problem: "It names no contract" };
  const judged = (contract?: string) =>
    judgeProtection(
      LONG_2,
      [{ ...opaque, ...(contract !== undefined && { contract: contract as ContractCode }) }],
      [],
      opening(),
    );
  expect(judged()).toEqual({ kind: "unknown", reason: "It names no contract" });
  expect(judged(ES)).toMatchObject({ kind: "unknown" });
  expect(judged("NQZ2026")).toMatchObject({ kind: "noneAsked" });
  expect(judgeProtection(LONG_2, [order(), opaque], [], opening())).toMatchObject({
    kind: "protected",
  });
});

test("a target that was asked for and is not there is missing beside a stop", () => {
  expect(judgeProtection(LONG_2, [order()], ["TAKE_PROFIT"], undefined)).toEqual({
    kind: "missing",
    exits: ["TAKE_PROFIT"],
  });
});
