import type { ParameterizedContext } from "koa";
import type { ErrorCode, GatewayError } from "../errors.ts";
import type { AccountId, CredentialId, UserId } from "../domain/ids.ts";
import type { RequestTrace } from "./finished-request.ts";

/** What one request has become so far; the observer is told of it at the end. */
export interface RequestState {
  readonly requestId: string;
  /** The route's template; the raw path of a webhook is a secret. */
  route: string;
  /** Senders of alerts resend on most 5xx, so their errors are worded for them. */
  surface: "api" | "hook";
  userId: UserId | undefined;
  credentialId: CredentialId | undefined;
  accountId: AccountId | undefined;
  errorCode: ErrorCode | undefined;
  /** A page of ours asks by itself, proven by its session. */
  isUnattended: true | undefined;
  /** Undefined where nothing is traced. */
  readonly trace: RequestTrace | undefined;
}

export type Exchange = ParameterizedContext<RequestState>;

/** What a route answers. A text body comes with its own content type; everything else is JSON. */
export interface Answer {
  readonly status: number;
  readonly body?: object | string;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Present when the body is an error. */
  readonly errorCode?: ErrorCode;
}

/** What a change was made to, for its line in the log. By ids: settings and names are not for logs. */
export type Changed = Readonly<
  Partial<
    Record<
      | "accountId"
      | "connectionId"
      | "destinationId"
      | "groupId"
      | "intentId"
      | "keyId"
      | "kind"
      | "outcome"
      | "passkeyId"
      | "reason"
      | "state"
      | "strategyId"
      | "webhookId",
      string
    > & { readonly count: number }
  >
>;

/** The answer to a change that is audited. */
export interface AuditedAnswer extends Answer {
  readonly changed: Changed;
}

const JSON_TYPE = "application/json; charset=utf-8";

export function send(ctx: Exchange, answer: Answer): void {
  const { status, body, headers } = answer;
  if (answer.errorCode !== undefined) ctx.state.errorCode = answer.errorCode;
  if (headers !== undefined) {
    for (const name in headers) ctx.res.setHeader(name, headers[name] ?? "");
  }
  ctx.status = status;
  if (body === undefined) {
    ctx.body = null;
    return;
  }
  ctx.res.setHeader("Content-Type", answer.contentType ?? JSON_TYPE);
  ctx.body = typeof body === "string" ? body : JSON.stringify(body);
}

/** The error's body as the API promises it. `status` differs from the registry's on webhooks only. */
export function errorAnswer(
  error: GatewayError,
  requestId: string,
  { status = error.spec.status, headers }: { status?: number; headers?: Answer["headers"] } = {},
): Answer {
  const { code, retry } = error.spec;
  return {
    status,
    errorCode: code as ErrorCode,
    ...(headers !== undefined && { headers }),
    body: {
      error: {
        code,
        message: error.message,
        details: error.details,
        retry,
        requestId,
        ...error.facts,
      },
    },
  };
}
