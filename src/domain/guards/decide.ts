import type { GuardState } from "./guard-state.ts";
import { type Judgement, RANK } from "./judge.ts";
import { addLock, holdLocks, standingLocks, strictest } from "./locks.ts";
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
  /** How long an open position could not be judged by now, ms; absent while it can be. */
  readonly blindForMs?: number | undefined;
  readonly dayEndsAt: number;
  readonly newLockId: () => string;
}

/**
 * Locks at each breach, and ends a lock whose time is over and whose rule is known to hold again. What was
 * won back since never ends one, nor does a graver lock that ends. The gravest is the one that is shown:
 * one that flattens before one that only keeps entries out, then the one that lasts longer.
 */
export function decide(
  settings: GuardSettings,
  lock: GuardLock | undefined,
  { state, verdicts, isNewDay, blind }: Judgement,
  deps: DecideDeps,
): Decided {
  const { now } = deps;
  const decisions: GuardDecision[] = [];
  if (isNewDay) {
    const reason = `Trading day ${state.tradingDay} has begun; daily figures start anew`;
    decisions.push({ at: now, what: "dayBegan", reason });
  }
  const told = tellLevels(state, verdicts, now, decisions);
  const stood = standingLocks({ state, lock });
  const locks = nextLocks(stood, breaches(settings, verdicts, deps), verdicts, deps);
  const unseen = blind === undefined ? undefined : lockWhenBlind(settings, blind, deps);
  const held = holdLocks(told, locks);
  const next = unseen === undefined ? held : addLock(held, unseen);
  const isAdded = ({ id }: GuardLock) => id === unseen?.id;
  for (const one of [...locks, ...standingLocks(next).filter(isAdded)]) {
    if (stood.some(({ id }) => id === one.id)) continue;
    decisions.push({ at: now, what: "locked", ...ofRule(one), reason: one.reason });
  }
  if (lock !== undefined && next.lock === undefined) {
    const reason = "Its time is over, and no rule is breached";
    decisions.push({ at: now, what: "unlocked", ...ofRule(lock), reason });
  }
  return { ...next, decisions };
}

/** A lock of the whole account, where its user wants it closed once it could not be judged for so long. */
function lockWhenBlind(
  { whenBlind: { then, afterSeconds } }: GuardSettings,
  blind: string,
  { now, dayEndsAt, blindForMs = 0, newLockId }: DecideDeps,
): GuardLock | undefined {
  if (then !== "flatten" || blindForMs < afterSeconds * 1_000) return undefined;
  const reason = `For ${afterSeconds} s it could not be judged: ${blind}`;
  return { id: newLockId(), at: now, until: dayEndsAt, lock: "soft", then, reason };
}

/** Those that go on, and one of each breach. */
function nextLocks(
  stood: readonly GuardLock[],
  breached: readonly GuardLock[],
  verdicts: readonly Verdict[],
  { now, newLockId }: DecideDeps,
): readonly GuardLock[] {
  const isOver = ({ until }: GuardLock) => until !== undefined && until <= now;
  const goOn = stood.filter((lock) => {
    if (breached.some(({ ruleId }) => ruleId === lock.ruleId)) return false;
    // Whether its rule still is breached may not be known: it stays until that is.
    return !isOver(lock) || verdicts.some((verdict) => isUnknown(verdict, lock));
  });
  const anew = breached.map((wanted) => {
    const before = stood.find(({ ruleId }) => ruleId === wanted.ruleId);
    if (before === undefined) return { ...wanted, id: newLockId() };
    const lasts = !isOver(before);
    // What is sent is derived from the id: what is flattened only from now on needs one of its own.
    if (wanted.then === "flatten" && before.then !== "flatten") {
      return { ...(lasts ? strictest(wanted, before) : wanted), id: newLockId() };
    }
    // The same breach goes on: it is no new one, and was told.
    return lasts ? strictest(before, wanted) : { ...wanted, id: before.id, at: before.at };
  });
  return [...goOn, ...anew];
}

const isUnknown = ({ ruleId, level, isShadow }: Verdict, lock: GuardLock): boolean =>
  ruleId === lock.ruleId && level === "unknown" && !isShadow;

/** What each breach asks for, without an id. */
function breaches(
  settings: GuardSettings,
  verdicts: readonly Verdict[],
  deps: DecideDeps,
): readonly GuardLock[] {
  return verdicts
    .filter(({ level, isShadow }) => level === "breach" && !isShadow)
    .flatMap((verdict) => {
      const rule = settings.rules.find(({ id }) => id === verdict.ruleId);
      return rule === undefined ? [] : [lockOf(rule, verdict, deps)];
    });
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
