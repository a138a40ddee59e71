import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  barsNeeded,
  type IndicatorTerms,
  PRICE_SOURCES,
} from "../../../src/domain/strategies/indicator.ts";
import type {
  Conditions,
  Indicators,
  StrategyRules,
} from "../../../src/domain/strategies/strategy.ts";
import { createStrategyEngine } from "../../../src/evaluation/strategy-engine.ts";
import type { Computed, EngineInputs, PriceBar } from "../../../src/trading/strategies/ports.ts";

const engine = createStrategyEngine();

const barsOf = (closes: readonly number[]): readonly PriceBar[] =>
  closes.map((close, index) => ({
    startsAt: index * 60_000,
    open: close - 1,
    high: close + 3,
    low: close - 2,
    close,
    volume: 1_000 + index,
  }));

const rulesOf = (
  conditions: Conditions,
  indicators: Indicators = {},
  barCount = 200,
): StrategyRules => ({ barMinutes: 1, barCount, indicators, conditions });

const FIVE = barsOf([10, 11, 14, 12, 13]);

interface Given extends Partial<EngineInputs> {
  readonly indicators?: Indicators;
}

function compute(text: string, { indicators, ...inputs }: Given = {}): Computed {
  const rules = rulesOf({ enterLong: text }, indicators);
  expect(engine.check(rules)).toEqual([]);
  return engine.compute(rules, {
    bars: FIVE,
    position: { netQty: 0, averagePrice: 0 },
    at: Date.UTC(2026, 10, 20, 15, 5),
    timeZone: "America/Chicago",
    ...inputs,
  });
}

function isTrue(text: string, given: Given = {}): boolean | undefined {
  const computed = compute(text, given);
  if (computed.kind !== "computed") throw new Error(`${text}: ${computed.reason}`);
  return computed.conditions.enterLong;
}

describe("what conditions see", () => {
  test.each([
    "open[0] == 12 && open[4] == 9",
    "high[0] == 16 && high[1] == 15",
    "low[0] == 11 && low[2] == 12",
    "close[0] == 13 && close[1] == 12 && close[2] == 14 && close[3] == 11 && close[4] == 10",
    "volume[0] == 1004 && volume[4] == 1000",
    "size(open) == 5 && size(high) == 5 && low.size() == 5 && size(close) == 5 && size(volume) == 5",
    "m.macd[0] - m.signal[0] == m.histogram[0]",
    "b.upper[0] - b.middle[0] == b.middle[0] - b.lower[0] && b.middle[0] == mean[0]",
    "mean[0] == 13 && mean[1] > 12.3 && mean[1] < 12.4 && size(mean) == 3",
    "typical[0] > 13.3 && typical[0] < 13.4 && opens[0] == 12",
  ])("%s", (text) => {
    const indicators: Indicators = {
      m: { type: "macd", fast: 2, slow: 3, signal: 2 },
      b: { type: "bollinger", period: 3, deviations: 2 },
      mean: { type: "sma", period: 3 },
      typical: { type: "sma", period: 3, source: "typical" },
      opens: { type: "sma", period: 3, source: "open" },
    };
    expect(isTrue(text, { indicators })).toBe(true);
  });

  test("of a long series the 100 newest values", () => {
    const bars = barsOf(Array.from({ length: 150 }, (_, index) => index));
    expect(isTrue("size(close) == 100 && close[0] == 149 && close[99] == 50", { bars })).toBe(true);
    expect(isTrue("highest(close, 100) == 149 && lowest(close, 100) == 50", { bars })).toBe(true);
  });

  test.each([
    [3, "long", "position.net == 3 && position.qty == 3 && position.averagePrice == 12.25"],
    [-3, "short", "position.net == -3 && position.qty == 3 && position.averagePrice == 12.25"],
    [0, "flat", "position.net == 0 && position.qty == 0 && position.averagePrice == 0"],
  ])("a position of %i is %s", (netQty, side, text) => {
    const position = { netQty, averagePrice: netQty === 0 ? 0 : 12.25 };
    expect(isTrue(`position.side == "${side}" && ${text}`, { position })).toBe(true);
  });

  test("a position whose average nobody knows has none, rather than one of 0", () => {
    const position = { netQty: 3 };
    expect(isTrue("position.net == 3", { position })).toBe(true);
    const { kind, conditions } = compute("close[0] > position.averagePrice", { position });
    expect([kind, conditions.enterLong]).toEqual(["failed", undefined]);
  });

  test.each([
    ["2026-01-01T06:00:00Z", "America/Chicago", [0, 0, 4, 1, 1, 2026]],
    ["2026-01-01T05:59:59Z", "America/Chicago", [23, 59, 3, 31, 12, 2025]],
    ["2026-03-08T06:59:00Z", "America/New_York", [1, 59, 7, 8, 3, 2026]],
    ["2026-03-08T07:00:00Z", "America/New_York", [3, 0, 7, 8, 3, 2026]],
    ["2026-11-01T05:30:00Z", "America/New_York", [1, 30, 7, 1, 11, 2026]],
    ["2026-11-01T06:30:00Z", "America/New_York", [1, 30, 7, 1, 11, 2026]],
    ["2026-11-01T07:30:00Z", "America/New_York", [2, 30, 7, 1, 11, 2026]],
    ["2026-11-20T18:31:00Z", "Asia/Kolkata", [0, 1, 6, 21, 11, 2026]],
    ["2024-02-29T12:00:00Z", "UTC", [12, 0, 4, 29, 2, 2024]],
    ["2026-11-23T12:00:00Z", "UTC", [12, 0, 1, 23, 11, 2026]],
  ])("at %s in %s the clock reads %j", (at, timeZone, expected) => {
    const names = ["hour", "minute", "weekday", "day", "month", "year"];
    const text = names.map((name, index) => `time.${name} == ${expected[index]}`).join(" && ");
    expect(isTrue(text, { at: Date.parse(at), timeZone })).toBe(true);
  });
});

describe("arithmetic", () => {
  test.each([
    ["1 + 0.5 == 1.5", true],
    ["0.5 + 1 == 1.5", true],
    ["3 - 0.5 == 2.5 && 2.5 - 3 == -0.5", true],
    ["2 * 1.5 == 3 && 1.5 * 2 == 3", true],
    ["3 / 2.0 == 1.5 && 3.0 / 2 == 1.5", true],
    ["7 / 2 == 3.5 && 7 % 2 == 1 && 7.5 % 2 == 1.5 && int(7 / 2) == 3", true],
    ["1 - 2/100 == 0.98 && 2 * (1/4) == 0.5 && position.qty / 2 == 0", true],
    ["time.minute / 2 == 2.5 && size(close) / 2 == 2.5", true],
    ["close[0] < 13 * (1 - 2/100)", false],
    ["1 == 1.0 && 1.0 == 1 && !(1 != 1.0) && !(1.0 != 1)", true],
    ["1 < 1.5 && 1.5 > 1 && 1 <= 1.0 && 1.0 >= 1", true],
    ["close[0] > 12 && close[0] - 1 == 12 && close[0] * 2 == 26", true],
    ["abs(-2) == 2 && abs(-2.5) == 2.5", true],
    ["min(1, 2.5) == 1 && max(1, 2.5) == 2.5 && min(2.5, 1.5) == 1.5 && max(3, 2) == 3", true],
    ["int(2.9) == 2 && double(2) / 4 == 0.5", true],
    ["2 * close[0] + 1 == 27 && 40 - close[0] - 7 == 20", true],
    ["1 + 0.5 + 1 == 2.5 && 3 / 2.0 + 1 == 2.5 && -(2 * 1.5) == -3", true],
    ["close[0] > 2 * close[1] - 20 + 1", true],
    ["9.0 in close || 10.0 in close", true],
    ["time.hour in [9, 10, 11]", true],
    ["close.all(x, x > 9) && close.exists(x, x == 14) && close.exists_one(x, x == 14)", true],
    ["close.all(x, x > 10)", false],
    ["close[0] > close[1] ? close[0] > 12 : false", true],
  ])("%s is %s", (text, expected) => expect(isTrue(text)).toBe(expected));
});

test("whole numbers and others add up as numbers do", () => {
  interface Sum {
    readonly text: string;
    readonly value: number;
  }
  const { sum } = fc.letrec<{ sum: Sum }>((tie) => ({
    sum: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.integer({ min: 0, max: 40 }).map((value): Sum => ({ text: `${value}`, value })),
      fc
        .integer({ min: 0, max: 40 })
        .map((quarters): Sum => ({ text: (quarters / 4).toFixed(2), value: quarters / 4 })),
      fc.constant<Sum>({ text: "close[0]", value: 13 }),
      fc
        .tuple(tie("sum"), fc.constantFrom("+", "-", "*"), tie("sum"))
        .map(([{ text: one, value: a }, sign, { text: two, value: b }]): Sum => {
          const value = sign === "+" ? a + b : sign === "-" ? a - b : a * b;
          return { text: `(${one} ${sign} ${two})`, value };
        }),
    ),
  }));
  fc.assert(
    fc.property(sum, ({ text, value }) => {
      // Quarters, so the sums are exact; a comparison by == alone would not see every wrong kind.
      expect(isTrue(`${text} == ${value} && !(${text} < ${value}) && ${text} <= ${value}`)).toBe(
        true,
      );
    }),
    { numRuns: 300 },
  );
});

describe("crosses", () => {
  const below: readonly number[] = [1, 2, 3, 3, 5];
  test.each<[text: string, closes: readonly number[], expected: boolean]>([
    ["crossesAbove(close, 3)", [2, 4], true],
    ["crossesAbove(close, 3)", [3, 4], true],
    ["crossesAbove(close, 3)", [4, 5], false],
    ["crossesAbove(close, 3)", [2, 3], false],
    ["crossesAbove(close, 3.5)", [2, 4], true],
    ["crossesBelow(close, 3)", [4, 2], true],
    ["crossesBelow(close, 3)", [3, 2], true],
    ["crossesBelow(close, 3)", [2, 1], false],
    ["crossesBelow(close, 3)", [4, 3], false],
    ["crossesBelow(close, 3.5)", [4, 3], true],
    ["crossesAbove(close, slow)", below, true],
    ["crossesBelow(slow, close)", below, true],
    ["crossesBelow(close, slow)", below, false],
    ["crossesAbove(close, close)", below, false],
    ["crossesBelow(close, close)", below, false],
  ])("%s over %j is %s", (text, closes, expected) => {
    const indicators: Indicators = text.includes("slow")
      ? { slow: { type: "sma", period: 2, source: "high" } }
      : {};
    // The average of the highs is 3 above that of the closes: bring it down to them.
    const bars = barsOf(closes).map((bar) => ({ ...bar, high: bar.close }));
    expect(isTrue(text, { bars, indicators })).toBe(expected);
  });
});

describe("highest and lowest", () => {
  test.each([
    ["highest(close, 1) == close[0] && lowest(close, 1) == close[0]"],
    ["highest(close, 2) == 13 && highest(close, 3) == 14 && highest(close, 5) == 14"],
    ["lowest(close, 2) == 12 && lowest(close, 4) == 11 && lowest(close, 5) == 10"],
    ["highest(high, 5) == 17 && lowest(low, 5) == 8"],
  ])("%s", (text) => expect(isTrue(text)).toBe(true));

  test.each(["highest(close, 0) > 1", "lowest(close, -1) > 1"])("%s fails", (text) => {
    expect(compute(text)).toMatchObject({
      kind: "failed",
      reason: "enterLong has no value: counts at least one value",
    });
  });
});

describe("it is not ready", () => {
  const average: Indicators = { slow: { type: "ema", period: 9 } };
  test.each<[text: string, given: Given]>([
    ["slow[0] > 1", { indicators: average }],
    ["slow[1] > 1", { indicators: average, bars: barsOf([1, 2, 3, 4, 5, 6, 7, 8, 9]) }],
    ["close[5] > 1", {}],
    ["crossesAbove(close, 3)", { bars: barsOf([5]) }],
    ["crossesBelow(open, close)", { bars: barsOf([1]) }],
    ["highest(close, 6) > 1", {}],
    ["lowest(close, 6) > 1", {}],
    ["close[0] > 1", { bars: [] }],
  ])("%s %j", (text, given) => {
    const count = given.bars?.length ?? FIVE.length;
    const computed = compute(text, given);
    expect(computed).toMatchObject({ kind: "notReady" });
    const are = count === 1 ? "1 bar is" : `${count} bars are`;
    expect(computed).toHaveProperty(
      "reason",
      `enterLong asks for values that are not there yet: ${are} too few`,
    );
  });

  test("but its other values are told", () => {
    const indicators: Indicators = {
      slow: { type: "ema", period: 9 },
      fast: { type: "sma", period: 5 },
      bands: { type: "donchian", period: 9 },
    };
    expect(compute("slow[0] > fast[0]", { indicators }).values).toEqual({
      slow: null,
      fast: 12,
      bands: null,
    });
  });

  test("until it is: what the other half of an or says is enough", () => {
    expect(isTrue("close[50] > 1 || close[0] == 13")).toBe(true);
    expect(isTrue("close[50] > 1 && close[0] != 13")).toBe(false);
  });
});

describe("it fails", () => {
  test.each([
    ["1 / 0 > 1", "division by zero"],
    ["1 % 0 == 1", "modulo by zero"],
    ["close[0] > 1 && 1 / position.net > 0", "division by zero"],
    ["1.0 / 0.0 > 1", "division by zero"],
    ["close[0] / (volume[0] - 1004) > 3", "division by zero"],
    ["!(1 / (close[0] / 0.0) > 1)", "division by zero"],
    ["0.0 % 0.0 == 0.0", "modulo by zero"],
    ["1e300 * 1e300 > close[0]", "a number is too large"],
    ["max(1e308 * 10.0, 1.0) > 1", "a number is too large"],
  ])("on %s", (text, reason) => {
    expect(compute(text)).toEqual({
      kind: "failed",
      values: {},
      conditions: {},
      reason: `enterLong has no value: ${reason}`,
    });
  });

  test("by the name of the condition that has no value", () => {
    const rules = rulesOf({ enterLong: "true", exitShort: "1 / 0 > 1" });
    const inputs = {
      bars: FIVE,
      position: { netQty: 0, averagePrice: 0 },
      at: 0,
      timeZone: "UTC",
    };
    expect(engine.compute(rules, inputs)).toMatchObject({
      kind: "failed",
      reason: "exitShort has no value: division by zero",
    });
  });
});

describe("where an indicator has no number", () => {
  // A rate of change from a price of 0 is a division by it.
  const bars = barsOf([1, 2, 0, 4, 5, 6]);
  const indicators: Indicators = { change: { type: "roc", period: 1 } };

  test("its series has null there", () => {
    expect(engine.series({ indicators }, bars)).toEqual({
      change: [null, 1, -1, null, 0.25, expect.closeTo(0.2)],
    });
  });

  test("conditions see what came after it only", () => {
    expect(isTrue("size(change) == 2 && change[0] < change[1]", { bars, indicators })).toBe(true);
    expect(compute("change[2] == 0", { bars, indicators }).kind).toBe("notReady");
  });

  test("stochastic has none in a market that stands still, and none that such bars are part of", () => {
    const closes = [5, 6, 7, 7, 7, 7, 7, 8, 9, 8, 9, 10];
    const quiet = closes.map((close, index) => ({ ...barOf(close, 0), startsAt: index }));
    const it: Indicators = { it: { type: "stochastic", period: 3, smoothK: 2, smoothD: 2 } };
    const { "it.k": k = [], "it.d": d = [] } = engine.series({ indicators: it }, quiet);
    // From the fifth to the seventh bar three in a row are at 7.
    const standing = (values: readonly unknown[]) =>
      values.map((value) => (value === null ? "-" : "x")).join("");
    expect([standing(k), standing(d)]).toEqual(["--------xxxx", "---------xxx"]);
    expect(k[8]).toBe(100);
    const rules = { indicators: it, bars: quiet.slice(0, 7) };
    expect(compute("it.k[0] < 20", rules).kind).toBe("notReady");
  });

  test("rsi has none until a price has changed", () => {
    const it: Indicators = { it: { type: "rsi", period: 2 } };
    const still = barsOf([5, 5, 5, 5, 5, 6, 5]);
    expect(engine.series({ indicators: it }, still)["it"]?.slice(0, 6)).toEqual([
      null,
      null,
      null,
      null,
      null,
      100,
    ]);
  });

  test("adx has one again once the market moves", () => {
    const quiet = Array.from({ length: 6 }, (_, index) => ({ ...barOf(5, 0), startsAt: index }));
    const moving = Array.from({ length: 60 }, (_, index) => barOf(10 + ((index * 7) % 13), 2));
    const adx: Indicators = { it: { type: "adx", period: 3 } };
    const { it = [] } = engine.series({ indicators: adx }, [...quiet, ...moving]);
    expect(it.at(-1)).toEqual(expect.any(Number));
  });
});

function barOf(close: number, reach: number): PriceBar {
  return { startsAt: 0, open: close, high: close + reach, low: close - reach, close, volume: 1 };
}

describe("series for a chart", () => {
  const all: readonly IndicatorTerms[] = [
    { type: "sma", period: 5 },
    { type: "ema", period: 5 },
    { type: "wma", period: 5 },
    { type: "rma", period: 5 },
    { type: "rsi", period: 5 },
    { type: "roc", period: 5 },
    { type: "atr", period: 5 },
    { type: "adx", period: 5 },
    { type: "cci", period: 5 },
    { type: "macd", fast: 3, slow: 6, signal: 4 },
    { type: "bollinger", period: 5, deviations: 2 },
    { type: "stochastic", period: 5, smoothK: 2, smoothD: 3 },
    { type: "donchian", period: 5 },
  ];
  const bars = barsOf(Array.from({ length: 40 }, (_, index) => 50 + ((index * 7) % 11)));

  test.each(all.map((terms) => [terms.type, terms] as const))(
    "%s begins at the bar that it needs, and has no gap after it",
    (_, terms) => {
      const series = engine.series({ indicators: { it: terms } }, bars);
      expect(Object.keys(series)).not.toHaveLength(0);
      for (const [name, values] of Object.entries(series)) {
        const beginsAt = values.findIndex((value) => value !== null);
        const hasGap = values.slice(beginsAt).includes(null);
        expect({ name, bars: values.length, begins: beginsAt + 1, hasGap }).toEqual({
          name,
          bars: bars.length,
          begins: barsNeeded(terms),
          hasGap: false,
        });
      }
    },
  );

  test("names the parts of an indicator, and ends in what an evaluation tells", () => {
    const indicators: Indicators = {
      line: { type: "sma", period: 5 },
      bands: { type: "bollinger", period: 5, deviations: 2 },
      momentum: { type: "macd", fast: 3, slow: 6, signal: 4 },
    };
    const series = engine.series({ indicators }, bars);
    expect(Object.keys(series)).toEqual([
      "line",
      "bands.upper",
      "bands.middle",
      "bands.lower",
      "momentum.macd",
      "momentum.signal",
      "momentum.histogram",
    ]);
    const { values } = compute("true", { bars, indicators });
    expect(values).toEqual({
      line: series["line"]?.at(-1),
      bands: {
        upper: series["bands.upper"]?.at(-1),
        middle: series["bands.middle"]?.at(-1),
        lower: series["bands.lower"]?.at(-1),
      },
      momentum: {
        macd: series["momentum.macd"]?.at(-1),
        signal: series["momentum.signal"]?.at(-1),
        histogram: series["momentum.histogram"]?.at(-1),
      },
    });
  });

  test.each(PRICE_SOURCES)("an average of %s is taken of that price", (source) => {
    const { it = [] } = engine.series(
      { indicators: { it: { type: "sma", period: 1, source } } },
      FIVE,
    );
    const prices = FIVE.map((bar) =>
      source === "typical" ? (bar.high + bar.low + bar.close) / 3 : bar[source],
    );
    expect(it).toEqual(prices);
  });

  test.each<[terms: IndicatorTerms, newest: number | null]>([
    [{ type: "rsi", period: 5 }, null],
    [{ type: "roc", period: 5 }, 0],
    [{ type: "atr", period: 5 }, 0],
    [{ type: "cci", period: 5 }, null],
    [{ type: "adx", period: 5 }, null],
  ])("of a market that never moves %j ends in %j", (terms, newest) => {
    const still = Array.from({ length: 20 }, () => barOf(50, 0));
    const { it = [] } = engine.series({ indicators: { it: terms } }, still);
    expect(it.at(-1)).toBe(newest);
  });
});

describe("whatever it computes", () => {
  const indicators: Indicators = {
    fast: { type: "ema", period: 3 },
    slow: { type: "sma", period: 6, source: "typical" },
    strength: { type: "rsi", period: 4 },
    bands: { type: "bollinger", period: 5, deviations: 1.5 },
    momentum: { type: "macd", fast: 2, slow: 4, signal: 3 },
  };
  const condition = fc.constantFrom(
    "crossesAbove(fast, slow)",
    "crossesBelow(fast, slow) || strength[0] > 70",
    "close[0] > bands.upper[0] && position.net <= 0",
    "close.exists(x, x > bands.upper[0]) && momentum.histogram[0] > 0",
    "highest(high, 5) - lowest(low, 5) > 10 && time.hour < 12",
    "fast[3] / position.averagePrice > 1",
    "1 / position.net > 0",
  );
  const price = fc.integer({ min: 1, max: 400 }).map((ticks) => ticks / 4);
  const bar = fc.record({
    startsAt: fc.nat(),
    open: price,
    high: price,
    low: price,
    close: price,
    volume: fc.nat(9_999),
  });
  const inputs = fc.record({
    bars: fc.array(bar, { maxLength: 30 }),
    position: fc.record({ netQty: fc.integer({ min: -9, max: 9 }), averagePrice: price }),
    at: fc.integer({ min: 0, max: 4_102_444_800_000 }),
    timeZone: fc.constantFrom("UTC", "America/Chicago", "Europe/Berlin", "Asia/Kolkata"),
  });
  const conditions = fc.record(
    { enterLong: condition, exitLong: condition, enterShort: condition, exitShort: condition },
    { requiredKeys: ["enterLong"] },
  );
  const given = fc.tuple(conditions, inputs);

  test("the same rules and inputs come to the same, whatever came between, and stay as they are", () => {
    fc.assert(
      fc.property(given, given, ([some, seen], [others, between]) => {
        const rules = deepFrozen(rulesOf(some, indicators, 30));
        const before = JSON.stringify([rules, seen]);
        expect(engine.check(rules)).toEqual([]);
        const first = engine.compute(rules, deepFrozen(seen));
        engine.compute(rulesOf(others, indicators, 30), between);
        expect(engine.compute(rules, seen)).toEqual(first);
        expect(
          createStrategyEngine().compute(structuredClone(rules), structuredClone(seen)),
        ).toEqual(first);
        expect(JSON.stringify([rules, seen])).toBe(before);
      }),
    );
  });

  test("the time changes nothing where no condition reads it", () => {
    fc.assert(
      fc.property(inputs, fc.integer(), (seen, at) => {
        const rules = rulesOf({ enterLong: "crossesAbove(fast, slow)" }, indicators, 30);
        const later = { ...seen, at: Math.abs(at), timeZone: "UTC" };
        expect(engine.compute(rules, later)).toEqual(engine.compute(rules, seen));
      }),
    );
  });
});

function deepFrozen<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) {
    Object.freeze(value);
    Object.values(value).forEach(deepFrozen);
  }
  return value;
}
