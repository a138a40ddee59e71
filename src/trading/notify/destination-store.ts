import type { Destination, DestinationId } from "../../domain/notify/destination.ts";
import type { GatewayEvent } from "../../domain/notify/event.ts";
import type { DestinationState, Undelivered } from "./destination-uses.ts";

/** A destination with what is kept of where it leads. Secrets are sealed. */
export interface StoredDestination {
  readonly destination: Destination;
  readonly settings: Readonly<Record<string, string | number>>;
  /** What a signed webhook is signed with, sealed, the newest first; `until` is Unix ms. */
  readonly secrets: readonly { readonly sealed: string; readonly until?: number }[];
  /** Telegram: the SHA-256 of the code that links a chat, and until when. */
  readonly link?: {
    readonly hash: string;
    readonly until: number;
    /** Whoever sends it may ask and act there: so may who had it made. Else the chat is only told. */
    readonly mayAsk?: true;
  };
  /** Telegram: who was linked by such a code. */
  readonly person?: string;
  /** The date (ISO) of the last time at which a summary was due there. */
  readonly summedUp?: string;
  /** Days of accounts that ended by then are in a summary, or of before there was one. Unix ms. */
  readonly summedUpTo?: number;
}

/** All of these throw `StoreError`. */
export interface DestinationStore {
  readonly all: () => Promise<readonly StoredDestination[]>;
  readonly find: (id: DestinationId) => Promise<StoredDestination | undefined>;
  readonly add: (stored: StoredDestination) => Promise<void>;
  /**
   * Makes of it what `change` says (undefined: leaves it), however many change it at once. Answers what
   * it is then; undefined where there is none.
   */
  readonly change: (
    id: DestinationId,
    change: (stored: StoredDestination) => StoredDestination | undefined,
  ) => Promise<StoredDestination | undefined>;
  /** With all that waits there. */
  readonly remove: (id: DestinationId) => Promise<void>;
}

/** An event on its way to one destination. */
export interface WaitingNotice {
  readonly event: GatewayEvent;
  readonly isSilent: boolean;
  /** Equal events have the same; absent: each is told by itself. */
  readonly foldKey?: string;
  readonly attempts: number;
  /** When it was to be told first, Unix ms. */
  readonly firstDueAt: number;
}

export interface DueNotice extends WaitingNotice {
  /** Unix ms. */
  readonly dueAt: number;
}

export interface Failure {
  readonly at: number;
  readonly reason: string;
  readonly status?: number;
}

/** What only delivery wants to know, beside. */
export interface DeliveryState extends DestinationState {
  /** Absent while the newest attempt was taken. */
  readonly failingSince?: number;
  /** Messages that were refused one by one since the last one that was taken. */
  readonly refusals: number;
}

/** What waits for each destination, and what came of it. All of these throw `StoreError`. */
export interface NoticeQueue {
  /** Each event once, however often it is put. Answers those for which there was no room. */
  readonly put: (
    destination: Pick<Destination, "id" | "kind" | "inOrder">,
    notices: readonly DueNotice[],
    now: number,
  ) => Promise<readonly string[]>;
  /**
   * At most so many that are due by then: what is critical, unless events are told in order there, and then
   * the others, both in the order in which they are due.
   */
  readonly due: (
    id: DestinationId,
    query: { readonly by: number; readonly limit: number },
  ) => Promise<readonly DueNotice[]>;
  readonly nextDueAt: (id: DestinationId) => Promise<number | undefined>;
  readonly told: (
    id: DestinationId,
    notices: readonly WaitingNotice[],
    at: number,
    foldMs: number,
  ) => Promise<void>;
  readonly failed: (
    id: DestinationId,
    notices: readonly DueNotice[],
    failure: Failure & {
      readonly pausedUntil: number;
      /** Of this message alone, and not because the receiver takes none now. */
      readonly isRefusal?: boolean;
    },
  ) => Promise<void>;
  /** Kept with the reason, unless `isKept` says that nobody wants to know. */
  readonly giveUp: (
    id: DestinationId,
    notices: readonly WaitingNotice[],
    failure: Failure & { readonly isKept?: boolean },
  ) => Promise<void>;
  readonly state: (id: DestinationId) => Promise<DeliveryState>;
  readonly forgetFailures: (id: DestinationId) => Promise<void>;
  readonly undelivered: (
    id: DestinationId,
    query: { readonly limit: number; readonly after?: string },
  ) => Promise<{ readonly items: readonly Undelivered[]; readonly next?: string }>;
  readonly replay: (id: DestinationId, now: number, events?: readonly string[]) => Promise<number>;
  readonly discard: (id: DestinationId, events?: readonly string[]) => Promise<number>;
}
