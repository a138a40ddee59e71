import assert from "node:assert/strict";
import { once } from "node:events";
import { WebSocket } from "ws";
import type { Knob } from "../../../simulators/tradovate/knobs.ts";
import { startTradovateServer } from "../../../simulators/tradovate/server.ts";
import type { WireEntry } from "../../../simulators/wire-log.ts";
import { waitUntil } from "../../../support/wait.ts";

export type Json = Readonly<Record<string, unknown>>;

/** One message of an `a` frame. */
export interface Message {
  readonly s?: number;
  readonly i?: number;
  readonly e?: string;
  readonly d?: unknown;
}

export interface Props {
  readonly entityType: string;
  readonly eventType: string;
  readonly entity: Json;
}

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

/** A socket to the broker that remembers all frames. */
export class TestSocket {
  readonly frames: string[] = [];
  readonly ws: WebSocket;
  isClosed = false;
  #lastId = 100;

  constructor(url: string) {
    this.ws = new WebSocket(url);
    this.ws.on("message", (data) => this.frames.push((data as Buffer).toString("utf8")));
    this.ws.on("close", () => (this.isClosed = true));
    this.ws.on("error", () => undefined);
  }

  send(text: string): void {
    this.ws.send(text);
  }

  get messages(): readonly Message[] {
    return this.frames
      .filter((frame) => frame.startsWith("a"))
      .flatMap((frame) => JSON.parse(frame.slice(1)) as Message[]);
  }

  get props(): readonly Props[] {
    return this.messages.filter(({ e }) => e === "props").map(({ d }) => d as Props);
  }

  async answerOf(id: number): Promise<Message> {
    const find = () => this.messages.find(({ i }) => i === id);
    await waitUntil(`request ${id} is answered`, () => find() !== undefined);
    const answer = find();
    assert(answer !== undefined);
    return answer;
  }

  async ask(endpoint: string, body: object | string = "", query = ""): Promise<Message> {
    this.#lastId += 1;
    const text = typeof body === "string" ? body : JSON.stringify(body);
    this.send(`${endpoint}\n${this.#lastId}\n${query}\n${text}`);
    return await this.answerOf(this.#lastId);
  }

  /** All that was sent before has arrived once a later request is answered. */
  async settle(): Promise<void> {
    await this.ask("account/list");
  }

  waitForClose(): Promise<void> {
    return waitUntil("the socket is closed", () => this.isClosed);
  }
}

/** A client of the simulator, as an independent one would be, with a hand on the knobs. */
export class TestClient {
  readonly url: string;
  readonly wsUrl: string;
  readonly mdUrl: string;
  readonly controlUrl: string;
  readonly close: () => Promise<void>;
  token = "";
  mdToken = "";
  userId = 0;
  accountId = 0;

  private constructor(server: Awaited<ReturnType<typeof startTradovateServer>>) {
    this.url = server.url;
    this.wsUrl = server.wsUrl;
    this.mdUrl = server.mdUrl;
    this.controlUrl = server.controlUrl;
    this.close = server.close;
  }

  static async start(): Promise<TestClient> {
    return new TestClient(await startTradovateServer(0));
  }

  async logIn(name = "joe", extra: Json = {}): Promise<Json> {
    const body = { name, password: "secret", deviceId: "device-1", cid: 8, sec: "s", ...extra };
    const answer = await this.post("auth/accesstokenrequest", body, "");
    this.token = String(answer["accessToken"]);
    this.mdToken = String(answer["mdAccessToken"]);
    this.userId = Number(answer["userId"]);
    if (answer["accessToken"] === undefined) return answer;
    const accounts = (await this.list("account")) as readonly { id: number }[];
    this.accountId = accounts[0]?.id ?? 0;
    return answer;
  }

  async request(
    method: string,
    path: string,
    body?: object,
    token = this.token,
  ): Promise<HttpAnswer> {
    const response = await fetch(`${this.url}/${path}`, {
      method,
      headers: token === "" ? {} : { authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  }

  async post(path: string, body: object, token = this.token): Promise<Json> {
    const { status, text } = await this.request("POST", path, body, token);
    assert.equal(status, 200, text);
    return JSON.parse(text) as Json;
  }

  async get(path: string): Promise<Json> {
    const { status, text } = await this.request("GET", path);
    assert.equal(status, 200, text);
    return JSON.parse(text) as Json;
  }

  async list(entity: string): Promise<readonly Json[]> {
    return (await this.get(`${entity}/list`)) as unknown as readonly Json[];
  }

  /** A socket that is open and nothing else. */
  async connect(url = this.wsUrl): Promise<TestSocket> {
    const socket = new TestSocket(url);
    await once(socket.ws, "open");
    return socket;
  }

  /** A socket that is authorised and is told what happens. */
  async sync(body: object = { users: [this.userId] }): Promise<TestSocket> {
    const socket = await this.connect();
    socket.send(`authorize\n1\n\n${this.token}`);
    assert.equal((await socket.answerOf(1)).s, 200);
    assert.equal((await socket.ask("user/syncrequest", body)).s, 200);
    return socket;
  }

  /** A socket for market data that is authorised. */
  async connectMd(token = this.mdToken): Promise<TestSocket> {
    const socket = await this.connect(this.mdUrl);
    socket.send(`authorize\n1\n\n${token}`);
    await socket.answerOf(1);
    return socket;
  }

  async control(knob: Knob): Promise<Json> {
    return await this.steer("control", knob);
  }

  async steer(path: string, body: object): Promise<Json> {
    const response = await fetch(`${this.controlUrl}/${path}`, {
      method: "POST",
      body: JSON.stringify(body),
    });
    const text = await response.text();
    assert(response.ok, text);
    return JSON.parse(text) as Json;
  }

  async lines(path: "log" | "wire"): Promise<readonly Json[]> {
    const text = await (await fetch(`${this.controlUrl}/${path}`)).text();
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Json);
  }

  async wire(): Promise<readonly WireEntry[]> {
    return (await this.lines("wire")) as unknown as readonly WireEntry[];
  }

  /** A quote in points. */
  async quote(bid: number, ask = bid + 0.25, qty = 1_000): Promise<void> {
    await this.steer("__sim/price", { symbol: "ESZ6", bid, ask, bidQty: qty, askQty: qty });
  }

  /** What the order is asked for unless a test says otherwise: one contract at the market. */
  order(order: Json = {}): Json {
    return {
      accountSpec: "joe-1",
      accountId: this.accountId,
      action: "Buy",
      symbol: "ESZ6",
      orderQty: 1,
      orderType: "Market",
      isAutomated: true,
      ...order,
    };
  }

  place(order: Json = {}): Promise<Json> {
    return this.post("order/placeorder", this.order(order));
  }

  /** A resting buy with a target above and a stop below. */
  placeOso(order: Json = {}): Promise<Json> {
    return this.post("order/placeoso", {
      ...this.order({ orderType: "Limit", price: 6_840, clOrdId: "entry" }),
      bracket1: { action: "Sell", orderType: "Limit", price: 6_860, clOrdId: "target" },
      bracket2: { action: "Sell", orderType: "Stop", stopPrice: 6_830, clOrdId: "stop" },
      ...order,
    });
  }

  async entity(type: string, id: unknown): Promise<Json> {
    return await this.get(`${type}/item?id=${String(id)}`);
  }

  async statusOf(id: unknown): Promise<unknown> {
    return (await this.entity("order", id))["ordStatus"];
  }

  async netPos(): Promise<number> {
    return Number((await this.list("position"))[0]?.["netPos"] ?? 0);
  }
}

/** An event in short: what happened to which entity, its id counted from `from`, and its status. */
export function inShort({ entityType, eventType, entity }: Props, from: number): string {
  const status = entity["ordStatus"] ?? entity["commandStatus"] ?? entity["status"];
  const type = entity["commandType"] ?? entity["execType"];
  const words = [entityType, eventType, Number(entity["id"]) - from, type, status];
  return words
    .filter((word) => word !== undefined)
    .map(String)
    .join(" ");
}
