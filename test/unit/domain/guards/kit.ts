import type { GuardFacts } from "../../../../src/domain/guards/guard-facts.ts";
import { type Decided, decide } from "../../../../src/domain/guards/decide.ts";
import { judge } from "../../../../src/domain/guards/judge.ts";
import type { Held } from "../../../../src/domain/guards/locks.ts";
import {
  GUARD_DEFAULTS,
  type GuardRule,
  type GuardSettings,
  lots,
  type RuleOf,
} from "../../../../src/domain/guards/rule.ts";
import { minor } from "../../../../src/domain/money.ts";

/** A Wednesday at noon in Chicago; its trading day ends at 17:00. */
export const NOON = Date.parse("2026-06-10T17:00:00Z");
export const DAY_END = Date.parse("2026-06-10T22:00:00Z");
export const WEEK_END = Date.parse("2026-06-12T22:00:00Z");

export const OF_RULE = { id: "rule", mode: "on", lock: "soft" } as const;

export const loss = (change: Partial<RuleOf<"loss" | "profit">> = {}): GuardRule => ({
  ...OF_RULE,
  kind: "loss",
  period: "day",
  limit: minor(1000),
  counts: "open",
  then: "flatten",
  ...change,
});

export const drawdown = (change: Partial<RuleOf<"drawdown">> = {}): GuardRule => ({
  ...OF_RULE,
  kind: "drawdown",
  trails: "endOfDay",
  size: minor(2000),
  start: minor(50_000),
  then: "flatten",
  ...change,
});

export const lotsRule = (change: Partial<RuleOf<"lots">> = {}): RuleOf<"lots"> => ({
  ...OF_RULE,
  kind: "lots",
  max: lots(5000),
  weights: { MES: lots(100) },
  ...change,
});

export const count = (change: Partial<RuleOf<"count">> = {}): GuardRule => ({
  ...OF_RULE,
  kind: "count",
  of: "trades",
  max: 3,
  ...change,
});

/** Without a buffer, unless it is said. */
export const settingsOf = (
  rules: readonly GuardRule[],
  change: Partial<GuardSettings> = {},
): GuardSettings => ({ ...GUARD_DEFAULTS, bufferPercent: 0, rules, ...change });

export const net = (day: string, amount: number) => ({ day, net: minor(amount) });

/** What has closed on that Wednesday, nothing held. */
export const closedToday = (amount: number): Partial<GuardFacts> => ({
  days: [net("2026-06-10", amount)],
});

/** What is held has won or lost so much, by prices of now. */
export const holding = (open: number | undefined, pricedAt = NOON): Partial<GuardFacts> => ({
  isOpen: true,
  open: open === undefined ? undefined : minor(open),
  pricedAt: open === undefined ? undefined : pricedAt,
});

export const factsOf = (change: Partial<GuardFacts> = {}): GuardFacts => ({
  now: NOON,
  tradingDay: "2026-06-10",
  dayEndsAt: DAY_END,
  weekBegan: "2026-06-08",
  weekEndsAt: WEEK_END,
  days: [],
  daysSince: "2026-01-01",
  isOpen: false,
  open: minor(0),
  atStops: undefined,
  pricedAt: undefined,
  trades: 0,
  executions: 0,
  lossesInRow: 0,
  held: new Map(),
  others: new Map(),
  ...change,
});

/** At noon of the next day. */
export const thursday = (change: Partial<GuardFacts> = {}): GuardFacts =>
  factsOf({
    now: NOON + 86_400_000,
    tradingDay: "2026-06-11",
    dayEndsAt: DAY_END + 86_400_000,
    ...change,
  });

/** At noon of the Monday after. */
export const monday = (change: Partial<GuardFacts> = {}): GuardFacts =>
  factsOf({
    now: NOON + 5 * 86_400_000,
    tradingDay: "2026-06-15",
    dayEndsAt: DAY_END + 5 * 86_400_000,
    weekBegan: "2026-06-15",
    weekEndsAt: WEEK_END + 7 * 86_400_000,
    ...change,
  });

/** An account whose balance as the day began is known. */
export const beganWith = (balance: number): Held => ({
  state: { tradingDay: "2026-06-10", balance: minor(balance), rules: {}, judgedAt: NOON },
  lock: undefined,
});

export interface Look extends Decided {
  readonly judged: ReturnType<typeof judge>;
}

let ids = 0;

/** One look, as an owner takes it: from what is stored to what is to be stored. */
export function look(
  settings: GuardSettings,
  facts: GuardFacts = factsOf(),
  held?: Partial<Held>,
  blindForMs = 0,
): Look {
  const judged = judge(settings, held?.state, facts);
  const { now, dayEndsAt } = facts;
  const newLockId = () => `lock${(ids += 1)}`;
  return {
    ...decide(settings, held?.lock, judged, { now, dayEndsAt, newLockId, blindForMs }),
    judged,
  };
}

/** What is found of the first rule. */
export const first = ({ judged }: Look) => judged.verdicts[0];

/** What is left of a look after a crash. */
export const stored = ({ state, lock }: Held): Held =>
  JSON.parse(JSON.stringify({ state, lock })) as Held;
