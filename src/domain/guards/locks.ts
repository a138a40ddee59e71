import type { GuardState, RuleState } from "./guard-state.ts";
import type { GuardLock } from "./verdict.ts";

/**
 * The locks of an account, to be stored together. The gravest is the one that is shown and acted on; each
 * other one stands beneath it for itself, so that none ends early because a graver one does.
 */
export interface Held {
  readonly state: GuardState;
  readonly lock: GuardLock | undefined;
}

/** Every lock that stands, the one that is shown first. */
export const standingLocks = ({ state: { beneath = [] }, lock }: Held): readonly GuardLock[] =>
  lock === undefined ? beneath : [lock, ...beneath];

/** The gravest of them above the others. */
export function holdLocks(state: GuardState, locks: readonly GuardLock[]): Held {
  const [lock, ...beneath] = locks.toSorted(graverFirst);
  const { tradingDay, balance, rules, judgedAt } = state;
  return {
    state: {
      tradingDay,
      ...(balance !== undefined && { balance }),
      rules,
      ...(beneath.length > 0 && { beneath }),
      judgedAt,
    },
    lock,
  };
}

/** Adds one that somebody asked for, unless what stands already says all that it does. */
export function addLock(held: Held, asked: GuardLock): Held {
  const stands = standingLocks(held);
  const byHand = stands.filter(({ ruleId }) => ruleId === undefined);
  if (byHand.some((one) => covers(one, asked))) return held;
  const others = stands.filter((one) => one.ruleId !== undefined || !covers(asked, one));
  return holdLocks(held.state, [...others, asked]);
}

/**
 * Ends early the lock that is shown, by a person who may: its rule is off until it would have ended.
 * What stands beneath it goes on.
 */
export function endLock({ state, lock }: Held): Held {
  if (lock === undefined) return { state, lock };
  const { ruleId, until: waivedUntil } = lock;
  const known: RuleState | undefined = ruleId === undefined ? undefined : state.rules[ruleId];
  if (ruleId === undefined || known === undefined || waivedUntil === undefined) {
    return holdLocks(state, state.beneath ?? []);
  }
  const rules = { ...state.rules, [ruleId]: { ...known, waivedUntil } };
  return holdLocks({ ...state, rules }, state.beneath ?? []);
}

/** Both at once, as long as the later one lasts: no part of either is lost while it lasts. */
export const strictest = (one: GuardLock, other: GuardLock): GuardLock => ({
  ...one,
  ...(one.until !== undefined && { until: Math.max(one.until, other.until ?? one.until) }),
  lock: one.lock === "hard" ? "hard" : other.lock,
  then: one.then === "flatten" ? "flatten" : other.then,
});

/** First what flattens, then what lasts longer, then what nobody may end. */
function graverFirst(one: GuardLock, other: GuardLock): number {
  if (one.then !== other.then) return one.then === "flatten" ? -1 : 1;
  const [ends, othersEnd] = [endOf(one), endOf(other)];
  if (ends !== othersEnd) return ends > othersEnd ? -1 : 1;
  if (one.lock !== other.lock) return one.lock === "hard" ? -1 : 1;
  return 0;
}

const covers = (one: GuardLock, other: GuardLock): boolean =>
  endOf(one) >= endOf(other) &&
  (one.then === "flatten" || other.then === "exitsOnly") &&
  (one.lock === "hard" || other.lock === "soft");

const endOf = ({ until }: GuardLock): number => until ?? Infinity;
