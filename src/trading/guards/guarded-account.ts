import { decide, entriesRefused, type EntriesRefused } from "../../domain/guards/decide.ts";
import type { GuardFacts } from "../../domain/guards/guard-facts.ts";
import type { GuardState } from "../../domain/guards/guard-state.ts";
import { judge } from "../../domain/guards/judge.ts";
import type { GuardDecision, GuardLock, Verdict } from "../../domain/guards/verdict.ts";
import type { AccountId } from "../../domain/ids.ts";
import { type DecidedOn, eventOfDecision } from "../notify/event-of-decision.ts";
import type { GuardSight, GuardWrite, NotedDecision, StoredGuards } from "./guard-store.ts";

/** A rising peak is stored so often; what locks, or begins a day, at once. */
const STATE_EVERY_MS = 250;
/** When it was judged last says after a crash what was missed meanwhile. */
const JUDGED_EVERY_MS = 10_000;
const SIGHT_EVERY_MS = 1_000;
/** Right after a start no price has been heard yet. Entries are refused at once all the same. */
export const BLIND_TOLD_AFTER_MS = 3_000;

export interface GuardedAccountDeps {
  readonly newLockId: () => string;
  /** A steady clock, ms. */
  readonly elapsed: () => number;
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
  #blind: string | undefined;
  #isBlindTold = false;
  #seenSightAt = -Infinity;
  #storedStateAt = -Infinity;
  #storedSight = "";

  constructor(id: AccountId, stored: StoredGuards, deps: GuardedAccountDeps) {
    this.#id = id;
    this.#deps = deps;
    this.#stored = stored;
    this.#state = stored.state;
    this.#lock = stored.lock;
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

  get lock(): GuardLock | undefined {
    return this.#lock;
  }

  /** How long an open position has not been judged, ms; undefined while it is. */
  get blindForMs(): number | undefined {
    return this.#blindSince === undefined ? undefined : this.#deps.elapsed() - this.#blindSince;
  }

  get blind(): string | undefined {
    return this.#blind;
  }

  get entriesRefused(): EntriesRefused | undefined {
    if (this.#facts === undefined) return NOT_JUDGED;
    return entriesRefused(this.#lock, this.#verdicts);
  }

  /** Holds the account against its rules by these facts. */
  judge(facts: GuardFacts): void {
    const { settings } = this.#stored;
    const judgement = judge(settings, this.#state, facts);
    const { newLockId } = this.#deps;
    const decided = decide(settings, this.#lock, judgement, { ...facts, newLockId });
    this.#facts = facts;
    this.#verdicts = judgement.verdicts;
    this.#state = decided.state;
    this.#lock = decided.lock;
    this.#decisions.push(...decided.decisions);
    this.#see(judgement.blind, facts.now);
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
  pending(sight: Omit<GuardSight, "at">): GuardWrite | undefined {
    const { elapsed } = this.#deps;
    const now = elapsed();
    const lock = this.#lock;
    const isLockNew = JSON.stringify(lock) !== JSON.stringify(this.#stored.lock);
    const isStateDue = isLockNew || this.#isStateDue(now);
    // Each quote asks: what is not due yet is not compared.
    const isSightDue =
      now - this.#seenSightAt >= SIGHT_EVERY_MS && JSON.stringify(sight) !== this.#storedSight;
    const decisions = this.#decisions;
    const isDue = isLockNew || isStateDue || isSightDue || decisions.length > 0;
    if (!isDue || this.#state === undefined || this.#facts === undefined) return undefined;
    const isSightWritten = isSightDue || isLockNew || decisions.length > 0;
    return {
      ...(isStateDue && { state: this.#state }),
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
      this.#storedSight = JSON.stringify(shown);
    }
    this.#decisions = this.#decisions.slice(decisions.length);
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

  #isStateDue(now: number): boolean {
    const { state: stored } = this.#stored;
    const state = this.#state;
    if (state === undefined) return false;
    if (stored === undefined) return true;
    const { judgedAt, rules, ...day } = state;
    const { judgedAt: storedAt, rules: storedRules, ...storedDay } = stored;
    if (JSON.stringify(day) !== JSON.stringify(storedDay)) return true;
    if (now - this.#storedStateAt < STATE_EVERY_MS) return false;
    if (JSON.stringify(rules) !== JSON.stringify(storedRules)) return true;
    return this.#facts?.isOpen === true && judgedAt - storedAt >= JUDGED_EVERY_MS;
  }

  #see(blind: string | undefined, at: number): void {
    this.#blind = blind;
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
