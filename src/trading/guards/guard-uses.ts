import type { GuardSettings } from "../../domain/guards/rule.ts";
import type { Restriction } from "../../domain/guards/schedule-rule.ts";
import type { Blindness, GuardDecision, GuardLock, Verdict } from "../../domain/guards/verdict.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { Minor } from "../../domain/money.ts";
import type { BrokerGuards } from "../money/ports.ts";
import type { Caller } from "../people/caller.ts";

/** An account's guards as they stand. */
export interface GuardsView {
  /** Changes with every change of the settings; "" while there are none. */
  readonly version: string;
  readonly settings: GuardSettings;
  /** What was loosened of hard rules, and from when on it counts, Unix ms. */
  readonly next?: { readonly settings: GuardSettings; readonly from: number };
  /** By the owner's last look; one of each rule that was judged. */
  readonly verdicts: readonly Verdict[];
  /** When that was, Unix ms; absent where nobody has judged these settings yet: no entry passes then. */
  readonly judgedAt?: number;
  /** Why entries are refused now, in words; absent while they pass. */
  readonly entriesRefused?: string;
  readonly lock?: GuardLock;
  readonly blind?: Blindness;
  /** When a schedule forbids something, now or the next time, by rule. */
  readonly upcoming: Readonly<Record<string, Restriction>>;
  /** What the account was worth as its trading day began, as far as that is known. */
  readonly balance?: Minor;
  readonly tradingDay: string;
  /** When the next one begins, Unix ms. */
  readonly dayEndsAt: number;
  /** The broker's own; absent where it has none, or does not let us read them. */
  readonly broker?: BrokerGuards;
  readonly asOf: number;
}

export interface GuardsChange {
  readonly settings: GuardSettings;
  /** What the account was worth as the present trading day began, where its broker does not say. */
  readonly balance?: Minor;
  /** The version that it was made from; another one stands: `GUARDS_CHANGED`. */
  readonly version?: string;
  /** Set it although it breaches at once: else it is refused with the figures. */
  readonly locksNow?: boolean;
}

export interface LockRequest {
  /** Unix ms; absent: until the next trading day. */
  readonly until?: number;
  readonly lock: "soft" | "hard";
  readonly then: "flatten" | "exitsOnly";
  readonly reason?: string;
}

export interface GuardUses {
  readonly readGuards: (caller: Caller, account: AccountId) => Promise<GuardsView>;
  /**
   * Replaces them. Tightening is anybody's who may trade; loosening needs `manage`, and of a hard rule
   * counts from the next trading day on. A locked account keeps its lock.
   */
  readonly changeGuards: (
    caller: Caller,
    account: AccountId,
    change: GuardsChange,
  ) => Promise<GuardsView>;
  /** Lets nothing in from now on. A lock that stands and is stricter stays. */
  readonly lockAccount: (
    caller: Caller,
    account: AccountId,
    request: LockRequest,
  ) => Promise<GuardsView>;
  /** Ends a soft lock early; its rule is off until it would have ended. */
  readonly unlockAccount: (
    caller: Caller,
    account: AccountId,
    request: { readonly reason: string },
  ) => Promise<GuardsView>;
  readonly readGuardHistory: (
    caller: Caller,
    account: AccountId,
    request: { readonly limit: number; readonly cursor?: string },
  ) => Promise<{ readonly items: readonly GuardDecision[]; readonly nextCursor?: string }>;
}
