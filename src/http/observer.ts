import type { Changed } from "./answer.ts";
import type { Audit } from "./route.ts";
import type { CredentialId, UserId } from "../domain/ids.ts";
import type { FinishedRequest, RequestTrace } from "./finished-request.ts";

/** Who made a change. The address is a person's; keys are used from anywhere. */
export interface ChangeMaker {
  readonly userId: UserId;
  readonly credentialId: CredentialId;
  readonly requestId: string;
  readonly address?: string;
}

/** Why a request was not let in: a closed set, fit for a metric's label. */
export type AuthFailure =
  | "keyMissing"
  | "keyUnknown"
  | "scopeMissing"
  | "sessionUnknown"
  | "crossSite"
  | "tokenUnknown"
  | "senderNotAllowed";

/** Which kind of credential ran out of its quota. */
export type LimitedCredential = "key" | "webhook" | "session";

/** What this room tells about itself. It logs and counts nothing on its own. */
export interface HttpObserver {
  /** Called as a request begins, with its `traceparent`; absent where nothing is traced. */
  readonly trace?: ((traceparent: string | undefined) => RequestTrace) | undefined;
  readonly requestFinished: (request: FinishedRequest) => void;
  /** The error behind a 5xx, with everything its caller was not told. */
  readonly requestFailed: (
    error: unknown,
    where: { readonly requestId: string; readonly route: string },
  ) => void;
  /** A change was made that leaves a line in the log. */
  readonly changeMade: (audit: Audit, who: ChangeMaker, changed: Changed) => void;
  readonly authFailed: (kind: AuthFailure) => void;
  readonly rateLimited: (kind: LimitedCredential) => void;
}
