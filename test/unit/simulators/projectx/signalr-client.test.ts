import {
  HttpTransportType,
  type HubConnection,
  HubConnectionBuilder,
  LogLevel,
} from "@microsoft/signalr";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { waitUntil } from "../../../support/wait.ts";
import { ESZ6, type Json, TestClient } from "./test-client.ts";

let client: TestClient;
const connections: HubConnection[] = [];

beforeEach(async () => {
  client = await TestClient.start();
  await client.logIn();
});
afterEach(async () => {
  for (const connection of connections.splice(0)) await connection.stop();
  await client.close();
});

interface Listening {
  readonly connection: HubConnection;
  readonly heard: unknown[][];
  readonly closes: (Error | undefined)[];
}

/** SignalR's own client, as the documents' example sets it up. */
function listen(hub: "user" | "market", skipNegotiation = true): Listening {
  const connection = new HubConnectionBuilder()
    .withUrl(`${client.url}/hubs/${hub}?access_token=${client.token}`, {
      skipNegotiation,
      transport: HttpTransportType.WebSockets,
      accessTokenFactory: () => client.token,
    })
    .configureLogging(LogLevel.None)
    .build();
  connections.push(connection);
  const [heard, closes]: [unknown[][], (Error | undefined)[]] = [[], []];
  for (const name of ["Account", "Order", "Position", "Trade"]) {
    connection.on(`GatewayUser${name}`, (...args: unknown[]) => heard.push([name, ...args]));
  }
  for (const name of ["Quote", "Trade", "Depth"]) {
    connection.on(`Gateway${name}`, (...args: unknown[]) => heard.push([name, ...args]));
  }
  connection.onclose((cause) => closes.push(cause));
  return { connection, heard, closes };
}

describe("SignalR's own client", () => {
  test.each([true, false])("hears of an order, skipping negotiation: %s", async (skips) => {
    const { connection, heard } = listen("user", skips);
    await connection.start();
    await connection.invoke("SubscribeAccounts");
    for (const what of ["Orders", "Positions", "Trades"]) {
      await connection.invoke(`Subscribe${what}`, client.account);
    }
    const { orderId } = await client.place();
    await waitUntil("the trade is told", () => heard.some(([name]) => name === "Trade"));
    const [, trade] = heard.find(([name]) => name === "Trade") ?? [];
    expect(trade).toMatchObject({ action: 0, data: { orderId } as Json });
  });

  test("hears quotes", async () => {
    const { connection, heard } = listen("market");
    await connection.start();
    await connection.invoke("SubscribeContractQuotes", ESZ6);
    await client.quote(6_900);
    await waitUntil("the quote is told", () => heard.length > 1);
    expect(heard[1]).toMatchObject(["Quote", ESZ6, { bestBid: 6_900 }]);
  });

  test.each(["joined", "fragmented"] as const)("reads frames that are %s", async (framing) => {
    await client.control({ knob: "set", framing });
    const { connection, heard } = listen("user");
    await connection.start();
    await connection.invoke("SubscribeOrders", client.account);
    await client.place();
    await waitUntil("the order is told", () => heard.length > 1);
    expect(heard[0]).toMatchObject(["Order", { action: 0, data: { status: 6 } }]);
  });

  test("is told why a call fails", async () => {
    await client.control({ knob: "set", refusesCalls: ["SubscribeOrders"] });
    const { connection } = listen("user");
    await connection.start();
    await expect(connection.invoke("SubscribeOrders", client.account)).rejects.toThrow(
      "Failed to invoke 'SubscribeOrders'",
    );
    await expect(connection.invoke("Nonsense")).rejects.toThrow("Unknown hub method");
  });

  test("stays while it is pinged, and gives a silent hub up", async () => {
    await client.control({ knob: "set", pingMs: 50 });
    const { connection, closes } = listen("user");
    // Longer than this process is ever stopped: the client would take that for silence.
    connection.serverTimeoutInMilliseconds = 3_000;
    await connection.start();
    const from = performance.now();
    await waitUntil("it has outlived that time", () => performance.now() - from > 3_300);
    expect(closes).toEqual([]);
    await client.control({ knob: "halfOpen", user: "joe" });
    await waitUntil("it has given up", () => closes.length > 0);
    expect(closes[0]?.message).toMatch(/timeout/i);
  });

  test("is closed in words, and turned away without a token", async () => {
    const { connection, closes } = listen("user");
    await connection.start();
    await client.control({ knob: "closeHubs", user: "joe", error: "Away" });
    await waitUntil("it is closed", () => closes.length > 0);
    expect(closes[0]?.message).toContain("Away");
    client.token = "x";
    await expect(listen("user").connection.start()).rejects.toThrow("WebSocket failed to connect");
  });

  test("gives the connection up for a record that cannot be read", async () => {
    await client.control({ knob: "set", unreadable: "noJson" });
    const { connection, closes } = listen("user");
    await connection.start();
    await connection.invoke("SubscribeOrders", client.account);
    await client.place();
    await waitUntil("it has given up", () => closes.length > 0);
    expect(closes[0]?.message).toMatch(/JSON/);
  });
});
