import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { MarketLink } from "../../../../../src/brokers/projectx/prices/market-link.ts";
import { waitUntil } from "../../../../support/wait.ts";
import { watchSleeps } from "../../watch-sleeps.ts";

const END = "\u001e";

let server: WebSocketServer;
let asked: (string | undefined)[];
let token: string | undefined;
let now: number;
let ups: number;
let downs: number;
let quotes: unknown[];
let troubles: string[];
/** Each is let in, and closed a moment later. */
let closesSoon: boolean;

beforeEach(async () => {
  [asked, token, now, ups, downs, quotes, troubles, closesSoon] = [
    [],
    "a.token",
    0,
    0,
    0,
    [],
    [],
    false,
  ];
  server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  server.on("connection", (socket, { url }) => {
    asked.push(url);
    socket.on("message", (data) => answer(socket, String(data as Buffer)));
  });
});

function answer(socket: WebSocket, text: string): void {
  for (const record of text.split(END).filter((one) => one !== "")) {
    const { protocol, type, invocationId } = JSON.parse(record) as Readonly<
      Record<string, unknown>
    >;
    if (protocol !== undefined) {
      socket.send(`{}${END}`);
      if (closesSoon) setTimeout(() => socket.close(), 50);
    } else if (type === 1) socket.send(`${JSON.stringify({ type: 3, invocationId })}${END}`);
  }
}

function open(random = 0): MarketLink {
  const link = new MarketLink({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hubs/market`,
    token: () => token,
    onQuote: (id, payload) => quotes.push([id, payload]),
    onUp: () => (ups += 1),
    onDown: () => (downs += 1),
    onTrouble: (error) => troubles.push(String(error)),
    elapsed: () => now,
    random: () => random,
  });
  onTestFinished(async () => {
    await link.stop();
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  link.start();
  return link;
}

const untilUps = (count: number) => waitUntil(`it was up ${count} times`, () => ups >= count);
const cut = () => {
  for (const socket of server.clients) socket.terminate();
};

describe("the link to the market hub", () => {
  test("is open from start to stop, and tells quotes by their contract", async () => {
    const link = open();
    await untilUps(1);
    expect(asked).toEqual(["/hubs/market?access_token=a.token"]);
    await link.call("SubscribeContractQuotes", "CON.F.US.EP.Z26");
    const event = { type: 1, target: "GatewayQuote", arguments: ["CON.F.US.EP.Z26", { x: 1 }] };
    for (const socket of server.clients) socket.send(`${JSON.stringify(event)}${END}`);
    await waitUntil("a quote is told", () => quotes.length === 1);
    expect(quotes).toEqual([["CON.F.US.EP.Z26", { x: 1 }]]);
    await link.stop();
    expect([link.isUp, link.isRunning, link.trouble, downs]).toEqual([false, false, undefined, 1]);
    await expect(link.call("SubscribeContractQuotes", "any")).rejects.toThrow(/not up/);
  });

  test("comes back by itself, says meanwhile why it is away, and forgets it when stopped", async () => {
    const link = open();
    await untilUps(1);
    cut();
    await waitUntil("it is down", () => downs === 1);
    await waitUntil("it says why", () => link.trouble !== undefined);
    expect(link.trouble).toMatch(/is down .* tried again by itself/);
    await untilUps(2);
    expect(link.trouble).toBeUndefined();
    cut();
    await waitUntil("it is down again", () => link.trouble !== undefined);
    await link.stop();
    expect(link.trouble).toBeUndefined();
    expect(troubles.join("\n")).not.toContain("a.token");
  });

  test("waits for a token", async () => {
    token = undefined;
    const link = open();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect([asked, link.trouble]).toEqual([[], undefined]);
    token = "b.token";
    await untilUps(1);
    expect(asked).toEqual(["/hubs/market?access_token=b.token"]);
  });

  test("that is closed soon after it is let in is opened ever more slowly", async () => {
    const waits = watchSleeps();
    closesSoon = true;
    open();
    await untilUps(4);
    expect(waits.slice(0, 3)).toEqual([500, 1_000, 2_000]);
  });

  test("that stood for long is opened again at once", async () => {
    const waits = watchSleeps();
    open();
    await untilUps(1);
    for (const count of [2, 3]) {
      cut();
      await untilUps(count);
    }
    now += 61_000;
    cut();
    await untilUps(4);
    expect(waits).toEqual([500, 1_000, 500]);
  });
});
