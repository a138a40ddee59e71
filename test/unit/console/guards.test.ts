// The goal: what the page of guards says of a rule is what it is, and what it sends is what was typed.
// The method: rules of every kind through the form and the gateway's own reading of requests, and tables.
import { describe, expect, test } from "vitest";
import type { GuardRule } from "../../../src/domain/guards/rule.ts";
import { withIds } from "../../../src/console/pages/guards/decision-lines.ts";
import { differences } from "../../../src/console/pages/guards/next-differences.ts";
import { isOtherCurrency, withPreset } from "../../../src/console/pages/guards/preset-edit.ts";
import {
  freeId,
  newRule,
  ruleOf,
  type RuleTyped,
  typedRule,
} from "../../../src/console/pages/guards/rule-typed.ts";
import { detailsOf, nameOf } from "../../../src/console/pages/guards/rule-words.ts";
import { closedNow, restrictionNow } from "../../../src/console/pages/guards/schedule-now.ts";
import { spanText } from "../../../src/console/pages/guards/span-words.ts";
import type {
  Decision,
  Guards,
  GuardState,
  Preset,
  Restriction,
  Rule,
  RuleKind,
} from "../../../src/console/pages/guards/types.ts";
import {
  bodyOf,
  type Wanted,
  wantedOf,
  withinRule,
  withoutRule,
  withRule,
} from "../../../src/console/pages/guards/wanted-guards.ts";
import { presentRule } from "../../../src/http/present/guard-rule.ts";
import { readGuards } from "../../../src/http/requests/read-guards.ts";
import { validators } from "../../../src/http/requests/validate.ts";
import { PutGuardsBody } from "../../../src/http/schemas/guards.ts";

const EVERY = { mode: "on", lock: "soft" } as const;

const RULES: readonly Rule[] = [
  {
    ...EVERY,
    id: "a",
    kind: "loss",
    period: "week",
    limit: 2_500.5,
    counts: "closed",
    then: "flatten",
    together: ["paper-2"],
  },
  {
    ...EVERY,
    id: "b",
    kind: "profit",
    mode: "shadow",
    period: "day",
    limit: 800,
    counts: "open",
    then: "exitsOnly",
  },
  {
    ...EVERY,
    id: "c",
    kind: "drawdown",
    lock: "hard",
    trails: "live",
    size: 2_000,
    start: 50_000,
    peak: 51_000,
    locksAt: 50_100,
    then: "flatten",
  },
  {
    ...EVERY,
    id: "d",
    kind: "lots",
    max: 5,
    weights: { MES: 0.1, MNQ: 0.125 },
    ladder: { start: 50_000, counts: "live", steps: [{ above: 1_500, max: 7.5 }] },
  },
  { ...EVERY, id: "e", kind: "orderValue", max: 300_000 },
  {
    ...EVERY,
    id: "f",
    kind: "opposite",
    groups: [
      ["ES", "MES"],
      ["NQ", "MNQ"],
    ],
  },
  { ...EVERY, id: "g", kind: "count", of: "lossesInRow", max: 3 },
  { ...EVERY, id: "h", kind: "consistency", percent: 40 },
  {
    ...EVERY,
    id: "i",
    kind: "window",
    zone: "America/New_York",
    windows: [
      { days: ["mon", "tue"], from: "09:30", to: "11:30" },
      { days: ["fri"], from: "20:00", to: "02:00" },
    ],
  },
  {
    ...EVERY,
    id: "j",
    kind: "flatBy",
    zone: "America/Chicago",
    time: "15:10",
    days: ["mon"],
    roots: ["ES"],
    entriesOffMinutes: 5,
    flattenSeconds: 120,
    resumes: "17:00",
  },
  {
    ...EVERY,
    id: "k",
    kind: "flatBeforeClose",
    before: "holiday",
    seconds: 60,
    entriesOffMinutes: 3,
    roots: ["CL"],
  },
  { ...EVERY, id: "l", kind: "flatBeforeRoll", businessDays: 2, of: "lastTrade" },
  {
    ...EVERY,
    id: "m",
    kind: "news",
    calendar: "us",
    titles: ["CPI", "Non-Farm Payrolls"],
    impacts: ["high"],
    currencies: ["USD"],
    roots: ["ES", "NQ"],
    beforeSeconds: 120,
    afterSeconds: 60,
    forbids: "orders",
    whenExpired: "tell",
  },
];

const read = validators.bodyReader(PutGuardsBody);

/** As the gateway understands it, and shows it again. */
function throughGateway(...rules: readonly object[]): readonly Rule[] {
  const body = read(JSON.stringify({ rules })) as Parameters<typeof readGuards>[0];
  const { settings } = readGuards(body, () => true);
  return settings.rules.map((rule: GuardRule) => presentRule(rule, "USD") as Rule);
}

describe("the form of a rule", () => {
  test.each(RULES)("of the kind $kind sends the rule that it was opened with", (rule) => {
    expect(throughGateway(ruleOf(typedRule(rule), rule.id))).toEqual([rule]);
  });

  /** What only the person can know, by kind. */
  const MISSING: Readonly<Record<RuleKind, Partial<RuleTyped>>> = {
    loss: { limit: "1000.50" },
    profit: { limit: "500" },
    drawdown: { size: "2000", start: "50000" },
    lots: { maxLots: "5" },
    orderValue: { maxValue: "100000" },
    opposite: {},
    count: { maxCount: "10" },
    consistency: {},
    window: {},
    flatBy: {},
    flatBeforeClose: {},
    flatBeforeRoll: {},
    news: { calendar: "us-releases" },
  };

  test.each(Object.entries(MISSING) as [RuleKind, Partial<RuleTyped>][])(
    "of a new %s is taken once that is typed which has no default",
    (kind, typed) => {
      const rule = { ...newRule(kind), ...typed };
      const [taken] = throughGateway(ruleOf(rule, freeId(rule, [])));
      expect(taken).toMatchObject({ kind, mode: "on", lock: "soft" });
      for (const text of Object.values(typed)) {
        const value = kind === "news" ? text : Number(text);
        expect(Object.values(taken ?? {})).toContain(value);
      }
    },
  );

  test("sends an amount that cannot be read as it was typed", () => {
    expect(ruleOf({ ...newRule("loss"), limit: " 1,000 " }, "x")).toMatchObject({ limit: "1,000" });
    expect(ruleOf({ ...newRule("count"), maxCount: "ten" }, "x")).toMatchObject({ max: "ten" });
  });

  test("names a new rule as no other is named", () => {
    const loss = newRule("loss");
    expect(freeId(loss, [])).toBe("daily-loss");
    expect(freeId({ ...loss, period: "week" }, ["daily-loss"])).toBe("weekly-loss");
    expect(freeId(loss, ["daily-loss", "daily-loss-2"])).toBe("daily-loss-3");
    expect(freeId(newRule("flatBy"), [])).toBe("flat-by");
  });
});

describe("in words", () => {
  test("every kind has a name and its terms", () => {
    const words = RULES.map((rule) => [nameOf(rule, "USD"), ...detailsOf(rule, "USD")].join("; "));
    expect(words).toEqual([
      "Weekly loss of 2,500.50 USD; only what was closed counts; at it everything is closed and the account is locked; together with paper-2",
      "Daily profit of 800.00 USD; open positions count; at it the account is locked: only exits pass",
      "Drawdown of 2,000.00 USD; from the live peak; began with 50,000.00 USD; peak 51,000.00 USD; the floor stops at 50,100.00 USD; at it everything is closed and the account is locked",
      "At most 5 lots; MES counts 0.1, MNQ counts 0.125; 7.5 lots above 1,500.00 USD",
      "Orders worth at most 300,000.00 USD",
      "No opposite positions in ES/MES, NQ/MNQ; over all accounts of yours",
      "At most 3 losses in a row; then no entry until the next trading day",
      "Best day at most 40 % of all profit; only told",
      "Entries only in 2 windows; Mon, Tue 09:30 to 11:30; Fri 20:00 to 02:00; America/New_York",
      "Flat by 15:10 (America/Chicago); Mon; only ES; entries off 5 min before; closed 2 min before; again from 17:00",
      "Flat before holidays; only CL; entries off 3 min before; closed 60 s before",
      "Out 2 business days before the last trading day",
      "News of us; no entries, and none may rest from 2 min before to 60 s after; CPI, Non-Farm Payrolls; impact high; USD; only ES, NQ",
    ]);
  });

  test.each([
    [0, "now"],
    [900, "1 second"],
    [59_001, "1 minute"],
    [60_000, "1 minute"],
    [60_001, "2 minutes"],
    [3_599_001, "1 hour"],
    [12_000_000, "3 hours 20 minutes"],
    [90_000_000, "1 day 1 hour"],
    [86_400_000 * 3 + 120_000, "3 days 2 minutes"],
  ])("%d ms are %s", (ms, words) => {
    expect(spanText(ms)).toBe(words);
  });
});

const [LOSS, PROFIT, DRAWDOWN] = RULES as readonly [Rule, Rule, Rule, ...Rule[]];

const SETTINGS: Guards["settings"] = {
  currency: "USD",
  warnPercent: 70,
  entriesOffPercent: 90,
  bufferPercent: 5,
  whenBlind: { then: "alarm", afterSeconds: 60 },
};

const stateOf = (rule: Rule, upcoming: Restriction | null = null): GuardState => ({
  rule,
  verdict: null,
  upcoming,
});

const guardsOf = (rules: readonly Rule[], next: Guards["next"] = null) =>
  ({ version: "7", settings: SETTINGS, rules: rules.map((rule) => stateOf(rule)), next }) as Guards;

const laterOf = (rules: readonly Rule[], settings = SETTINGS): Guards["next"] => ({
  settings,
  rules: [...rules],
  from: "2026-09-21T22:00:00.000Z",
});

describe("what is wanted", () => {
  test("is what was asked for last, though the stricter still counts", () => {
    const softer = { ...LOSS, limit: 9_000 } as Rule;
    const guards = guardsOf([LOSS, PROFIT], laterOf([softer, PROFIT]));
    expect(wantedOf(guards).rules).toEqual([softer, PROFIT]);
    expect(wantedOf(guardsOf([LOSS])).rules).toEqual([LOSS]);
  });

  test("keeps every other rule at its place when one is changed, added or removed", () => {
    const wanted = wantedOf(guardsOf([LOSS, PROFIT]));
    const changed = { ...LOSS, limit: 1 } as Rule;
    expect(withRule(changed, "a")(wanted).rules).toEqual([changed, PROFIT]);
    expect(withRule(DRAWDOWN, "c")(wanted).rules).toEqual([LOSS, PROFIT, DRAWDOWN]);
    expect(withoutRule("a")(wanted).rules).toEqual([PROFIT]);
  });

  test("is sent with the version that was seen, and locks only where that is said", () => {
    const wanted: Wanted = { settings: SETTINGS, rules: [LOSS] };
    expect(bodyOf(wanted, "7", false)).toEqual({ ...SETTINGS, rules: [LOSS], version: "7" });
    const first = { ...SETTINGS, rules: [LOSS], version: "", locksNow: true };
    expect(bodyOf(wanted, "", true)).toEqual(first);
  });

  test("is told what is wrong with a rule at its own fields alone", () => {
    const problems = ["rules.1.limit", "rules.10.limit", "balance"].map((path) => ({
      path,
      message: "is wrong",
    }));
    const paths = withinRule(problems, 1).map(({ path }) => path);
    expect(paths).toEqual(["limit", "rules.10.limit", "balance"]);
  });
});

describe("what counts later", () => {
  test("is told rule by rule, and setting by setting", () => {
    const softer = { ...LOSS, limit: 9_000 } as Rule;
    const settings = {
      ...SETTINGS,
      bufferPercent: 0,
      whenBlind: { then: "flatten", afterSeconds: 60 },
    } as const;
    const told = differences(guardsOf([LOSS, PROFIT], laterOf([softer, DRAWDOWN], settings)));
    expect(told).toEqual([
      expect.stringMatching(/^Weekly loss of 2,500\.50 USD becomes: Weekly loss of 9,000\.00 USD/),
      "Daily profit of 800.00 USD: removed",
      expect.stringMatching(/^New: Drawdown of 2,000\.00 USD/),
      "Buffer, percent: 0 instead of 5",
      "What is done while figures are missing",
    ]);
  });

  test("is nothing where nothing waits", () => {
    expect(differences(guardsOf([LOSS]))).toEqual([]);
  });
});

describe("a preset", () => {
  const preset = {
    currency: "USD",
    settings: { ...SETTINGS, bufferPercent: 10 },
    rules: [{ ...LOSS, limit: 1 }, DRAWDOWN],
  } as Preset;
  const wanted: Wanted = { settings: SETTINGS, rules: [LOSS, PROFIT] };
  const asItIs = { asShadow: false, replacesAll: false };

  test("takes the place of rules of its names, beside the others and under their settings", () => {
    const { rules, settings } = withPreset(preset, asItIs)(wanted);
    expect(rules).toEqual([PROFIT, ...preset.rules]);
    expect(settings).toBe(SETTINGS);
  });

  test("alone comes with its settings, and only tells where that is asked for", () => {
    const made = withPreset(preset, { asShadow: true, replacesAll: true })(wanted);
    expect(made.rules.map(({ id, mode }) => [id, mode])).toEqual([
      ["a", "shadow"],
      ["c", "shadow"],
    ]);
    expect(made.settings).toBe(preset.settings);
  });

  test("in another currency cannot stand beside rules", () => {
    const euros = { ...preset, currency: "EUR" };
    expect(isOtherCurrency(guardsOf([LOSS]), euros)).toBe(true);
    expect(isOtherCurrency(guardsOf([]), euros)).toBe(false);
    expect(isOtherCurrency(guardsOf([LOSS]), preset)).toBe(false);
  });
});

describe("a schedule", () => {
  const at = Date.parse("2026-09-21T20:00:00Z");
  const from = new Date(at - 1_000).toISOString();
  const until = new Date(at + 1_000).toISOString();
  const flat: Restriction = { forbids: "positions", from, until, reason: "flat by 15:10" };
  const rule = RULES.find(({ kind }) => kind === "flatBy") as Rule;

  test("forbids from its beginning until its end", () => {
    const state = stateOf(rule, flat);
    expect(restrictionNow(state, at - 1_001)).toBeUndefined();
    expect(restrictionNow(state, at - 1_000)).toBe(flat);
    expect(restrictionNow(state, at + 1_000)).toBeUndefined();
    const endless = { ...flat, until: null };
    expect(restrictionNow(stateOf(rule, endless), at + 1_000)).toBe(endless);
  });

  test("keeps nothing out while it only tells", () => {
    const shadow = { ...rule, mode: "shadow" } as Rule;
    const closed = closedNow([stateOf(shadow, flat), stateOf(rule, flat), stateOf(rule)], at);
    expect(closed).toEqual([{ rule, restriction: flat }]);
  });
});

test("decisions of one instant are told apart, and keep their ids as newer ones come", () => {
  const refused: Decision = { at: "t1", what: "refused", ruleId: "a", reason: "no", by: null };
  const newer: Decision = { ...refused, at: "t2" };
  const before = withIds([refused, refused]).map(({ id }) => id);
  expect(new Set(before).size).toBe(2);
  expect(
    withIds([newer, refused, refused])
      .slice(1)
      .map(({ id }) => id),
  ).toEqual(before);
});
