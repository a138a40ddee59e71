import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { generate } from "selfsigned";
import { type Behaviour, Behaviours, type Knob, type Seen, SERVICES } from "./behaviour.ts";
import { discord } from "./discord.ts";
import { startMailServer } from "./mail.ts";
import { ntfy } from "./ntfy.ts";
import { pushover } from "./pushover.ts";
import { heartbeat, webhook } from "./receivers.ts";
import type { Answer, HttpService, Request } from "./service.ts";
import { slack } from "./slack.ts";
import { inbox, type NewUpdate } from "./telegram-inbox.ts";
import { telegram } from "./telegram.ts";

export interface NotifyServer {
  /** Every HTTP service; their paths differ. */
  readonly url: string;
  /** The same with TLS. */
  readonly secureUrl: string;
  /** Where knobs and what was seen are. */
  readonly controlUrl: string;
  readonly mailPort: number;
  /** Of everything with TLS here. */
  readonly certificate: string;
}

const HTTP_SERVICES = { webhook, discord, telegram, slack, ntfy, pushover, heartbeat };
type HttpName = keyof typeof HTTP_SERVICES;

/** Everything that a gateway tells, in one process. */
export async function startNotifyServer(): Promise<NotifyServer> {
  const behaviours = new Behaviours();
  const seen: Seen[] = [];
  const onSeen = (one: Seen) => void seen.push(one);
  const altNames = [
    { type: 7, ip: "127.0.0.1" } as const,
    { type: 2, value: "localhost" } as const,
  ];
  const { cert, private: key } = await generate([{ name: "commonName", value: "look-alike" }], {
    extensions: [{ name: "subjectAltName", altNames }],
  });
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    serve(request, response, { behaviours, onSeen }).catch(() => response.destroy());
  };
  const controlUrl = await listen(
    http.createServer((request, response) => {
      control(request, response, { behaviours, seen }).catch(() => response.destroy());
    }),
  );
  return {
    url: await listen(http.createServer(listener)),
    secureUrl: (await listen(https.createServer({ cert, key }, listener))).replace(
      "http:",
      "https:",
    ),
    controlUrl,
    mailPort: await startMailServer({ behaviours, certificate: { cert, key }, onSeen }),
    certificate: cert,
  };
}

async function listen(server: http.Server | https.Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function serve(
  incoming: IncomingMessage,
  response: ServerResponse,
  { behaviours, onSeen }: { behaviours: Behaviours; onSeen: (seen: Seen) => void },
): Promise<void> {
  const request: Request = {
    method: incoming.method ?? "",
    url: new URL(incoming.url ?? "/", "http://look-alike"),
    headers: Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    ),
    body: await text(incoming),
  };
  const name = (Object.keys(HTTP_SERVICES) as HttpName[]).find((one) =>
    HTTP_SERVICES[one].isAsked(request),
  );
  if (name === undefined) {
    response.writeHead(404).end();
    return;
  }
  const behaviour = behaviours.next(name);
  const answer = await answerOf(HTTP_SERVICES[name], request, behaviour);
  onSeen({
    service: name,
    method: request.method,
    path: `${request.url.pathname}${request.url.search}`,
    headers: request.headers,
    body: request.body,
    mentions: answer?.mentions ?? [],
    ...(answer !== undefined && { status: answer.status }),
  });
  if (answer === undefined) misbehave(response, behaviour);
  else response.writeHead(answer.status, { ...answer.headers }).end(answer.body);
}

/** Undefined where no whole answer is given. */
function answerOf(
  service: HttpService,
  request: Request,
  behaviour: Behaviour,
): Answer | Promise<Answer> | undefined {
  switch (behaviour.as) {
    case "documented":
    case "without TLS":
      return service.answer(request);
    case "throttling":
      return service.throttle(behaviour.seconds);
    case "gone":
      return service.gone();
    case "refusing":
      return service.refuse();
    case "answering":
      return { body: "", ...behaviour };
    case "redirecting":
      return { status: 302, body: "", headers: { location: behaviour.to } };
    case "somebody else":
      return { status: 200, body: PORTAL, headers: { "content-type": "text/html" } };
    case "hanging":
    case "breaking off":
    case "noise":
    case "endless":
      return undefined;
  }
}

const PORTAL = "<!doctype html><title>Welcome to our Wi-Fi</title><p>Please sign in.";
const PIECE = Buffer.alloc(65_536, "x");

function misbehave(response: ServerResponse, { as }: Behaviour): void {
  if (as === "breaking off") {
    response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
    response.write('{"ok":true,', () => response.destroy());
  } else if (as === "noise") response.socket?.end("\u0000\u0001 this is not HTTP\r\n\r\n");
  else if (as === "endless") {
    response.writeHead(200, { "content-type": "application/json" });
    const more = () => {
      while (!response.destroyed && response.write(PIECE));
    };
    response.on("drain", more);
    more();
  }
}

/**
 * `POST /control` turns a knob, `GET /seen?from=` lists requests, `POST /telegram/updates` lets people
 * write to the bot, `GET /telegram/messages` is what stands in its chats, and `POST /telegram/again` lets
 * Telegram forget what it was told of its offset.
 */
async function control(
  request: IncomingMessage,
  response: ServerResponse,
  { behaviours, seen }: { behaviours: Behaviours; seen: readonly Seen[] },
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://control");
  const route = `${request.method} ${url.pathname}`;
  if (route === "POST /control") {
    const knob = JSON.parse(await text(request)) as Knob;
    const isKnown = SERVICES.includes(knob.service) && typeof knob.behaviour?.as === "string";
    if (isKnown) behaviours.turn(knob);
    response.writeHead(isKnown ? 200 : 400).end("{}");
  } else if (route === "POST /telegram/updates") {
    const updates = JSON.parse(await text(request)) as readonly NewUpdate[];
    response.end(JSON.stringify(updates.map((update) => inbox.add(update))));
  } else if (route === "POST /telegram/again") {
    inbox.forgetOffset();
    response.end("{}");
  } else if (route === "GET /telegram/messages") {
    response.end(JSON.stringify(inbox.shown()));
  } else if (route === "GET /seen") {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(seen.slice(Number(url.searchParams.get("from") ?? 0))));
  } else response.writeHead(404).end();
}
