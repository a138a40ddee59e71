import type { PasskeyId, UserId } from "../ids.ts";

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
