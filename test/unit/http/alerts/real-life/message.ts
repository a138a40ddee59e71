import type { WebhookOptions } from "../../../../../src/domain/alert.ts";
import type { ErrorCode } from "../../../../../src/errors.ts";

/** A body as a user's platform sends it, byte for byte, and what is right for it by the documents. */
export interface Message {
  /** Its sender, and what is particular about it. */
  readonly from: string;
  readonly body: string;
  /** The webhook has these; without any its messages are native. */
  readonly options?: WebhookOptions;
  /** Net contracts of the front months that the account holds. */
  readonly held?: Readonly<Record<string, number>>;
  readonly gives: Accepted | Refused;
}

export interface Accepted {
  /** One text for each alert of the body, as `asksFor` words what is asked of the account. */
  readonly asks: readonly string[];
  /** The id by which a repeat is recognised. */
  readonly alertId?: string;
  /** All the fields that are named as unread. */
  readonly unread?: readonly string[];
  readonly notes?: readonly string[];
}

export interface Refused {
  readonly code: ErrorCode;
  /** The sender reads this, in the message or in a detail. */
  readonly says: string;
  /** Absent: a warning. */
  readonly severity?: "critical" | "warning";
}
