import type { ReadAlert } from "../../domain/alert.ts";
import type { AccountId, CredentialId, IntentId } from "../../domain/ids.ts";
import type { GatewayError } from "../../errors.ts";
import type { AlertOutcome } from "./alert-outcome.ts";

/** What a sender posted to a webhook's URL. */
export interface Delivery {
  /** When it came in, by Redis' clock (Unix ms). */
  readonly receivedAt: number;
  readonly requestId: string;
  /** The address it came from. */
  readonly sender: string;
  /** For the alert log: without secrets, and cut where it is long. */
  readonly body: string;
  readonly bodyBytes: number;
  /** Of the whole body as it came: the same for the same body. */
  readonly fingerprint: string;
  /** What it is refused with whatever it says: too many, or from where none may come. */
  readonly refusal?: GatewayError;
  /** What one of its alerts is refused with, where only others of them may pass. */
  readonly refusalOf?: (alert: ReadAlert) => GatewayError | undefined;
  /** Reads the body in the words of the webhook's profile; throws what is wrong with it. */
  readonly read: () => { readonly alerts: readonly ReadAlert[]; readonly isArray: boolean };
  /** The alert that a person sends again, and its place in its message. */
  readonly replayOf?: { readonly alertId: IntentId; readonly place?: number };
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
