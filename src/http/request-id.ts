import type { IncomingMessage } from "node:http";

const WELL_FORMED_ID = /^[A-Za-z0-9_.:-]{1,64}$/;

/** The caller's own name for the request, where it is harmless to repeat in headers and logs; else a new one. */
export function requestIdOf({ headers }: IncomingMessage, newRequestId: () => string): string {
  const { "x-request-id": given } = headers;
  return typeof given === "string" && WELL_FORMED_ID.test(given) ? given : newRequestId();
}
