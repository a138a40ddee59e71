import type { WebhookOptions } from "../alert.ts";
import type { AccountId, CredentialId, UserId } from "../ids.ts";

/**
 * What an API key may do; none includes another (specification 5.3). `manage` loosens what guards
 * money, and changes connections: what a program that trades must not be able to do to itself.
 */
export const SCOPES = ["read", "trade", "manage"] as const;
export type Scope = (typeof SCOPES)[number];

/** A webhook token without its secret value. */
export interface Webhook {
  readonly id: CredentialId;
  readonly userId: UserId;
  readonly accountId: AccountId;
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
