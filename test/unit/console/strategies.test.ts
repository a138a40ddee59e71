// The goal: what is typed into a strategy's form is what the gateway is asked for, what it refuses is
// told at the field that it names, and the chart draws what was decided where it was decided.
// The method: forms and the bodies that come of them, held against the gateway's own rules.
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import {
  countsInWords,
  decisionsOn,
  panesOf,
} from "../../../src/console/pages/strategies/chart-data.ts";
import { decisionInWords } from "../../../src/console/pages/strategies/decision-words.ts";
import {
  asType,
  indicatorsOf,
  type IndicatorTyped,
  KINDS,
  nameProblems,
  PARTS,
  TYPES,
  withNew,
} from "../../../src/console/pages/strategies/indicators.ts";
import {
  BAR_MINUTES,
  changeOf,
  CONDITIONS,
  creationOf,
  newStrategy,
  problemAt,
  type StrategyTyped,
  typedStrategy,
} from "../../../src/console/pages/strategies/strategy-typed.ts";
import {
  barWord,
  bracketInWords,
  numberText,
} from "../../../src/console/pages/strategies/term-words.ts";
import type {
  Evaluation,
  Strategy,
  StrategyChart,
} from "../../../src/console/pages/strategies/types.ts";
import { INDICATOR_PARTS } from "../../../src/domain/strategies/indicator.ts";
import {
  BAR_MINUTES as KNOWN_BAR_MINUTES,
  CONDITIONS as KNOWN_CONDITIONS,
} from "../../../src/domain/strategies/strategy.ts";
import { readNewStrategy } from "../../../src/http/requests/read-strategy.ts";
import { CreateStrategyBody, IndicatorBody, STRATEGY } from "../../../src/http/schemas/strategy.ts";

const INDICATOR_TYPES: readonly string[] = IndicatorBody.properties.type["enum"];
const ZONE = "Europe/Berlin";
const STORED = { ...STRATEGY, barMinutes: 5 } as Strategy;
const NEW = newStrategy("paper-1", ZONE);
const edited = (more: Partial<StrategyTyped>) =>
  changeOf({ ...typedStrategy(STORED, ZONE), ...more }, STORED);

const row = (more: Partial<IndicatorTyped> = {}): IndicatorTyped => ({
  row: 1,
  name: "fast",
  type: "ema",
  source: "close",
  parameters: { period: "9" },
  ...more,
});

describe("a new strategy", () => {
  test("asks for what was typed, and leaves out what is empty", () => {
    const typed = {
      ...NEW,
      symbol: " MNQ1! ",
      conditions: { ...NEW.conditions, enterLong: " 1<2 " },
    };
    expect(creationOf(typed)).toEqual({
      accountId: "paper-1",
      symbol: "MNQ1!",
      barMinutes: 5,
      barCount: 200,
      indicators: {},
      conditions: { enterLong: "1<2" },
      qty: 1,
      mode: "observe",
      enabled: true,
    });
  });

  test("takes everything along", () => {
    const typed: StrategyTyped = {
      ...NEW,
      name: " Cross ",
      indicators: [row(), row({ row: 2, name: "slow", parameters: { period: "21" } })],
      qty: "2",
      takeProfit: { by: "ticks", distance: "80" },
      stopLoss: { by: "ticks", distance: " 40 " },
      cron: " */5 * * * * ",
      mode: "trade",
      enabled: false,
    };
    expect(creationOf(typed)).toMatchObject({
      name: "Cross",
      indicators: { fast: { type: "ema", period: 9 }, slow: { type: "ema", period: 21 } },
      qty: 2,
      bracket: { takeProfit: { ticks: 80 }, stopLoss: { ticks: 40 } },
      schedule: { cron: "*/5 * * * *", timeZone: ZONE },
      mode: "trade",
      enabled: false,
    });
  });

  test("leaves what is no number to the gateway, which refuses it by its name", () => {
    const typed = { ...NEW, qty: "two", indicators: [row({ parameters: { period: "x" } })] };
    expect(creationOf(typed)).toMatchObject({
      qty: "two",
      indicators: { fast: { type: "ema", period: "x" } },
    });
  });
});

describe("a change", () => {
  test("of a form that was opened and left as it was is none", () => {
    expect(edited({})).toEqual({});
  });

  test.each<[string, Partial<StrategyTyped>, object]>([
    ["a name", { name: " Other " }, { name: "Other" }],
    ["no name keeps the one that there is", { name: " " }, {}],
    ["another account", { accountId: "paper-2" }, { accountId: "paper-2" }],
    ["the mode", { mode: "observe" }, { mode: "observe" }],
    ["off", { enabled: false }, { enabled: false }],
    ["no schedule", { cron: " " }, { schedule: null }],
    [
      "another time zone",
      { timeZone: ZONE },
      { schedule: { cron: STRATEGY.schedule.cron, timeZone: ZONE } },
    ],
    [
      "no exits",
      { takeProfit: { by: "ticks", distance: "" }, stopLoss: { by: "ticks", distance: "" } },
      { bracket: null },
    ],
    [
      "one exit; the other keeps its unit",
      { takeProfit: { by: "ticks", distance: "" } },
      { bracket: { stopLoss: { offset: 10 } } },
    ],
    [
      "indicators as a whole",
      { indicators: [row({ source: "open" })] },
      { indicators: { fast: { type: "ema", period: 9, source: "open" } } },
    ],
    [
      "conditions as a whole",
      { conditions: { enterLong: "a", exitLong: "", enterShort: "", exitShort: "" } },
      { conditions: { enterLong: "a" } },
    ],
  ])("%s", (_, typed, change) => {
    expect(edited(typed)).toEqual(change);
  });
});

describe("indicators", () => {
  test("keep what was typed when they become another type, as far as that has it", () => {
    expect(asType(row(), "bollinger").parameters).toEqual({ period: "9", deviations: "2" });
    expect(asType(row(), "macd").parameters).toEqual({ fast: "12", slow: "26", signal: "9" });
  });

  test("lose a price that their type does not look at", () => {
    const typed = [asType(row({ source: "open" }), "atr")];
    expect(indicatorsOf(typed)).toEqual({ fast: { type: "atr", period: 9 } });
  });

  test("are added under rows of their own", () => {
    const rows = withNew(withNew([row({ row: 7 })]));
    expect(rows.map((one) => one.row)).toEqual([7, 8, 9]);
  });

  test("without a name, or with the same one, are told before anything is sent", () => {
    const rows = [row(), row({ row: 2, name: " fast " }), row({ row: 3, name: " " })];
    expect([...nameProblems(rows)]).toEqual([
      [2, "Is the name of another indicator too"],
      [3, "Needs a name, by which conditions know it"],
    ]);
    expect(nameProblems([row(), row({ row: 2, name: "slow" })]).size).toBe(0);
  });

  test("of every type that the gateway knows are offered, with figures that it takes", () => {
    const ajv = new Ajv2020({ strict: false });
    expect([...TYPES].toSorted()).toEqual([...INDICATOR_TYPES].toSorted());
    for (const type of TYPES) {
      const typed = {
        ...NEW,
        symbol: "MNQ1!",
        conditions: { ...NEW.conditions, enterLong: "true" },
        indicators: [asType(row({ parameters: {}, source: "typical" }), type)],
      };
      const body = creationOf(typed);
      expect([type, ajv.validate(CreateStrategyBody, body), ajv.errors]).toEqual([
        type,
        true,
        null,
      ]);
      // Throws what is missing of its parameters, and what is too much.
      const { indicators } = readNewStrategy(body);
      expect(Object.keys(indicators["fast"] ?? {})).toEqual(
        expect.arrayContaining(["type", ...Object.keys(KINDS[type].parameters)]),
      );
    }
  });

  test("have the parts, and strategies the conditions and bars, that the gateway knows", () => {
    expect(PARTS).toEqual(INDICATOR_PARTS);
    expect(CONDITIONS).toEqual(KNOWN_CONDITIONS);
    expect(BAR_MINUTES).toEqual(KNOWN_BAR_MINUTES);
  });
});

test("a problem is found at exactly its place", () => {
  const problems = [
    { path: "indicators.fast.period", message: "must be integer" },
    { path: "indicators.slow", message: "is a word of conditions already" },
    { path: "conditions", message: "need enterLong, enterShort or both" },
  ];
  expect(problemAt(problems, "indicators.fast")).toBeUndefined();
  expect(problemAt(problems, "indicators.slow")).toBe("is a word of conditions already");
  expect(problemAt(problems, "conditions")).toBe("need enterLong, enterShort or both");
});

describe("in words", () => {
  type Told = Pick<Evaluation, "decision" | "outcome" | "outcomeReason">;
  test.each<[Told, string]>([
    [{ decision: "hold", outcome: "none", outcomeReason: null }, "Hold"],
    [
      { decision: "enterLong", outcome: "done", outcomeReason: "Bought 1 MNQZ6 at 25210.75" },
      "Enter long: done, Bought 1 MNQZ6 at 25210.75",
    ],
    [
      { decision: "exit", outcome: "observed", outcomeReason: null },
      "Exit: It only observes: nothing was sent.",
    ],
    [
      { decision: "enterShort", outcome: "pending", outcomeReason: null },
      "Enter short: pending, Accepted, and waiting or being sent.",
    ],
  ])("%j", (told, words) => {
    expect(decisionInWords(told)).toBe(words);
  });

  test("bars, exits and numbers", () => {
    expect([1, 5, 60, 240, 1_440].map(barWord)).toEqual([
      "1 minute",
      "5 minutes",
      "1 hour",
      "4 hours",
      "1 day",
    ]);
    expect(bracketInWords(STORED.bracket)).toBe("take profit 80 ticks, stop loss 10 in price");
    expect(bracketInWords(null)).toBe("no stop-loss or take-profit");
    expect([25_207.123_456, 1.083_456_78, 0, -3].map(numberText)).toEqual([
      "25207.12",
      "1.083457",
      "0",
      "-3",
    ]);
  });
});

describe("a chart", () => {
  const bar = (minute: number) => ({
    time: `2026-09-21T14:${String(minute).padStart(2, "0")}:00.000Z`,
    open: 1,
    high: 2,
    low: 0,
    close: 1,
    volume: 0,
  });
  const evaluation = (barsEndAt: string | null, more: Partial<Evaluation> = {}) =>
    ({ ...STORED.lastEvaluation, barsEndAt, ...more }) as Evaluation;
  const chartOf = (decisions: Evaluation[]): StrategyChart => ({
    symbol: "MNQZ6",
    barMinutes: 5,
    bars: [bar(0), bar(5), bar(20)],
    indicators: {},
    decisions,
  });

  test("has each decision on the newest bar that had ended by then", () => {
    const points = decisionsOn(
      chartOf([
        evaluation("2026-09-21T14:04:00.000Z"),
        evaluation("2026-09-21T14:05:00.000Z"),
        evaluation("2026-09-21T14:15:00.000Z", { decision: "exit", outcome: "rejected" }),
        evaluation("2026-09-21T14:25:00.000Z", { decision: "enterShort", outcome: "observed" }),
      ]),
    );
    expect(points.map(({ bar: on, decision, isDone }) => [on, decision, isDone])).toEqual([
      [0, "enterLong", true],
      [1, "exit", false],
      [2, "enterShort", false],
    ]);
    expect(countsInWords(points)).toBe("1 entry long, 1 entry short, 1 exit");
    expect(countsInWords([])).toBe("no decision");
  });

  test("has lines of the price over the bars, and others by their scale below", () => {
    const indicators: Strategy["indicators"] = {
      bands: { type: "bollinger", period: 20, deviations: 2 },
      strength: { type: "rsi", period: 14 },
      trend: { type: "macd", fast: 12, slow: 26, signal: 9 },
      k: { type: "stochastic", period: 14, smoothK: 3, smoothD: 3 },
    };
    const series = [
      "bands.upper",
      "bands.middle",
      "strength",
      "trend.macd",
      "trend.histogram",
      "k.k",
      "gone",
    ];
    const drawn = panesOf(
      { indicators },
      { indicators: Object.fromEntries(series.map((name) => [name, [null, 1]])) },
    );
    expect(
      drawn.map(({ pane, lines }) => [pane, lines.map(({ ink, look, name }) => [name, ink, look])]),
    ).toEqual([
      [
        "price",
        [
          ["bands.upper", "line-1", "dashed"],
          ["bands.middle", "line-1", "solid"],
        ],
      ],
      [
        "percent",
        [
          ["strength", "line-2", "solid"],
          ["k.k", "line-4", "solid"],
        ],
      ],
      [
        "macd",
        [
          ["trend.macd", "line-3", "solid"],
          ["trend.histogram", "line-3", "columns"],
        ],
      ],
    ]);
  });
});
