import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { GatewayError } from "../../errors.ts";
import { type Answer, errorAnswer } from "../answer.ts";
import { skipBody } from "../middleware/read-body.ts";
import { requestIdOf } from "../request-id.ts";
import { createNodeServer } from "./node-server.ts";

const RETRY_AFTER_SECONDS = 1;
const STARTING = "The gateway is starting; nothing was written or sent. Try again";

/** Processes of one launcher share a port, unless it is `exclusive`. */
export interface Address {
  readonly host: string;
  readonly port: number;
  readonly exclusive?: boolean;
}

/** Somebody else listens there, or this user may not; the message says what to do. */
export class PortError extends Error {
  override readonly name = "PortError";
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** How far a start has come; whoever starts keeps it up to date. */
export interface StartProgress {
  /** A sentence of ours, for everyone who asks. */
  waitsFor: string;
  /** Prometheus' text, once there are metrics. */
  metrics?: () => Promise<string>;
}

/**
 * Listens from the first moment of a start, and asks everyone to come again: an alert that is refused
 * by the port is not sent again by every sender, and a port that is taken is known before anything
 * else is begun.
 */
export class EarlyListener {
  readonly #server: Server = createNodeServer();
  readonly #progress: StartProgress;
  #refused = 0;
  #isHandedOver = false;

  constructor(progress: StartProgress) {
    this.#progress = progress;
    this.#server.on("request", this.#answer);
    // A client that asks before it sends its body need not send it: Node would tell it to.
    this.#server.on("checkContinue", this.#answer).on("checkExpectation", this.#answer);
  }

  /** Throws `PortError` where the port cannot be had. */
  start(address: Address): Promise<void> {
    return new Promise((resolve, reject) => {
      const onError = (error: NodeJS.ErrnoException) => reject(portError(address, error));
      this.#server.once("error", onError);
      this.#server.listen(address, () => {
        this.#server.off("error", onError);
        resolve();
      });
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** How many were asked to come again: calls and alerts, without those who ask for health. */
  get refused(): number {
    return this.#refused;
  }

  /** The listening server, for who answers from now on: nobody who knocks meanwhile is turned away. */
  handOver(): Server {
    this.#isHandedOver = true;
    for (const event of ["request", "checkContinue", "checkExpectation"]) {
      this.#server.off(event, this.#answer);
    }
    return this.#server;
  }

  /** Nothing is left to end once it was handed over. */
  async stop(): Promise<void> {
    if (this.#isHandedOver) return;
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Once the request is read: a connection that is closed before may lose the answer. */
  readonly #answer: RequestListener = (request, response) => {
    const answer = () => void this.#answerStarting(request, response);
    if (request.headers.expect !== undefined) answer();
    else skipBody(request, answer);
  };

  async #answerStarting(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = requestIdOf(request, randomUUID);
    const { status, body = "", contentType } = await this.#answerTo(request, requestId);
    const text = typeof body === "string" ? body : JSON.stringify(body);
    response.writeHead(status, {
      "Content-Type": contentType ?? "application/json; charset=utf-8",
      "Content-Length": Buffer.byteLength(text),
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      "X-Request-Id": requestId,
      // Who comes again need not come to this process.
      Connection: "close",
      ...(status === 503 && { "Retry-After": RETRY_AFTER_SECONDS }),
    });
    response.end(request.method === "HEAD" ? undefined : text);
  }

  async #answerTo({ method, url = "" }: IncomingMessage, requestId: string): Promise<Answer> {
    const { waitsFor, metrics } = this.#progress;
    const asked = method === "GET" || method === "HEAD" ? url.split("?", 1)[0] : undefined;
    if (asked === "/healthz") return { status: 200, body: { status: "ok" } };
    if (asked === "/readyz") {
      const checks = { store: false, broker: false };
      return { status: 503, body: { ready: false, checks, reasons: [waitsFor] } };
    }
    const text = asked === "/metrics" ? await metrics?.().catch(() => undefined) : undefined;
    if (text !== undefined) return { status: 200, body: text, contentType: METRICS_TYPE };
    this.#refused += 1;
    return errorAnswer(new GatewayError("STORE_UNAVAILABLE", STARTING), requestId);
  }
}

const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

function portError({ host, port }: Address, error: NodeJS.ErrnoException): Error {
  const advice = ADVICE[error.code ?? ""];
  if (advice === undefined) return error;
  const text = `The gateway cannot listen on ${host}:${port} (${error.code}): ${advice}`;
  return new PortError(
    `${text}.\nNothing was started, and no broker was logged in to.`,
    error.code ?? "",
  );
}

const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE:
    "somebody else does, maybe another gateway. End that one, or set PORT to another port (health and metrics: OPERATIONS_PORT)",
  EACCES: "this user may not. Set PORT to one above 1023",
  EADDRNOTAVAIL: "this machine does not have that address. Set HOST to one that it has",
};
