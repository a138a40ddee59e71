import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TradovateEntityType } from "../../../../src/brokers/tradovate/wire.ts";
import { tickSize } from "../../../../src/domain/contracts/price.ts";
import {
  parseEntity,
  parseInstant,
  parseLogin,
  toTradeDay,
  toOrdStatus,
  toOrdType,
  toTimeInForce,
} from "../../../../src/brokers/tradovate/parse.ts";
import { toAveragePrice, toPrice, toTicks } from "../../../../src/brokers/price-numbers.ts";

const SIZES = ["0.25", "0.01", "0.1", "1", "5", "0.0000005", "0.00005", "0.015625", "0.03125"];
const size = fc.constantFrom(...SIZES.map(tickSize));
const count = fc.integer({ min: -200_000, max: 2_000_000 });

describe("Tradovate's numbers and words", () => {
  test("a price goes to the broker and comes back as the same tick", () => {
    fc.assert(
      fc.property(count, size, (ticks, tick) => {
        const price = toPrice(toTicks(ticks * 0, tick), tick);
        expect(price).toBe(0);
        expect(toTicks(toPrice(ticks as never, tick), tick)).toBe(ticks);
      }),
    );
  });

  test("a price that is off by the noise of a double is the nearest tick", () => {
    expect(toTicks(0.1 + 0.2, tickSize("0.1"))).toBe(3);
    expect(toTicks(5_000.3, tickSize("0.25"))).toBe(20_001);
    expect(toTicks(-5_000.3, tickSize("0.25"))).toBe(-20_001);
  });

  test("the average of trades on ticks is exact, whatever the broker's division left of it", () => {
    const trades = fc.array(count, { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(trades, fc.constantFrom(tickSize("0.25"), tickSize("0.01")), (prices, tick) => {
        const sum = prices.reduce((total, price) => total + price, 0);
        const netPrice = (sum * Number(tick)) / prices.length;
        const { numerator, denominator } = toAveragePrice(netPrice, -prices.length, tick);
        expect(numerator * prices.length).toBe(sum * denominator);
      }),
    );
  });

  test("an average that no whole ticks come to stays what the broker says", () => {
    const { numerator, denominator } = toAveragePrice(5_000.125, 1, tickSize("0.25"));
    expect(numerator / denominator).toBe(20_000.5);
  });

  test.each([
    [{ year: 2026, month: 11, day: 6 }, "2026-11-06"],
    [{ year: 2026, month: 13, day: 6 }, undefined],
    [{ year: 2026, month: 1.5, day: 6 }, undefined],
    [{ year: 2026, month: 1 }, undefined],
  ])("the trading day %j is %s", (day, text) => {
    expect(toTradeDay(day)).toBe(text);
  });

  test.each([
    ["2036-06-13T00:00Z", Date.UTC(2036, 5, 13)],
    ["2026-06-14T15:04:05Z", Date.UTC(2026, 5, 14, 15, 4, 5)],
    ["2026-06-14T15:04:05.678Z", Date.UTC(2026, 5, 14, 15, 4, 5, 678)],
    ["yesterday", 0],
  ])("a date may leave out seconds: %s", (text, at) => {
    expect(parseInstant(text)).toBe(at);
  });

  test.each([
    ["Unknown", 0, "PENDING_NEW"],
    ["PendingNew", 0, "PENDING_NEW"],
    ["SomethingNew", 0, "PENDING_NEW"],
    ["Working", 0, "NEW"],
    ["Working", 1, "PARTIALLY_FILLED"],
    ["PendingReplace", 0, "NEW"],
    ["PendingCancel", 0, "PENDING_CANCEL"],
    ["Suspended", 0, "HELD"],
    ["Filled", 2, "FILLED"],
    ["Completed", 2, "FILLED"],
    ["Completed", 1, "CANCELED"],
    ["Canceled", 1, "CANCELED"],
    ["Expired", 0, "EXPIRED"],
    ["Rejected", 0, "REJECTED"],
  ])("an order that is %s with %i of 2 filled is %s", (status, cumQty, ordStatus) => {
    expect(toOrdStatus(status, { cumQty, orderQty: 2 })).toBe(ordStatus);
  });

  const POSITION = { id: 1, accountId: 5, contractId: 1, netPos: 2 };
  const FILL = { id: 1, orderId: 2, contractId: 1, timestamp: "now", action: "Buy", price: 1 };
  const VERSION = { id: 1, orderId: 1, orderType: "Limit" };
  test.each<[TradovateEntityType, object]>([
    ["position", { ...POSITION, netPos: 1.5 }],
    ["position", { ...POSITION, netPos: "2" }],
    ["position", { ...POSITION, netPos: 1e300 }],
    ["fill", { ...FILL, qty: -1 }],
    ["fill", { ...FILL, qty: 0.5 }],
    ["fill", { ...FILL, qty: 1, price: Number("1e400") }],
    ["orderVersion", { ...VERSION, orderQty: -3 }],
    ["orderVersion", { ...VERSION, orderQty: 2.5 }],
  ])("a %s of no whole contracts is none: %j", (type, entity) => {
    expect(parseEntity(type, entity)).toBeUndefined();
  });

  test("what may be missing is absent where it is no such thing", () => {
    expect(parseEntity("position", { ...POSITION, netPrice: Number("1e400") })).toEqual(POSITION);
    expect(parseEntity("account", { id: 5, name: null, active: "yes" })).toEqual({
      id: 5,
      name: "5",
    });
  });

  test.each([
    ["Market", "MARKET"],
    ["Limit", "LIMIT"],
    ["Stop", "STOP"],
    ["StopLimit", "STOP_LIMIT"],
    ["TrailingStop", "TRAILING_STOP"],
    ["MIT", undefined],
    ["LimitIfTouched", undefined],
    ["TrailingStopLimit", undefined],
    ["QTS", undefined],
    ["Iceberg", undefined],
    ["toString", undefined],
  ])("%s orders are %s", (orderType, ordType) => {
    expect(toOrdType(orderType)).toBe(ordType);
  });

  test("good till a date is good till canceled, and nothing said is the day", () => {
    expect(["GTD", "GTC", "IOC", "FOK", "Day", undefined].map(toTimeInForce)).toEqual([
      "GTC",
      "GTC",
      "IOC",
      "FOK",
      "DAY",
      "DAY",
    ]);
  });

  test("a login's fields are believed only as what they are", () => {
    expect(parseLogin({ accessToken: 7, userId: "1", errorText: "No" })).toEqual({
      errorText: "No",
    });
    expect(parseLogin("text")).toBeUndefined();
  });

  test("no value makes the parsing of an entity throw", () => {
    const types = fc.constantFrom("order", "fill", "fillFee", "product", "account" as const);
    fc.assert(
      fc.property(types, fc.anything(), (type, value) => {
        expect(() => parseEntity(type, value)).not.toThrow();
      }),
    );
  });
});
