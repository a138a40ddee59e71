import type { ApiKey, Webhook } from "../../domain/people/credential.ts";
import type { Session } from "../../domain/people/session.ts";

/** What became of a request's credentials: one round trip answers both questions. */
export type Admission<Credential> =
  | {
      readonly kind: "admitted" | "limited";
      readonly credential: Credential;
      /** Redis' clock, Unix ms. */
      readonly now: number;
      readonly quota: Quota;
      /** The window is full, and it counts with the exits. */
      readonly isOnReserve?: true;
    }
  | { readonly kind: "unknown" };

/** The exact sliding window of one credential. */
export interface Quota {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  /** Until the next request is admitted (when limited) or the oldest one leaves the window. */
  readonly resetSeconds: number;
}

/** Which requests it is counted with. Exits have some of their own, for when the others are used up. */
export type Allowance = "default" | "exits";

/** A webhook as it was when it was admitted last. Only the store knows what it may do now. */
export interface RememberedWebhook extends Remembered {
  readonly webhook: Webhook;
  /** When a request came in that comes now, by Redis' clock: an estimate, and rather too early. */
  readonly receivedAt: number;
}

/** By what the store tells that a webhook is still what was remembered of it. */
export interface Remembered {
  readonly hash: string;
  readonly version: string;
  /** Requests in a window, where it has no limit of its own. */
  readonly byDefault: number;
}

/** Looks a secret up by its hash, counts the request and answers both in one step. */
export interface Admissions {
  readonly admitKey: (secret: string, allowance?: Allowance) => Promise<Admission<ApiKey>>;
  readonly admitWebhook: (secret: string, allowance?: Allowance) => Promise<Admission<Webhook>>;
  /** Absent where nothing is remembered. Asks nobody, and admits nothing. */
  readonly remembered?: (secret: string) => RememberedWebhook | undefined;
  /**
   * The session as it was before this request used it. An unattended one is no use of it: a page that
   * goes on asking while nobody sits before it keeps no session alive.
   */
  readonly admitSession: (
    secret: string,
    isAttended: boolean,
    allowance?: Allowance,
  ) => Promise<Admission<Session>>;
}

/**
 * Asks for the reserve of exits only where the window is full: until then an exit is a request like
 * every other, and nobody has to know that it is one.
 */
export async function admitWithReserve<Credential>(
  admit: (allowance: Allowance) => Promise<Admission<Credential>>,
  isExit: (credential: Credential) => Promise<boolean>,
): Promise<Admission<Credential>> {
  const admission = await admit("default");
  if (admission.kind !== "limited" || !(await isExit(admission.credential))) return admission;
  const reserved = await admit("exits");
  return reserved.kind === "unknown" ? reserved : { ...reserved, isOnReserve: true };
}
