/** Addresses that only this machine, or only its own network, can reach. */
const PRIVATE =
  /^(?:localhost|127\..*|10\..*|192\.168\..*|169\.254\..*|172\.(?:1[6-9]|2\d|3[01])\..*|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\..*|0\.0\.0\.0|\[::1?\]|\[f[cd].*\]|\[fe[89ab].*\])$/i;

/** Why charting platforms cannot post to URLs that begin so, and what to do; undefined where they can. */
export function whyUnreachable(publicUrl: string): string | undefined {
  const { hostname, origin, protocol } = new URL(publicUrl);
  const isLocal = PRIVATE.test(hostname) || !/[.:]/.test(hostname) || hostname.endsWith(".local");
  const todo =
    "Put a reverse proxy with TLS or a tunnel in front of the gateway, and set PUBLIC_URL to its https address. Existing webhooks stay valid: only the part of the URL before /hooks/ changes";
  const local = `Charting platforms cannot reach ${origin}, which is a private address`;
  if (isLocal) return `${local}. ${todo}`;
  if (protocol === "https:") return undefined;
  return `${origin} is not encrypted: whoever reads the traffic can trade with this URL, and some charting platforms refuse it. ${todo}`;
}
