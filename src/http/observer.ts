import type { ErrorCode } from "../errors.ts";
import type { Changed } from "./answer.ts";
import type { Audit } from "./route.ts";
import type { AccountId, CredentialId, UserId } from "../domain/ids.ts";

/** One answered request. `route` is its template, so that no secret of a path is ever told. */
export interface FinishedRequest {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
  readonly requestId: string;
  readonly userId?: UserId | undefined;
  readonly credentialId?: CredentialId | undefined;
  readonly accountId?: AccountId | undefined;
  readonly errorCode?: ErrorCode | undefined;
  /** A page of ours asked by itself. */
  readonly isUnattended?: true | undefined;
}

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
