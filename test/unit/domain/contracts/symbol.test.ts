import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contracts } from "../../../../config/contracts.ts";
import { MONTH_CODES } from "../../../../src/domain/contracts/contract.ts";
import { MAX_SYMBOL_LENGTH, parseSymbol } from "../../../../src/domain/contracts/symbol.ts";

const roots: ReadonlySet<string> = new Set(contracts.map(({ root }) => root));
const parse = (text: string) => parseSymbol(text, (root) => roots.has(root));

describe("parseSymbol reads", () => {
  test.each([
    ["ES", "ES", undefined],
    ["ES!", "ES", undefined],
    ["ES1!", "ES", undefined],
    [" es1! ", "ES", undefined],
    ["E7!", "E7", undefined],
    ["E71!", "E7", undefined],
    ["J71!", "J7", undefined],
    ["SR3!", "SR3", undefined],
    ["SR31!", "SR3", undefined],
    ["30Y1!", "30Y", undefined],
    ["M2K1!", "M2K", undefined],
    ["BZ", "BZ", undefined],
    ["GF", "GF", undefined],
    ["CME_MINI:ES1!", "ES", "CME_MINI"],
    ["CME_MINI_DL:ES1!", "ES", "CME_MINI"],
    ["CME_MINI_DLY:ES1!", "ES", "CME_MINI"],
    ["NYMEX:CL1!", "CL", "NYMEX"],
    ["nymex:cl1!", "CL", "NYMEX"],
    ["CBOT_MINI:YM1!", "YM", "CBOT_MINI"],
    ["ICEEUR:B1!", "B", "ICEEUR"],
  ])("%j as the front month of %s", (text, root, exchange) => {
    expect(parse(text)).toEqual({ kind: "front", root, exchange });
  });

  test.each([
    ["ESZ6", "ES", 12, "6"],
    ["ESZ26", "ES", 12, "26"],
    ["ESZ2026", "ES", 12, "2026"],
    ["esz6", "ES", 12, "6"],
    // The root begins with a digit, holds one, or ends in one.
    ["6EZ6", "6E", 12, "6"],
    ["6JH7", "6J", 3, "7"],
    ["6MM7", "6M", 6, "7"],
    ["6NM7", "6N", 6, "7"],
    ["2YYZ6", "2YY", 12, "6"],
    ["10YF7", "10Y", 1, "7"],
    ["M2KZ6", "M2K", 12, "6"],
    ["M6EH7", "M6E", 3, "7"],
    ["J7H7", "J7", 3, "7"],
    ["SR3H7", "SR3", 3, "7"],
    // The root ends in a month letter.
    ["NQZ6", "NQ", 12, "6"],
    ["YMM7", "YM", 6, "7"],
    ["ZNZ6", "ZN", 12, "6"],
    ["HGN7", "HG", 7, "7"],
    ["ETHH7", "ETH", 3, "7"],
    ["FDXMH7", "FDXM", 3, "7"],
    ["VXX6", "VX", 11, "6"],
    // A micro is not its letter and the big contract.
    ["MESZ6", "MES", 12, "6"],
    ["MBTF7", "MBT", 1, "7"],
    ["MCLF7", "MCL", 1, "7"],
    // One-letter roots, whose exchange is asked for later.
    ["BZ6", "B", 12, "6"],
    ["GF6", "G", 1, "6"],
    ["BZZ6", "BZ", 12, "6"],
  ])("%s as a contract of %s, month %i, year %s", (text, root, month, year) => {
    expect(parse(text)).toEqual({ kind: "contract", root, exchange: undefined, month, year });
  });
});

describe("parseSymbol refuses", () => {
  test.each([
    ["", "is empty", undefined],
    ["  ", "is empty", undefined],
    [":ES1!", "has no exchange before the colon", undefined],
    ["CME:", "has no known root", undefined],
    ["ES2!", "is not the front month", "ES"],
    ["ES11!", "is not the front month", "ES"],
    ["SR32!", "is not the front month", "SR3"],
    ["E72!", "is not the front month", "E7"],
    ["CLX", "has a month but no year", "CL"],
    ["ESI6", "has no month: I is no month code", "ES"],
    ["ESZ026", "has no known root", undefined],
    ["ES 1!", "has no known root", undefined],
    ["ZZZ", "has no known root", undefined],
    ["ESZ6!", "has no known root", undefined],
    ["!", "has no known root", undefined],
    ["1!", "has no known root", undefined],
    ["ESZ6\n6", "has no known root", undefined],
    ["A".repeat(33), `is longer than ${MAX_SYMBOL_LENGTH} characters`, undefined],
  ])("%j: it %s", (text, problem, root) => {
    expect(parse(text)).toEqual({ kind: "unreadable", problem, root });
  });

  test("no text makes it throw", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(["front", "contract", "unreadable"]).toContain(parse(text).kind);
      }),
    );
  });
});

describe("no symbol has two readings", () => {
  const everyContract = [...roots].flatMap((root) =>
    MONTH_CODES.split("").flatMap((code) =>
      ["6", "26", "2026"].map((year) => ({ text: `${root}${code}${year}`, root, code, year })),
    ),
  );

  test("every contract of every root is read back as itself", () => {
    for (const { text, root, code, year } of everyContract) {
      const month = MONTH_CODES.indexOf(code) + 1;
      expect(parse(text)).toEqual({ kind: "contract", root, exchange: undefined, month, year });
    }
    expect(new Set(everyContract.map(({ text }) => text)).size).toBe(everyContract.length);
  });

  test("no contract is written like a root, and no root like another's continuous form", () => {
    for (const { text } of everyContract) expect(roots.has(text)).toBe(false);
    for (const root of roots) expect(roots.has(`${root}1`)).toBe(false);
  });
});
