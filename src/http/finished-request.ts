import type { AccountId, CredentialId, UserId } from "../domain/ids.ts";
import type { ErrorCode } from "../errors.ts";
import type { Stages } from "../trading/stages.ts";

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
  readonly trace?: RequestTrace | undefined;
}

/** One request that is traced. */
export interface RequestTrace extends Stages {
  /** Answers the id of its trace; undefined where it asked for nothing that is traced. */
  readonly answered: (request: FinishedRequest) => string | undefined;
}
