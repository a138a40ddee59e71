import { type Minor, minor } from "../money.ts";
import type { GuardFacts, Uncounted } from "./guard-facts.ts";
import type { GuardState, RuleState } from "./guard-state.ts";
import type { DrawdownRule, GuardRule, GuardSettings } from "./rule.ts";
import { sightOf } from "./sight.ts";

/** What is closed today, less fees: 0 before the first trade. */
export const closedToday = ({ days, tradingDay }: GuardFacts): Minor =>
  days.find(({ day }) => day === tradingDay)?.net ?? minor(0);

/** A part of the days from one on (ISO) that is in no figure. */
export const uncountedSince = (
  { days, tradingDay }: GuardFacts,
  from: string,
): Uncounted | undefined =>
  days.find(({ day, uncounted }) => day >= from && day <= tradingDay && uncounted !== undefined)
    ?.uncounted;

/**
 * The state with which a look begins: that of an earlier trading day goes on to the present one. Where
 * nothing can be relied on it stays as it is, so that no day that has ended is left out.
 */
export function rollDay(
  settings: GuardSettings,
  state: GuardState | undefined,
  facts: GuardFacts,
): GuardState {
  const isHeld = state !== undefined && facts.doubt !== undefined;
  const known = state === undefined ? undefined : balanceNow(state, facts);
  const balance = known ?? balanceByBroker(facts);
  const rules = Object.fromEntries(
    settings.rules.map((rule) => [rule.id, rollRule(rule, state, balance, facts)]),
  );
  return {
    tradingDay: isHeld ? state.tradingDay : facts.tradingDay,
    ...(balance !== undefined && { balance }),
    rules,
    ...(state?.beneath !== undefined && { beneath: state.beneath }),
    judgedAt: facts.now,
  };
}

/** The days that have ended since the state's, that one included. Undefined where some may be missing. */
function endedSince({ tradingDay }: GuardState, facts: GuardFacts): GuardFacts["days"] | undefined {
  if (tradingDay >= facts.tradingDay || facts.doubt !== undefined) return [];
  if (facts.daysSince > tradingDay) return undefined;
  return facts.days.filter(({ day }) => day >= tradingDay && day < facts.tradingDay);
}

function balanceNow(state: GuardState, facts: GuardFacts): Minor | undefined {
  const ended = endedSince(state, facts);
  const isCounted = ended?.every(({ uncounted }) => uncounted === undefined) ?? false;
  if (state.balance === undefined || ended === undefined || !isCounted) return undefined;
  return sum([state.balance, ...ended.map(({ net }) => net)]);
}

/**
 * By its word of what the account is worth, less what the day has brought by then. What it leaves out is
 * ours, which is of now: its word has to be as well.
 */
function balanceByBroker(facts: GuardFacts): Minor | undefined {
  const { broker, open, doubt } = facts;
  if (broker?.worth === undefined || doubt !== undefined) return undefined;
  const sight = sightOf(facts);
  if (!sight.broker) return undefined;
  const isOpenCounted = sight.own && facts.openUncounted === undefined;
  const isDayCounted = uncountedSince(facts, facts.tradingDay) === undefined;
  const opened = broker.open ?? (isOpenCounted ? open : undefined);
  const closed = broker.closed ?? (isDayCounted ? closedToday(facts) : undefined);
  return opened === undefined || closed === undefined
    ? undefined
    : minor(broker.worth - opened - closed);
}

function rollRule(
  rule: GuardRule,
  state: GuardState | undefined,
  balance: Minor | undefined,
  facts: GuardFacts,
): RuleState {
  const known = state?.rules[rule.id] ?? {};
  const { told, waivedUntil, ...lasting } = known;
  const isSameDay = state?.tradingDay === facts.tradingDay || facts.doubt !== undefined;
  const rolled: RuleState = {
    ...lasting,
    ...(isSameDay && told !== undefined && { told }),
    ...(waivedUntil !== undefined && waivedUntil > facts.now && { waivedUntil }),
  };
  const ended = state === undefined ? [] : (endedSince(state, facts) ?? []);
  if (rule.kind === "consistency") return rollConsistency(rolled, ended);
  if (rule.kind === "drawdown") return rollPeak(rule, rolled, [...balances(state, ended), balance]);
  return rolled;
}

/** Days that ended before the rule was set are none of its. */
function rollConsistency(known: RuleState, ended: GuardFacts["days"]): RuleState {
  const { total, best } = known;
  if (total === undefined) return { ...known, total: minor(0), best: minor(0) };
  const nets = ended.map(({ net }) => net);
  return { ...known, total: sum([total, ...nets]), best: minor(Math.max(best ?? 0, ...nets)) };
}

/** With which each of the days has ended, as far as all of it was counted. */
function balances(state: GuardState | undefined, ended: GuardFacts["days"]): readonly Minor[] {
  if (state?.balance === undefined) return [];
  let at: number = state.balance;
  const last = ended.findIndex(({ uncounted }) => uncounted !== undefined);
  const counted = last === -1 ? ended : ended.slice(0, last);
  return counted.map(({ net }) => minor((at += net)));
}

/**
 * The balance of a day that has ended counts in either mode: the account was worth that. So does the one
 * with which this day began, since the day before has ended with it.
 */
function rollPeak(
  rule: DrawdownRule,
  known: RuleState,
  worth: readonly (Minor | undefined)[],
): RuleState {
  const peak = Math.max(
    known.peak ?? rule.start,
    rule.peak ?? rule.start,
    rule.start,
    ...worth.map((each) => each ?? -Infinity),
  );
  return { ...known, peak: minor(peak) };
}

const sum = (amounts: readonly Minor[]): Minor => minor(amounts.reduce((one, of) => one + of, 0));
