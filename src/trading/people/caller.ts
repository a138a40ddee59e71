import type { CredentialId, UserId } from "../../domain/ids.ts";
import type { Scope, User } from "../../domain/people/credential.ts";
import type { Stages } from "../stages.ts";

/** Who asks, as proven by an API key or a session. */
export interface Caller {
  readonly userId: UserId;
  readonly credentialId: CredentialId;
  readonly scopes: readonly Scope[];
  /** When the request came in, by Redis' clock (Unix ms): from here its deadlines count. */
  readonly receivedAt: number;
  readonly requestId: string;
  /** Given where the request is traced. */
  readonly stages?: Stages;
}

/** What callers may ask of themselves. */
export interface CallerUses {
  readonly readUser: (caller: Caller) => Promise<User>;
  /** Which of these API keys were revoked since they were admitted. */
  readonly findRevokedKeys: (keys: readonly CredentialId[]) => Promise<readonly CredentialId[]>;
}

/** Everyone may tighten a guard; a program that trades must not be able to free itself of one. */
export const mayLoosen = ({ scopes }: Caller): boolean => scopes.includes("manage");
