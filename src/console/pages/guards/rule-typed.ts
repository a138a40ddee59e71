import { listOf, mapOf, mapText, numberOr } from "../../parts/typed-text.ts";
import type { GivenRule, Rule, RuleKind, RuleOf, Weekday } from "./types.ts";

export interface WindowTyped {
  readonly days: readonly Weekday[];
  readonly from: string;
  readonly to: string;
}

export interface StepTyped {
  readonly above: string;
  readonly max: string;
}

/** A rule as it stands in the form: what its kind has no use for waits there; empty is what is left out. */
export interface RuleTyped {
  readonly kind: RuleKind;
  readonly mode: Rule["mode"];
  readonly lock: Rule["lock"];
  readonly period: RuleOf<"loss">["period"];
  readonly limit: string;
  readonly counts: RuleOf<"loss">["counts"];
  readonly then: RuleOf<"loss">["then"];
  readonly together: readonly string[];
  readonly trails: RuleOf<"drawdown">["trails"];
  readonly size: string;
  readonly start: string;
  readonly peak: string;
  readonly locksAt: string;
  readonly maxLots: string;
  readonly weights: string;
  readonly ladderStart: string;
  readonly ladderCounts: NonNullable<RuleOf<"lots">["ladder"]>["counts"];
  readonly steps: readonly StepTyped[];
  readonly maxValue: string;
  readonly groups: string;
  readonly counted: RuleOf<"count">["of"];
  readonly maxCount: string;
  readonly percent: string;
  readonly zone: string;
  readonly windows: readonly WindowTyped[];
  readonly time: string;
  readonly days: readonly Weekday[];
  readonly roots: string;
  readonly entriesOffMinutes: string;
  readonly flattenSeconds: string;
  readonly resumes: string;
  readonly before: RuleOf<"flatBeforeClose">["before"];
  readonly businessDays: string;
  readonly rollOf: RuleOf<"flatBeforeRoll">["of"];
  readonly calendar: string;
  readonly titles: string;
  readonly impacts: readonly Impact[];
  readonly currencies: string;
  readonly beforeSeconds: string;
  readonly afterSeconds: string;
  readonly forbids: RuleOf<"news">["forbids"];
  readonly whenExpired: RuleOf<"news">["whenExpired"];
}

export type Impact = NonNullable<RuleOf<"news">["impacts"]>[number];

const WORKDAYS = ["mon", "tue", "wed", "thu", "fri"] as const;

/** What a new rule begins with: what most ask for, and nothing where only the person can know. */
const NEW: Omit<RuleTyped, "kind"> = {
  mode: "on",
  lock: "soft",
  period: "day",
  limit: "",
  counts: "open",
  then: "flatten",
  together: [],
  trails: "endOfDay",
  size: "",
  start: "",
  peak: "",
  locksAt: "",
  maxLots: "",
  weights: "",
  ladderStart: "",
  ladderCounts: "nextDay",
  steps: [],
  maxValue: "",
  groups: "ES, MES\nNQ, MNQ",
  counted: "trades",
  maxCount: "",
  percent: "50",
  zone: "America/Chicago",
  windows: [{ days: WORKDAYS, from: "08:30", to: "15:00" }],
  time: "15:10",
  days: [],
  roots: "",
  entriesOffMinutes: "5",
  flattenSeconds: "120",
  resumes: "",
  before: "day",
  businessDays: "1",
  rollOf: "roll",
  calendar: "",
  titles: "",
  impacts: [],
  currencies: "",
  beforeSeconds: "120",
  afterSeconds: "120",
  forbids: "entries",
  whenExpired: "refuse",
};

/** By kind, as far as it is not the kind itself. */
const IDS: Partial<Record<RuleKind, string>> = {
  orderValue: "order-value",
  window: "hours",
  flatBy: "flat-by",
  flatBeforeClose: "before-close",
  flatBeforeRoll: "before-roll",
};

/** A name for a new rule that no other one of the account has. */
export function freeId({ kind, period }: RuleTyped, taken: readonly string[]): string {
  const ofPeriod = period === "day" ? `daily-${kind}` : `weekly-${kind}`;
  const id = kind === "loss" || kind === "profit" ? ofPeriod : (IDS[kind] ?? kind);
  if (!taken.includes(id)) return id;
  let nth = 2;
  while (taken.includes(`${id}-${nth}`)) nth += 1;
  return `${id}-${nth}`;
}

export const newRule = (kind: RuleKind): RuleTyped => ({
  ...NEW,
  kind,
  // What is held would be closed at a target as at a limit: to stop is enough.
  ...(kind === "profit" && { then: "exitsOnly" as const }),
});

/** A rule that stands, to be changed. */
export function typedRule(rule: Rule): RuleTyped {
  const { kind, lock, mode } = rule;
  return { ...NEW, lock, mode, kind, ...termsTyped(rule) };
}

function termsTyped(rule: Rule): Partial<RuleTyped> {
  switch (rule.kind) {
    case "loss":
    case "profit": {
      const { counts, limit, period, then, together = [] } = rule;
      return { counts, limit: String(limit), period, then, together };
    }
    case "drawdown":
      return {
        trails: rule.trails,
        then: rule.then,
        size: String(rule.size),
        start: String(rule.start),
        peak: textOr(rule.peak),
        locksAt: textOr(rule.locksAt),
      };
    case "lots":
      return lotsTyped(rule);
    case "orderValue":
      return { maxValue: String(rule.max) };
    case "opposite":
      return { groups: rule.groups.map((roots) => roots.join(", ")).join("\n") };
    case "count":
      return { counted: rule.of, maxCount: String(rule.max) };
    case "consistency":
      return { percent: String(rule.percent) };
    case "window":
      return { zone: rule.zone, windows: rule.windows };
    case "flatBy":
      return flatByTyped(rule);
    case "flatBeforeClose":
      return {
        before: rule.before,
        flattenSeconds: String(rule.seconds),
        entriesOffMinutes: String(rule.entriesOffMinutes),
        roots: rule.roots?.join(", ") ?? "",
      };
    case "flatBeforeRoll":
      return { businessDays: String(rule.businessDays), rollOf: rule.of };
    case "news":
      return newsTyped(rule);
  }
}

const textOr = (figure: number | undefined): string => (figure === undefined ? "" : String(figure));

function lotsTyped({ ladder, max, weights }: RuleOf<"lots">): Partial<RuleTyped> {
  const texts = Object.entries(weights).map(([root, weight]) => [root, String(weight)] as const);
  return {
    maxLots: String(max),
    weights: mapText(Object.fromEntries(texts)),
    ...(ladder !== undefined && {
      ladderStart: String(ladder.start),
      ladderCounts: ladder.counts,
      steps: ladder.steps.map((step) => ({ above: String(step.above), max: String(step.max) })),
    }),
  };
}

const flatByTyped = (rule: RuleOf<"flatBy">): Partial<RuleTyped> => ({
  zone: rule.zone,
  time: rule.time,
  days: rule.days ?? [],
  roots: rule.roots?.join(", ") ?? "",
  entriesOffMinutes: String(rule.entriesOffMinutes),
  flattenSeconds: String(rule.flattenSeconds),
  resumes: rule.resumes ?? "",
});

const newsTyped = (rule: RuleOf<"news">): Partial<RuleTyped> => ({
  calendar: rule.calendar,
  titles: rule.titles?.join("\n") ?? "",
  impacts: rule.impacts ?? [],
  currencies: rule.currencies?.join(", ") ?? "",
  roots: rule.roots?.join(", ") ?? "",
  beforeSeconds: String(rule.beforeSeconds),
  afterSeconds: String(rule.afterSeconds),
  forbids: rule.forbids,
  whenExpired: rule.whenExpired,
});

/** What is sent: what is no number goes as it was typed, and the gateway says what is wrong with it. */
export function ruleOf(typed: RuleTyped, id: string): GivenRule {
  const { kind, lock, mode } = typed;
  return { id, kind, mode, lock, ...TERMS[kind](typed) } as GivenRule;
}

const pnlTerms = ({ counts, limit, period, then, together }: RuleTyped) => ({
  period,
  limit: limit.trim(),
  counts,
  then,
  ...(together.length > 0 && { together }),
});

const rootsOf = ({ roots }: RuleTyped) => {
  const list = listOf(roots);
  return list.length === 0 ? {} : { roots: list };
};

/** What is filled in of the fields that may be left empty. */
const filled = (fields: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, text]) => [name, text.trim()] as const)
      .filter(([, text]) => text !== ""),
  );

const linesOf = (text: string): readonly string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

const TERMS: Readonly<Record<RuleKind, (typed: RuleTyped) => object>> = {
  loss: pnlTerms,
  profit: pnlTerms,
  drawdown: ({ locksAt, peak, size, start, then, trails }) => ({
    trails,
    size: size.trim(),
    start: start.trim(),
    then,
    ...filled({ peak, locksAt }),
  }),
  lots: ({ ladderCounts, ladderStart, maxLots, steps, weights }) => ({
    max: maxLots.trim(),
    weights: mapOf(weights),
    ...(steps.length > 0 && {
      ladder: {
        start: ladderStart.trim(),
        counts: ladderCounts,
        steps: steps.map(({ above, max }) => ({ above: above.trim(), max: max.trim() })),
      },
    }),
  }),
  orderValue: ({ maxValue }) => ({ max: maxValue.trim() }),
  opposite: ({ groups }) => ({ groups: linesOf(groups).map(listOf) }),
  count: ({ counted, maxCount }) => ({ of: counted, max: numberOr(maxCount.trim()) }),
  consistency: ({ percent }) => ({ percent: numberOr(percent.trim()) }),
  window: ({ windows, zone }) => ({ zone: zone.trim(), windows }),
  flatBy: (typed) => ({
    zone: typed.zone.trim(),
    time: typed.time.trim(),
    ...(typed.days.length > 0 && { days: typed.days }),
    ...rootsOf(typed),
    entriesOffMinutes: numberOr(typed.entriesOffMinutes.trim()),
    flattenSeconds: numberOr(typed.flattenSeconds.trim()),
    ...filled({ resumes: typed.resumes }),
  }),
  flatBeforeClose: (typed) => ({
    before: typed.before,
    seconds: numberOr(typed.flattenSeconds.trim()),
    entriesOffMinutes: numberOr(typed.entriesOffMinutes.trim()),
    ...rootsOf(typed),
  }),
  flatBeforeRoll: ({ businessDays, rollOf }) => ({
    businessDays: numberOr(businessDays.trim()),
    of: rollOf,
  }),
  news: (typed) => ({
    calendar: typed.calendar.trim(),
    ...(linesOf(typed.titles).length > 0 && { titles: linesOf(typed.titles) }),
    ...(typed.impacts.length > 0 && { impacts: typed.impacts }),
    ...(listOf(typed.currencies).length > 0 && {
      currencies: listOf(typed.currencies.toUpperCase()),
    }),
    ...rootsOf(typed),
    beforeSeconds: numberOr(typed.beforeSeconds.trim()),
    afterSeconds: numberOr(typed.afterSeconds.trim()),
    forbids: typed.forbids,
    whenExpired: typed.whenExpired,
  }),
};
