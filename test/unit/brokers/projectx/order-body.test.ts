import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { KnownContract } from "../../../../src/brokers/projectx/contract-desk.ts";
import { LACKS, modifyBody, placeBody } from "../../../../src/brokers/projectx/order-body.ts";
import { lackedBy } from "../../../../src/domain/broker-lacks.ts";
import { contractCode } from "../../../../src/domain/contracts/contract.ts";
import { parseTicks, ticks, tickSize } from "../../../../src/domain/contracts/price.ts";
import { ORD_TYPES } from "../../../../src/domain/declared/order-types.ts";
import { clOrdId, orderId } from "../../../../src/domain/ids.ts";
import { type NewOrderSingle, TIMES_IN_FORCE } from "../../../../src/domain/order.ts";

/** As the contract table has them, the smallest one among them. */
const TICK_SIZES = ["0.25", "0.0000005", "0.01", "0.00005", "0.03125", "0.015625", "1", "0.1"];

const account = { id: "465", name: "50K" };
const contract = (size: string): KnownContract => ({
  code: contractCode({ root: "ES", year: 2025, month: 9 }),
  id: "CON.F.US.EP.U25",
  tickSize: tickSize(size),
});
const order: NewOrderSingle = {
  clOrdId: clOrdId("i0123456789abcdef0123456789ab-1"),
  contract: contract("0.25").code,
  side: "SELL",
  orderQty: 3,
  ordType: "MARKET",
  timeInForce: "DAY",
};
const place = (more: Partial<NewOrderSingle>, size = "0.25") =>
  placeBody({ account, contract: contract(size) }, { ...order, ...more });

describe("the body of a new order", () => {
  const plain = {
    accountId: 465,
    contractId: "CON.F.US.EP.U25",
    side: 1,
    size: 3,
    customTag: order.clOrdId,
  };

  test("each type has its own price, and no other", () => {
    const prices = { price: ticks(40), stopPx: ticks(44) };
    expect(place({ ...prices })).toEqual({ ...plain, type: 2 });
    expect(place({ ...prices, ordType: "LIMIT" })).toEqual({ ...plain, type: 1, limitPrice: 10 });
    expect(place({ ...prices, ordType: "STOP" })).toEqual({ ...plain, type: 4, stopPrice: 11 });
    expect(place({ side: "BUY" })).toMatchObject({ side: 0 });
  });

  test("a price of 0 is a price", () => {
    expect(place({ ordType: "LIMIT", price: ticks(0) })).toMatchObject({ limitPrice: 0 });
  });

  test("exits go with it as they are given", () => {
    const legs = { stopLossBracket: { ticks: 8, type: 4 } };
    expect(placeBody({ account, contract: contract("0.25") }, order, legs)).toEqual({
      ...plain,
      ...legs,
      type: 2,
    });
  });

  test("every price reads back from its JSON as exactly as many ticks", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -10_000_000, max: 10_000_000 }),
        fc.constantFrom(...TICK_SIZES),
        (count, size) => {
          const price = ticks(count);
          const text = JSON.stringify(place({ ordType: "LIMIT", price }, size));
          const [, number = ""] = /"limitPrice":([^,}]+)/.exec(text) ?? [];
          expect(parseTicks(number, tickSize(size))).toBe(count);
        },
      ),
    );
  });

  test("what ProjectX does not have is refused in words, and only that", () => {
    const lacked = ORD_TYPES.flatMap((ordType) =>
      TIMES_IN_FORCE.filter(
        (timeInForce) => lackedBy(LACKS, { ordType, timeInForce }) !== undefined,
      ).map((timeInForce) => `${ordType} ${timeInForce}`),
    );
    const none = TIMES_IN_FORCE.flatMap((time) => [`STOP_LIMIT ${time}`, `TRAILING_STOP ${time}`]);
    const times = ["MARKET", "LIMIT", "STOP"].flatMap((type) => [`${type} IOC`, `${type} FOK`]);
    expect(lacked.sort()).toEqual([...none, ...times].sort());
  });
});

describe("the body of a change", () => {
  const change = { orderId: orderId("516124640014") };

  test("has what changes and nothing else", () => {
    const size = tickSize("0.25");
    const ids = { accountId: 465, orderId: 516_124_640_014 };
    expect(modifyBody("465", { ...change, orderQty: 2 }, size)).toEqual({ ...ids, size: 2 });
    expect(modifyBody("465", { ...change, price: ticks(5) }, size)).toEqual({
      ...ids,
      limitPrice: 1.25,
    });
    expect(modifyBody("465", { ...change, stopPx: ticks(-5), orderQty: 1 }, size)).toEqual({
      ...ids,
      stopPrice: -1.25,
      size: 1,
    });
  });
});
