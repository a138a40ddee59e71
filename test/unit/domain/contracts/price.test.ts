import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  formatAverage,
  formatTicks,
  parseTicks,
  ticks,
  tickSize,
  ticksToNumber,
  tickWorth,
} from "../../../../src/domain/contracts/price.ts";

const QUARTER = tickSize("0.25");

describe("parseTicks", () => {
  test.each([
    ["6850.25", "0.25", 27_401],
    ["-37.63", "0.01", -3_763],
    ["0.0065005", "0.0000005", 13_001],
    ["6.5e-7", "0.00000005", 13],
    ["113.015625", "0.015625", 7_233],
    ["50", "5", 10],
  ])("%s in ticks of %s", (price, size, count) => {
    expect(parseTicks(price, tickSize(size))).toBe(count);
  });

  test.each(["6850.20", "6850.251", "6850,25", "", "ten"])("refuses %j", (price) => {
    expect(parseTicks(price, QUARTER)).toBeUndefined();
  });

  test.each([
    ["6850.2500000000001", "0.25", 27_401],
    ["6850.250000249", "0.25", 27_401],
    ["6850.24999975", "0.25", 27_401],
    ["-37.630000000000003", "0.01", -3_763],
    [String(0.1 + 0.2), "0.1", 3],
    [String(6850.1 * 3), "0.1", 205_503],
    ["0.006700000000000001", "0.0000005", 13_400],
    ["0.006699999999999999", "0.0000005", 13_400],
    ["1e-10", "0.25", 0],
  ])("%s is within a millionth of a tick of %s: %i of them", (price, size, count) => {
    expect(parseTicks(price, tickSize(size))).toBe(count);
  });

  test.each([
    ["6850.250001", "0.25"],
    ["6850.249999", "0.25"],
    ["0.006700000001", "0.0000005"],
    ["0.2500003", "0.25"],
  ])("refuses %s, which is further from a tick of %s", (price, size) => {
    expect(parseTicks(price, tickSize(size))).toBeUndefined();
  });

  test("refuses a count too large to be exact", () => {
    expect(parseTicks("999999999999999", tickSize("0.0000005"))).toBeUndefined();
  });

  test("a price prints back to the count it was read from", () => {
    const size = fc.constantFrom("0.25", "0.01", "0.0000005", "0.015625", "5", "0.1").map(tickSize);
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), size, (count, tick) => {
        expect(parseTicks(formatTicks(ticks(count), tick), tick)).toBe(count === 0 ? 0 : count);
      }),
    );
  });
});

test("a price as a number is the one that its decimal is read as", () => {
  const size = fc.constantFrom("0.25", "0.01", "0.0000005", "0.015625", "5", "0.1").map(tickSize);
  fc.assert(
    fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), size, (count, tick) => {
      const price = ticks(count);
      expect(ticksToNumber(price, tick)).toBe(Number(formatTicks(price, tick)));
    }),
  );
});

test("a tick size that is none is a mistake of ours", () => {
  expect(() => formatTicks(ticks(1), tickSize("0"))).toThrow("tick size");
});

describe("formatAverage", () => {
  test.each([
    [40, 1, "10"],
    [3_003, 3, "250.25"],
    [4_001, 3, "333.4166666667"],
    [-4_001, 3, "-333.4166666667"],
    [1, 3, "0.0833333333"],
    [2, 3, "0.1666666667"],
  ])("%i ticks over %i contracts are %s", (numerator, denominator, text) => {
    expect(formatAverage({ numerator, denominator }, QUARTER)).toBe(text);
  });
});

describe("tickWorth", () => {
  test.each([
    [3, "12.50", "37.50"],
    [-4, "12.50", "-50.00"],
    [3, "7.8125", "23.4375"],
    [0, "0.05", "0.00"],
    [10, "5", "50.00"],
  ])("%i ticks worth %s each are %s", (count, value, text) => {
    expect(tickWorth(count, value)).toBe(text);
  });
});
