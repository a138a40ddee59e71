import fc from "fast-check";
import { expect, test } from "vitest";
import { MONTH_CODES } from "../../../../src/domain/contracts/contract.ts";
import { instrumentSymbol } from "../../../../src/http/alerts/profiles/crosstrade/order-commands.ts";

test.each([
  ["ES 09-26", "ESU26"],
  ["ES 9-26", "ESU26"],
  ["CL 4-26", "CLJ26"],
  ["MES 12-2026", "MESZ2026"],
  ["6E 03-27", "6EH27"],
  ["M2K 06-26", "M2KM26"],
  ["ES SEP26", "ESU26"],
  ["es sep26", "ESU26"],
  ["  NQ   DEC26 ", "NQZ26"],
  ["RTYH2026", "RTYH2026"],
  ["ES1!", "ES1!"],
  ["ESU6", "ESU6"],
  ["ES", "ES"],
  ["CME_MINI:ES1!", "CME_MINI:ES1!"],
])("%j is %s", (instrument, symbol) => {
  expect(instrumentSymbol(instrument)).toBe(symbol);
});

test.each([
  "ES 13-26",
  "ES 00-26",
  "ES 09-6",
  "ES ##-##",
  "ES SEPT26",
  "ES FOO26",
  "ES 09-26 Globex",
  "09-26 ES",
])("%j names no contract", (instrument) => {
  expect(instrumentSymbol(instrument)).toBeUndefined();
});

test("every month of a year has its own code, however it is written", () => {
  const month = fc.integer({ min: 1, max: 12 });
  const year = fc.integer({ min: 10, max: 99 });
  fc.assert(
    fc.property(month, year, (m, y) => {
      const expected = `ES${MONTH_CODES[m - 1] ?? ""}${y}`;
      expect(instrumentSymbol(`ES ${m}-${y}`)).toBe(expected);
      expect(instrumentSymbol(`ES ${String(m).padStart(2, "0")}-${y}`)).toBe(expected);
      const name = new Date(2026, m - 1, 1).toLocaleString("en-US", { month: "short" });
      expect(instrumentSymbol(`ES ${name}${y}`)).toBe(expected);
    }),
  );
});
