import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import type { BrokerClock } from "./broker-clock.ts";

/** How a request ended. */
export type RestReply =
  /** `data` is undefined where the body is no JSON. */
  | { readonly kind: "answered"; readonly status: number; readonly data: unknown }
  /** No byte of it has left. */
  | { readonly kind: "notSent"; readonly reason: string }
  /** It may have arrived. */
  | { readonly kind: "unknown"; readonly reason: string };

export interface RestRequest {
  /** Without a slash at its beginning: `api/Order/place`. */
  readonly path: string;
  readonly body: object;
  readonly token?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Asked in the same turn of the event loop in which the first byte is written. */
  readonly mayWrite?: (() => boolean) | undefined;
}

const TIMEOUT_MS = 10_000;
/** A connection that rests longer is closed: what is written to one that the other end gives up is lost. */
const IDLE_MS = 15_000;
/** More than this is no answer to anything that is asked. */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * Every call of ProjectX is a POST. A request is written only once its connection stands, so that it is
 * certain when nothing has left: whatever fails before that was not sent, and whatever fails after it
 * is unknown. It follows no redirect, since credentials must not.
 */
export class RestClient {
  readonly #url: string;
  readonly #isSecure: boolean;
  readonly #clock: Pick<BrokerClock, "asked"> | undefined;
  readonly #agent: HttpAgent | HttpsAgent;

  /** `clock` hears when answers were given. */
  constructor(url: string, clock?: Pick<BrokerClock, "asked">) {
    this.#url = url;
    this.#clock = clock;
    this.#isSecure = url.startsWith("https:");
    const options = { keepAlive: true, timeout: IDLE_MS, scheduling: "lifo" } as const;
    this.#agent = this.#isSecure ? new HttpsAgent(options) : new HttpAgent(options);
  }

  /** Never rejects. */
  async post({ path, body, token, signal, mayWrite }: RestRequest): Promise<RestReply> {
    if (signal?.aborted === true) return { kind: "notSent", reason: "The session has ended" };
    const text = JSON.stringify(body);
    const dated = this.#clock?.asked();
    return await new Promise((resolve) => {
      let isWritten = false;
      const end = (reply: RestReply) => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
        resolve(reply);
      };
      const fail = (reason: string) => end({ kind: isWritten ? "unknown" : "notSent", reason });
      const request = (this.#isSecure ? httpsRequest : httpRequest)(`${this.#url}/${path}`, {
        method: "POST",
        agent: this.#agent,
        headers: {
          accept: "application/json",
          "content-type": "application/json",
          "content-length": Buffer.byteLength(text),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
      });
      const give = (reason: string) => {
        fail(reason);
        request.destroy();
      };
      const abort = () => give("The session ended before the answer came");
      const timer = setTimeout(() => give("ProjectX did not answer in time"), TIMEOUT_MS);
      signal?.addEventListener("abort", abort, { once: true });
      request.on("error", (error) => fail(`The link to ProjectX failed: ${wordsOf(error)}`));
      request.on("response", (response) => {
        dated?.(response.headers.date);
        readAll(response).then(
          (data) => end({ kind: "answered", status: response.statusCode ?? 0, data }),
          (error: unknown) => give(`The answer of ProjectX broke off: ${wordsOf(error)}`),
        );
      });
      request.on("socket", (socket) => {
        onceOpen(socket, this.#isSecure, () => {
          if (request.destroyed) return;
          if (mayWrite?.() === false) return give("Sending is not allowed any more");
          isWritten = true;
          request.end(text);
        });
      });
    });
  }

  /** Closes what rests. */
  close(): void {
    this.#agent.destroy();
  }
}

/** A connection that was used before is open already. */
function onceOpen(socket: Socket, isSecure: boolean, then: () => void): void {
  if (socket.connecting) socket.once(isSecure ? "secureConnect" : "connect", then);
  else then();
}

async function readAll(response: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MOST_BYTES) throw new Error("it is too long");
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString("utf8")) as unknown;
  } catch {
    return undefined;
  }
}

const wordsOf = (error: unknown): string =>
  error instanceof Error
    ? ("code" in error && typeof error.code === "string" && error.code) || error.message
    : "no reason given";
