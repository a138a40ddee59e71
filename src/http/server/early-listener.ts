import { randomUUID } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { GatewayError } from "../../errors.ts";
import { errorAnswer } from "../answer.ts";

const RETRY_AFTER_SECONDS = 1;
const STARTING = "The gateway is starting; nothing was written or sent. Try again";

/** Processes of one launcher share a port, unless it is `exclusive`. */
export interface Address {
  readonly host: string;
  readonly port: number;
  readonly exclusive?: boolean;
}

/**
 * Listens from the first moment of a start, and asks everyone to come again: an alert that is refused
 * by the port is not sent again by every sender, and a port that is taken is known before anything
 * else is begun.
 */
export class EarlyListener {
  readonly #server: Server = createServer({ requireHostHeader: false }, answerStarting);
  #isHandedOver = false;

  start(address: Address): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(address, () => {
        this.#server.off("error", reject);
        resolve();
      });
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The socket, for the server that goes on with it: nobody who knocks meanwhile is turned away. */
  handOver(): Server {
    this.#isHandedOver = true;
    return this.#server;
  }

  /** Nothing is left to end once it was handed over. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    if (this.#isHandedOver) return;
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const answerStarting: RequestListener = (request, response) => {
  const { status, body } = answerTo(request.url);
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
    // The next request comes to the gateway itself.
    Connection: "close",
    ...(status === 503 && { "Retry-After": RETRY_AFTER_SECONDS }),
  });
  response.end(request.method === "HEAD" ? undefined : text);
};

function answerTo(url: string | undefined): { status: number; body?: object | string } {
  if (url === "/healthz") return { status: 200, body: { status: "ok" } };
  if (url === "/readyz") {
    const checks = { store: false, broker: false };
    return { status: 503, body: { ready: false, checks, reasons: ["The gateway is starting"] } };
  }
  return errorAnswer(new GatewayError("STORE_UNAVAILABLE", STARTING), randomUUID());
}
