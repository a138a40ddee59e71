import type { WebhookOptions } from "../alert.ts";
import type { AccountGroupId, AccountId, CredentialId, UserId, PasskeyId } from "../ids.ts";

/**
 * What an API key may do; none includes another (specification 5.3). `manage` loosens what guards
 * money, and changes connections: what a program that trades must not be able to do to itself.
 * `notify` is all about destinations, whose addresses are nobody else's business.
 */
export const SCOPES = ["read", "trade", "manage", "notify"] as const;
export type Scope = (typeof SCOPES)[number];

/** A webhook token without its secret value. */
export interface Webhook {
  readonly id: CredentialId;
  readonly userId: UserId;
  readonly accountId: AccountId;
  /**
   * Given where its alerts go to the accounts of a group. `accountId` is then only where the webhook
   * lies, with what is logged of alerts as a whole: the group's first account when it was pointed there.
   */
  readonly groupId?: AccountGroupId;
  readonly name: string;
  readonly paused: boolean;
  readonly options: WebhookOptions;
  readonly createdAt: number;
  readonly lastUsedAt?: number;
}

/** An API key without its secret value. */
export interface ApiKey {
  readonly id: CredentialId;
  readonly userId: UserId;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  readonly lastUsedAt?: number;
  readonly revokedAt?: number;
}

export interface User {
  readonly userId: UserId;
  readonly name: string;
  readonly createdAt: number;
}

/** A passkey as its owner sees it. */
export interface Passkey {
  readonly id: PasskeyId;
  readonly userId: UserId;
  readonly name: string;
  readonly createdAt: number;
  readonly lastUsedAt?: number;
}

/** What an authenticator said of itself when the passkey was made (W3C WebAuthn). None of it is secret. */
export interface PasskeyProof {
  /** The authenticator's own name of it, in base64url. */
  readonly credentialId: string;
  /** COSE, in base64url. */
  readonly publicKey: string;
  /** Never falls, unless the passkey was copied. Zero where the authenticator does not count. */
  readonly counter: number;
  readonly transports: readonly string[];
}

export type ProvenPasskey = Passkey & PasskeyProof;
