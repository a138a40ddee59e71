import { once } from "node:events";
import type { RequestListener, Server, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { performance } from "node:perf_hooks";
import { type ErrorCode, errors, GatewayError } from "../../errors.ts";
import { errorAnswer } from "../answer.ts";
import { type Address, EarlyListener } from "./early-listener.ts";
import { failBody } from "../middleware/read-body.ts";
import type { HttpObserver } from "../observer.ts";
import { createNodeServer, type Patience } from "./node-server.ts";

interface HttpServerDeps {
  readonly patience?: Patience | undefined;
  readonly handler: RequestListener;
  readonly observer: HttpObserver;
  readonly newRequestId: () => string;
  /** Called first of all when it stops: ends what would never end by itself. */
  readonly onStop?: () => void;
}

/** How often, while stopping, connections that have just become idle are closed. */
const SWEEP_MS = 50;

/** The listening socket and its connections. Starts once, stops once. */
export class HttpServer {
  readonly #deps: HttpServerDeps;
  #server: Server;
  #isStopping = false;

  constructor(deps: HttpServerDeps) {
    this.#deps = deps;
    this.#server = createNodeServer(deps.patience);
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /**
   * Resolves with the port once connections are accepted; 0 asks for any free one. An early listener's server
   * is gone on with.
   */
  async start(address: Address | EarlyListener): Promise<{ port: number }> {
    const listens = address instanceof EarlyListener;
    if (listens) this.#server = address.handOver();
    const { handler } = this.#deps;
    this.#server.on("request", handler).on("checkExpectation", handler);
    this.#server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
      this.#refuse(error, socket);
    });
    if (!listens) {
      this.#server.listen({ exclusive: false, ...address });
      await once(this.#server, "listening");
    }
    return { port: (this.#server.address() as AddressInfo).port };
  }

  /** Accepts nothing new, lets what runs finish, and cuts off what is left at the deadline. */
  async stop({ deadlineMs }: { deadlineMs: number }): Promise<void> {
    this.#isStopping = true;
    this.#deps.onStop?.();
    const sweep = setInterval(() => this.#server.closeIdleConnections(), SWEEP_MS);
    const cut = setTimeout(() => this.#server.closeAllConnections(), deadlineMs);
    await new Promise((resolve) => this.#server.close(resolve));
    clearInterval(sweep);
    clearTimeout(cut);
  }

  /** A connection on which no (or no complete) request can be read any more. */
  #refuse(cause: NodeJS.ErrnoException, socket: Socket): void {
    if (cause.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const error = connectionError(cause);
    failBody(socket, error);
    const response = responseOn(socket);
    if (response === undefined) this.#answerRaw(error, socket);
    // An answer is on its way. Writing here would be taken for it, and it may be an order's.
    else if (response.headersSent) socket.destroySoon();
    else response.setHeader("Connection", "close");
  }

  /** Node has no response object for what never became a request. */
  #answerRaw(error: GatewayError, socket: Socket): void {
    const startedAt = performance.now();
    const requestId = this.#deps.newRequestId();
    const { status, body } = errorAnswer(error, requestId);
    const text = JSON.stringify(body);
    const reason = status === 408 ? "Request Timeout" : "Bad Request";
    const head = [
      `HTTP/1.1 ${status} ${reason}`,
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(text)}`,
      `X-Request-Id: ${requestId}`,
      "Connection: close",
    ];
    socket.end(`${head.join("\r\n")}\r\n\r\n${text}`, () => socket.destroySoon());
    this.#deps.observer.requestFinished({
      method: "other",
      route: "unreadable",
      status,
      seconds: (performance.now() - startedAt) / 1000,
      requestId,
      errorCode: error.spec.code as ErrorCode,
    });
  }
}

/** The response under way on a connection: Node's own default handler asks the same field. */
function responseOn(socket: Socket): ServerResponse | undefined {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}

function connectionError({ code }: NodeJS.ErrnoException): GatewayError {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return new GatewayError("REQUEST_TIMEOUT", "The request came too slowly; nothing was done");
  }
  return code === "HPE_HEADER_OVERFLOW"
    ? errors.validationFailed([{ path: "headers", message: "must not be larger than 16 KiB" }])
    : errors.validationFailed([{ path: "request", message: "is not well-formed HTTP" }]);
}
