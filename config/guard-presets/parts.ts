import { contracts } from "../contracts.ts";
import { marketOf } from "../../src/domain/contracts/product.ts";
import type { GuardPreset } from "../../src/domain/guards/preset.ts";
import {
  type DrawdownRule,
  GUARD_DEFAULTS,
  type GuardRule,
  type Lots,
  lots,
} from "../../src/domain/guards/rule.ts";
import type { WeekdayName } from "../../src/domain/guards/schedule-rule.ts";
import { type Minor, minor } from "../../src/domain/money.ts";

// What the presets of all firms are made of. A rule begins on and with a soft lock: a hard one, which nobody
// can undo, is for its owner to choose.

/** Whole dollars, in cents. */
export const usd = (dollars: number): Minor => minor(dollars * 100);

/** Thousandths of a lot. */
const WHOLE = 1_000;
const TENTH: Lots = lots(100);

const ON = { mode: "on", lock: "soft" } as const;

/** The exchanges on which the firms let their accounts trade. */
const FIRMS_TRADE_ON: readonly string[] = ["CME", "CBOT", "NYMEX", "COMEX"];
const listed = contracts.filter(({ exchange }) => FIRMS_TRADE_ON.includes(exchange));

/** Contracts of every size on one thing. */
function rootsOf(market: string): readonly string[] {
  return listed.filter((product) => marketOf(product) === market).map(({ root }) => root);
}

/** The month that every preset here describes. */
const AS_OF = "2026-11";

interface Facts extends Omit<GuardPreset, "asOf" | "accountSize" | "settings"> {
  /** Whole dollars. */
  readonly size: number;
  readonly rules: readonly GuardRule[];
}

export function preset({ size, rules, ...facts }: Facts): GuardPreset {
  return {
    ...facts,
    asOf: AS_OF,
    accountSize: usd(size),
    settings: { ...GUARD_DEFAULTS, rules },
  };
}

const weights = (roots: readonly string[]): Readonly<Record<string, Lots>> =>
  Object.fromEntries(roots.map((root) => [root, TENTH]));

/** Ten of them count as one. */
export const MICROS = weights([
  "MES",
  "MNQ",
  "M2K",
  "MYM",
  "MCL",
  "MNG",
  "MGC",
  "MHG",
  "M6E",
  "M6A",
  "M6B",
]);

export const dailyLoss = (dollars: number, mode: GuardRule["mode"] = "on"): GuardRule => ({
  ...ON,
  mode,
  id: "daily-loss",
  kind: "loss",
  period: "day",
  limit: usd(dollars),
  counts: "open",
  then: "flatten",
});

export function drawdown(
  trails: DrawdownRule["trails"],
  { size, start, locksAt }: { size: number; start: number; locksAt: number },
): GuardRule {
  return {
    ...ON,
    id: "drawdown",
    kind: "drawdown",
    trails,
    size: usd(size),
    start: usd(start),
    locksAt: usd(locksAt),
    then: "flatten",
  };
}

export const mostLots = (max: number, weighs = MICROS): GuardRule => ({
  ...ON,
  id: "lots",
  kind: "lots",
  max: lots(max * WHOLE),
  weights: weighs,
});

/** `steps` in whole dollars above `start`, and whole lots. */
export const ladder = (
  max: number,
  start: number,
  steps: readonly (readonly [above: number, max: number])[],
): GuardRule => ({
  ...ON,
  id: "lots",
  kind: "lots",
  max: lots(max * WHOLE),
  weights: MICROS,
  ladder: {
    start: usd(start),
    counts: "nextDay",
    steps: steps.map(([above, most]) => ({ above: usd(above), max: lots(most * WHOLE) })),
  },
});

const WEEKDAYS: readonly WeekdayName[] = ["mon", "tue", "wed", "thu", "fri"];

export const flatBy = (
  id: string,
  [zone, time, resumes]: readonly [zone: string, time: string, resumes: string],
  {
    roots,
    flattenSeconds = 120,
  }: { readonly roots?: readonly string[]; readonly flattenSeconds?: number } = {},
): GuardRule => ({
  ...ON,
  id,
  kind: "flatBy",
  zone,
  time,
  resumes,
  days: WEEKDAYS,
  entriesOffMinutes: 5,
  flattenSeconds,
  ...(roots !== undefined && { roots }),
});

export const CHICAGO = "America/Chicago";
export const NEW_YORK = "America/New_York";

export const flatBeforeClose = (before: "day" | "holiday", seconds: number): GuardRule => ({
  ...ON,
  id: `before-${before === "day" ? "close" : before}`,
  kind: "flatBeforeClose",
  before,
  seconds,
  entriesOffMinutes: 15,
});

export const bestDay = (percent: number): GuardRule => ({
  ...ON,
  id: "best-day",
  kind: "consistency",
  percent,
});

export const mostExecutions = (max: number): GuardRule => ({
  ...ON,
  id: "executions",
  kind: "count",
  of: "executions",
  max,
});

export const NO_HEDGING: GuardRule = {
  ...ON,
  id: "no-hedging",
  kind: "opposite",
  groups: [...new Set(listed.map(marketOf))].map(rootsOf).filter(({ length }) => length > 1),
};

export const MAJOR_NEWS = [
  "FOMC",
  "Federal Funds Rate",
  "Non-Farm",
  "Employment Situation",
  "CPI",
  "Consumer Price Index",
];
export const OIL_NEWS = ["Crude Oil Inventories", "Petroleum Status"];
export const OIL = rootsOf("CL");

/** So many seconds before and after each event nothing is held. */
export const flatAtNews = (
  id: string,
  seconds: number,
  { titles, roots }: { readonly titles: readonly string[]; readonly roots?: readonly string[] },
): GuardRule => ({
  ...ON,
  id,
  kind: "news",
  calendar: "news",
  titles,
  beforeSeconds: seconds,
  afterSeconds: seconds,
  forbids: "positions",
  whenExpired: "refuse",
  ...(roots !== undefined && { roots }),
});

export const OF_NEWS =
  "The rules of news look into a calendar called news: load one under that name, else entries are refused";

export const official = (what: string) => ({ grade: "official", what }) as const;
export const thirdParty = (what: string) => ({ grade: "thirdParty", what }) as const;

export const noFigure = (what: string): string =>
  `${what}: the firm sets it, and no figure of it is kept here. Add it yourself`;
