import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { WebSocketServer } from "ws";
import { isOrderPath } from "./api.ts";
import { answerControl } from "../broker-control.ts";
import { Broker } from "./broker.ts";
import { hubAt, tokenOf, type Visitor } from "./hubs.ts";

export interface ProjectXServer {
  /** What stands in for `https://api.topstepx.com`. */
  readonly url: string;
  /** What stands in for `https://rtc.topstepx.com`. */
  readonly rtcUrl: string;
  readonly controlUrl: string;
}

export interface RunningServer extends ProjectXServer {
  /** Cuts everything and stops listening. */
  readonly close: () => Promise<void>;
}

const TICK_MS = 1_000;
const API = "/api/";
const PING_PATH = "/api/Status/ping";
const NEGOTIATE = "/negotiate";

/** The official examples run in a browser, where SignalR's client sends credentials along. */
const allowOrigin = ({ headers }: IncomingMessage, response: ServerResponse): void => {
  const { origin } = headers;
  if (origin === undefined) return;
  response.setHeader("access-control-allow-origin", origin);
  response.setHeader("access-control-allow-credentials", "true");
  response.setHeader("access-control-allow-methods", "GET, POST");
  const asked = headers["access-control-request-headers"];
  if (asked !== undefined) response.setHeader("access-control-allow-headers", asked);
};

/** The broker on one port: REST under `/api`, hubs under `/hubs`, the control next to them. */
export async function startProjectXServer(port: number): Promise<RunningServer> {
  const broker = new Broker();
  const ticker = setInterval(() => {
    broker.trading.expireOrders();
    broker.repeatQuotes();
  }, TICK_MS).unref();
  const http = createServer((request, response) => {
    serve(broker, request, response).catch(() => response.destroy());
  });
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  http.on("upgrade", (request, socket, head) => {
    const admitted = admit(broker, request);
    if (typeof admitted === "number") refuse(socket, admitted);
    else {
      sockets.handleUpgrade(request, socket, head, (accepted) =>
        broker.hubs.welcome(accepted, admitted),
      );
    }
  });
  http.listen(port, "127.0.0.1");
  await once(http, "listening");
  const address = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    url: address,
    rtcUrl: address,
    controlUrl: address,
    close: async () => {
      clearInterval(ticker);
      broker.hubs.stop();
      for (const socket of sockets.clients) socket.terminate();
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
}

/** Whose it is, or the status that it is turned away with. */
function admit(broker: Broker, request: IncomingMessage, end = ""): Visitor | number {
  const hub = hubAt(request, end);
  if (hub === undefined) return 404;
  const token = tokenOf(request);
  const user = broker.users.byToken(token);
  if (user === undefined || token === undefined) return 401;
  return broker.hubs.admit({ hub, user: user.name, token });
}

function refuse(socket: Duplex, status: number): void {
  // A client that is gone by then resets it, which must not end the broker.
  socket.on("error", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

const bearerOf = ({ headers }: IncomingMessage): string | undefined =>
  /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1];

async function serve(
  broker: Broker,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://broker");
  const bodyText = await text(request);
  allowOrigin(request, response);
  response.setHeader("date", new Date(broker.clock.now()).toUTCString());
  if (request.method === "OPTIONS") response.writeHead(204).end();
  else if (`${request.method} ${url.pathname}` === `GET ${PING_PATH}`) {
    response.writeHead(200, { "content-type": "text/plain" }).end("pong");
  } else if (hubAt(request, NEGOTIATE) !== undefined) {
    const admitted = admit(broker, request, NEGOTIATE);
    const answer = typeof admitted === "number" ? admitted : broker.hubs.negotiate(admitted);
    const [status, body] = typeof answer === "number" ? [answer, {}] : [200, answer];
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  } else if (url.pathname.startsWith(API)) call(broker, request, { response, url, bodyText });
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
  const path = url.pathname.slice(API.length);
  if (request.method !== "POST") {
    response.writeHead(405).end();
    return;
  }
  const token = bearerOf(request);
  broker.wire.add({ via: "rest", dir: "in", path, text: bodyText });
  const owner = isOrderPath(path) ? broker.users.byToken(token)?.name : undefined;
  const ask = () => broker.api.call({ path, text: bodyText, token });
  const { result: reply, release } = broker.hubs.around(owner, ask);
  const { user, status, body, fault, delayMs } = reply;
  if (fault?.kind === "drop") {
    broker.wire.add({ via: "rest", dir: "out", user, path, text: "(cut)" });
    response.socket?.destroy();
    release();
    return;
  }
  if (fault?.kind === "silence") {
    broker.wire.add({ via: "rest", dir: "out", user, path, text: "(nothing)" });
    release();
    return;
  }
  const send = () => {
    const isText = typeof body === "string";
    const out = isText ? body : JSON.stringify(body);
    broker.wire.add({ via: "rest", dir: "out", user, path, status, text: out });
    response.writeHead(status, { "content-type": isText ? "text/plain" : "application/json" });
    response.end(out);
    release();
  };
  if (fault?.kind === "hold") broker.faults.hold(user, send);
  else if (delayMs === 0) send();
  else setTimeout(send, delayMs).unref();
}
