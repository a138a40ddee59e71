import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type ConditionName,
  CONDITIONS,
  type Indicators,
} from "../../../src/domain/strategies/strategy.ts";
import { createConditionLanguage } from "../../../src/evaluation/condition-language.ts";
import { evaluateCondition } from "../../../src/evaluation/evaluate-condition.ts";
import { createStrategyEngine } from "../../../src/evaluation/strategy-engine.ts";
import type { Computed, PriceBar } from "../../../src/trading/strategies/ports.ts";
import { ANY_CHARACTER } from "../../support/any-character.ts";

const engine = createStrategyEngine();

const indicators: Indicators = {
  ema: { type: "ema", period: 3 },
  sma: { type: "sma", period: 3 },
  b: { type: "stochastic", period: 3, smoothK: 1, smoothD: 1 },
};

const bars: readonly PriceBar[] = Array.from({ length: 120 }, (_, index) => ({
  startsAt: index * 60_000,
  open: 100 + (index % 7),
  high: 120 + (index % 5),
  low: 80 - (index % 3),
  close: 100 + ((index * 7) % 11),
  volume: index,
}));

const rulesOf = (text: string, name: ConditionName = "enterLong", own: Indicators = indicators) =>
  ({
    barMinutes: 1,
    barCount: 120,
    indicators: own,
    conditions: { enterLong: "true", [name]: text },
  }) as const;

const problemsOf = (text: string, name?: ConditionName) => engine.check(rulesOf(text, name));

const compute = (text: string, own?: Indicators, some = bars) =>
  engine.compute(rulesOf(text, "enterLong", own), {
    bars: some,
    position: { netQty: -1, averagePrice: 100.5 },
    at: Date.UTC(2026, 10, 20),
    timeZone: "America/Chicago",
  });

const many = (count: number, text: string, between = "") =>
  Array.from({ length: count }, () => text).join(between);

/** Where a problem is, the first character being 0. */
const placeOf = (message = ""): number =>
  Number(/ \(at character (\d+)\)$/.exec(message)?.[1] ?? "1") - 1;

const isAnswer = (computed: Computed): boolean =>
  computed.kind === "computed"
    ? typeof computed.conditions.enterLong === "boolean"
    : computed.reason !== "";

/** What a condition comes to, as a text: true, false, notReady, or why it failed. */
function answerOf(text: string): string {
  const computed = compute(text);
  if (computed.kind === "computed") return String(computed.conditions.enterLong);
  return computed.kind === "notReady" ? computed.kind : `failed: ${computed.reason}`;
}

describe("is refused at its place", () => {
  const left = "close[0] > 1.0 && ";
  test.each<[text: string, culprit: string, message: string]>([
    // A part of CEL that conditions do without.
    [`${left}"a".matches("(a+)+b")`, "matches(", "knows no matches()"],
    [`${left}close.map(x, x) == close`, "map(", "knows no map()"],
    [`${left}close.map(x, true, x) == close`, "map(", "knows no map()"],
    [`${left}close.filter(x, true) == close`, "filter(", "knows no filter()"],
    [`${left}cel.bind(x, 1, x == 1)`, "bind(", "knows no bind()"],
    [`${left}has(b.k)`, "has(", "knows no function has"],
    [
      `${left}timestamp("2026-01-01T00:00:00Z") == time`,
      "timestamp",
      "knows no function timestamp",
    ],
    [`${left}timestamp(0).getHours() == 0`, "timestamp", "knows no function timestamp"],
    [`${left}duration("1s") == duration("1s")`, "duration", "knows no function duration"],
    [`${left}b"a" == b"a"`, 'b"a"', "numbers, texts, true and false only"],
    [`${left}bytes("a") == bytes("a")`, "bytes", "knows no function bytes"],
    [`${left}1u == 1u`, "1u", "numbers, texts, true and false only"],
    [`${left}uint(1) == uint(1)`, "uint", "knows no function uint"],
    [`${left}null == null`, "null", "numbers, texts, true and false only"],
    [`${left}dyn(1) == 1`, "dyn", "knows no function dyn"],
    [`${left}type(1) == int`, "type", "knows no function type"],
    [`${left}string(1) == "1"`, "string", "knows no function string"],
    [`${left}bool("true")`, "bool", "knows no function bool"],
    [`${left}optional.of(1) == optional.of(1)`, "of(", "knows no of()"],
    [`${left}{} == {}`, "{}", "a part of CEL that conditions do without"],
    [`${left}{1: 2} == {1: 2}`, "1: 2", "Exceeded maxMapEntries"],
    [`${left}"a,b".split(",").exists(x, x == "a")`, "split(", "knows no split()"],
    [`${left}"a".startsWith("a")`, "startsWith(", "knows no startsWith()"],
    // Lists that would grow, and lists of one's own.
    [`${left}close + open == close`, "close + open", "adds up numbers, not series"],
    [`${left}b.k + b.d == close`, "b.k + b.d", "adds up numbers, not series"],
    [`${left}(true ? close : open) + open == open`, "true ?", "adds up numbers, not series"],
    [`${left}size(close + close) == 200`, "close + close", "adds up numbers, not series"],
    [`open.exists(x, (x > 1.0 ? sma : ema) + sma == sma)`, "x > 1.0", "adds up numbers"],
    [`${left}[1.0] == [1.0]`, "[1.0]", "may have a list only behind in"],
    [`${left}[close, open].exists(x, x == close)`, "[close, open]", "only behind in"],
    [`${left}1.0 in (true ? [1.0] : [2.0])`, "[1.0]", "only behind in"],
    [`${left}[1.0] in [[1.0]]`, "[1.0]", "only behind in"],
    // Too much work.
    [many(3, "close.all(x, ") + "true" + ")))", "close", "and may take 100000"],
    [`${left}close[100] > 1.0`, "100", "further than the 100 newest values"],
    [`${left}close[-1] > 1.0`, "-1", "counts back from [0]"],
    [`${left}close[time.minute / 7] > 1.0`, "time.minute", "int( ) makes one of it"],
    [`${left}highest(close, 10 / 4 + 1) > 1.0`, "10 / 4", "int( ) makes one of it"],
    // Ways to what is not there.
    [`${left}constructor == 1`, "constructor", "Unknown variable: constructor"],
    [`${left}toString == 1`, "toString", "Unknown variable: toString"],
    [`${left}hasOwnProperty("a")`, "hasOwnProperty", "knows no function hasOwnProperty"],
    [`${left}__proto__ == 1`, "__proto__", "Reserved identifier: __proto__"],
    [`${left}prototype == 1`, "prototype", "Reserved identifier: prototype"],
    [`${left}this == 1`, "this", "Unknown variable: this"],
    [`${left}globalThis == 1`, "globalThis", "Unknown variable: globalThis"],
    [`${left}process.exit(1)`, "exit(", "knows no exit()"],
    [`${left}close.constructor == 1`, "constructor", "List index must be int"],
    [`${left}close.length == 1`, "length", "List index must be int"],
    [`${left}close["constructor"] == 1`, '"constructor"', "a number in [ ], not a text"],
    [`${left}b.constructor == 1`, "constructor", "No such key: constructor"],
    [`${left}b.__proto__ == 1`, "__proto__", "No such key: __proto__"],
    [`${left}position.toString == 1`, "toString", "No such key: toString"],
    [`${left}time.constructor == 1`, "constructor", "No such key: constructor"],
    [`${left}close.constructor("return 1")`, "constructor(", "knows no constructor()"],
    [`close.exists(__proto__, true)`, "__proto__", "Reserved identifier: __proto__"],
    [`close.exists(1, true)`, "1,", "invalid predicate iteration variable"],
    [`close.exists(b.k, true)`, "k,", "invalid predicate iteration variable"],
    // What only looks like CEL.
    [`${left}\u0441lose[0] > 1.0`, "\u0441", "Unexpected character"],
    [`${left}close[0] \uff1e 1.0`, "\uff1e", "Unexpected character"],
    [`${left}close\u2024size() > 1`, "\u2024", "Unexpected character"],
    [`${left}clo\u200bse[0] > 1.0`, "\u200b", "Unexpected character"],
    [`${left}close[0] = 1.0`, "= ", "Unexpected character"],
    [`${left}close[0] > 1.0; true`, ";", "Unexpected character"],
    [`${left}\`x\` == "x"`, "`", "Unexpected character"],
    [`${left}"a\nb" == "a"`, "\n", "Newlines not allowed"],
    [`${left}"a`, '"a', "Unterminated"],
    [`${left}/* no */ true`, "/", "where a value is needed"],
    [`${left}true // && false`, "//", "has a comment"],
    ["nothing//\n(close)", "//", "has a comment"],
    // What comes to something else.
    ["close[0]", "close", "comes to a number, and must come to true or false"],
    ["size(close)", "size", "comes to a number, and must come to true or false"],
    ["close", "close", "comes to list<double>, and must come to true or false"],
    ['"true"', '"true"', "comes to string, and must come to true or false"],
    ['time["ho" + "ur"]', '"ho" ', "a number in [ ], not a text"],
    ["close[position.side] > 1.0", "position", "a number in [ ], not a text"],
    ["9223372036854775807 > 0", "9", "a whole number above 1000000000"],
    [`${many(200, "9")} > 0`, "9", "a whole number above 1000000000"],
    ["highest(close, 101) > 1", "101", "further than the 101 newest values"],
    ["sma in [close[0]]", "sma", "asks of numbers"],
    ["close[0] in [sma]", "close[0]", "asks of numbers"],
    ["int", "int", "and must come to true or false"],
    [`${left}close > open`, "close > open", "no such overload"],
    [`${left}1 + "a" == "1a"`, "1 +", "no such overload"],
  ])("%j", (text, culprit, message) => {
    const name = CONDITIONS[text.length % CONDITIONS.length] ?? "enterLong";
    const problems = problemsOf(text, name);
    expect(problems).toEqual([
      { path: `conditions.${name}`, message: expect.stringContaining(message) },
    ]);
    expect(placeOf(problems[0]?.message)).toBe(text.indexOf(culprit));
  });

  test.each<[what: string, text: string, message: RegExp]>([
    ["nothing", "", /^ends too early: a value is missing$/],
    [
      "an open parenthesis",
      "(close[0] > 1.0",
      /^ends too early: "\)" is missing \(at character 1[56]\)$/,
    ],
    [
      "a wrong bracket",
      "(close[0] > 1.0]",
      /^has "]" where "\)" is needed \(at character 1[56]\)$/,
    ],
    ["two signs", "close[0] > > 1.0", /^has ">" where a value is needed \(at character 1[12]\)$/],
    ["a long text", `close[0] > 1.0${many(487, " ")}`, /^is longer than 500 characters$/],
    [
      "deep parentheses",
      `${many(30, "(")}true${many(30, ")")}`,
      /maxDepth .*\(at character 2\d\)$/,
    ],
    ["deep indexes", many(60, "close[") + "0", /maxDepth .*\(at character \d+\)$/],
    ["deep choices", many(40, "true ? ") + "true", /maxDepth .*\(at character \d+\)$/],
    ["many not", `${many(400, "!")}true`, /maxAstNodes .*\(at character \d+\)$/],
    ["many minuses", `${many(400, "-")}1 > 0`, /maxAstNodes .*\(at character \d+\)$/],
    ["many ors", many(101, "true", "||"), /^(?:is longer|.*maxAstNodes .*\(at character \d+\)$)/],
    ["a long list", `1.0 in [${many(21, "1.0", ",")}]`, /maxListElements .*\(at character \d+\)$/],
    ["many arguments", "max(1, 2, 3, 4) > 1", /maxCallArguments .*\(at character 14\)$/],
  ])("%s", (_, text, message) => {
    expect(problemsOf(text, "exitShort")).toEqual([
      { path: "conditions.exitShort", message: expect.stringMatching(message) },
    ]);
  });
});

describe("comes to true, to false, or to a reason", () => {
  test.each<[text: string, outcome: boolean | string]>([
    // Numbers at their ends.
    ["0.0 / 0.0 > 1.0 || 0.0 / 0.0 <= 1.0", "division by zero"],
    ["0.0 / 0.0 == 0.0 / 0.0", "division by zero"],
    ['double("nan") > 1.0', "cannot convert to double"],
    ["1000000000 * 1000000000 > 0", true],
    ["1000000000 * 1000000000 * 1000000000 > 0", true],
    ["1e308 * 10.0 > 1e308", "a number is too large"],
    ["1.0 / (1e308 * 10.0) < 1.0", "a number is too large"],
    ["int(1e308) + int(1e308) > 0", "a number is too large"],
    ['int(double("inf")) > 0', "cannot convert to double"],
    ['int("x") > 0', "cannot convert to int"],
    ["1 / 0 > 1", "division by zero"],
    ["close.all(x, 1 / 0 > 1)", "division by zero"],
    ["close[int(close[0]) * 1000] > 1", "notReady"],
    ["close[int(time.minute / 7)] > 1", true],
    ["close[0 - 1] > 1", "no place in a series"],
    // Texts.
    ["position.side == 'sh' + \"ort\"", true],
    ['"""a\nb""" == \'a\\nb\'', true],
    ["'\\'' == \"'\"", true],
    ["r'\\d' == '\\\\d'", true],
    ["'\\u0063lose' == 'close'", true],
    ["'${1}' == '$' + '{1}'", true],
    ["'\u{1F4C8}'.size() == 1", true],
    [`(${many(30, "'aaaaaaaa'", "+")}).size() == 240`, true],
    // Names that JavaScript knows, as loops' variables and as fields.
    ["close.exists(constructor, constructor > 1.0)", true],
    ["close.exists(toString, toString > 1.0)", true],
    ["close.all(hasOwnProperty, hasOwnProperty > 1.0)", true],
    ["close.exists(close, close > 1.0)", true],
    ["close.exists(position, position > 1.0)", true],
    ["close.all(x, close.exists(x, x > 1.0) && x > 1.0)", true],
    ["position.averagePrice + position.qty == 101.5", true],
  ])("%j", (text, outcome) => {
    expect(problemsOf(text)).toEqual([]);
    const told = typeof outcome === "boolean" ? String(outcome) : outcome;
    expect(answerOf(text)).toContain(told);
  });

  test.each([
    'b["constr" + "uctor"] == 1',
    'b["__pro" + "to__"] == 1',
    'position["to" + "String"] == 1',
    'position[position.side + "x"] == 1',
    'time["get" + ""] == 1',
    'b["get"] == 1',
    'b["size"] == 1',
    'google["constructor"] == int',
    'google.protobuf["__proto__"] == int',
    "google.protobuf.exists(x, google.protobuf[x + x] == int)",
  ])("%j comes to nothing", (text) => {
    const outcome = problemsOf(text).length > 0 ? "refused" : compute(text).kind;
    expect(["refused", "failed"]).toContain(outcome);
  });

  test("what was thrown within it never leaves it, and says nothing of the text around", () => {
    const computed = compute('"secret" == "secret" && 1 / 0 > 1');
    expect(computed).toMatchObject({ kind: "failed" });
    expect(JSON.stringify(computed)).not.toContain("secret");
  });
});

describe("indicators by hostile names", () => {
  const named = (name: string): Indicators =>
    JSON.parse(`{${JSON.stringify(name)}:{"type":"sma","period":3}}`) as Indicators;
  const parted = (name: string): Indicators =>
    JSON.parse(`{${JSON.stringify(name)}:{"type":"donchian","period":3}}`) as Indicators;

  test.each([
    ...Object.getOwnPropertyNames(Object.prototype),
    "",
    "Close",
    "1a",
    "a b",
    "a.b",
    "a\n",
    "\u0430verage",
    "_a",
    "$a",
    "a-b",
    many(33, "a"),
    "close",
    "volume",
    "position",
    "time",
    "true",
    "null",
    "in",
    "if",
    "size",
    "crossesAbove",
    "int",
    "list",
    "cel",
    "type",
  ])("%j is refused", (name) => {
    for (const own of [named(name), parted(name)]) {
      const problems = engine.check(rulesOf("close[0] > 1.0", "enterLong", own));
      expect(problems.length).toBeGreaterThan(0);
      for (const { path } of problems) expect(path).toBe(`indicators.${name}`);
    }
  });

  test.each(["prototype", "null_type", "google"])(
    "%s, which the language keeps for itself, is refused",
    (name) => {
      for (const own of [named(name), parted(name)]) {
        const problems = engine.check(rulesOf("close[0] > 1.0", "enterLong", own));
        expect(problems).toEqual([
          { path: `indicators.${name}`, message: "is a word of conditions already" },
        ]);
      }
    },
  );

  test.each([
    "then",
    "length",
    "get",
    "set",
    "clear",
    "entries",
    "eval",
    "undefined",
    "arguments",
    "await",
    "self",
    "getDate",
    "matches",
    many(32, "a"),
  ])("%s is a name like any other", (name) => {
    for (const [own, text] of [
      [named(name), `${name}[0] > 1.0`],
      [parted(name), `${name}.upper[0] > 1.0`],
    ] as const) {
      expect(engine.check(rulesOf(text, "enterLong", own))).toEqual([]);
      expect(compute(text, own)).toMatchObject({
        kind: "computed",
        conditions: { enterLong: true },
      });
    }
  });

  test("every word that the language knows is either refused or works", () => {
    const { variables, functions } = createConditionLanguage({}).getDefinitions();
    const words = new Set([...variables, ...functions].map(({ name }) => name));
    expect(words).toContain("crossesAbove");
    const thrown: string[] = [];
    for (const word of words) {
      try {
        const problems = engine.check(rulesOf("close[0] > 1.0", "enterLong", named(word)));
        if (problems.length === 0) compute("close[0] > 1.0", named(word));
      } catch {
        thrown.push(word);
      }
    }
    expect(thrown).toEqual([]);
  });
});

describe("whatever is written", () => {
  const series = fc.constantFrom("close", "open", "volume", "ema", "b.k", 'b["d"]');
  const small = fc.integer({ min: -3, max: 120 }).map(String);
  const { condition, number } = fc.letrec<{ condition: string; number: string }>((tie) => ({
    condition: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom("true", "false", "1 / 0 > 0", 'position.side == "long"'),
      fc
        .tuple(tie("number"), fc.constantFrom("<", "<=", "==", "!=", ">", ">="), tie("number"))
        .map((parts) => parts.join(" ")),
      fc
        .tuple(tie("condition"), fc.constantFrom("&&", "||"), tie("condition"))
        .map((parts) => `(${parts.join(" ")})`),
      tie("condition").map((one) => `!(${one})`),
      fc
        .tuple(
          series,
          fc.constantFrom("all", "exists", "exists_one"),
          tie("number"),
          tie("condition"),
        )
        .map(([list, loop, one, two]) => `${list}.${loop}(x, x > ${one} || ${two})`),
      fc
        .tuple(fc.constantFrom("crossesAbove", "crossesBelow"), series, series)
        .map(([name, one, two]) => `${name}(${one}, ${two})`),
      fc.tuple(series, series).map(([one, two]) => `${one} == ${two}`),
      fc.tuple(tie("number"), series).map(([one, list]) => `${one} in ${list}`),
    ),
    number: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      small,
      fc.constantFrom("0.5", "1e308", "position.net", "position.averagePrice", "time.hour"),
      fc.tuple(series, small).map(([list, index]) => `${list}[${index}]`),
      fc.tuple(series, tie("number")).map(([list, index]) => `${list}[${index}]`),
      fc
        .tuple(fc.constantFrom("highest", "lowest"), series, tie("number"))
        .map(([name, list, count]) => `${name}(${list}, ${count})`),
      fc
        .tuple(tie("number"), fc.constantFrom("+", "-", "*", "/", "%"), tie("number"))
        .map((parts) => `(${parts.join(" ")})`),
      fc
        .tuple(tie("condition"), tie("number"), tie("number"))
        .map(([one, two, three]) => `(${one} ? ${two} : ${three})`),
      tie("number").map((one) => `abs(${one})`),
    ),
  }));
  const word = fc.constantFrom(
    ..."close open b .k .d ema x 0 1 1.5 99 100 -1 ( ) [ ] { } . , + - * / % < <= == != > >= && || ! ? :".split(
      " ",
    ),
    ...'in true false null "k" \'d\' b"a" 1u size( abs( highest( .exists(x, .all(x, .map(x, .matches('.split(
      " ",
    ),
    "position.net",
    "time.hour",
    "constructor",
    "__proto__",
    "this",
    "//",
    "\n",
    "\\",
    "google",
  );
  const text = fc.oneof(
    { weight: 6, arbitrary: condition },
    { weight: 1, arbitrary: number },
    { weight: 3, arbitrary: fc.array(word, { maxLength: 40 }).map((words) => words.join(" ")) },
    { weight: 1, arbitrary: fc.array(word, { maxLength: 40 }).map((words) => words.join("")) },
    { weight: 1, arbitrary: fc.string({ unit: ANY_CHARACTER, maxLength: 520 }) },
    { weight: 1, arbitrary: fc.string({ unit: "grapheme-ascii", maxLength: 520 }) },
  );

  test("it is refused with its place, or comes to one of three kinds of answers", () => {
    const seen = { refused: 0, computed: 0, notReady: 0, failed: 0 };
    fc.assert(
      fc.property(text, (written) => {
        const problems = problemsOf(written, "exitLong");
        for (const { path, message } of problems) {
          expect(path).toBe("conditions.exitLong");
          expect(placeOf(message)).toBeLessThanOrEqual(written.length);
        }
        if (problems.length > 0) seen.refused += 1;
        const computed = [bars, bars.slice(0, 4)]
          .filter(() => problems.length === 0)
          .map((some) => compute(written, indicators, some));
        for (const { kind } of computed) seen[kind] += 1;
        expect(computed.filter((one) => !isAnswer(one))).toEqual([]);
      }),
      { numRuns: 3_000 },
    );
    // It tried what it is about.
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(20);
  });
});

describe("a condition reads a bounded number of values", () => {
  /** As `check-condition.ts` says: steps of one condition. */
  const MAX_STEPS = 100_000;

  const own: Indicators = {
    b: { type: "stochastic", period: 3, smoothK: 1, smoothD: 1 },
    u: { type: "donchian", period: 3 },
    d: { type: "donchian", period: 3 },
    s: { type: "sma", period: 2 },
    t: { type: "sma", period: 3 },
  };
  const isLetThrough = (text: string) => engine.check(rulesOf(text, "enterLong", own)).length === 0;

  /** Evaluates over series of 100 values, and counts how often a value is read. */
  function readsOf(text: string): number {
    let reads = 0;
    const counted = (values: readonly number[]) =>
      new Proxy([...values], {
        get(list, key, receiver) {
          if (typeof key === "string" && /^[0-9]+$/.test(key)) reads += 1;
          return Reflect.get(list, key, receiver) as unknown;
        },
      });
    const flat = Array.from({ length: 100 }, () => 100);
    /** The same but for its oldest value: whoever compares the two reads them to their ends. */
    const other = [...flat.slice(1), 99];
    const value = evaluateCondition(createConditionLanguage(own).parse(text).ast, {
      ...Object.fromEntries(
        ["open", "high", "low", "close", "volume"].map((name) => [name, counted(flat)]),
      ),
      b: { k: counted(flat), d: other },
      u: { upper: counted(flat), middle: counted(flat), lower: counted(flat) },
      // Reading one of each list is one step where two are compared: one of the two is counted.
      d: { upper: flat, middle: flat, lower: flat },
      s: counted(flat),
      t: other,
      position: { net: 0, qty: 0, side: "flat", averagePrice: 0 },
      time: { hour: 1, minute: 1, weekday: 1, day: 1, month: 1, year: 2026 },
    });
    expect(value).toEqual(expect.any(Boolean));
    return reads;
  }

  /** The same part as often as it is let through, within two loops, one, or none. */
  const most = (part: string, frame: (parts: string) => string): string => {
    const texts = Array.from({ length: 60 }, (_, count) => frame(many(count + 1, part, " || ")));
    return texts.findLast(isLetThrough) ?? "";
  };
  const twice = (parts: string) => `close.exists(x, close.exists(y, ${parts}))`;
  const once = (parts: string) => `close.exists(x, ${parts})`;
  const plain = (parts: string) => parts;

  test.each<[string, (parts: string) => string, least: number]>([
    ["x + y < 1.0", twice, 10_000],
    ["close[1] < 1.0", once, 1_000],
    ["x < 1.0", twice, 10_000],
    ["close.exists(y, x + y < 1.0)", once, 10_000],
    ["close.exists_one(y, y < x)", once, 10_000],
    ["!close.all(y, y > 1.0)", once, 10_000],
    ["x - 1.0 in close", once, 5_000],
    ["highest(close, 100) < 1.0", once, 5_000],
    ["lowest(close, 100) > 100.0", once, 5_000],
    ["u.upper != d.upper", once, 5_000],
    ["s == t", once, 5_000],
    ["crossesAbove(close, 1.0)", once, 200],
    ["u.upper != d.upper", plain, 1_000],
    ["close.exists(x, x < 1.0)", plain, 1_000],
  ])("%s as often as it is let through", (part, frame, least) => {
    const text = most(part, frame);
    expect(text).not.toBe("");
    const reads = readsOf(text);
    expect(reads).toBeGreaterThanOrEqual(least);
    expect(reads).toBeLessThanOrEqual(MAX_STEPS);
  });

  test.each([
    // A series behind ["k"] is one too, as it is behind .k.
    `(${many(20, 'b["k"]', "+")}).exists(x, (${many(24, 'b["k"]', "+")}).exists(y, y < 1.0))`,
    `(${many(12, 'b["k"+""]', "+")}).exists(x, (${many(12, 'b["k"]', "+")}).exists(y, y < 1.0))`,
    `(${many(6, '(true?b:b)["k"]', "+")}).exists(x, (${many(9, 'b["k"]', "+")}).exists(y, y < 1.0))`,
    twice('u["upper"] != d["upper"]'),
    // A series that is looked for in a list of series is compared with each of them.
    once(many(7, `s in [${many(20, "t", ",")}]`, "||")),
    once(many(4, `s in [${many(20, "b.d", ",")}]`, "||")),
  ])("%s is refused, or cheap", (text) => {
    expect(text.length).toBeLessThanOrEqual(500);
    expect(isLetThrough(text) ? readsOf(text) : 0).toBeLessThanOrEqual(MAX_STEPS);
  });
});

describe("what was checked is forgotten", () => {
  setFlagsFromString("--expose_gc");
  const collect = runInNewContext("gc") as () => void;
  const heldBytes = () => {
    collect();
    collect();
    return process.memoryUsage().heapUsed;
  };
  const CHECKS = 500;
  /** What one check may leave behind: less than its own text. */
  const MOST_BYTES_EACH = 1_000;

  /** Never the same name twice. */
  const names = (() => {
    let last = 46_656;
    return (count: number) => Array.from({ length: count }, () => `f${(last += 1).toString(36)}`);
  })();

  test.each<[what: string, check: () => unknown]>([
    ["the same strategy", () => problemsOf("close[0] > ema[0]")],
    [
      "names of functions that there are not",
      () => engine.check(rulesOf(`${names(60).join("()+")}()`, "enterLong", {})),
    ],
    [
      "names of indicators",
      () => {
        const terms = { type: "donchian", period: 3 } as const;
        const own = Object.fromEntries(names(12).map((name) => [name, terms]));
        return engine.check(rulesOf("close[0] > 1.0", "enterLong", own));
      },
    ],
  ])("%s", (_, check) => {
    for (let count = 0; count < 50; count += 1) check();
    const before = heldBytes();
    for (let count = 0; count < CHECKS; count += 1) check();
    expect((heldBytes() - before) / CHECKS).toBeLessThan(MOST_BYTES_EACH);
  });
});
