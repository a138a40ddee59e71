import type { Static } from "@sinclair/typebox";
import { expect, test } from "vitest";
import { contracts } from "../../../config/contracts.ts";
import { guardPresets } from "../../../config/guard-presets.ts";
import { presentPreset } from "../../../src/http/present/guards.ts";
import { readGuards } from "../../../src/http/requests/read-guards.ts";
import { validators } from "../../../src/http/requests/validate.ts";
import { PutGuardsBody } from "../../../src/http/schemas/guards.ts";

const parse = validators.bodyReader(PutGuardsBody);
const isRoot = (text: string) => contracts.some(({ root }) => root === text);

test.each(guardPresets.map((preset) => [preset.name, preset] as const))(
  "%s is what PUT guards takes, and means the same there",
  (_, preset) => {
    const { settings, rules } = presentPreset(preset);
    const text = JSON.stringify({ ...settings, rules });
    const read = readGuards(parse(text) as Static<typeof PutGuardsBody>, isRoot);
    expect(read).toEqual({ settings: preset.settings });
  },
);

test.each(guardPresets.map((preset) => [preset.name, preset] as const))(
  "%s is dated, and says where it is from",
  (name, preset) => {
    expect(name).toMatch(/^[a-z0-9-]{1,64}$/);
    expect(preset.asOf).toBe("2026-11");
    expect(preset.sources.length).toBeGreaterThan(0);
    expect(presentPreset(preset).caution).toBe(
      "Dated 2026-11; check with your firm before you rely on it",
    );
  },
);

test("each has a name of its own", () => {
  const names = guardPresets.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test("a micro counts as a tenth where it is a tenth of its market, and hedges are found in every size", () => {
  const worth = new Map(contracts.map(({ root, pointValue }) => [root, Number(pointValue)]));
  const marketOf = new Map(contracts.map(({ root, market = root }) => [root, market]));
  const rules = guardPresets.flatMap(({ settings }) => settings.rules);
  const weighed = rules.flatMap((rule) => (rule.kind === "lots" ? Object.keys(rule.weights) : []));
  const parts = [...new Set(weighed)].map((root) => {
    const whole = worth.get(marketOf.get(root) ?? "") ?? Number.NaN;
    return [root, Math.round((whole / (worth.get(root) ?? Number.NaN)) * 1_000) / 1_000];
  });
  expect(parts.length).toBeGreaterThan(5);
  expect(parts).toEqual(parts.map(([root]) => [root, 10]));
  const groups = rules.flatMap((rule) => (rule.kind === "opposite" ? rule.groups : []));
  expect(groups).toEqual(
    expect.arrayContaining([
      ["ES", "MES"],
      ["NG", "QG", "MNG"],
      ["GC", "MGC", "QO", "1OZ"],
      ["6J", "J7", "MJY"],
      ["BTC", "MBT"],
    ]),
  );
});

test("every firm of the list is there", () => {
  expect([...new Set(guardPresets.map(({ firm }) => firm))]).toEqual([
    "Topstep",
    "Apex Trader Funding",
    "Take Profit Trader",
    "MyFundedFutures",
    "Tradeify",
    "Earn2Trade",
    "Bulenox",
    "TradeDay",
  ]);
});

test("a figure of each firm is as it was found", () => {
  const rule = (name: string, id: string) =>
    guardPresets.find((one) => one.name === name)?.settings.rules.find((one) => one.id === id);
  expect(rule("topstep-combine-50k", "drawdown")).toMatchObject({
    trails: "endOfDay",
    size: 200_000,
    start: 5_000_000,
    locksAt: 5_000_000,
  });
  expect(rule("topstep-xfa-50k", "lots")).toMatchObject({
    max: 2_000,
    weights: { MES: 100 },
    ladder: {
      start: 0,
      counts: "nextDay",
      steps: [
        { above: 150_000, max: 3_000 },
        { above: 200_000, max: 5_000 },
      ],
    },
  });
  expect(rule("apex-intraday-50k", "drawdown")).toMatchObject({
    trails: "live",
    size: 250_000,
    locksAt: 5_010_000,
  });
  expect(rule("tradeify-growth-150k", "daily-loss")).toMatchObject({ limit: 375_000 });
  expect(rule("earn2trade-gauntlet-mini-50k", "livestock")).toMatchObject({
    time: "13:05",
    zone: "America/Chicago",
    roots: ["LE", "HE", "GF"],
  });
});
