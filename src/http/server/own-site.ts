import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import type { Site } from "../../trading/people/ports.ts";

/**
 * The site that a browser found us at. It is the public URL's, or this machine's own name for itself
 * with whatever port leads here: what a request says of itself is believed for that name alone.
 */
export function siteOf({ origin, host }: IncomingHttpHeaders, publicUrl: string): Site {
  const own = new URL(publicUrl);
  const said = parse(origin ?? (isThisMachine(own.hostname) ? `http://${host}` : own.origin));
  const isLocal = said !== undefined && isThisMachine(said.hostname) && said.host === host;
  const { origin: found, hostname } = isLocal ? said : own;
  return { origin: found, rpId: hostname };
}

/** Browsers make passkeys for names alone. */
export function hasName({ rpId }: Site): boolean {
  return isIP(rpId.replace(/^\[(.*)\]$/, "$1")) === 0;
}

/** Whether a page of the site itself asks, as its browser says; what says nothing is no page's. */
export function isSameSite(
  method: string | undefined,
  headers: IncomingHttpHeaders,
  site: Site,
): boolean {
  // A name that somebody else made to lead to this machine is not its own (DNS rebinding).
  if (isThisMachine(site.rpId) && !isOwnName(headers.host)) return false;
  const isReading = method === "GET" || method === "HEAD";
  const said = headers["sec-fetch-site"];
  if (said !== undefined) return said === "same-origin" || (isReading && said === "none");
  const { origin } = headers;
  if (origin === undefined) return isReading;
  // A proxy that ends TLS may leave out what the public URL would tell: the host is what it is.
  const page = parse(origin);
  return origin === site.origin || (page !== undefined && page.host === headers.host);
}

const THIS_MACHINE = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

const isThisMachine = (hostname: string): boolean => THIS_MACHINE.test(hostname);

/** Names of this machine, and addresses, which nobody can make to lead elsewhere. */
function isOwnName(host: string | undefined): boolean {
  const hostname = parse(`http://${host ?? ""}`)?.hostname ?? "";
  return isThisMachine(hostname) || isIP(hostname.replace(/^\[(.*)\]$/, "$1")) !== 0;
}

function parse(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}
