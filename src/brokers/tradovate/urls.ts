import type { TradovateSettings } from "./config.ts";

export interface TradovateUrls {
  /** Without a slash at its end. */
  readonly rest: string;
  readonly socket: string;
}

const HOSTS = { demo: "demo.tradovateapi.com", live: "live.tradovateapi.com" } as const;

/** A look-alike is spoken to only where both of its addresses are given. */
export class TradovateUrlError extends Error {
  override readonly name = "TradovateUrlError";
}

const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Where a connection logs in and where its socket is. Throws `TradovateUrlError`. */
export function tradovateUrls({ environment, restUrl, wsUrl }: TradovateSettings): TradovateUrls {
  if (restUrl === undefined && wsUrl === undefined) {
    const host = HOSTS[environment];
    return { rest: `https://${host}/v1`, socket: `wss://${host}/v1/websocket` };
  }
  if (restUrl === undefined || wsUrl === undefined) {
    throw new TradovateUrlError("restUrl and wsUrl are given together or not at all");
  }
  for (const url of [restUrl, wsUrl]) {
    // The schema says so too; credentials must not depend on who checked it.
    if (!LOOPBACK.has(new URL(url).hostname)) {
      throw new TradovateUrlError("restUrl and wsUrl may point to this machine only");
    }
  }
  return { rest: restUrl.replace(/\/+$/, ""), socket: wsUrl };
}
