import { errors, GatewayError } from "../../errors.ts";
import type { Caller } from "../../trading/gateway.ts";
import type { ApiKey, Scope, Webhook } from "../../domain/credential.ts";
import type { Admissions, Quota } from "../../trading/admissions.ts";
import { isAllowedSender, type Networks } from "../../trading/networks.ts";
import type { Exchange } from "../answer.ts";
import { clientAddress } from "../client-address.ts";
import type { HttpObserver } from "../observer.ts";

/** Keys and tokens are 43 characters; what can be none is not looked up. */
const SECRET = /^[\x21-\x7e]{1,256}$/;

/** Proves the API key, counts the request against its quota and checks its scope. */
export async function admitCaller(
  ctx: Exchange,
  { admissions, observer, scope }: { admissions: Admissions; observer: HttpObserver; scope: Scope },
): Promise<Caller> {
  const secret = ctx.req.headers["x-api-key"];
  if (typeof secret !== "string" || secret === "") {
    observer.authFailed("keyMissing");
    throw unauthorized(ctx, "The X-API-Key header is missing");
  }
  const admission = SECRET.test(secret) ? await admissions.admitKey(secret) : UNKNOWN;
  if (admission.kind === "unknown") {
    observer.authFailed("keyUnknown");
    throw unauthorized(ctx, "The X-API-Key header holds no living key");
  }

  const { credential: key, quota } = admission;
  identify(ctx, key);
  showQuota(ctx, quota);
  if (admission.kind === "limited") {
    observer.rateLimited("key");
    throw rateLimited(ctx, quota);
  }
  if (!key.scopes.includes(scope)) {
    observer.authFailed("scopeMissing");
    throw new GatewayError("INSUFFICIENT_SCOPE", `The API key lacks the ${scope} scope`);
  }
  return {
    userId: key.userId,
    credentialId: key.id,
    scopes: key.scopes,
    receivedAt: admission.now,
    requestId: ctx.state.requestId,
  };
}

/** A sender whose token lives. With a `refusal` nothing it says is carried out. */
export interface AdmittedSender {
  readonly webhook: Webhook;
  readonly receivedAt: number;
  /** Undefined when the connection is gone. */
  readonly sender: string | undefined;
  readonly refusal?: GatewayError;
}

/** Proves the token of a webhook's URL. Whatever is wrong with it, the answer is the same. */
export async function admitSender(
  ctx: Exchange,
  token: string,
  { admissions, observer, trustedProxies }: AdmitSenderDeps,
): Promise<AdmittedSender> {
  const admission = SECRET.test(token) ? await admissions.admitWebhook(token) : UNKNOWN;
  if (admission.kind === "unknown") {
    observer.authFailed("tokenUnknown");
    throw errors.notFound("webhook");
  }
  const webhook = admission.credential;
  identify(ctx, webhook);
  ctx.state.accountId = webhook.accountId;
  showQuota(ctx, admission.quota);
  const { socket, headers } = ctx.req;
  const sender = clientAddress(socket.remoteAddress, headers["x-forwarded-for"], trustedProxies);
  const admitted = { webhook, receivedAt: admission.now, sender };
  if (admission.kind === "limited") {
    observer.rateLimited("webhook");
    return { ...admitted, refusal: rateLimited(ctx, admission.quota) };
  }
  if (isAllowedSender(sender, webhook.options.allowedSenders)) return admitted;
  observer.authFailed("senderNotAllowed");
  const message = `The webhook takes no alerts from ${sender ?? "an unknown address"}: see its allowedSenders`;
  return { ...admitted, refusal: new GatewayError("SENDER_NOT_ALLOWED", message) };
}

interface AdmitSenderDeps {
  readonly admissions: Admissions;
  readonly observer: HttpObserver;
  readonly trustedProxies: Networks;
}

const UNKNOWN = { kind: "unknown" } as const;

function identify(ctx: Exchange, credential: ApiKey | Webhook): void {
  ctx.state.userId = credential.userId;
  ctx.state.credentialId = credential.id;
}

function unauthorized(ctx: Exchange, message: string): GatewayError {
  ctx.res.setHeader("WWW-Authenticate", 'ApiKey header="X-API-Key"');
  return new GatewayError("UNAUTHORIZED", message);
}

function rateLimited(ctx: Exchange, quota: Quota): GatewayError {
  const seconds = Math.max(1, Math.ceil(quota.resetSeconds));
  ctx.res.setHeader("Retry-After", String(seconds));
  return new GatewayError(
    "RATE_LIMITED",
    `More than ${quota.limit} requests in ${quota.windowSeconds} seconds; try again in ${seconds} seconds`,
  );
}

/** The draft's two headers, and the three that came before it and that most clients read. */
function showQuota({ res }: Exchange, quota: Quota): void {
  const { limit, windowSeconds } = quota;
  const remaining = Math.max(0, quota.remaining);
  const reset = Math.max(0, Math.ceil(quota.resetSeconds));
  res.setHeader("RateLimit-Policy", `"default";q=${limit};w=${windowSeconds}`);
  res.setHeader("RateLimit", `"default";r=${remaining};t=${reset}`);
  res.setHeader("X-RateLimit-Limit", String(limit));
  res.setHeader("X-RateLimit-Remaining", String(remaining));
  res.setHeader("X-RateLimit-Reset", String(reset));
}
