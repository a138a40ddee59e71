import type {
  ChannelKind,
  ChannelSettings,
  Destination,
  DestinationId,
} from "../../domain/notify/destination.ts";
import type { GatewayEvent } from "../../domain/notify/event.ts";
import type { Severity } from "../../domain/severity.ts";
import type { Caller } from "../people/caller.ts";
import type { Page } from "../reads/page-cursor.ts";

/** What a person says of a destination. */
export type DestinationTerms = Pick<
  Destination,
  "name" | "rules" | "quietHours" | "summary" | "inOrder" | "answers"
>;

/** Where it leads, in plain text. */
export type ChannelTerms = {
  [Kind in ChannelKind]: { readonly kind: Kind; readonly settings: ChannelSettings[Kind] };
}[ChannelKind];

/** Null takes away what may be left out; what is not named stays. */
export type DestinationChange = {
  readonly [Name in keyof DestinationTerms]?: DestinationTerms[Name] | null;
} & {
  readonly settings?: Readonly<Record<string, string | number | null>>;
  /** True switches one on again that was switched off, and its failures are forgotten. */
  readonly enabled?: boolean;
};

/** How a destination stands. Times are Unix ms by the store's clock. */
export interface DestinationState {
  /** Events that wait for it: for their turn, the end of quiet hours, or another attempt. */
  readonly waiting: number;
  /** Events that were given up, and are kept for a week. */
  readonly undelivered: number;
  readonly deliveredAt?: number;
  /** Of the newest attempt, where it was not taken. */
  readonly failure?: { readonly at: number; readonly reason: string; readonly status?: number };
  /** Attempts without a success since the last one. */
  readonly failures: number;
  /** Until then nothing is tried: it asked for that, or it has failed. */
  readonly pausedUntil?: number;
}

export interface DestinationView extends Destination {
  /** Without secrets; of those, that they are set. */
  readonly settings: Readonly<Record<string, string | number | true>>;
  readonly state: DestinationState;
  /** Telegram: the chat is known. */
  readonly isLinked?: boolean;
}

export interface TestResult {
  readonly isDelivered: boolean;
  readonly status?: number;
  readonly reason?: string;
  readonly ms: number;
}

/** An event that was given up. */
export interface Undelivered {
  readonly event: GatewayEvent;
  readonly attempts: number;
  readonly reason: string;
  readonly status?: number;
  readonly givenUpAt: number;
}

/** One alert of an Alertmanager's webhook. */
export interface OperatorAlarm {
  readonly fingerprint: string;
  readonly isFiring: boolean;
  readonly alertname: string;
  readonly severity: Severity;
  readonly message: string;
  readonly runbookUrl?: string;
  /** Unix ms: of its beginning, or of its end. */
  readonly at: number;
}

/**
 * Where a user is told what happened. A destination that is not the caller's is NOT_FOUND; settings
 * that cannot be are VALIDATION_FAILED, an address that may not be called among them.
 */
export interface DestinationUses {
  /** `secret` is that of a signed webhook, shown this once. */
  readonly createDestination: (
    caller: Caller,
    terms: DestinationTerms & ChannelTerms,
  ) => Promise<{ readonly destination: DestinationView; readonly secret?: string }>;
  readonly listDestinations: (caller: Caller) => Promise<readonly DestinationView[]>;
  readonly findDestination: (caller: Caller, id: DestinationId) => Promise<DestinationView>;
  readonly changeDestination: (
    caller: Caller,
    id: DestinationId,
    change: DestinationChange,
  ) => Promise<DestinationView>;
  readonly deleteDestination: (caller: Caller, id: DestinationId) => Promise<void>;
  /** Of a signed webhook. The former secret signs beside the new one for a day. */
  readonly rotateSecret: (
    caller: Caller,
    id: DestinationId,
  ) => Promise<{ readonly secret: string; readonly formerUntil: number }>;
  /** Sends a sample now, and says what came back. */
  readonly testDestination: (caller: Caller, id: DestinationId) => Promise<TestResult>;
  /** Newest first; `cursor` is the `nextCursor` of the page before. */
  readonly listUndelivered: (
    caller: Caller,
    id: DestinationId,
    query: { readonly limit: number; readonly cursor?: string },
  ) => Promise<Page<Undelivered>>;
  /** These, or all. Answers how many are sent again. */
  readonly replayUndelivered: (
    caller: Caller,
    id: DestinationId,
    events?: readonly string[],
  ) => Promise<number>;
  /** Forgets these, or all. */
  readonly discardUndelivered: (
    caller: Caller,
    id: DestinationId,
    events?: readonly string[],
  ) => Promise<number>;
  /** Telegram: a code that its owner sends to the bot as `/start <code>` within ten minutes. */
  readonly linkDestination: (
    caller: Caller,
    id: DestinationId,
  ) => Promise<{ readonly code: string; readonly until: number }>;
  /** Tells the caller's destinations what an operator's Alertmanager has sent on. */
  readonly tellOperatorAlarms: (caller: Caller, alarms: readonly OperatorAlarm[]) => Promise<void>;
}
