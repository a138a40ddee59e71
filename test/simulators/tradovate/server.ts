import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { WebSocketServer } from "ws";
import { answerControl } from "../broker-control.ts";
import { Broker } from "./broker.ts";
import { type Answer, CUT, SILENCE } from "./answer.ts";
import { endpointName } from "./frames.ts";

export interface TradovateServer {
  /** What stands in for `https://demo.tradovateapi.com/v1`. */
  readonly url: string;
  readonly wsUrl: string;
  /** Has quotes, the top of the book and charts. */
  readonly mdUrl: string;
  /** Where knobs, logs and state are. */
  readonly controlUrl: string;
}

export interface RunningServer extends TradovateServer {
  /** Cuts all sockets and stops listening. */
  readonly close: () => Promise<void>;
}

const ANY_ORIGIN = [
  ["access-control-allow-origin", "*"],
  ["access-control-allow-headers", "*, authorization, content-type"],
  ["access-control-allow-methods", "GET, POST"],
] as const;
const TICK_MS = 1_000;
const API = "/v1";
const MARKET_DATA = "/v1/md/websocket";
const SOCKETS: ReadonlySet<string> = new Set(["/v1/websocket", MARKET_DATA]);

/** The broker on one port: REST and WebSocket under `/v1`, the control next to it. */
export async function startTradovateServer(port: number): Promise<RunningServer> {
  const broker = new Broker();
  const ticker = setInterval(() => {
    broker.expireOrders();
    broker.repeatQuotes();
  }, TICK_MS).unref();
  const http = createServer((request, response) => {
    serve(broker, request, response).catch(() => response.destroy());
  });
  // Without compression a frame is written at once when it is sent.
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  http.on("upgrade", (request, socket, head) => {
    const { pathname } = new URL(request.url ?? "/", "http://broker");
    const isMarketData = pathname === MARKET_DATA;
    if (!SOCKETS.has(pathname) || broker.isInMaintenance(isMarketData)) {
      // A client that is gone by then resets it, which must not end the broker.
      socket.on("error", () => socket.destroy());
      socket.end("HTTP/1.1 503 Service Unavailable\r\n\r\n");
      return;
    }
    sockets.handleUpgrade(request, socket, head, (accepted) =>
      broker.welcome(accepted, isMarketData),
    );
  });
  http.listen(port, "127.0.0.1");
  await once(http, "listening");
  const address = `127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    url: `http://${address}${API}`,
    wsUrl: `ws://${address}${API}/websocket`,
    mdUrl: `ws://${address}${API}/md/websocket`,
    controlUrl: `http://${address}`,
    close: async () => {
      clearInterval(ticker);
      for (const socket of sockets.clients) socket.terminate();
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
}

async function serve(
  broker: Broker,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://broker");
  // The official examples run in a browser.
  for (const [name, value] of ANY_ORIGIN) response.setHeader(name, value);
  if (request.method === "OPTIONS") {
    response.writeHead(204).end();
    return;
  }
  const bodyText = await text(request);
  if (url.pathname.startsWith(`${API}/`)) call(broker, request, { response, url, bodyText });
  else {
    const route = `${request.method} ${url.pathname}`;
    answerControl(broker.control, route, { response, url, bodyText });
  }
}

interface Exchange {
  readonly response: ServerResponse;
  readonly url: URL;
  readonly bodyText: string;
}

function call(broker: Broker, request: IncomingMessage, { response, url, bodyText }: Exchange) {
  const { method = "GET", headers } = request;
  const path = `${method} ${url.pathname}${url.search}`;
  broker.wire.add({ via: "rest", dir: "in", path, text: bodyText });
  const { outcome, delayMs, user } = broker.api.call({
    endpoint: endpointName(url.pathname.slice(API.length)),
    query: url.searchParams,
    bodyText,
    method,
    token: /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1],
  });
  if (outcome === CUT) {
    broker.wire.add({ via: "rest", dir: "out", user, path, text: "(cut)" });
    response.socket?.destroy();
    return;
  }
  if (outcome === SILENCE) {
    broker.wire.add({ via: "rest", dir: "out", user, path, text: "(nothing)" });
    return;
  }
  const send = () => {
    const { status } = outcome;
    const { body, type } = toHttp(outcome);
    broker.wire.add({ via: "rest", dir: "out", user, path, status, text: body });
    response.writeHead(status, { "content-type": type }).end(body);
    outcome.afterwards?.();
  };
  if (delayMs === 0) send();
  else setTimeout(send, delayMs).unref();
}

function toHttp({ body }: Answer): { body: string; type: string } {
  return typeof body === "string"
    ? { body, type: "text/plain" }
    : { body: JSON.stringify(body ?? {}), type: "application/json" };
}
