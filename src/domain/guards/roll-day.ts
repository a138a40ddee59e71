import { type Minor, minor } from "../money.ts";
import type { GuardFacts } from "./guard-facts.ts";
import type { GuardState, RuleState } from "./guard-state.ts";
import type { DrawdownRule, GuardRule, GuardSettings } from "./rule.ts";

/** What is closed today, less fees: 0 before the first trade. */
export const closedToday = ({ days, tradingDay }: GuardFacts): Minor =>
  days.find(({ day }) => day === tradingDay)?.net ?? minor(0);

/** The state with which a look begins: that of an earlier trading day goes on to the present one. */
export function rollDay(
  settings: GuardSettings,
  state: GuardState | undefined,
  facts: GuardFacts,
): GuardState {
  const known = state === undefined ? undefined : balanceNow(state, facts);
  const balance = known ?? balanceByBroker(facts);
  const rules = Object.fromEntries(
    settings.rules.map((rule) => [rule.id, rollRule(rule, state, facts)]),
  );
  return {
    tradingDay: facts.tradingDay,
    ...(balance !== undefined && { balance }),
    rules,
    ...(state?.beneath !== undefined && { beneath: state.beneath }),
    judgedAt: facts.now,
  };
}

/** The days that have ended since the state's, that one included. Undefined where some may be missing. */
function endedSince({ tradingDay }: GuardState, facts: GuardFacts): GuardFacts["days"] | undefined {
  if (tradingDay >= facts.tradingDay) return [];
  if (facts.daysSince > tradingDay || facts.doubt !== undefined) return undefined;
  return facts.days.filter(({ day }) => day >= tradingDay && day < facts.tradingDay);
}

function balanceNow(state: GuardState, facts: GuardFacts): Minor | undefined {
  const ended = endedSince(state, facts);
  if (state.balance === undefined || ended === undefined) return undefined;
  return sum([state.balance, ...ended.map(({ net }) => net)]);
}

/** By its word of what the account is worth now, less what the day has brought. */
function balanceByBroker(facts: GuardFacts): Minor | undefined {
  const { broker, open, doubt } = facts;
  if (broker?.worth === undefined || doubt !== undefined) return undefined;
  const opened = broker.open ?? open;
  if (opened === undefined) return undefined;
  return minor(broker.worth - opened - (broker.closed ?? closedToday(facts)));
}

function rollRule(rule: GuardRule, state: GuardState | undefined, facts: GuardFacts): RuleState {
  const known = state?.rules[rule.id] ?? {};
  const { told, waivedUntil, ...lasting } = known;
  const isSameDay = state?.tradingDay === facts.tradingDay;
  const rolled: RuleState = {
    ...lasting,
    ...(isSameDay && told !== undefined && { told }),
    ...(waivedUntil !== undefined && waivedUntil > facts.now && { waivedUntil }),
  };
  const ended = state === undefined ? [] : (endedSince(state, facts) ?? []);
  if (rule.kind === "consistency") return rollConsistency(rolled, ended);
  if (rule.kind === "drawdown") return rollPeak(rule, rolled, state?.balance, ended);
  return rolled;
}

function rollConsistency(known: RuleState, ended: GuardFacts["days"]): RuleState {
  const total = sum([known.total ?? minor(0), ...ended.map(({ net }) => net)]);
  const best = Math.max(known.best ?? 0, ...ended.map(({ net }) => net));
  return { ...known, total, best: minor(best) };
}

/** Of a day that has ended its balance counts in either mode: the account was worth that. */
function rollPeak(
  rule: DrawdownRule,
  known: RuleState,
  balance: Minor | undefined,
  ended: GuardFacts["days"],
): RuleState {
  let peak = Math.max(known.peak ?? rule.start, rule.peak ?? rule.start, rule.start);
  if (balance === undefined) return { ...known, peak: minor(peak) };
  let at: number = balance;
  for (const { net } of ended) {
    at += net;
    peak = Math.max(peak, at);
  }
  return { ...known, peak: minor(peak) };
}

const sum = (amounts: readonly Minor[]): Minor => minor(amounts.reduce((one, of) => one + of, 0));
