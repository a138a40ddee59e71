import { SCOPES } from "../../domain/people/credential.ts";
import { errors, GatewayError } from "../../errors.ts";
import { type Admissions, admitWithReserve } from "../../trading/people/admissions.ts";
import type { Networks } from "../../trading/people/networks.ts";
import type { Person, Visit } from "../../trading/people/people.ts";
import type { Exchange } from "../answer.ts";
import { clientAddress } from "../server/client-address.ts";
import type { HttpObserver } from "../observer.ts";
import { isSameSite, siteOf } from "../server/own-site.ts";
import { readSessionCookie } from "../server/session-cookie.ts";
import { identify, rateLimited, SECRET, showQuota, UNKNOWN } from "./admission-answers.ts";

export interface AdmitPersonDeps {
  readonly admissions: Admissions;
  readonly observer: HttpObserver;
  /** The proxies whose word about where a request comes from is believed. */
  readonly trustedProxies: Networks;
  readonly publicUrl: () => string;
}

/** Whether a request that is one too many is for the reserve of exits. */
export type IsExit = () => Promise<boolean>;

export const isNone: IsExit = async () => false;

/** The console says by it that it asks by itself, and nobody has touched it for a while. */
const UNATTENDED = "x-unattended";

/** Proves the session of a request that brings its cookie, and counts it against its quota. */
export async function admitPerson(
  ctx: Exchange,
  deps: AdmitPersonDeps,
  isExit?: IsExit,
): Promise<Person> {
  const visit = admitVisit(ctx, deps);
  const person = await findPerson(ctx, deps, visit, isExit);
  if (person !== undefined) return person;
  deps.observer.authFailed("sessionUnknown");
  throw errors.sessionOver();
}

/**
 * Where the request's browser is, and found us. Browsers add cookies to what other sites' pages ask
 * for, too: none of it comes past here.
 */
export function admitVisit({ req }: Exchange, deps: AdmitPersonDeps): Visit {
  const { headers, socket, method } = req;
  const site = siteOf(headers, deps.publicUrl());
  if (!isSameSite(method, headers, site)) {
    deps.observer.authFailed("crossSite");
    throw new GatewayError(
      "CROSS_SITE_REFUSED",
      `Only pages of ${site.origin} may ask this in the name of a person`,
    );
  }
  const { trustedProxies } = deps;
  const address = clientAddress(socket.remoteAddress, headers["x-forwarded-for"], trustedProxies);
  return { site, address: address ?? "unknown" };
}

/** Who is signed in, or undefined when nobody is. */
export async function findPerson(
  ctx: Exchange,
  { admissions, observer }: AdmitPersonDeps,
  visit: Visit,
  isExit: IsExit = isNone,
): Promise<Person | undefined> {
  const { headers } = ctx.req;
  const secret = readSessionCookie(headers) ?? "";
  const isAttended = headers[UNATTENDED] === undefined;
  const admission = SECRET.test(secret)
    ? await admitWithReserve(
        (allowance) => admissions.admitSession(secret, isAttended, allowance),
        isExit,
      )
    : UNKNOWN;
  if (admission.kind === "unknown") return undefined;
  const { credential, quota, now } = admission;
  identify(ctx, credential);
  if (!isAttended) ctx.state.isUnattended = true;
  showQuota(ctx, quota);
  if (admission.kind === "limited") {
    observer.rateLimited("session");
    throw rateLimited(ctx, quota);
  }
  return {
    userId: credential.userId,
    credentialId: credential.id,
    // A person is at the console, and may do there what any key may.
    scopes: SCOPES,
    receivedAt: now,
    requestId: ctx.state.requestId,
    session: isAttended ? { ...credential, lastUsedAt: now } : credential,
    visit,
  };
}
