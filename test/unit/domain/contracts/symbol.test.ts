import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contracts } from "../../../../config/contracts.ts";
import { MONTH_CODES } from "../../../../src/domain/contracts/contract.ts";
import { MAX_SYMBOL_LENGTH, parseSymbol } from "../../../../src/domain/contracts/symbol.ts";

const roots: ReadonlySet<string> = new Set(contracts.map(({ root }) => root));
const parse = (text: string) => parseSymbol(text, (root) => roots.has(root));

describe("parseSymbol reads", () => {
  test.each([
    ["ES", "ES"],
    ["ES!", "ES"],
    ["ES1!", "ES"],
    [" es1! ", "ES"],
    ["E7!", "E7"],
    ["E71!", "E7"],
    ["J71!", "J7"],
    ["SR3!", "SR3"],
    ["SR31!", "SR3"],
    ["30Y1!", "30Y"],
    ["M2K1!", "M2K"],
    ["BZ", "BZ"],
    ["GF", "GF"],
    ["CME_MINI:ES1!", "ES", "CME_MINI"],
    ["CME_MINI_DL:ES1!", "ES", "CME_MINI"],
    ["CME_MINI_DLY:ES1!", "ES", "CME_MINI"],
    ["NYMEX:CL1!", "CL", "NYMEX"],
    ["nymex:cl1!", "CL", "NYMEX"],
    ["CBOT_MINI:YM1!", "YM", "CBOT_MINI"],
    ["ICEEUR:B1!", "B", "ICEEUR"],
    // One that was said beside it, and its own.
    ["CME:CME_MINI:ES1!", "ES", "CME", "CME_MINI"],
    ["CME-MINI:ES1!", "ES", "CME-MINI"],
    // Marks that cannot be seen, and mean nothing.
    ["\ufeffES1!\u200b", "ES"],
    ["E\u200bS1!", "ES"],
    ["\u00a0ES1!\u00a0", "ES"],
    // A chart's own id, also of a chart of other bars than those of time.
    ['={"symbol":"CME_MINI:ES1!","session":"extended"}', "ES", "CME_MINI"],
    ['={"adjustment":"splits","symbol":"ES1!"}', "ES"],
    ['={"inputs":{},"symbol":{"symbol":"CME_MINI:ES1!"},"type":"Renko"}', "ES", "CME_MINI"],
    ['={"symbol":"={\\"symbol\\":\\"ES1!\\"}","type":"Renko"}', "ES"],
    ['NYMEX:={"symbol":"CME_MINI:ES1!"}', "ES", "NYMEX", "CME_MINI"],
  ])("%j as the front month of %s", (text, root, ...exchanges) => {
    expect(parse(text)).toEqual({ kind: "front", root, exchanges });
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
    expect(parse(text)).toEqual({ kind: "contract", root, exchanges: [], month, year });
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
    ["CME::ES1!", "has no exchange before the colon", undefined],
    ["\u202eES1!", "holds the invisible character U+202E as its character 1: delete it", undefined],
    ["ES\u00a01!", "holds the invisible character U+00A0 as its character 3: delete it", undefined],
    ["={}", "has no known root", undefined],
    ['={"symbol":5}', "has no known root", undefined],
    ["={ES1!}", "has no known root", undefined],
    ["BTC-USD", "has no known root", undefined],
    ["BTC/USDT", "has no known root", undefined],
    ["ES 09-26", "has no known root", undefined],
    ["A".repeat(33), `is longer than ${MAX_SYMBOL_LENGTH} characters`, undefined],
  ])("%j: it %s", (text, problem, root) => {
    expect(parse(text)).toEqual({ kind: "unreadable", problem, root });
  });

  test.each([
    "ESZ2026-ESH2027",
    "ESZ6-ESH7",
    "NQ1!-ES1!",
    "NQ1!/ES1!",
    "NQ-ES",
    "2*ES1!",
    "CME_MINI:NQ1!/CME_MINI:ES1!",
    "CME_MINI:NQ1!-2*CME_MINI:ES1!",
    "NQ1!-CME_MINI:ES1!",
    "NASDAQ:QQQ/CME_MINI:NQ1!",
  ])("%s as a spread", (text) => {
    const problem =
      "is a spread: contracts are traded one by one here, so send an alert for each of them";
    expect(parse(text)).toEqual({ kind: "unreadable", problem, root: undefined });
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
      expect(parse(text)).toEqual({ kind: "contract", root, exchanges: [], month, year });
    }
    expect(new Set(everyContract.map(({ text }) => text)).size).toBe(everyContract.length);
  });

  test("no contract is written like a root, and no root like another's continuous form", () => {
    for (const { text } of everyContract) expect(roots.has(text)).toBe(false);
    for (const root of roots) expect(roots.has(`${root}1`)).toBe(false);
  });
});
