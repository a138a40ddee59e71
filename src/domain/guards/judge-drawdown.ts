import { minor } from "../money.ts";
import { brokersWord } from "./brokers-word.ts";
import type { GuardFacts, Uncounted } from "./guard-facts.ts";
import type { GuardState, RuleState } from "./guard-state.ts";
import { closedToday, uncountedSince } from "./roll-day.ts";
import type { GuardSettings, RuleOf } from "./rule.ts";
import { type Found, levelWithStops, say, type Sight, unknown, withUncounted } from "./sight.ts";

/**
 * How far an account is above its floor, and its peak after this look. A peak is only raised by our own
 * figure while that is known: no money is in it that was paid in. What is compared is the worse of both.
 */
export function judgeDrawdown(
  rule: RuleOf<"drawdown">,
  settings: GuardSettings,
  state: GuardState,
  facts: GuardFacts,
  sight: Sight,
): { readonly found: Found; readonly rule: RuleState } {
  const known = state.rules[rule.id] ?? {};
  const own = ownWorth(state, facts, sight);
  const theirWorth = brokersWord(facts, sight).worth;
  const uncounted = uncountedIn(facts);
  const isSeen = rule.trails === "live" && uncounted === undefined;
  const seen = isSeen ? (own ?? theirWorth) : undefined;
  const peak = Math.max(known.peak ?? rule.start, seen ?? -Infinity);
  const after: RuleState = { ...known, peak: minor(peak) };
  const worth = worseOf(own, theirWorth);
  if (worth === undefined) {
    const found = unknown("money", whyUnknown(state, facts), facts.dayEndsAt);
    return { found: withUncounted(found, uncounted), rule: after };
  }
  const byRule = Math.min(peak - rule.size, rule.locksAt ?? Infinity);
  const theirs = facts.broker?.floor;
  const floor = Math.max(byRule, theirs ?? -Infinity);
  const stopped = stoppedWorth(state, facts);
  const room = Math.min(worth, stopped ?? worth) - floor;
  const used = rule.size - (worth - floor);
  const atStops = stopped === undefined ? undefined : rule.size - (stopped - floor);
  const found: Found = {
    level: levelWithStops(used, atStops, rule.size, settings),
    unit: "money",
    figure: worth,
    limit: floor,
    room,
    usedPercent: Math.max(0, Math.floor((used * 100) / rule.size)),
    source: floor > byRule || worth !== own ? "broker" : "gateway",
    resetsAt: facts.dayEndsAt,
    reason: `The account is worth ${say(worth, settings)}; its floor is ${say(floor, settings)} (peak ${say(peak, settings)} less ${say(rule.size, settings)}${rule.locksAt === undefined ? "" : `, at most ${say(rule.locksAt, settings)}`}), room ${say(room, settings)}`,
  };
  return { found: withUncounted(found, uncounted), rule: after };
}

const uncountedIn = (facts: GuardFacts): Uncounted | undefined =>
  facts.openUncounted ?? uncountedSince(facts, facts.tradingDay);

/** What the account is worth by our own account; undefined where that is not known. */
function ownWorth(
  { balance }: Pick<GuardState, "balance">,
  facts: GuardFacts,
  sight: Sight,
): number | undefined {
  if (balance === undefined || !sight.own) return undefined;
  return balance + closedToday(facts) + (facts.open ?? 0);
}

/** By the worse of our own account and the broker's word; undefined where something is in neither. */
export const worstWorth = (
  state: Pick<GuardState, "balance">,
  facts: GuardFacts,
  sight: Sight,
): number | undefined =>
  uncountedIn(facts) === undefined
    ? worseOf(ownWorth(state, facts, sight), brokersWord(facts, sight).worth)
    : undefined;

/** No price is needed for it. */
function stoppedWorth({ balance }: GuardState, facts: GuardFacts): number | undefined {
  if (balance === undefined || !facts.isOpen || facts.atStops === undefined) return undefined;
  return balance + closedToday(facts) + facts.atStops;
}

const worseOf = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);

function whyUnknown({ balance }: GuardState, { doubt }: GuardFacts): string {
  if (doubt !== undefined) return doubt;
  return balance === undefined
    ? "What the account was worth as its trading day began is not known, and its broker does not say: set `balance`"
    : "What the open positions have won or lost is not known: their prices, and the broker's figure, are missing or older than 10 s";
}
