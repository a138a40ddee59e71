import type { EntriesRefused } from "../../domain/guards/decide.ts";
import type { GuardState } from "../../domain/guards/guard-state.ts";
import type { GuardSettings } from "../../domain/guards/rule.ts";
import type { Restriction } from "../../domain/guards/schedule-rule.ts";
import type { Blindness, GuardDecision, GuardLock, Verdict } from "../../domain/guards/verdict.ts";
import type { EventDraft } from "../notify/outbox.ts";
import type { AccountId } from "../../domain/ids.ts";

/** What the owner saw at its last look, for whoever shows it. */
export interface GuardSight {
  readonly at: number;
  readonly verdicts: readonly Verdict[];
  readonly entriesRefused?: EntriesRefused;
  readonly blind?: Blindness;
  readonly upcoming: Readonly<Record<string, Restriction>>;
}

/** What was loosened of hard rules, and from when on it counts, Unix ms. */
export interface NextSettings {
  readonly settings: GuardSettings;
  readonly from: number;
}

/** All that is kept of an account's guards. */
export interface StoredGuards {
  /** Another one with every change of the settings. The write-ahead of an entry names it. */
  readonly version: string;
  readonly settings: GuardSettings;
  readonly next?: NextSettings;
  readonly state?: GuardState;
  /** The write-ahead of an entry is refused while there is one. */
  readonly lock?: GuardLock;
  readonly sight?: GuardSight;
}

/** What of it is written; `null` takes it away, and what is absent stays. */
export interface GuardWrite {
  readonly settings?: GuardSettings;
  readonly next?: NextSettings | null;
  readonly state?: GuardState;
  readonly lock?: GuardLock | null;
  readonly sight?: GuardSight | null;
  readonly decisions: readonly NotedDecision[];
}

/** Kept in the history, and told where somebody wants to hear of it. */
export interface NotedDecision {
  readonly decision: GuardDecision;
  readonly event?: EventDraft | undefined;
}

/** What must be so still; else nothing is written. */
export interface GuardExpectation {
  /** Of the owner that writes: the account's newest. Absent for a person's change. */
  readonly epoch?: number;
  readonly version: string;
  /** The id of the lock that stands; undefined for none. */
  readonly lockId: string | undefined;
  /** The state that a person's change was made from: its owner writes it all the time. */
  readonly state?: GuardState | undefined;
}

export interface GuardStore {
  /** The accounts that ever had guards. */
  readonly guarded: () => Promise<readonly AccountId[]>;
  /** Undefined where the account has none. Throws `StoreError`. */
  readonly load: (account: AccountId) => Promise<StoredGuards | undefined>;
  /** Which settings and which lock stand, without reading them. Throws `StoreError`. */
  readonly stands: (
    account: AccountId,
  ) => Promise<{ readonly version: string; readonly lockId: string | undefined }>;
  /**
   * Writes all of it in one step. `fenced`: another owner has the account. `changed`: the settings or
   * the lock are others by now. Throws `StoreError`, also where it may have been written.
   */
  readonly write: (
    account: AccountId,
    expected: GuardExpectation,
    write: GuardWrite,
  ) => Promise<"written" | "fenced" | "changed">;
  /** Newest first. */
  readonly history: (
    account: AccountId,
    query: { readonly limit: number; readonly before?: string },
  ) => Promise<{
    readonly items: readonly (GuardDecision & { readonly id: string })[];
    readonly next?: string;
  }>;
}
