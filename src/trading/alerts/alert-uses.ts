import type { GroupMember } from "../../domain/account-groups/account-group.ts";
import type { AdmittedWith } from "../orders/ports.ts";
import type { AccountGroupId, IntentId, AccountId, CredentialId } from "../../domain/ids.ts";
import type { Settled } from "../orders/order-uses.ts";
import type { GatewayError, Problem } from "../../errors.ts";
import type { Webhook } from "../../domain/people/credential.ts";
import type { Caller } from "../people/caller.ts";
import type { Page } from "../reads/page-cursor.ts";
import type { AlertOutcome, LoggedAlert } from "./alert-log.ts";
import type { ReadAlert } from "../../domain/alert.ts";
import type { Stages } from "../stages.ts";

/** `settled` is absent when time ran out. `alertId` is the first one's, of a repeat; `unread` is its own. */
export interface AcceptedAlert {
  readonly alertId: IntentId;
  readonly settled?: Settled;
  readonly duplicate?: true;
  readonly unread: readonly string[];
  /** Which exits it says that its order is to go without, in words. */
  readonly notes?: readonly string[];
}

/** How one alert is answered. Its intent, where there is one, has the same id. */
export type HandledAlert =
  | AcceptedAlert
  | { readonly alertId: IntentId; readonly error: GatewayError };

/** How one message is answered: each of its alerts, or each account that its one alert went to. */
export interface HandledMessage {
  readonly isArray: boolean;
  readonly alerts: readonly HandledAlert[];
  /** Given where it went to a group: the alert as a whole, and whose each of `alerts` is. */
  readonly group?: {
    readonly groupId: AccountGroupId;
    readonly alertId: IntentId;
    readonly accounts: readonly AccountId[];
    /** What is wrong with other accounts that it names; nothing was asked of those. */
    readonly problems?: readonly Problem[];
  };
}

/** What comes to webhooks, and what became of it. */
export interface AlertUses {
  /**
   * Carries out what came to a webhook's URL, in its order, and answers each alert. Throws only what
   * is a fault of the gateway itself.
   */
  readonly receiveAlerts: (webhook: Webhook, delivery: Delivery) => Promise<HandledMessage>;
  readonly listAlerts: (caller: Caller, request: AlertsRequest) => Promise<Page<LoggedAlert>>;
  readonly findAlert: (caller: Caller, alert: IntentId) => Promise<LoggedAlert>;
  /** Carries out an alert of which nothing was sent, as if it came now. Once, however often it is asked. */
  readonly replayAlert: (caller: Caller, alert: IntentId) => Promise<HandledAlert>;
}

/** The group that an alert is for, as a whole or in one of its accounts. */
export interface ForGroup {
  readonly groupId: AccountGroupId;
  /** The alert as a whole, of which this is one account's part, on that member's terms. */
  readonly part?: { readonly of: IntentId; readonly member: GroupMember };
}

/** What a sender posted to a webhook's URL. */
export interface Delivery {
  /** When it came in, by Redis' clock (Unix ms). */
  readonly receivedAt: number;
  readonly requestId: string;
  /** Given where the request is traced. */
  readonly stages?: Stages;
  /** The address it came from. */
  readonly sender: string;
  /** For the alert log: without secrets, and cut where it is long. */
  readonly body: string;
  readonly bodyBytes: number;
  /** Of the whole body as it came: the same for the same body. */
  readonly fingerprint: string;
  /** Given where its sender is not admitted yet: that is done with the first acceptance. */
  readonly admission?: AdmittedWith;
  /** What it is refused with whatever it says: too many, or from where none may come. */
  readonly refusal?: GatewayError;
  /** What one of its alerts is refused with, where only others of them may pass. */
  readonly refusalOf?: (alert: ReadAlert) => GatewayError | undefined;
  /** Reads the body in the words of the webhook's profile; throws what is wrong with it. */
  readonly read: () => { readonly alerts: readonly ReadAlert[]; readonly isArray: boolean };
  /** The alert that a person sends again, and its place in its message. */
  readonly replayOf?: {
    readonly alertId: IntentId;
    readonly place?: number;
    /** Of what went to one account of a group: of which alert it was a part, and on whose terms it is. */
    readonly group?: ForGroup;
  };
}

/** Which alerts of the caller's user, newest first. */
export interface AlertsRequest {
  readonly limit: number;
  /** `nextCursor` of the page before; it holds for the same filters only. */
  readonly cursor?: string;
  readonly accountId?: AccountId;
  readonly webhookId?: CredentialId;
  readonly outcome?: AlertOutcome;
  /** Received then or later, and before; Unix ms by Redis' clock. */
  readonly fromAt?: number;
  readonly beforeAt?: number;
}
