import { type Attempt, readTold } from "./ledger.ts";
import type { Member } from "./member.ts";

const ANSWER_WITHIN_MS = 15_000;

export interface Request {
  readonly method: "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly body?: object;
  readonly key?: string;
}

interface Sender {
  readonly apiKey: string;
  readonly requestId: string;
}

/** Asks one process once, and keeps what it said. */
export async function ask(
  { url, name }: Member,
  { method, path, body, key }: Request,
  { apiKey, requestId }: Sender,
): Promise<Attempt> {
  const sentAt = Date.now();
  const named = { requestId, ingress: name, sentAt };
  if (url === undefined) return { ...named, endedAt: sentAt, end: "refused", told: {} };
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        "x-request-id": requestId,
        "x-api-key": apiKey,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(key !== undefined && { "idempotency-key": key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const told = readTold(await response.json().catch(() => undefined));
    return { ...named, endedAt: Date.now(), end: "answered", status: response.status, told };
  } catch (error) {
    const end = isRefused(error) ? "refused" : "broken";
    return { ...named, endedAt: Date.now(), end, told: {} };
  }
}

/** Nobody listened there: not a byte of the request was sent. */
function isRefused(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code === "ECONNREFUSED";
}
