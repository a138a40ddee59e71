import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { AccountId, ConnectionId, UserId } from "../../domain/ids.ts";
import type { Severity } from "../../domain/severity.ts";
import type { AlarmKind } from "../alarms/alarm.ts";
import type { FoundKind } from "../alarms/declared-alarms.ts";
import type { Holding } from "./read-holdings.ts";

/** Something that a person should look at, and what to do about it. */
export interface Trouble {
  readonly kind:
    | "store"
    | "unknown"
    | "exit"
    | "unprotected"
    | "unseen"
    | "connection"
    | "outOfStep"
    | "notUnderstood"
    | "copying"
    | "strategy"
    | "waiting"
    | "guard"
    | "exitPlan"
    | "webhook"
    | "killSwitch";
  readonly cause: AlarmKind | FoundKind;
  /** Of what, where an account or a connection has several at once: tells them apart, unlike words. */
  readonly about?: string;
  readonly accountId?: AccountId;
  readonly connectionId?: ConnectionId;
  readonly severity: Severity;
  /** Unix ms; absent where nobody noted it. */
  readonly since?: number;
  /** What has happened, and what follows from it. */
  readonly message: string;
  /** What to do. */
  readonly advice: string;
  /** Where it is true of several accounts alike: which. */
  readonly accounts?: readonly AccountName[];
}

export interface AccountName {
  readonly accountId: AccountId;
  readonly name: string;
}

/** What one user holds, and what of it needs a person. */
export interface Standing {
  /** By Redis' clock, Unix ms. */
  readonly asOf: number;
  /** Paused ones are left out: nothing is expected of them. */
  readonly connections: { readonly total: number; readonly connected: number };
  readonly killSwitch: {
    /** Of every account of the user. */
    readonly active: boolean;
    /** How many accounts have their own one on. */
    readonly accounts: number;
  };
  readonly unknownOutcomes: number;
  readonly unprotectedPositions: number;
  /** Those first that need a person most. */
  readonly holdings: readonly Holding[];
  /** Accepted, and not answered by the broker yet; those with an unknown outcome aside. */
  readonly waiting: number;
  /** Absent when nothing waits. */
  readonly oldestWaitingMs?: number;
  /** The most severe first. */
  readonly troubles: readonly Trouble[];
  /** Of what nothing can be told now, for whatever reason: that no trouble is found there says nothing. */
  readonly unseen: readonly Unseen[];
}

/** What stands at an account's broker, of one contract or, where none is said, at all. */
export interface Unseen {
  readonly accountId: AccountId;
  readonly contract?: ContractCode;
}

export interface Overview extends Standing {
  readonly alerts: AlertTraffic;
}

export interface AlertTraffic {
  /** One for each of the last 60 minutes, oldest first; the last one is not over yet. */
  readonly minutes: readonly AlertMinute[];
  /** From receipt to the broker's acknowledgement, ms, of the newest alerts that had one. */
  readonly latenciesMs: readonly number[];
}

export interface AlertMinute {
  /** When it began, Unix ms. */
  readonly at: number;
  /** Alerts that were handed on to their account. */
  readonly accepted: number;
  /** Alerts of which nothing was handed on: refused ones, and repeats of one before. */
  readonly refused: number;
}

/** What is open on an account's lane. */
export interface OpenWork {
  readonly accountId: AccountId;
  readonly waiting: number;
  readonly unknown: number;
  /** Exits that are not done and are tried again, and exits that wait for their markets. */
  readonly unfinished: number;
  readonly heldExits: number;
  readonly unprotected: number;
  /** Age of the oldest intent that is not at its end, those with an unknown outcome aside. */
  readonly oldestMs: number;
}

/** What the overview asks of the store beside everyone's ports. Throws `StoreError`. */
export interface OverviewStore {
  readonly killSwitches: (
    user: UserId,
    accounts: readonly AccountId[],
  ) => Promise<{ readonly ofUser: boolean; readonly accounts: readonly AccountId[] }>;
  /** Over the accounts that the user's webhooks ever pointed to. */
  readonly alertTraffic: (user: UserId, now: number) => Promise<AlertTraffic>;
}
