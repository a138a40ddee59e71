import { createServer, type Server } from "node:http";

/** How long a client may take to send its headers, and its whole request. */
export interface Patience {
  readonly headersMs: number;
  readonly requestMs: number;
}

/** Node's own limits leave a connection that sends a byte now and then open for minutes. */
const PATIENCE: Patience = { headersMs: 5_000, requestMs: 10_000 };

/** A slow client is noticed within a tenth of the time it has for its headers. */
const CHECKS = 10;

const OPTIONS = {
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
  // Node would answer without a body; we have no use for the header.
  requireHostHeader: false,
} as const;

/** A server with the limits of ours, and nothing that answers yet. */
export function createNodeServer({ headersMs, requestMs }: Patience = PATIENCE): Server {
  return createServer({
    ...OPTIONS,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: headersMs / CHECKS,
  });
}
