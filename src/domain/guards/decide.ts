import type { GuardState } from "./guard-state.ts";
import { type Judgement, RANK } from "./judge.ts";
import type { AtBreach, GuardRule, GuardSettings } from "./rule.ts";
import type { GuardDecision, GuardLock, Level, Verdict } from "./verdict.ts";

/** What follows from a look, to be stored before anything of it is done. */
export interface Decided {
  readonly state: GuardState;
  /** The lock that is to stand from now on; undefined for none. */
  readonly lock: GuardLock | undefined;
  /** What has come of it since the look before, oldest first. */
  readonly decisions: readonly GuardDecision[];
}

export interface DecideDeps {
  readonly now: number;
  readonly dayEndsAt: number;
  readonly newLockId: () => string;
}

/**
 * Locks at a breach, and ends a lock whose time is over and whose rule is known to hold again. What was
 * won back since never ends one. Of several breaches the gravest counts: one that flattens before one
 * that only keeps entries out, then the one that lasts longer.
 */
export function decide(
  settings: GuardSettings,
  lock: GuardLock | undefined,
  { state, verdicts, isNewDay }: Judgement,
  deps: DecideDeps,
): Decided {
  const { now } = deps;
  const decisions: GuardDecision[] = [];
  if (isNewDay) {
    const reason = `Trading day ${state.tradingDay} has begun; daily figures start anew`;
    decisions.push({ at: now, what: "dayBegan", reason });
  }
  const told = tellLevels(state, verdicts, now, decisions);
  const wanted = lockFor(settings, verdicts, deps);
  const next = nextLock(lock, wanted, verdicts, now);
  if (next !== undefined && next.id !== lock?.id) {
    decisions.push({ at: now, what: "locked", ...ofRule(next), reason: next.reason });
  }
  if (lock !== undefined && next === undefined) {
    const reason = "Its time is over, and no rule is breached";
    decisions.push({ at: now, what: "unlocked", ...ofRule(lock), reason });
  }
  return { state: told, lock: next, decisions };
}

function nextLock(
  lock: GuardLock | undefined,
  wanted: GuardLock | undefined,
  verdicts: readonly Verdict[],
  now: number,
): GuardLock | undefined {
  if (lock === undefined) return wanted;
  const isOver = lock.until !== undefined && lock.until <= now;
  if (!isOver) return wanted !== undefined && isGraver(wanted, lock) ? wanted : lock;
  const own = verdicts.find(({ ruleId }) => ruleId === lock.ruleId);
  // Whether it still is breached is not known: it stays until that is.
  if (own?.level === "unknown") return lock;
  if (wanted === undefined) return undefined;
  // The same breach goes on: it is no new one, and was told.
  return wanted.ruleId === lock.ruleId ? { ...wanted, id: lock.id, at: lock.at } : wanted;
}

/** The lock that the gravest breach asks for. */
function lockFor(
  settings: GuardSettings,
  verdicts: readonly Verdict[],
  deps: DecideDeps,
): GuardLock | undefined {
  const found = verdicts
    .filter(({ level, isShadow }) => level === "breach" && !isShadow)
    .flatMap((verdict) => {
      const rule = settings.rules.find(({ id }) => id === verdict.ruleId);
      return rule === undefined ? [] : [lockOf(rule, verdict, deps)];
    });
  const [first, ...others] = found;
  if (first === undefined) return undefined;
  const gravest = others.reduce((most, one) => (isGraver(one, most) ? one : most), first);
  return { ...gravest, id: deps.newLockId() };
}

function lockOf(
  rule: GuardRule,
  { figure, limit, unit, source, reason, resetsAt }: Verdict,
  { now, dayEndsAt }: DecideDeps,
): GuardLock {
  return {
    id: "",
    ruleId: rule.id,
    at: now,
    until: resetsAt ?? dayEndsAt,
    lock: rule.lock,
    then: atBreach(rule),
    reason,
    figures: {
      ...(figure !== undefined && { figure }),
      ...(limit !== undefined && { limit }),
      unit,
      source,
    },
  };
}

const atBreach = (rule: GuardRule): AtBreach => ("then" in rule ? rule.then : "exitsOnly");

const isGraver = (one: GuardLock, other: GuardLock): boolean =>
  one.then === other.then
    ? (one.until ?? Infinity) > (other.until ?? Infinity)
    : one.then === "flatten";

const ofRule = ({ ruleId }: GuardLock) => (ruleId === undefined ? {} : { ruleId });

const TOLD = { warn: "warned", entriesOff: "entriesOff", breach: "locked" } as const;

/** Each level of a rule is told once on a trading day: what goes back and forth is no news. */
function tellLevels(
  state: GuardState,
  verdicts: readonly Verdict[],
  at: number,
  decisions: GuardDecision[],
): GuardState {
  const rules = { ...state.rules };
  for (const { ruleId, level, isShadow, reason } of verdicts) {
    if (level === "ok" || level === "unknown") continue;
    const before: Level = rules[ruleId]?.told ?? "ok";
    if (RANK[level] <= RANK[before]) continue;
    rules[ruleId] = { ...rules[ruleId], told: level };
    const what = isShadow && level === "breach" ? "wouldLock" : TOLD[level];
    // The lock itself says so.
    if (what === "locked") continue;
    const shown = isShadow && level === "entriesOff" ? "wouldRefuse" : what;
    decisions.push({ at, what: shown, ruleId, reason });
  }
  return { ...state, rules };
}

export interface EntriesRefused {
  readonly code: "LOCKED" | "GUARD_REFUSED";
  /** With the figures, and when it is over. */
  readonly reason: string;
  readonly ruleId?: string;
}

/** What a lock answers an entry. */
export function lockedBy(lock: GuardLock): EntriesRefused {
  const until =
    lock.until === undefined
      ? "until a person ends it"
      : `until ${new Date(lock.until).toISOString()}`;
  const reason = `The account is locked ${until}: ${lock.reason}. Only exits are sent`;
  return { code: "LOCKED", reason, ...ofRule(lock) };
}

/** Why no entry may be sent; undefined where figures keep none out. Exits always pass. */
export function entriesRefused(
  lock: GuardLock | undefined,
  verdicts: readonly Verdict[],
): EntriesRefused | undefined {
  if (lock !== undefined) return lockedBy(lock);
  const gravest = verdicts
    .filter(({ level, isShadow }) => !isShadow && RANK[level] >= RANK.unknown)
    .toSorted((one, other) => RANK[other.level] - RANK[one.level])[0];
  if (gravest === undefined) return undefined;
  const { ruleId, reason } = gravest;
  return { code: "GUARD_REFUSED", reason: `${reason}. Only exits are sent`, ruleId };
}
