import type { Caller } from "../people/caller.ts";
import type { AccountGroupId, AccountId, CredentialId } from "../../domain/ids.ts";
import type { WebhookOptions, WebhookOptionsChange } from "../../domain/alert.ts";
import type { Webhook } from "../../domain/people/credential.ts";

/** What callers may do with their webhooks. */
export interface WebhookUses {
  /** `secret` is shown this once and kept nowhere. */
  readonly createWebhook: (
    caller: Caller,
    request: {
      /** Exactly one of it and `groupId`. */
      readonly accountId?: AccountId;
      readonly groupId?: AccountGroupId;
      readonly name?: string;
      readonly options?: WebhookOptions;
    },
  ) => Promise<{ readonly webhook: Webhook; readonly secret: string }>;
  readonly listWebhooks: (caller: Caller) => Promise<readonly Webhook[]>;
  readonly findWebhook: (caller: Caller, id: CredentialId) => Promise<Webhook>;
  readonly changeWebhook: (
    caller: Caller,
    id: CredentialId,
    change: {
      /** At most one of it and `groupId`: its alerts go there from then on. */
      readonly accountId?: AccountId;
      readonly groupId?: AccountGroupId;
      readonly name?: string;
      readonly paused?: boolean;
      readonly options?: WebhookOptionsChange;
    },
  ) => Promise<Webhook>;
  readonly deleteWebhook: (caller: Caller, id: CredentialId) => Promise<void>;
}
