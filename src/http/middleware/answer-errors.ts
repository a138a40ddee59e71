import type { IncomingMessage } from "node:http";
import { performance } from "node:perf_hooks";
import type { Next } from "koa";
import { errors, GatewayError } from "../../errors.ts";
import { type Exchange, errorAnswer, type RequestState, send } from "../answer.ts";
import type { HttpObserver } from "../observer.ts";
import { errorForSender, hookStatus } from "../present/outcome.ts";
import { requestIdOf } from "../request-id.ts";
import { tellHeader } from "../openapi/response-headers.ts";

export interface AnswerErrorsDeps {
  readonly observer: HttpObserver;
  readonly newRequestId: () => string;
  /** Once true, every answer ends its connection. */
  readonly isStopping: () => boolean;
}

const METHODS: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
]);

/** The outermost layer: names the request, turns every error into a response, tells the observer. */
export function createAnswerErrors({ observer, newRequestId, isStopping }: AnswerErrorsDeps) {
  return async function answerErrors(ctx: Exchange, next: Next): Promise<void> {
    const startedAt = performance.now();
    const { req, res } = ctx;
    const requestId = requestIdOf(req, newRequestId);
    const state: RequestState = {
      requestId,
      route: "unmatched",
      surface: "api",
      userId: undefined,
      credentialId: undefined,
      accountId: undefined,
      errorCode: undefined,
      isUnattended: undefined,
      trace: observer.trace?.(traceparentOf(req)),
    };
    ctx.state = state;
    tellHeader(res, "X-Request-Id", requestId);
    res.setHeader("Cache-Control", "no-store");
    res.setHeader("X-Content-Type-Options", "nosniff");
    try {
      await next();
    } catch (error) {
      answerError(ctx, error, observer);
    }
    if (isStopping()) res.setHeader("Connection", "close");
    const { method } = ctx;
    observer.requestFinished({
      requestId,
      method: METHODS.has(method) ? method : "other",
      route: state.route,
      status: ctx.status,
      seconds: (performance.now() - startedAt) / 1000,
      userId: state.userId,
      credentialId: state.credentialId,
      accountId: state.accountId,
      errorCode: state.errorCode,
      isUnattended: state.isUnattended,
      trace: state.trace,
    });
  };
}

function traceparentOf({ headers: { traceparent } }: IncomingMessage): string | undefined {
  return typeof traceparent === "string" ? traceparent : undefined;
}

function answerError(ctx: Exchange, error: unknown, observer: HttpObserver): void {
  const { requestId, route, surface } = ctx.state;
  const known = error instanceof GatewayError ? error : errors.internal(error);
  if (known.spec.status >= 500) observer.requestFailed(error, { requestId, route });
  const told = surface === "hook" ? errorForSender(known) : known;
  const status = surface === "hook" ? hookStatus(told) : told.spec.status;
  const wait = told.retryAfterSeconds;
  if (wait !== undefined) tellHeader(ctx.res, "Retry-After", wait);
  send(ctx, errorAnswer(told, requestId, { status }));
}
