import type { CredentialId, UserId } from "../ids.ts";

/** A person's stay at the console, without its secret value. Times are Unix ms by Redis' clock. */
export interface Session {
  readonly id: CredentialId;
  readonly userId: UserId;
  readonly signedInAt: number;
  /** When the person last proved who they are: at sign-in, or since. */
  readonly confirmedAt: number;
  readonly lastUsedAt: number;
  /** However often it is used. */
  readonly endsAt: number;
}

const MINUTE_MS = 60_000;

export const SESSION_MS = 12 * 60 * MINUTE_MS;
export const SESSION_IDLE_MS = 2 * 60 * MINUTE_MS;
/** How long a proof is good for what gives somebody lasting access. */
const PROOF_MS = 15 * MINUTE_MS;

/** When it ends unless it is used again. */
export function idleEndsAt({ lastUsedAt, endsAt }: Session): number {
  return Math.min(lastUsedAt + SESSION_IDLE_MS, endsAt);
}

/** Whether the person proved who they are a short time ago, and not just that they were there once. */
export function isNewlyProven({ confirmedAt }: Session, now: number): boolean {
  return now - confirmedAt < PROOF_MS;
}
