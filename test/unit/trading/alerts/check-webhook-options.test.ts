import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contracts as products } from "../../../../config/contracts.ts";
import { closures, holidays } from "../../../../config/holidays.ts";
import type { WebhookOptionsChange } from "../../../../src/domain/alert.ts";
import { createContractDirectory } from "../../../../src/domain/contracts/contract-directory.ts";
import { GatewayError, type Problem } from "../../../../src/errors.ts";
import { checkOptions } from "../../../../src/trading/alerts/check-webhook-options.ts";

const contracts = createContractDirectory({ products, holidays, closures });
const NOW = Date.parse("2026-11-21T15:00:00Z");
const check = (options: WebhookOptionsChange) => checkOptions(options, contracts, NOW);

function problemsOf(options: WebhookOptionsChange): readonly Problem[] {
  try {
    check(options);
    return [];
  } catch (error) {
    if (error instanceof GatewayError && error.spec.code === "VALIDATION_FAILED") {
      return error.details;
    }
    throw error;
  }
}

describe("what is stored", () => {
  test.each<[WebhookOptionsChange, WebhookOptionsChange]>([
    [{ symbolMap: { nq: " mnq " } }, { symbolMap: { NQ: "MNQ" } }],
    [{ symbolMap: {} }, { symbolMap: {} }],
    [{ allowedSymbols: ["mnq", "MES", "MNQ"] }, { allowedSymbols: ["MNQ", "MES"] }],
    [{ multiplier: "0.50" }, { multiplier: "0.5" }],
    [{ multiplier: "1e-4" }, { multiplier: "0.0001" }],
    [{ multiplier: "1000.0" }, { multiplier: "1000" }],
    [
      { allowedSenders: ["TradingView", "203.0.113.0/24", "2001:DB8::/32"] },
      { allowedSenders: ["tradingview", "203.0.113.0/24", "2001:db8::/32"] },
    ],
  ])("of %j is %j", (given, stored) => {
    expect(check(given)).toEqual(stored);
  });

  test("is what was given, for all that needs no check", () => {
    const options = {
      profile: "crosstrade",
      defaultQty: 2,
      allowedSide: "SELL",
      entryMaxAgeSeconds: 20,
      exitMaxAgeSeconds: 100,
      duplicateWindowSeconds: 0,
      rateLimitPerMinute: 10,
    } as const;
    expect(check(options)).toEqual(options);
    expect(check({})).toEqual({});
  });

  test("is null for what is cleared", () => {
    const cleared = {
      symbolMap: null,
      allowedSymbols: null,
      allowedSenders: null,
      multiplier: null,
      profile: null,
    };
    expect(check(cleared)).toEqual(cleared);
  });
});

describe("what is refused", () => {
  test("is all named together, each at its place", () => {
    const problems = problemsOf({
      multiplier: "0",
      symbolMap: { NQ: "MNQ", ZZZ: "MES", ES: "NQ1!" },
      allowedSymbols: ["MNQ", "ESZ6"],
      allowedSenders: ["tradingview", "203.0.113", "203.0.113.0/33", "example.com"],
    });
    expect(problems.map(({ path }) => path)).toEqual([
      "multiplier",
      "symbolMap.ZZZ",
      "symbolMap.ES",
      "allowedSymbols.1",
      "allowedSenders.1",
      "allowedSenders.2",
      "allowedSenders.3",
    ]);
  });

  test.each([
    ["NQ1!", '"NQ1!" is no root of the contract table; write NQ'],
    ["CME_MINI:ESZ6", '"CME_MINI:ESZ6" is no root of the contract table; write ES'],
    ["AAPL", '"AAPL" is no root of the contract table; write one such as MNQ'],
  ])("says what to write instead of %s", (text, message) => {
    expect(problemsOf({ allowedSymbols: [text] })).toEqual([{ path: "allowedSymbols.0", message }]);
  });

  test("is a root that the map has twice", () => {
    const message = "is given twice, in different spellings";
    expect(problemsOf({ symbolMap: { NQ: "MNQ", nq: "MES" } })).toEqual([
      { path: "symbolMap.nq", message },
    ]);
  });

  test("is no name of JavaScript's", () => {
    const symbolMap = JSON.parse('{"__proto__":"MNQ","constructor":"MES"}') as Record<
      string,
      string
    >;
    const paths = problemsOf({ symbolMap }).map(({ path }) => path);
    expect(paths).toEqual(["symbolMap.__proto__", "symbolMap.constructor"]);
  });

  test.each([
    "0",
    "0.00001",
    "-1",
    "1000.0001",
    "1001",
    "",
    "two",
    "1,5",
    "Infinity",
    "NaN",
    "1e9",
  ])("is the multiplier %j", (multiplier) => {
    expect(problemsOf({ multiplier }).map(({ path }) => path)).toEqual(["multiplier"]);
  });

  test("is no multiplier that is within its bounds", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), (units) => {
        const text = `${Math.floor(units / 10_000)}.${String(units % 10_000).padStart(4, "0")}`;
        const { multiplier } = check({ multiplier: text });
        expect(Number(multiplier)).toBe(Number(text));
        expect(check({ multiplier: multiplier ?? "" })).toEqual({ multiplier });
      }),
    );
  });
});
