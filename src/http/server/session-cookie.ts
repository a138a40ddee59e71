import type { IncomingHttpHeaders } from "node:http";
import type { OpenedSession } from "../../trading/people/ports.ts";

/**
 * The prefix lets browsers take the cookie only with `Secure`, without `Domain` and for every path: so
 * no other host, and no page that came unencrypted, can plant one.
 */
export const SESSION_COOKIE = "__Host-session";

const TERMS = "Path=/; HttpOnly; Secure; SameSite=Strict";
const MS_PER_SECOND = 1_000;

/** The session's secret, or undefined where the browser sent none. */
export function readSessionCookie({ cookie }: IncomingHttpHeaders): string | undefined {
  if (cookie === undefined) return undefined;
  for (const pair of cookie.split(";")) {
    const at = pair.indexOf("=");
    if (at > 0 && pair.slice(0, at).trim() === SESSION_COOKIE) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** The header by which the browser keeps the session, until it ends however often it is used. */
export function keepSession({ session, secret }: OpenedSession) {
  const seconds = Math.ceil((session.endsAt - session.lastUsedAt) / MS_PER_SECOND);
  return { "Set-Cookie": `${SESSION_COOKIE}=${secret}; Max-Age=${seconds}; ${TERMS}` };
}

export const FORGET_SESSION = { "Set-Cookie": `${SESSION_COOKIE}=; Max-Age=0; ${TERMS}` } as const;
