import { describe, expect, test } from "vitest";
import {
  parseAnswer,
  parseEntity,
  toAmount,
  toId,
  toOrdStatus,
  toOrdType,
  toWireId,
  unwrapEvents,
} from "../../../../src/brokers/projectx/parse.ts";
import { toAveragePrice, toPrice, toTicks } from "../../../../src/brokers/price-numbers.ts";
import { ticks, tickSize } from "../../../../src/domain/contracts/price.ts";

const ORDER = {
  id: 570_001,
  accountId: 42,
  contractId: "CON.F.US.EP.U25",
  creationTimestamp: "2025-07-21T13:45:00+00:00",
  updateTimestamp: null,
  status: 1,
  type: 1,
  side: 0,
  size: 2,
  limitPrice: 6_300.25,
  stopPrice: null,
  fillVolume: 0,
  filledPrice: null,
  customTag: "i1-1",
};

describe("what ProjectX sends", () => {
  test("ids are numbers or text, and are one thing", () => {
    expect(toId(12)).toBe("12");
    expect(toId("12")).toBe("12");
    for (const none of [0, "0", "", -1, 1.5, Number.MAX_VALUE, null, {}, "1 2"]) {
      expect(toId(none)).toBeUndefined();
    }
    const asText = parseEntity("order", { ...ORDER, id: "570001", accountId: "42" });
    expect(asText).toEqual(parseEntity("order", ORDER));
  });

  test("an id goes back as the number that it is, and never as that of another", () => {
    expect(toWireId("516124640014")).toBe(516_124_640_014);
    for (const text of ["9007199254740993", "007", "a7", "1e3"]) expect(toWireId(text)).toBe(text);
  });

  test("what is null is not there", () => {
    expect(parseEntity("order", ORDER)).toEqual({
      id: "570001",
      accountId: "42",
      contractId: "CON.F.US.EP.U25",
      creationTimestamp: "2025-07-21T13:45:00+00:00",
      status: 1,
      type: 1,
      side: 0,
      size: 2,
      limitPrice: 6_300.25,
      fillVolume: 0,
      customTag: "i1-1",
    });
  });

  test("an order of which only its number is known is one; what has no number is none", () => {
    const odd = { id: 1, accountId: 2, side: 7, status: "open", size: -1, type: null };
    expect(parseEntity("order", odd)).toEqual({ id: "1", accountId: "2" });
    for (const none of [{ accountId: 2 }, { id: 1 }, [], "x", null]) {
      expect(parseEntity("order", none)).toBeUndefined();
    }
  });

  test("a trade that lacks what it did is none", () => {
    const trade = { id: 1, accountId: 2, orderId: 3, contractId: "C", side: 0, size: 1, price: 5 };
    expect(parseEntity("trade", trade)).toMatchObject({ id: "1", voided: false });
    for (const field of ["id", "accountId", "orderId", "contractId", "side", "size", "price"]) {
      expect(parseEntity("trade", { ...trade, [field]: undefined })).toBeUndefined();
    }
    expect(parseEntity("trade", { ...trade, size: 0 })).toBeUndefined();
    expect(parseEntity("trade", { ...trade, profitAndLoss: null })).not.toHaveProperty(
      "profitAndLoss",
    );
  });

  test("events are wrapped or bare, one or many", () => {
    expect(unwrapEvents({ action: 1, data: ORDER })).toEqual([{ action: 1, data: ORDER }]);
    expect(unwrapEvents(ORDER)).toEqual([{ action: undefined, data: ORDER }]);
    expect(unwrapEvents([{ action: 2, data: ORDER }, ORDER])).toEqual([
      { action: 2, data: ORDER },
      { action: undefined, data: ORDER },
    ]);
    expect(unwrapEvents({ action: 0, data: [1, 2] })).toEqual([
      { action: 0, data: 1 },
      { action: 0, data: 2 },
    ]);
  });

  test("only what says whether it succeeded is an answer", () => {
    expect(parseAnswer({})).toBeUndefined();
    expect(parseAnswer("ok")).toBeUndefined();
    expect(parseAnswer({ success: false, errorCode: 2, errorMessage: "no" })).toMatchObject({
      success: false,
      errorCode: 2,
      errorMessage: "no",
    });
  });
});

describe("its words", () => {
  test("an unknown status means that anything may still come", () => {
    expect(toOrdStatus(99, 0)).toBe("PENDING_NEW");
    expect(toOrdStatus(undefined, 1)).toBe("PARTIALLY_FILLED");
    expect(toOrdStatus(8, 0)).toBe("HELD");
    expect(toOrdStatus(1, 1)).toBe("PARTIALLY_FILLED");
  });

  test("a type of which the meaning is not known is none of ours", () => {
    expect([0, 5, 6, 7, 8, undefined].map((type) => toOrdType(type))).toEqual(
      Array.from({ length: 6 }, () => undefined),
    );
    expect([1, 2, 3, 4].map((type) => toOrdType(type))).toEqual([
      "LIMIT",
      "MARKET",
      "STOP_LIMIT",
      "STOP",
    ]);
  });
});

describe("its numbers", () => {
  test("prices become ticks and back exactly, tiny ones too", () => {
    const yen = tickSize("0.0000005");
    expect(toTicks(5e-7, yen)).toBe(1);
    expect(toPrice(ticks(13_337), yen)).toBe(0.006_668_5);
    expect(toTicks(0.1 + 0.2, tickSize("0.1"))).toBe(3);
    expect(toTicks(-37.63, tickSize("0.01"))).toBe(-3_763);
  });

  test("an average is the sum of whole ticks over the quantity", () => {
    const quarter = tickSize("0.25");
    expect(toAveragePrice(6_300.333_333_333_333, 3, tickSize("1"))).toEqual({
      numerator: 18_901,
      denominator: 3,
    });
    expect(toAveragePrice(6_300.125, 2, quarter)).toEqual({ numerator: 50_401, denominator: 2 });
    expect(toAveragePrice(0.1, 1, quarter)).toEqual({ numerator: 400_000, denominator: 1_000_000 });
  });

  test("amounts are whole cents", () => {
    expect(toAmount(49_876.120_000_000_01)).toBe(4_987_612);
    expect(toAmount(-0.005)).toBe(-1);
  });
});
