import {
  decide,
  entriesRefused,
  type EntriesRefused,
  lockedBy,
} from "../../domain/guards/decide.ts";
import type { GuardFacts } from "../../domain/guards/guard-facts.ts";
import type { GuardState } from "../../domain/guards/guard-state.ts";
import { judge } from "../../domain/guards/judge.ts";
import { holdLocks, standingLocks } from "../../domain/guards/locks.ts";
import type { Blindness, GuardDecision, GuardLock, Verdict } from "../../domain/guards/verdict.ts";
import { minor } from "../../domain/money.ts";
import type { AccountId } from "../../domain/ids.ts";
import { type DecidedOn, eventOfDecision } from "../notify/event-of-decision.ts";
import type { GuardSight, GuardWrite, NotedDecision, StoredGuards } from "./guard-store.ts";

/** A rising peak is stored so often; what locks, or begins a day, at once. */
const STATE_EVERY_MS = 250;
/** When it was judged last says after a crash what was missed meanwhile. */
const JUDGED_EVERY_MS = 10_000;
const SIGHT_EVERY_MS = 1_000;
/** Where it shows the same, that it was looked at is told so often. */
const SIGHT_AGAIN_MS = 30_000;
/** Right after a start no price has been heard yet. Entries are refused at once all the same. */
export const BLIND_TOLD_AFTER_MS = 3_000;

/** Locks that may not be stored, and what they were decided on. */
interface Unstored {
  readonly state: GuardState;
  readonly locks: readonly GuardLock[];
}

/** What this process goes on with where an account is read again. */
export interface GuardMemory {
  /** What was decided of it, and may not be stored. */
  readonly unstored: Unstored | undefined;
  /** Since when an open position cannot be judged, by a steady clock, ms. */
  readonly blindSince: number | undefined;
  readonly isBlindTold: boolean;
  /** By which settings, and the state that they had come to: peaks that may not be stored. */
  readonly version: string;
  readonly state: GuardState | undefined;
  /** Of the history, what may not be stored. */
  readonly decisions: readonly GuardDecision[];
}

export interface GuardedAccountDeps {
  readonly newLockId: () => string;
  /** A steady clock, ms. */
  readonly elapsed: () => number;
}

/** How the account stands as something of it is stored. */
interface Standing {
  /** Something is held, or works. */
  readonly isAtStake: boolean;
  /** Something was due while nobody looked, and is not done yet. */
  readonly isMissed: boolean;
}

/**
 * One account's guards as its owner has them: what is stored, what was last seen, and what of it is not
 * stored yet. A lock holds here from the moment in which it is decided, and nothing is closed for it
 * before it is stored.
 */
export class GuardedAccount {
  readonly #id: AccountId;
  readonly #deps: GuardedAccountDeps;
  #stored: StoredGuards;
  #state: GuardState | undefined;
  #lock: GuardLock | undefined;
  #decisions: GuardDecision[] = [];
  #verdicts: readonly Verdict[] = [];
  #facts: GuardFacts | undefined;
  #blindSince: number | undefined;
  #blindness: Blindness | undefined;
  #isBlindTold = false;
  #seenSightAt = -Infinity;
  #storedStateAt = -Infinity;
  #storedSight = "";

  constructor(
    id: AccountId,
    stored: StoredGuards,
    memory: GuardMemory | undefined,
    deps: GuardedAccountDeps,
  ) {
    this.#id = id;
    this.#deps = deps;
    this.#stored = stored;
    this.#state = stored.state;
    this.#lock = stored.lock;
    this.#blindSince = memory?.blindSince;
    this.#isBlindTold = memory?.isBlindTold ?? false;
    if (memory?.version === stored.version) this.#keepPeaks(memory.state);
    this.#decisions = memory?.decisions.filter(({ what }) => what !== "locked") ?? [];
    if (memory?.unstored !== undefined) this.#carryOn(memory.unstored);
  }

  get memory(): GuardMemory {
    const [blindSince, isBlindTold] = [this.#blindSince, this.#isBlindTold];
    const { version } = this.#stored;
    const [state, decisions] = [this.#state, this.#decisions];
    return { unstored: this.#unstored(), blindSince, isBlindTold, version, state, decisions };
  }

  /** Locks that were decided here and are not known to be stored; they must not be forgotten. */
  #unstored(): Unstored | undefined {
    const state = this.#state;
    if (state === undefined) return undefined;
    const known = new Set(locksIn(this.#stored).map(({ id }) => id));
    const locks = standingLocks({ state, lock: this.#lock }).filter(({ id }) => !known.has(id));
    return locks.length === 0 ? undefined : { state, locks };
  }

  get stored(): StoredGuards {
    return this.#stored;
  }

  /** Undefined until it was judged here: no entry passes before that. */
  get facts(): GuardFacts | undefined {
    return this.#facts;
  }

  get verdicts(): readonly Verdict[] {
    return this.#verdicts;
  }

  /** As it is stored: what is to be closed for it may be. */
  get storedLock(): GuardLock | undefined {
    return this.#stored.lock;
  }

  /** As it was last judged; some of it may not be stored yet. */
  get state(): GuardState | undefined {
    return this.#state;
  }

  get lock(): GuardLock | undefined {
    return this.#lock;
  }

  /** How long an open position has not been judged, ms; undefined while it is. */
  get blindForMs(): number | undefined {
    return this.#blindSince === undefined ? undefined : this.#deps.elapsed() - this.#blindSince;
  }

  get blind(): string | undefined {
    return this.#blindness?.reason;
  }

  get blindness(): Blindness | undefined {
    return this.#blindness;
  }

  /** What its lock answers an entry, judged or not. */
  get lockRefusal(): EntriesRefused | undefined {
    return this.#lock && lockedBy(this.#lock);
  }

  get entriesRefused(): EntriesRefused | undefined {
    if (this.#facts === undefined) return this.#lock ? lockedBy(this.#lock) : NOT_JUDGED;
    return entriesRefused(this.#lock, this.#verdicts);
  }

  /** Holds the account against its rules by these facts. */
  judge(facts: GuardFacts): void {
    const { settings } = this.#stored;
    const judgement = judge(settings, this.#state, facts);
    const { newLockId } = this.#deps;
    this.#see(judgement.blind, facts.now);
    const { blindForMs } = this;
    const decided = decide(settings, this.#lock, judgement, { ...facts, newLockId, blindForMs });
    this.#facts = facts;
    this.#verdicts = judgement.verdicts;
    this.#state = decided.state;
    this.#lock = decided.lock;
    this.#decisions.push(...decided.decisions);
  }

  /** One more line of the history, stored with the next write. */
  note(decision: GuardDecision): void {
    this.#decisions.push(decision);
  }

  /** All that the lock asks for was done. */
  closed(lockId: string, at: number): void {
    if (this.#lock?.id === lockId) this.#lock = { ...this.#lock, doneAt: at };
  }

  /** What is to be stored now; undefined where nothing is. */
  pending(sight: Omit<GuardSight, "at">, at: Standing): GuardWrite | undefined {
    const { elapsed } = this.#deps;
    const now = elapsed();
    const lock = this.#lock;
    const state = this.#stateAt(at);
    const isLockNew = JSON.stringify(lock) !== JSON.stringify(this.#stored.lock);
    const isStateDue = isLockNew || this.#isStateDue(now, state, at);
    const sinceMs = now - this.#seenSightAt;
    const isSightDue =
      sinceMs >= SIGHT_AGAIN_MS ||
      (sinceMs >= SIGHT_EVERY_MS && asShown(sight) !== this.#storedSight);
    const decisions = this.#decisions;
    const isDue = isLockNew || isStateDue || isSightDue || decisions.length > 0;
    if (!isDue || state === undefined || this.#facts === undefined) return undefined;
    const isSightWritten = isSightDue || isLockNew || decisions.length > 0;
    return {
      ...(isStateDue && { state }),
      ...(isLockNew && { lock: lock ?? null }),
      ...(isSightWritten && { sight: { at: this.#facts.now, ...sight } }),
      decisions: decisions.map((one) => this.#noted(one)),
    };
  }

  /** That it is stored. */
  wrote({ state, lock, sight, decisions }: GuardWrite): void {
    const { lock: former, ...rest } = this.#stored;
    const standing = lock === undefined ? former : (lock ?? undefined);
    this.#stored = {
      ...rest,
      ...(state !== undefined && { state }),
      ...(sight && { sight }),
      ...(standing !== undefined && { lock: standing }),
    };
    const now = this.#deps.elapsed();
    if (state !== undefined) this.#storedStateAt = now;
    if (sight) {
      const { at: _, ...shown } = sight;
      this.#seenSightAt = now;
      this.#storedSight = asShown(shown);
    }
    this.#decisions = this.#decisions.slice(decisions.length);
  }

  /** A peak that was seen stands, stored or not. */
  #keepPeaks(seen: GuardState | undefined): void {
    const state = this.#state;
    if (state === undefined || seen === undefined) return;
    const rules = Object.entries(state.rules).map(([id, rule]) => {
      const peak = Math.max(rule.peak ?? -Infinity, seen.rules[id]?.peak ?? -Infinity);
      return [id, Number.isFinite(peak) ? { ...rule, peak: minor(peak) } : rule] as const;
    });
    this.#state = { ...state, rules: Object.fromEntries(rules) };
  }

  #carryOn({ state, locks }: Unstored): void {
    const stands = locksIn(this.#stored);
    const missing = locks.filter(({ id }) => !stands.some((one) => one.id === id));
    if (missing.length === 0) return;
    const held = holdLocks(this.#state ?? state, [...stands, ...missing]);
    this.#state = held.state;
    this.#lock = held.lock;
    for (const { at, reason, ruleId } of missing) {
      this.#decisions.push({ at, what: "locked", reason, ...(ruleId !== undefined && { ruleId }) });
    }
  }

  #noted(decision: GuardDecision): NotedDecision {
    const verdict = this.#verdicts.find(({ ruleId }) => ruleId === decision.ruleId);
    const resetsAt =
      verdict?.resetsAt ?? (decision.what === "locked" ? this.#lock?.until : undefined);
    return noteDecision(this.#id, decision, {
      settings: this.#stored.settings,
      ...(verdict !== undefined && { figures: verdict }),
      ...(resetsAt !== undefined && { resetsAt }),
    });
  }

  /** After another crash, what was due and is not done yet is still found to be missed. */
  #stateAt({ isMissed }: Standing): GuardState | undefined {
    const lastAt = this.#stored.state?.judgedAt;
    if (!isMissed || lastAt === undefined || this.#state === undefined) return this.#state;
    return { ...this.#state, judgedAt: lastAt };
  }

  #isStateDue(now: number, state: GuardState | undefined, { isAtStake }: Standing): boolean {
    const { state: stored } = this.#stored;
    if (state === undefined) return false;
    if (stored === undefined) return true;
    const { judgedAt, rules, ...day } = state;
    const { judgedAt: storedAt, rules: storedRules, ...storedDay } = stored;
    if (JSON.stringify(day) !== JSON.stringify(storedDay)) return true;
    if (now - this.#storedStateAt < STATE_EVERY_MS) return false;
    if (JSON.stringify(rules) !== JSON.stringify(storedRules)) return true;
    return isAtStake && judgedAt - storedAt >= JUDGED_EVERY_MS;
  }

  #see(blind: string | undefined, at: number): void {
    const since = this.#blindness?.since ?? at;
    this.#blindness = blind === undefined ? undefined : { since, reason: blind };
    const now = this.#deps.elapsed();
    if (blind !== undefined) {
      this.#blindSince ??= now;
      if (this.#isBlindTold || now - this.#blindSince < BLIND_TOLD_AFTER_MS) return;
      this.#isBlindTold = true;
      this.#decisions.push({ at, what: "blind", reason: blind });
      return;
    }
    this.#blindSince = undefined;
    if (!this.#isBlindTold) return;
    this.#isBlindTold = false;
    this.#decisions.push({ at, what: "sees", reason: "Its figures are known again" });
  }
}

/** All that is shown but how new it is. */
const asShown = ({ verdicts, ...rest }: Omit<GuardSight, "at">): string =>
  JSON.stringify({ ...rest, verdicts: verdicts.map((one) => ({ ...one, asOf: 0 })) });

const locksIn = ({ state, lock }: StoredGuards): readonly GuardLock[] =>
  state === undefined ? (lock === undefined ? [] : [lock]) : standingLocks({ state, lock });

/** With the event that is told of it. */
export const noteDecision = (
  account: AccountId,
  decision: GuardDecision,
  on: DecidedOn,
): NotedDecision => ({ decision, event: eventOfDecision(account, decision, on) });

const NOT_JUDGED: EntriesRefused = {
  code: "GUARD_REFUSED",
  reason:
    "The account's guards have not been judged yet: its fills of the day are being read. Only exits are sent",
};
