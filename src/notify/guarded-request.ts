import http, { type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import https from "node:https";
import { type AllowedAddresses, ForbiddenAddressError } from "./allowed-addresses.ts";

export interface RequestOptions {
  readonly method: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** So much of the answer is read, in bytes; 64 KB where nothing is said. */
  readonly longest?: number;
}

export interface Answer {
  readonly kind: "answered";
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Its beginning, as far as it is read. */
  readonly text: string;
}

/** `reason` names neither address nor secret. */
export interface NoAnswer {
  readonly kind: "failed";
  readonly reason: string;
}

export type GuardedRequest = (
  address: URL | string,
  options: RequestOptions,
) => Promise<Answer | NoAnswer>;

export interface GuardedRequestDeps {
  readonly addresses: AllowedAddresses;
  /** Certificates that are trusted instead of Node's own, for tests. */
  readonly trusted?: string;
}

const LONGEST_ANSWER = 64 * 1_024;

/** Node gives each address a quarter of a second before it takes the next: too little for far ones. */
export const PATIENT = { autoSelectFamilyAttemptTimeout: 2_500 } as const;

/**
 * One request to an address that a user gave. It follows no redirect, keeps no connection, and ends with
 * its signal. Agents of its own: from a shared one it could get a socket that somebody opened to the same
 * place unguarded.
 */
export function createGuardedRequest({ addresses, trusted }: GuardedRequestDeps): GuardedRequest {
  const agents = {
    "http:": new http.Agent({ ...PATIENT, keepAlive: false }),
    "https:": new https.Agent({ ...PATIENT, keepAlive: false, maxCachedSessions: 0 }),
  };

  return async (address, { method, headers, body, signal, longest = LONGEST_ANSWER }) => {
    const url = URL.canParse(String(address)) ? new URL(address) : undefined;
    if (url === undefined) return { kind: "failed", reason: "The address is not a URL" };
    const problem = addresses.whyMalformed(url);
    if (problem !== undefined) return { kind: "failed", reason: problem };
    const isPlain = url.protocol === "http:";
    return await new Promise((resolve) => {
      const failed = (reason: string) => resolve({ kind: "failed", reason });
      const request = (isPlain ? http : https).request(url, {
        method,
        agent: agents[isPlain ? "http:" : "https:"],
        headers: { accept: "*/*", "user-agent": "alert-gateway", ...headers },
        lookup: addresses.lookup(isPlain),
        signal,
        ...(trusted !== undefined && { ca: trusted }),
      });
      request.once("response", (response) => {
        readAnswer(response, longest).then(resolve, () => failed("The answer broke off"));
      });
      request.on("error", (error) => failed(reasonOf(error)));
      // An answer that is none, such as a change of the protocol, ends without an error.
      request.once("close", () => failed("There was no answer"));
      request.end(body);
    });
  };
}

async function readAnswer(response: IncomingMessage, longest: number): Promise<Answer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop closes the connection.
    if (size >= longest) break;
  }
  return {
    kind: "answered",
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: Buffer.concat(chunks).subarray(0, longest).toString("utf8"),
  };
}

/** The words of Node's errors name hosts and addresses; their codes do not. */
export function reasonOf(error: unknown): string {
  if (error instanceof ForbiddenAddressError) return error.message;
  const code = codeOf(error);
  if (code === undefined) return "There was no answer";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return `The name was not resolved (${code})`;
  if (code.startsWith("HPE_")) return "The answer was not HTTP";
  if (/CERT|SIGNATURE|ISSUER/.test(code)) return `The certificate is not trusted (${code})`;
  return `There was no connection, or it broke (${code})`;
}

/** `nodemailer` puts a code of its own in the place of Node's, which it keeps. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { code, originalCode }: { code?: unknown; originalCode?: unknown } = error;
  const known = originalCode ?? code;
  return typeof known === "string" && /^[A-Z][A-Z0-9_]{1,60}$/.test(known) ? known : undefined;
}
