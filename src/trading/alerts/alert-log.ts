import type { AlertRequest } from "../../domain/alert.ts";
import type { AlertProfile } from "../../domain/declared/webhook-options.ts";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import type {
  AccountGroupId,
  AccountId,
  CredentialId,
  IntentId,
  UserId,
} from "../../domain/ids.ts";
import type { IntentRecord, Outcome } from "../../domain/intent.ts";
import type { StandsUntil } from "../../domain/repeat.ts";
import type { Problem } from "../../errors.ts";

/**
 * When two alerts of one webhook are the same one, sent again. An earlier one of which certainly
 * nothing was sent is not remembered.
 */
export interface SameAlert {
  /** A hash of the sender's own id and of what the alert means: the same within 24 hours. */
  readonly id?: string;
  /** The same hash without the position after the fill, as versions before wrote it; read, and never written. */
  readonly formerId?: string;
  /** A hash of the whole body: without an id, the same within the window, and no longer than `until`. */
  readonly body: string;
  /** Which of the body's alerts this is, from 0: each is compared with its own place. */
  readonly place: number;
  /** From the first of them on; 0: equal bodies are different alerts. */
  readonly windowMs: number;
  readonly until: StandsUntil;
  /**
   * Of a replay: the alert that its sender sent. It stands behind whatever may have been sent of that
   * one, or under its id, for as long as alerts are kept, and is compared with no body: a person asks.
   */
  readonly replayOf?: IntentId;
}

/** What the alert log keeps of an alert beside its intent. */
export interface AlertEntry {
  /** The intent's id, where there is one. */
  readonly alertId: IntentId;
  readonly accountId: AccountId;
  readonly userId: UserId;
  readonly webhookId: CredentialId;
  readonly requestId: string;
  /** By Redis' clock, Unix ms. */
  readonly receivedAt: number;
  /** The address it came from. */
  readonly sender: string;
  readonly profile: AlertProfile;
  /** As it was received, without secrets; cut where it is long. */
  readonly body: string;
  readonly bodyBytes: number;
  /** A hash of the body as it came; absent of alerts from before it was kept. */
  readonly fingerprint?: string;
  /** Which of the body's alerts this is, from 0; absent where the body is one alert. */
  readonly place?: number;
  /** How it was read; absent when it could not be. */
  readonly request?: AlertRequest;
  readonly senderAlertId?: string;
  readonly test?: true;
  /** Fields that ask for nothing we act on. */
  readonly unread: readonly string[];
  /** What the symbol was resolved to. */
  readonly contract?: ContractCode;
  /** What was decided before the lane, in words. */
  readonly decisions: readonly string[];
  /** The alert that a person had sent again: the one that its sender sent, never a replay. */
  readonly replayOf?: IntentId;
  /** The group that it went to, or one account of which this is the part of. */
  readonly groupId?: AccountGroupId;
  /** Of one account's part of an alert for a group: the alert as a whole. */
  readonly partOf?: IntentId;
}

/** What became of an alert for a group in one of its accounts: a line of its own. */
export interface AlertPart {
  readonly accountId: AccountId;
  readonly alertId: IntentId;
}

/** How an alert ended that has no intent of its own. */
export type AlertEnding =
  | {
      readonly kind: "refused";
      readonly code: string;
      readonly status: number;
      readonly message: string;
      readonly details: readonly Problem[];
    }
  | { readonly kind: "duplicate"; readonly of: IntentId }
  | { readonly kind: "split"; readonly parts: readonly AlertPart[] };

/** An alert and its one outcome: its intent's, or the ending it had without one. */
export type LoggedAlert =
  | { readonly entry: AlertEntry; readonly intent: IntentRecord }
  | { readonly entry: AlertEntry; readonly ending: AlertEnding };

/**
 * The one word for what became of an alert: its intent's outcome; `pending` while it waits or is
 * under way; `refused` when nothing of it was accepted; `duplicate` when an earlier one stands for
 * it; `test` when nothing was to be sent; `split` when it went to the accounts of a group, each of
 * which has an outcome of its own.
 */
export type AlertOutcome = Outcome["kind"] | "pending" | "refused" | "duplicate" | "test" | "split";

/** Where a page of alerts goes on: after this one. */
export interface AlertPosition {
  readonly at: number;
  readonly alertId: IntentId;
}

export interface AlertQuery {
  /** At least 1. */
  readonly limit: number;
  /** Only what comes after it, which is older. */
  readonly after?: AlertPosition;
  /** Received then or later, and before; Unix ms by Redis' clock. */
  readonly fromAt?: number;
  readonly beforeAt?: number;
  /** Only alerts that ended so; `matches` has to see to it too. */
  readonly outcome?: AlertOutcome;
  /** Only alerts that it holds for. */
  readonly matches?: (alert: LoggedAlert) => boolean;
}

export interface AlertsRead {
  readonly items: readonly LoggedAlert[];
  /** Absent when nothing comes after. A page may be short, and even empty, with more to come. */
  readonly next?: AlertPosition;
}

/** What became of every alert. Accepted ones are written with their intents. */
export interface AlertLog {
  /** Writes an alert that has no intent. */
  readonly end: (entry: AlertEntry, ending: AlertEnding) => Promise<void>;
  readonly find: (
    accounts: readonly AccountId[],
    alert: IntentId,
  ) => Promise<LoggedAlert | undefined>;
  /** Newest first, over all the accounts; of one instant, by their ids backwards. */
  readonly list: (accounts: readonly AccountId[], query: AlertQuery) => Promise<AlertsRead>;
}
