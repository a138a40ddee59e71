import type { TradovateSettings } from "./config.ts";

export interface TradovateUrls {
  /** Without a slash at its end. */
  readonly rest: string;
  readonly socket: string;
  /** Absent for a look-alike that has no market data. */
  readonly marketData?: string;
}

const HOSTS = {
  demo: { api: "demo.tradovateapi.com", marketData: "md-demo.tradovateapi.com" },
  live: { api: "live.tradovateapi.com", marketData: "md.tradovateapi.com" },
} as const;

/** A look-alike is spoken to only where both of its addresses for orders are given. */
export class TradovateUrlError extends Error {
  override readonly name = "TradovateUrlError";
}

const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Where a connection logs in and where its sockets are. Throws `TradovateUrlError`. */
export function tradovateUrls(settings: TradovateSettings): TradovateUrls {
  const { environment, restUrl, wsUrl, mdUrl } = settings;
  if (restUrl === undefined && wsUrl === undefined && mdUrl === undefined) {
    const { api, marketData } = HOSTS[environment];
    return {
      rest: `https://${api}/v1`,
      socket: `wss://${api}/v1/websocket`,
      marketData: `wss://${marketData}/v1/websocket`,
    };
  }
  if (restUrl === undefined || wsUrl === undefined) {
    throw new TradovateUrlError("restUrl and wsUrl are given together or not at all");
  }
  for (const url of [restUrl, wsUrl, ...(mdUrl === undefined ? [] : [mdUrl])]) {
    // The schema says so too; credentials must not depend on who checked it.
    if (!LOOPBACK.has(new URL(url).hostname)) {
      throw new TradovateUrlError("restUrl, wsUrl and mdUrl may point to this machine only");
    }
  }
  const urls = { rest: restUrl.replace(/\/+$/, ""), socket: wsUrl };
  return mdUrl === undefined ? urls : { ...urls, marketData: mdUrl };
}
