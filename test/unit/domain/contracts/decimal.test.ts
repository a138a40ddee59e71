import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatScaled, parseDecimal, rescale } from "../../../../src/domain/contracts/decimal.ts";

describe("parseDecimal", () => {
  test.each([
    ["0.25", 25n, 2],
    ["-12.50", -1250n, 2],
    ["6850", 6850n, 0],
    ["-0.5", -5n, 1],
    ["5e-7", 5n, 7],
    ["-1.25e-7", -125n, 9],
    ["1e+3", 1000n, 0],
    ["1.5e+1", 15n, 0],
  ])("reads %s exactly", (text, units, scale) => {
    expect(parseDecimal(text)).toEqual({ units, scale });
  });

  test.each(["", ".", "1.", ".5", "+1", "1,5", "0x10", "1e5", "NaN", "Infinity", " 1", "1e-100"])(
    "refuses %j",
    (text) => {
      expect(parseDecimal(text)).toBeUndefined();
    },
  );

  test("refuses numbers too long to be a price", () => {
    expect(parseDecimal("1".repeat(16))).toBeUndefined();
    expect(parseDecimal(`0.${"1".repeat(13)}`)).toBeUndefined();
  });

  test("reads whatever JavaScript prints of a tick size", () => {
    for (const size of [0.25, 0.0000005, 0.00005, 1e-6, 0.015625, 5]) {
      const { units = 0n, scale = 0 } = parseDecimal(String(size)) ?? {};
      expect(Number(units) / 10 ** scale).toBe(size);
    }
  });
});

describe("formatScaled", () => {
  test.each([
    [1250n, 2, 0, "12.5"],
    [1250n, 2, 2, "12.50"],
    [-5n, 1, 0, "-0.5"],
    [5n, 7, 0, "0.0000005"],
    [0n, 3, 0, "0"],
    [0n, 0, 2, "0.00"],
    [7n, 0, 2, "7.00"],
  ])("prints %d of 10^-%i with at least %i places as %s", (units, scale, places, text) => {
    expect(formatScaled({ units, scale }, places)).toBe(text);
  });

  test("prints what is read back as the same number", () => {
    const units = fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n });
    fc.assert(
      fc.property(units, fc.integer({ min: 0, max: 9 }), (count, scale) => {
        const again = parseDecimal(formatScaled({ units: count, scale }));
        expect(again && rescale(again, scale)).toBe(count);
      }),
    );
  });
});
