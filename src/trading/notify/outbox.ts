import type { GatewayEvent } from "../../domain/notify/event.ts";
import type { AccountId, IntentId, UserId } from "../../domain/ids.ts";
import type { IntentState } from "../../domain/intent.ts";
import type { PlacedEntry } from "../../domain/ledger/ledger-entry.ts";

/** An event before it has its place in an outbox, and whose it is. */
export type EventDraft = GatewayEvent extends infer Event
  ? Event extends GatewayEvent
    ? Omit<Event, "id" | "at" | "userId">
    : never
  : never;

/** One line of an outbox. Ids grow from line to line; `at` is Unix ms by the store's clock. */
export type OutboxLine = { readonly id: string; readonly at: number } & (
  | {
      readonly kind: "intent";
      readonly intentId: IntentId;
      /** In which state it was until then. */
      readonly before: IntentState;
      /** What it came to then; absent in lines of earlier versions. */
      readonly ended?: IntentState;
    }
  | { readonly kind: "alert"; readonly alertId: IntentId }
  | { readonly kind: "event"; readonly event: EventDraft }
);

/** Up to which lines an account's events are on their way; absent: none is. */
export interface ToldUpTo {
  readonly outbox?: string;
  readonly ledger?: string;
}

/** Something that stands and needs a person, as it is remembered over restarts. */
export interface ToldState {
  /** Unix ms. */
  readonly since: number;
  /** Absent until it has stood for long enough to be told. */
  readonly told?: EventDraft;
  /** Of what an operator's Alertmanager told: when it was told last, Unix ms. */
  readonly toldAt?: number;
}

/**
 * What is to be told, as it was written in the steps in which it happened: an account's outbox and its
 * ledger, and a user's outbox for what is of no account. All of these throw `StoreError`.
 */
export interface Outbox {
  /** The next lines, oldest first, none from before `since` (Unix ms). */
  readonly read: (
    account: AccountId,
    upTo: ToldUpTo,
    query: { readonly limit: number; readonly since: number },
  ) => Promise<{ readonly lines: readonly OutboxLine[]; readonly entries: readonly PlacedEntry[] }>;
  readonly toldUpTo: (account: AccountId) => Promise<ToldUpTo>;
  /**
   * Up to which line of the ledger this batch goes: `to`, or where another one that began at `from` was cut.
   * Orders of a batch that is repeated are told as they were. Undefined where `from` is not true any more.
   */
  readonly bindLedger: (
    account: AccountId,
    batch: { readonly from: string | undefined; readonly to: string },
  ) => Promise<string | undefined>;
  readonly advance: (account: AccountId, upTo: ToldUpTo) => Promise<void>;
  readonly note: (account: AccountId, event: EventDraft) => Promise<void>;

  readonly readUser: (
    user: UserId,
    query: { readonly limit: number; readonly since: number },
  ) => Promise<readonly OutboxLine[]>;
  readonly advanceUser: (user: UserId, line: string) => Promise<void>;
  readonly noteUser: (user: UserId, event: EventDraft) => Promise<void>;

  readonly states: (user: UserId) => Promise<ReadonlyMap<string, ToldState>>;
  /** In one step, with the events that tell of it. False, and nothing, where another was faster. */
  readonly saveStates: (
    user: UserId,
    changes: readonly StateChange[],
    events: readonly EventDraft[],
  ) => Promise<boolean>;
  /** What stands is told anew. */
  readonly forgetStates: (user: UserId) => Promise<void>;
  /** All that is kept of a user who is removed. */
  readonly forgetUser: (user: UserId) => Promise<void>;
}

/** Undefined is a state that does not stand. */
export interface StateChange {
  readonly key: string;
  readonly before: ToldState | undefined;
  readonly after: ToldState | undefined;
}

const OPERATOR = "operator ";

/** The key of a state that an operator's Alertmanager told: nothing here can see that it is over. */
export const operatorState = (fingerprint: string): string => `${OPERATOR}${fingerprint}`;
export const isOfOperator = (key: string): boolean => key.startsWith(OPERATOR);

/** Whether this process is the one that looks for what is to be told. */
export interface TellerLease {
  /** Taken, or kept, for so long. */
  readonly hold: (forMs: number) => Promise<boolean>;
}
