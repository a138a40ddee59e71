import { describe, expect, test } from "vitest";
import { GatewayError, type Problem } from "../../../../src/errors.ts";
import { minor } from "../../../../src/domain/money.ts";
import { readGuards } from "../../../../src/http/requests/read-guards.ts";
import { validators } from "../../../../src/http/requests/validate.ts";
import { PutGuardsBody } from "../../../../src/http/schemas/guards.ts";
import type { Static } from "@sinclair/typebox";

const parse = validators.bodyReader(PutGuardsBody);
const ROOTS = new Set(["ES", "MES", "CL"]);
const isRoot = (text: string) => ROOTS.has(text);
const read = (body: object) =>
  readGuards(parse(JSON.stringify(body)) as Static<typeof PutGuardsBody>, isRoot);

function problemsOf(body: object): readonly Problem[] {
  try {
    read(body);
  } catch (error) {
    if (error instanceof GatewayError) return error.details;
    throw error;
  }
  return [];
}

const EVERY = { id: "a", mode: "on", lock: "soft" } as const;
const LOSS = {
  ...EVERY,
  kind: "loss",
  period: "day",
  limit: 1_000,
  counts: "open",
  then: "flatten",
};
const DRAWDOWN = {
  ...EVERY,
  kind: "drawdown",
  trails: "live",
  size: 2_000,
  start: 50_000,
  then: "flatten",
};
const LOTS = { ...EVERY, kind: "lots", max: 5, weights: {} };
const ladder = (...above: (number | string)[]) => ({
  ...LOTS,
  ladder: { start: 0, counts: "nextDay", steps: above.map((one) => ({ above: one, max: 3 })) },
});
const FLAT = {
  ...EVERY,
  kind: "flatBy",
  zone: "America/Chicago",
  time: "15:10",
  entriesOffMinutes: 5,
  flattenSeconds: 120,
};
const window = (from: string, to: string) => ({
  ...EVERY,
  kind: "window",
  zone: "Europe/Berlin",
  windows: [{ days: ["mon"], from, to }],
});
const NEWS = {
  ...EVERY,
  kind: "news",
  calendar: "news",
  beforeSeconds: 120,
  afterSeconds: 120,
  forbids: "positions",
  whenExpired: "refuse",
};

describe("amounts", () => {
  test.each([
    ["1000.50", "USD", 100_050],
    [1_000.1, "USD", 100_010],
    ["0.29", "USD", 29],
    ["1000.500", "USD", 100_050],
    [1_000, "JPY", 1_000],
    ["1.234", "KWD", 1_234],
  ])("%j %s is exactly %i", (limit, currency, units) => {
    expect(read({ currency, rules: [{ ...LOSS, limit }] }).settings.rules).toEqual([
      { ...LOSS, limit: minor(units) },
    ]);
  });

  test.each([
    ["1000.505", "USD", "must have at most 2 decimals"],
    [0.1 + 0.2, "USD", "must be a decimal such as 1000.50"],
    [1.5, "JPY", "must have at most 0 decimals"],
    ["1,000", "USD", "must be a decimal such as 1000.50"],
    ["", "USD", "must be a decimal such as 1000.50"],
    [" 5", "USD", "must be a decimal such as 1000.50"],
    [0, "USD", "must be greater than 0"],
    ["-5", "USD", "must be greater than 0"],
    [1e13, "USD", "must be at most 1000000000000"],
  ])("%j %s: %s", (limit, currency, message) => {
    const problems = problemsOf({ currency, rules: [{ ...LOSS, limit }] });
    expect(problems).toEqual([{ path: "rules.0.limit", message }]);
  });

  test("lots are counted in thousandths", () => {
    const rule = { ...LOTS, max: "2.5", weights: { MES: "0.1", CL: 0.125 } };
    expect(read({ rules: [rule] }).settings.rules).toEqual([
      { ...LOTS, max: 2_500, weights: { MES: 100, CL: 125 } },
    ]);
  });

  test("a balance may be below zero", () => {
    expect(read({ rules: [], balance: "-1500.25" }).balance).toBe(-150_025);
  });
});

test("what is left out is what the gateway does by itself", () => {
  expect(read({ rules: [] })).toEqual({
    settings: {
      currency: "USD",
      warnPercent: 70,
      entriesOffPercent: 90,
      bufferPercent: 5,
      whenBlind: { then: "alarm", afterSeconds: 60 },
      rules: [],
    },
  });
});

test("each kind of rule is read", () => {
  const rules = [
    { ...LOSS, id: "loss", together: ["paper-2"] },
    { ...LOSS, id: "profit", kind: "profit", period: "week" },
    { ...DRAWDOWN, id: "drawdown", peak: 51_000, locksAt: 50_000 },
    { ...ladder(0, 1_500), id: "lots" },
    { ...EVERY, id: "value", kind: "orderValue", max: "500000" },
    { ...EVERY, id: "opposite", kind: "opposite", groups: [["ES", "MES"]] },
    { ...EVERY, id: "count", kind: "count", of: "executions", max: 50 },
    { ...EVERY, id: "best", kind: "consistency", percent: 50 },
    { ...window("00:00", "00:00"), id: "window" },
    { ...FLAT, id: "flat", days: ["fri"], roots: ["CL"], resumes: "17:00:30" },
    {
      ...EVERY,
      id: "close",
      kind: "flatBeforeClose",
      before: "holiday",
      seconds: 60,
      entriesOffMinutes: 5,
    },
    { ...EVERY, id: "roll", kind: "flatBeforeRoll", businessDays: 1, of: "lastTrade" },
    { ...NEWS, id: "news", titles: ["CPI"], impacts: ["high"], currencies: ["USD"] },
  ];
  const inCents: Readonly<Record<string, object>> = {
    loss: { limit: 100_000 },
    profit: { limit: 100_000 },
    drawdown: { size: 200_000, start: 5_000_000, peak: 5_100_000, locksAt: 5_000_000 },
    lots: {
      max: 5_000,
      ladder: {
        start: 0,
        counts: "nextDay",
        steps: [
          { above: 0, max: 3_000 },
          { above: 150_000, max: 3_000 },
        ],
      },
    },
    value: { max: 50_000_000 },
  };
  expect(read({ rules }).settings.rules).toEqual(
    rules.map((rule) => ({ ...rule, ...inCents[rule.id] })),
  );
});

describe("each problem is told at its place", () => {
  const many = Array.from({ length: 41 }, (_, nth) => ({ ...LOSS, id: `r${nth}` }));

  test.each<[string, object, string[]]>([
    ["two rules of one id", { rules: [LOSS, LOTS, DRAWDOWN] }, ["rules.1.id", "rules.2.id"]],
    ["an id of other letters", { rules: [{ ...LOSS, id: "Daily" }] }, ["rules.0.id"]],
    ["an id that is too long", { rules: [{ ...LOSS, id: "a".repeat(41) }] }, ["rules.0.id"]],
    ["too many rules", { rules: many }, ["rules"]],
    ["no rules", {}, ["rules"]],
    ["an unknown field", { rules: [], drawdown: 1 }, ["drawdown"]],
    ["an unknown field of a rule", { rules: [{ ...LOSS, size: 1 }] }, ["rules.0.size"]],
    ["an unknown kind", { rules: [{ ...LOSS, kind: "luck" }] }, ["rules.0.kind"]],
    ["no kind", { rules: [EVERY] }, ["rules.0.kind"]],
    ["no mode", { rules: [{ ...LOSS, mode: undefined }] }, ["rules.0.mode"]],
    ["warn at entries off", { warnPercent: 90, rules: [] }, ["entriesOffPercent"]],
    ["warn above it", { warnPercent: 95, rules: [] }, ["entriesOffPercent"]],
    ["entries off above 100", { entriesOffPercent: 101, rules: [] }, ["entriesOffPercent"]],
    ["a buffer above 50", { bufferPercent: 51, rules: [] }, ["bufferPercent"]],
    ["a currency that is none", { currency: "usd", rules: [] }, ["currency"]],
    [
      "blind without seconds",
      { whenBlind: { then: "alarm" }, rules: [] },
      ["whenBlind.afterSeconds"],
    ],
    ["a peak below the start", { rules: [{ ...DRAWDOWN, peak: 49_999 }] }, ["rules.0.peak"]],
    [
      "a floor that would be lower",
      { rules: [{ ...DRAWDOWN, locksAt: 47_999 }] },
      ["rules.0.locksAt"],
    ],
    ["a start below zero", { rules: [{ ...DRAWDOWN, start: -1 }] }, ["rules.0.start"]],
    [
      "steps that do not rise",
      { rules: [ladder(1_500, "1500.00")] },
      ["rules.0.ladder.steps.1.above"],
    ],
    ["steps that fall", { rules: [ladder(1_500, 2_000, 1_000)] }, ["rules.0.ladder.steps.2.above"]],
    ["lots that are finer", { rules: [{ ...LOTS, max: "0.0001" }] }, ["rules.0.max"]],
    ["a weight of nothing", { rules: [{ ...LOTS, weights: { ES: 0 } }] }, ["rules.0.weights.ES"]],
    ["a weight of no root", { rules: [{ ...LOTS, weights: { XX: 1 } }] }, ["rules.0.weights.XX"]],
    [
      "a group with no root",
      { rules: [{ ...EVERY, kind: "opposite", groups: [["ES", "ES1!"]] }] },
      ["rules.0.groups.0.1"],
    ],
    ["news of no root", { rules: [{ ...NEWS, roots: ["CL", "XX"] }] }, ["rules.0.roots.1"]],
    ["a zone that is none", { rules: [{ ...FLAT, zone: "Mars/Base" }] }, ["rules.0.zone"]],
    ["an offset", { rules: [{ ...FLAT, zone: "+02:00" }] }, ["rules.0.zone"]],
    ["a time that is none", { rules: [{ ...FLAT, time: "24:00" }] }, ["rules.0.time"]],
    ["no account", { rules: [{ ...LOSS, together: ["paper-2", "a b"] }] }, ["rules.0.together.1"]],
    ["0 trades", { rules: [{ ...EVERY, kind: "count", of: "trades", max: 0 }] }, ["rules.0.max"]],
    ["a balance of words", { rules: [], balance: "much" }, ["balance"]],
    [
      "all at once",
      { warnPercent: 95, balance: "x", rules: [{ ...LOSS, limit: 0 }, LOTS] },
      ["entriesOffPercent", "rules.1.id", "rules.0.limit", "balance"],
    ],
  ])("%s", (_, body, paths) => {
    expect(problemsOf(body).map(({ path }) => path)).toEqual(paths);
  });
});
