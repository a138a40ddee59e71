import type { IncomingHttpHeaders } from "node:http";
import { errors, GatewayError } from "../../errors.ts";
import type { Person } from "../../trading/people/people.ts";
import type { ApiKey, Scope, Webhook } from "../../domain/people/credential.ts";
import { admitWithReserve } from "../../trading/people/admissions.ts";
import { isAllowedSender } from "../../trading/people/networks.ts";
import type { Exchange } from "../answer.ts";
import { clientAddress } from "../server/client-address.ts";
import { readSessionCookie } from "../server/session-cookie.ts";
import {
  identify,
  rateLimited,
  SECRET,
  showQuota,
  unauthorized,
  UNKNOWN,
} from "./admission-answers.ts";
import { type AdmitPersonDeps, admitPerson, type IsExit, isNone } from "./admit-session.ts";
import type { Caller } from "../../trading/people/caller.ts";

/** Authenticates the caller, by API key or else by session, and checks that it has the scope. */
export async function admitCaller(
  ctx: Exchange,
  deps: AdmitPersonDeps & { readonly scope: Scope },
  isExit: IsExit = isNone,
): Promise<Caller> {
  const { headers } = ctx.req;
  if (comesBySession(headers)) return await admitPerson(ctx, deps, isExit);
  const { key, receivedAt } = await admitKey(ctx, keyIn(headers), deps, isExit);
  if (!key.scopes.includes(deps.scope)) {
    deps.observer.authFailed("scopeMissing");
    throw errors.insufficientScope(deps.scope);
  }
  const { userId, id: credentialId, scopes } = key;
  return { userId, credentialId, scopes, receivedAt, requestId: ctx.state.requestId };
}

/** Whether the request is by session: an API key takes precedence, and its cookie is not read. */
export function comesBySession(headers: IncomingHttpHeaders): boolean {
  return keyIn(headers) === undefined && readSessionCookie(headers) !== undefined;
}

/** What else stands in `Authorization` is a proxy's, and none of our keys. */
const BEARER = /^bearer +(gwk_\S+)$/i;

/** As an Alertmanager and others can send it, too. */
const keyIn = ({ "x-api-key": key, authorization = "" }: IncomingHttpHeaders) =>
  key ?? BEARER.exec(authorization)?.[1];

/** Admits a person only: a key that could create keys could never be revoked for good. */
export async function requirePerson(ctx: Exchange, deps: AdmitPersonDeps): Promise<Person> {
  const secret = keyIn(ctx.req.headers);
  if (secret === undefined) return await admitPerson(ctx, deps);
  await admitKey(ctx, secret, deps, isNone);
  deps.observer.authFailed("scopeMissing");
  throw new GatewayError(
    "INSUFFICIENT_SCOPE",
    "Only a person who is signed in at the console may do this",
  );
}

/** Authenticates the API key and counts the request against its quota. */
async function admitKey(
  ctx: Exchange,
  secret: string | readonly string[] | undefined,
  { admissions, observer }: Pick<AdmitPersonDeps, "admissions" | "observer">,
  isExit: IsExit,
): Promise<{ readonly key: ApiKey; readonly receivedAt: number }> {
  if (typeof secret !== "string" || secret === "") {
    observer.authFailed("keyMissing");
    throw unauthorized(ctx, "The X-API-Key header is missing");
  }
  const admission = SECRET.test(secret)
    ? await admitWithReserve((allowance) => admissions.admitKey(secret, allowance), isExit)
    : UNKNOWN;
  if (admission.kind === "unknown") {
    observer.authFailed("keyUnknown");
    throw unauthorized(ctx, "The X-API-Key header holds no living key");
  }
  const { credential: key, quota, now } = admission;
  identify(ctx, key);
  showQuota(ctx, quota);
  if (admission.kind === "limited") {
    observer.rateLimited("key");
    throw rateLimited(ctx, quota);
  }
  return { key, receivedAt: now };
}

const ONLY_EXITS =
  "More alerts than the webhook's rate limit: of such a message only the exits are carried out";

/** A sender with a valid token. With a `refusal` nothing of its message is carried out. */
export interface AdmittedSender {
  readonly webhook: Webhook;
  readonly receivedAt: number;
  /** Undefined when the connection is gone. */
  readonly sender: string | undefined;
  readonly refusal?: GatewayError;
  /** Admitted on the reserve for exits: nothing else of its message is carried out. */
  readonly exitsOnly?: GatewayError;
}

/** Authenticates the token of a webhook's URL. Every kind of bad token gets the same answer. */
export async function admitSender(
  ctx: Exchange,
  token: string,
  { admissions, observer, trustedProxies }: Omit<AdmitPersonDeps, "publicUrl">,
  isExit: (webhook: Webhook) => Promise<boolean>,
): Promise<AdmittedSender> {
  const admission = SECRET.test(token)
    ? await admitWithReserve((allowance) => admissions.admitWebhook(token, allowance), isExit)
    : UNKNOWN;
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
  const admitted = {
    webhook,
    receivedAt: admission.now,
    sender,
    ...(admission.isOnReserve && { exitsOnly: new GatewayError("RATE_LIMITED", ONLY_EXITS) }),
  };
  if (admission.kind === "limited") {
    observer.rateLimited("webhook");
    return { ...admitted, refusal: rateLimited(ctx, admission.quota) };
  }
  if (isAllowedSender(sender, webhook.options.allowedSenders)) return admitted;
  observer.authFailed("senderNotAllowed");
  const message = `The webhook takes no alerts from ${sender ?? "an unknown address"}: see its allowedSenders`;
  return { ...admitted, refusal: new GatewayError("SENDER_NOT_ALLOWED", message) };
}
