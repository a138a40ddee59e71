import assert from "node:assert/strict";
import { once } from "node:events";
import { WebSocket } from "ws";
import type { HubName } from "../../../simulators/projectx/hub-socket.ts";
import type { Knob } from "../../../simulators/projectx/knobs.ts";
import { startProjectXServer } from "../../../simulators/projectx/server.ts";
import type { WireEntry } from "../../../simulators/wire-log.ts";
import { waitUntil } from "../../../support/wait.ts";

export type Json = Readonly<Record<string, unknown>>;

export const END = "\u001e";
export const HANDSHAKE = `{"protocol":"json","version":1}${END}`;
export const ESZ6 = "CON.F.US.EP.Z26";

/** One event: the method that the hub calls, and what it gives it. */
export interface Told {
  readonly target: string;
  readonly args: readonly unknown[];
}

/** A bare connection to a hub that remembers all that came. */
export class RawHub {
  readonly ws: WebSocket;
  readonly frames: string[] = [];
  isClosed = false;
  /** The status that it was turned away with. */
  refusal: number | undefined;
  #lastId = 0;

  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.ws = new WebSocket(url, { headers });
    this.ws.on("message", (data) => this.frames.push((data as Buffer).toString("utf8")));
    this.ws.on("unexpected-response", (_, { statusCode }) => {
      this.refusal = statusCode;
      this.ws.terminate();
    });
    this.ws.on("close", () => (this.isClosed = true));
    this.ws.on("error", () => undefined);
  }

  send(text: string): void {
    this.ws.send(text);
  }

  /** What came, but for what is no JSON. */
  get records(): readonly Json[] {
    return this.frames
      .join("")
      .split(END)
      .filter((record) => record !== "" && isJson(record))
      .map((record) => JSON.parse(record) as Json);
  }

  get told(): readonly Told[] {
    return this.records
      .filter(({ type }) => type === 1)
      .map((record) => ({
        target: String(record["target"]),
        args: record["arguments"] as readonly unknown[],
      }));
  }

  /** The first argument of each event with this name. */
  toldOf(target: string): readonly Json[] {
    return this.told.filter((event) => event.target === target).map(({ args }) => args[0] as Json);
  }

  /** Calls a method and waits for the answer. */
  async call(target: string, ...args: readonly unknown[]): Promise<Json> {
    this.#lastId += 1;
    const invocationId = String(this.#lastId);
    this.send(`${JSON.stringify({ type: 1, invocationId, target, arguments: args })}${END}`);
    const find = () =>
      this.records.find(
        (record) => record["type"] === 3 && record["invocationId"] === invocationId,
      );
    await waitUntil(`${target} is answered`, () => find() !== undefined);
    return find() ?? {};
  }

  /** All that was sent before has come once a later call is answered. */
  async settle(): Promise<void> {
    await this.call("NoSuchMethod");
  }

  waitForClose(): Promise<void> {
    return waitUntil("the hub has closed", () => this.isClosed);
  }
}

/** A client of the simulator, as an independent one would be, with a hand on the knobs. */
export class TestClient {
  readonly url: string;
  readonly stop: () => Promise<void>;
  token = "";
  account = 0;
  readonly #hubs: RawHub[] = [];

  private constructor(server: Awaited<ReturnType<typeof startProjectXServer>>) {
    this.url = server.url;
    this.stop = server.close;
  }

  static async start(): Promise<TestClient> {
    return new TestClient(await startProjectXServer(0));
  }

  async close(): Promise<void> {
    for (const { ws } of this.#hubs) ws.terminate();
    await this.stop();
  }

  async logIn(userName = "joe"): Promise<void> {
    const { token } = await this.post("Auth/loginKey", { userName, apiKey: "key" });
    this.token = String(token);
    const { accounts } = await this.post("Account/search", { onlyActiveAccounts: true });
    this.account = (accounts as readonly { readonly id: number }[])[0]?.id ?? 0;
  }

  async request(path: string, body: object): Promise<Response> {
    return await fetch(`${this.url}/api/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${this.token}` },
      body: JSON.stringify(body),
    });
  }

  async post(path: string, body: object): Promise<Json> {
    const response = await this.request(path, body);
    assert.equal(response.status, 200, path);
    return (await response.json()) as Json;
  }

  /** The address of a hub, with the token in it. */
  hubUrl(hub: HubName, token = this.token): string {
    return `${this.url.replace("http", "ws")}/hubs/${hub}?access_token=${token}`;
  }

  /** Wants to connect, and may be turned away. */
  knock(url: string, headers: Readonly<Record<string, string>> = {}): RawHub {
    const hub = new RawHub(url, headers);
    this.#hubs.push(hub);
    return hub;
  }

  /** A connection after the handshake. */
  async connect(hub: HubName): Promise<RawHub> {
    const raw = this.knock(this.hubUrl(hub));
    await once(raw.ws, "open");
    raw.send(HANDSHAKE);
    await waitUntil("hands are shaken", () => raw.records.length > 0);
    assert.deepEqual(raw.records[0], {});
    return raw;
  }

  /** A connection to the user hub that is told everything of the account. */
  async listen(): Promise<RawHub> {
    const hub = await this.connect("user");
    await hub.call("SubscribeAccounts");
    for (const what of ["Orders", "Positions", "Trades"]) {
      await hub.call(`Subscribe${what}`, this.account);
    }
    return hub;
  }

  /** What REST lists of the account: orders, positions or trades, from the beginning of time. */
  async list(path: string, body: Json = {}): Promise<readonly Json[]> {
    const answer = await this.post(path, {
      accountId: this.account,
      startTimestamp: "2020-01-01T00:00:00Z",
      ...body,
    });
    const { orders, positions, trades } = answer;
    return (orders ?? positions ?? trades) as readonly Json[];
  }

  /** The code and the words of a refusal; code 0 is none. */
  async refusal(path: string, body: Json): Promise<readonly [code: unknown, words: unknown]> {
    const { errorCode, errorMessage } = await this.post(path, {
      accountId: this.account,
      ...body,
    });
    return [errorCode, errorMessage];
  }

  /** What the broker saw. */
  async log(): Promise<readonly Json[]> {
    const text = await (await fetch(`${this.url}/log`)).text();
    const lines = text.split("\n").filter((line) => line !== "");
    return lines.map((line) => JSON.parse(line) as Json);
  }

  async state(): Promise<Json> {
    return (await (await fetch(`${this.url}/state`)).json()) as Json;
  }

  /** A buy of one contract at the market unless a test says otherwise. */
  async place(order: Json = {}): Promise<Json> {
    return await this.post("Order/place", {
      accountId: this.account,
      contractId: ESZ6,
      type: 2,
      side: 0,
      size: 1,
      ...order,
    });
  }

  /** A quote in points. */
  async quote(bid: number, ask = bid + 0.25): Promise<void> {
    await this.#steer("__sim/price", { symbol: "ESZ6", bid, ask });
  }

  async control(knob: Knob): Promise<Json> {
    return await this.#steer("control", knob);
  }

  async wire(): Promise<readonly WireEntry[]> {
    const text = await (await fetch(`${this.url}/wire`)).text();
    const lines = text.split("\n").filter((line) => line !== "");
    return lines.map((line) => JSON.parse(line) as WireEntry);
  }

  async #steer(path: string, body: object): Promise<Json> {
    const response = await fetch(`${this.url}/${path}`, {
      method: "POST",
      body: JSON.stringify(body),
    });
    const text = await response.text();
    assert(response.ok, text);
    return JSON.parse(text) as Json;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
