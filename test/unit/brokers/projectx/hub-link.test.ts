import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { HubLink } from "../../../../src/brokers/projectx/hub-link.ts";
import { waitUntil } from "../../../support/wait.ts";

const END = "\u001e";
const TOKEN = "secret.token";

let server: WebSocketServer;
let sockets: WebSocket[];
/** What the client has said after its handshake, pings left out. */
let said: Readonly<Record<string, unknown>>[];
let asked: string | undefined;
let heard: unknown[];
let pulses: number;
let troubles: string[];
let link: HubLink;

beforeEach(async () => {
  [sockets, said, asked, heard, pulses, troubles] = [[], [], undefined, [], 0, []];
  server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  server.on("connection", (socket, request) => {
    asked = request.url;
    sockets.push(socket);
    socket.on("message", (data) => {
      for (const record of textOf(data).split(END)) if (record !== "") answer(socket, record);
    });
  });
  link = new HubLink({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hubs/user`,
    token: () => TOKEN,
    events: {
      GatewayUserOrder: (...payload) => void heard.push(...payload),
      GatewayFails: () => {
        throw new Error("the listener fails");
      },
    },
    onHeard: () => (pulses += 1),
    onTrouble: (error) => troubles.push(String(error)),
  });
});

afterEach(async () => {
  await link.close();
  for (const socket of sockets) socket.terminate();
  await new Promise((resolve) => server.close(resolve));
});

function answer(socket: WebSocket, record: string): void {
  const message = JSON.parse(record) as Readonly<Record<string, unknown>>;
  if ("protocol" in message) return socket.send(`{}${END}`);
  if (message["type"] !== 1) return;
  said.push(message);
  const { target, invocationId } = message;
  const refusal = target === "SubscribeNothing" ? { error: "no such method" } : {};
  socket.send(`${JSON.stringify({ type: 3, invocationId, ...refusal })}${END}`);
}

const textOf = (data: RawData): string =>
  (Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer)).toString("utf8");
const tell = (...records: readonly string[]): void =>
  sockets[0]?.send(records.map((record) => `${record}${END}`).join(""));
const event = (target: string, ...args: readonly unknown[]): string =>
  JSON.stringify({ type: 1, target, arguments: args });

describe("the link to a hub", () => {
  test("shows the token, and calls what it is asked to", async () => {
    await link.open();
    await link.call("SubscribeOrders", 42);
    expect(asked).toBe(`/hubs/user?access_token=${TOKEN}`);
    expect(said).toEqual([expect.objectContaining({ target: "SubscribeOrders", arguments: [42] })]);
    await expect(link.call("SubscribeNothing")).rejects.toThrow("no such method");
  });

  test("what cannot be read ends neither the link nor what comes with it", async () => {
    await link.open();
    const record = event("GatewayUserOrder", { id: 1 });
    tell("{broken", '{"type":1}', event("GatewayFails"), event("Nobody", 1), record);
    await waitUntil("the order is heard", () => heard.length > 0);
    tell(event("GatewayUserOrder", { id: 2 }));
    await waitUntil("the link goes on", () => heard.length > 1);
    expect(heard).toEqual([{ id: 1 }, { id: 2 }]);
    expect(troubles.join("\n")).toContain("cannot be read");
    expect(troubles.join("\n")).toContain("the listener fails");
    expect(troubles.join("\n")).not.toContain(TOKEN);
  });

  test("pings are heard", async () => {
    await link.open();
    const before = pulses;
    tell('{"type":6}');
    await waitUntil("the ping is heard", () => pulses > before);
    expect(heard).toEqual([]);
  });

  test("ends once, however it ends", async () => {
    await link.open();
    sockets[0]?.terminate();
    await expect(link.broken).rejects.toThrow(/closed the link/);
    await expect(link.call("SubscribeOrders", 1)).rejects.toBeInstanceOf(Error);
  });

  test("ends where the hub says goodbye", async () => {
    await link.open();
    tell('{"type":7,"error":"maintenance"}');
    await expect(link.broken).rejects.toThrow(/maintenance/);
  });

  test("does not open where nobody listens, and says no secret", async () => {
    await new Promise((resolve) => server.close(resolve));
    const failure = await link.open().catch(String);
    expect(failure).toMatch(/Error/);
    expect([failure, ...troubles].join("\n")).not.toContain(TOKEN);
  });
});
