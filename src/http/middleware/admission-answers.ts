import { GatewayError } from "../../errors.ts";
import type { CredentialId, UserId } from "../../domain/ids.ts";
import type { Quota } from "../../trading/people/admissions.ts";
import type { Exchange } from "../answer.ts";
import { tellHeader } from "../openapi/response-headers.ts";

/** Secrets are 47 characters; what can be none is not looked up. */
export const SECRET = /^[\x21-\x7e]{1,256}$/;

export const UNKNOWN = { kind: "unknown" } as const;

/** Notes who asks, for the log. */
export function identify(
  ctx: Exchange,
  credential: { readonly userId: UserId; readonly id: CredentialId },
): void {
  ctx.state.userId = credential.userId;
  ctx.state.credentialId = credential.id;
}

export function unauthorized(ctx: Exchange, message: string): GatewayError {
  ctx.res.setHeader("WWW-Authenticate", 'ApiKey header="X-API-Key"');
  return new GatewayError("UNAUTHORIZED", message);
}

export function rateLimited(ctx: Exchange, quota: Quota): GatewayError {
  const seconds = Math.max(1, Math.ceil(quota.resetSeconds));
  tellHeader(ctx.res, "Retry-After", seconds);
  return new GatewayError(
    "RATE_LIMITED",
    `More than ${quota.limit} requests in ${quota.windowSeconds} seconds; try again in ${seconds} seconds`,
  );
}

/** The draft's two headers, and the three that came before it and that most clients read. */
export function showQuota({ res }: Exchange, quota: Quota): void {
  const { limit, windowSeconds } = quota;
  const remaining = Math.max(0, quota.remaining);
  const reset = Math.max(0, Math.ceil(quota.resetSeconds));
  tellHeader(res, "RateLimit-Policy", `"default";q=${limit};w=${windowSeconds}`);
  tellHeader(res, "RateLimit", `"default";r=${remaining};t=${reset}`);
  tellHeader(res, "X-RateLimit-Limit", limit);
  tellHeader(res, "X-RateLimit-Remaining", remaining);
  tellHeader(res, "X-RateLimit-Reset", reset);
}
