import type { ApiKey, Webhook } from "../domain/credential.ts";
import type { Session } from "../domain/session.ts";

/** What became of a request's credentials: one round trip answers both questions. */
export type Admission<Credential> =
  | {
      readonly kind: "admitted" | "limited";
      readonly credential: Credential;
      /** Redis' clock, Unix ms. */
      readonly now: number;
      readonly quota: Quota;
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

/** Looks a secret up by its hash, counts the request and answers both in one step. */
export interface Admissions {
  readonly admitKey: (secret: string) => Promise<Admission<ApiKey>>;
  readonly admitWebhook: (secret: string) => Promise<Admission<Webhook>>;
  /**
   * The session as it was before this request used it. An unattended one is no use of it: a page that
   * goes on asking while nobody sits before it keeps no session alive.
   */
  readonly admitSession: (secret: string, isAttended: boolean) => Promise<Admission<Session>>;
}
