import { minor } from "../money.ts";
import type { GuardFacts } from "./guard-facts.ts";
import type { GuardState, RuleState } from "./guard-state.ts";
import { judgeDrawdown, worstWorth } from "./judge-drawdown.ts";
import { addedBy, judgePnl } from "./judge-pnl.ts";
import { formatLots, heldLots, mostLots } from "./lots.ts";
import { closedToday, rollDay, uncountedSince } from "./roll-day.ts";
import type { CountRule, GuardRule, GuardSettings, LotsRule, RuleOf } from "./rule.ts";
import { type Found, type Sight, sightOf, unknown } from "./sight.ts";
import type { Level, Verdict } from "./verdict.ts";

/** What one look at an account has found. */
export interface Judgement {
  /** To be remembered. */
  readonly state: GuardState;
  /** One of each rule that figures decide, in their order; schedules go by the clock. */
  readonly verdicts: readonly Verdict[];
  /** Why an open position cannot be judged, in words; undefined while it can be. */
  readonly blind: string | undefined;
  /** A trading day has begun since the look before. */
  readonly isNewDay: boolean;
}

/**
 * Holds an account against its rules. Nothing of it depends on what was decided before, except through
 * the state: the same facts give the same verdicts after a crash. Rules in their order.
 */
export function judge(
  settings: GuardSettings,
  known: GuardState | undefined,
  found: GuardFacts,
): Judgement {
  const facts = inOrder(known, found);
  const sight = sightOf(facts);
  const state = rollDay(settings, known, facts);
  const rules: Record<string, RuleState> = { ...state.rules };
  let blind: string | undefined;
  const verdicts = settings.rules.flatMap((rule) => {
    const judged = judgeRule(rule, settings, state, facts, sight);
    if (judged === undefined) return [];
    if (judged.rule !== undefined) rules[rule.id] = judged.rule;
    const { id: ruleId, kind } = rule;
    const isShadow = rule.mode === "shadow";
    const asOf = asOfWhen(rule, judged.found, facts, sight);
    const { blind: isBlind, ...found } = waived(judged.found, state.rules[rule.id], facts);
    if (!isShadow) blind ??= isBlind;
    return [{ ruleId, kind, isShadow, asOf, ...found }];
  });
  return {
    state: { ...state, rules },
    verdicts,
    blind: facts.isOpen ? blind : undefined,
    isNewDay: known !== undefined && known.tradingDay !== state.tradingDay,
  };
}

/** A day that has ended is not judged again: its result is in the balance already. */
function inOrder(known: GuardState | undefined, facts: GuardFacts): GuardFacts {
  if (known === undefined || known.tradingDay <= facts.tradingDay) return facts;
  const doubt = `The clock went back: trading day ${known.tradingDay} was judged already, and now it is ${facts.tradingDay}`;
  return { ...facts, doubt: facts.doubt ?? doubt };
}

/** When the oldest part of what was found was heard. */
function asOfWhen(
  rule: GuardRule,
  { source, level }: Found,
  facts: GuardFacts,
  sight: Sight,
): number {
  const { now, isOpen, pricedAt, broker } = facts;
  const isByPrices = isOpen && (sight.own || level === "unknown");
  const added = "together" in rule ? addedBy(rule, facts) : [];
  const heard = [
    isByPrices ? pricedAt : undefined,
    source === "broker" ? broker?.at : undefined,
    ...added.map(([, other]) => other.pricedAt),
  ];
  return Math.min(now, ...heard.map((at) => at ?? now));
}

interface Judged {
  readonly found: Found;
  readonly rule?: RuleState;
}

function judgeRule(
  rule: GuardRule,
  settings: GuardSettings,
  state: GuardState,
  facts: GuardFacts,
  sight: Sight,
): Judged | undefined {
  switch (rule.kind) {
    case "loss":
    case "profit":
      return { found: judgePnl(rule, settings, facts, sight) };
    case "drawdown":
      return judgeDrawdown(rule, settings, state, facts, sight);
    case "lots":
      return { found: judgeLots(rule, state, facts, sight) };
    case "count":
      return { found: judgeCount(rule, settings, facts) };
    case "consistency":
      return { found: judgeConsistency(rule, state, facts) };
    // Each order is held against these, on its lane.
    case "orderValue":
    case "opposite":
    // The clock decides.
    case "window":
    case "flatBy":
    case "flatBeforeClose":
    case "flatBeforeRoll":
    case "news":
      return undefined;
  }
}

/** A person has ended its lock early: until it would have ended by itself the rule only warns. */
function waived(found: Found, state: RuleState | undefined, { now }: GuardFacts): Found {
  const until = state?.waivedUntil;
  if (until === undefined || until <= now || RANK[found.level] <= RANK.warn) return found;
  const { blind: _, ...rest } = found;
  return { ...rest, level: "warn", reason: `${found.reason}; a person has ended its lock early` };
}

/** How grave a level is, for comparing. */
export const RANK: Readonly<Record<Level, number>> = {
  ok: 0,
  warn: 1,
  unknown: 2,
  entriesOff: 3,
  breach: 4,
};

/** What is held is shown; each order is held against the limit on its lane. */
function judgeLots(rule: LotsRule, state: GuardState, facts: GuardFacts, sight: Sight): Found {
  const held = heldLots(rule, facts.held);
  const limit = mostLots(rule, {
    dayBegan: facts.doubt === undefined ? state.balance : undefined,
    live: worstWorth(state, facts, sight),
  });
  return {
    level: held >= limit ? "warn" : "ok",
    unit: "lots",
    figure: held,
    limit,
    room: limit - held,
    usedPercent: limit === 0 ? 100 : Math.floor((held * 100) / limit),
    source: "gateway",
    resetsAt: facts.dayEndsAt,
    reason: `${formatLots(held)} lots are held of ${formatLots(limit)}`,
  };
}

const COUNTED: Readonly<Record<CountRule["of"], string>> = {
  trades: "trades",
  executions: "executions",
  lossesInRow: "losses in a row",
};

function judgeCount(
  { of, max }: CountRule,
  { warnPercent }: GuardSettings,
  facts: GuardFacts,
): Found {
  if (facts.doubt !== undefined) return unknown("count", facts.doubt, facts.dayEndsAt);
  const count = facts[of];
  return {
    level: count >= max ? "breach" : count * 100 >= max * warnPercent ? "warn" : "ok",
    unit: "count",
    figure: count,
    limit: max,
    room: max - count,
    usedPercent: max === 0 ? 100 : Math.floor((count * 100) / max),
    source: "gateway",
    resetsAt: facts.dayEndsAt,
    reason: `The trading day has had ${count} of ${max} ${COUNTED[of]}`,
  };
}

function judgeConsistency(
  rule: RuleOf<"consistency">,
  state: GuardState,
  facts: GuardFacts,
): Found {
  const { total = minor(0), best = minor(0) } = state.rules[rule.id] ?? {};
  const today = closedToday(facts);
  const all = total + today;
  const most = Math.max(best, today);
  const share = all > 0 ? Math.floor((most * 100) / all) : 0;
  const left = uncountedSince(facts, facts.tradingDay)?.why;
  const without = left === undefined ? "" : `; today without what cannot be counted (${left})`;
  return {
    level: all > 0 && most * 100 > all * rule.percent ? "warn" : "ok",
    unit: "percent",
    figure: share,
    limit: rule.percent,
    room: rule.percent - share,
    usedPercent: Math.floor((share * 100) / rule.percent),
    source: "gateway",
    reason: `The best day is ${share} % of all that was won since the rule was set; ${rule.percent} % is the most${without}`,
  };
}
