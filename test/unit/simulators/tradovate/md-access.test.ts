import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { waitUntil } from "../../../support/wait.ts";
import { type Json, TestClient, type TestSocket } from "./test-client.ts";

interface Quoted {
  readonly contractId: number;
  readonly entries: Json;
}

let client: TestClient;

beforeEach(async () => {
  client = await TestClient.start();
  await client.quote(6_850);
});
afterEach(() => client.close());

const set = (values: Json) => client.control({ knob: "set", user: "joe", ...values });
const quotesOf = (socket: TestSocket) =>
  socket.messages
    .filter(({ e }) => e === "md")
    .map(({ d }) => (d as { quotes: readonly Quoted[] }).quotes);
const CHART = {
  symbol: "ESZ6",
  chartDescription: {
    underlyingType: "MinuteBar",
    elementSize: 1,
    elementSizeUnit: "UnderlyingUnits",
  },
  timeRange: { asMuchAsElements: 5 },
};
const INACCESSIBLE = {
  errorText: "Symbol is inaccessible",
  errorCode: "UnknownSymbol",
  mode: "None",
};

describe("without market data", () => {
  test("a socket is authorised, and each symbol is refused", async () => {
    await set({ mdAccess: "inaccessible" });
    expect(await client.logIn()).toMatchObject({ hasMarketData: false });
    const md = await client.connectMd();
    expect(await md.answerOf(1)).toEqual({ s: 200, i: 1 });
    for (const [endpoint, body] of [
      ["md/subscribeQuote", { symbol: "ESZ6" }],
      ["md/subscribeDOM", { symbol: "ESZ6" }],
      ["md/getChart", CHART],
    ] as const) {
      expect(await md.ask(endpoint, body)).toMatchObject({ s: 200, d: INACCESSIBLE });
    }
    await client.quote(6_860);
    await md.settle();
    expect(quotesOf(md)).toEqual([]);
  });

  test("those of some exchanges may be left", async () => {
    await set({ mdExchanges: ["NYMEX"] });
    await client.logIn();
    const md = await client.connectMd();
    expect((await md.ask("md/subscribequote", { symbol: "ESZ6" })).d).toEqual(INACCESSIBLE);
    const { d } = await md.ask("md/subscribequote", { symbol: "NGZ6" });
    expect(d).toHaveProperty("subscriptionId");
  });

  test("a socket may be refused", async () => {
    await set({ mdAccess: "refused" });
    await client.logIn();
    const md = await client.connectMd();
    expect(await md.answerOf(1)).toEqual({ s: 401, i: 1, d: "Access is denied" });
    await client.sync();
  });

  test("a login and a renewal may give no token for it", async () => {
    await set({ mdAccess: "noToken" });
    expect(await client.logIn()).not.toHaveProperty("mdAccessToken");
    expect(await client.get("auth/renewaccesstoken")).not.toHaveProperty("mdAccessToken");
    expect((await (await client.connectMd(client.token)).answerOf(1)).s).toBe(200);
    await set({ mdTakesAccessToken: false });
    expect((await (await client.connectMd(client.token)).answerOf(1)).s).toBe(401);
  });

  test("there may be no such endpoints", async () => {
    await set({ mdAccess: "noRoutes" });
    await client.logIn();
    const md = await client.connectMd();
    expect((await md.ask("md/subscribequote", { symbol: "ESZ6" })).s).toBe(404);
    expect((await md.ask("md/getchart", CHART)).s).toBe(404);
  });
});

describe("quotes", () => {
  let md: TestSocket;
  beforeEach(async () => {
    await client.logIn();
    md = await client.connectMd();
  });
  const subscribe = (symbol: string) => md.ask("md/subscribequote", { symbol });

  test("stop for one contract, while the heartbeat goes on", async () => {
    await client.control({ knob: "set", heartbeatMs: 50 });
    const { d } = await subscribe("ESZ6");
    const { subscriptionId: id } = d as { subscriptionId: number };
    await subscribe("NQZ6");
    await client.control({ knob: "freezeQuotes", contract: "ESZ6" });
    await md.settle();
    const before = quotesOf(md).length;
    await client.quote(6_860);
    const isAlive = () => md.frames.at(-1) === "h" && quotesOf(md).length > before + 1;
    await waitUntil("the other one goes on", isAlive);
    expect(
      quotesOf(md)
        .slice(before)
        .flat()
        .map(({ contractId }) => contractId),
    ).not.toContain(id);
    await client.control({ knob: "freezeQuotes", contract: "ESZ6", isFrozen: false });
    const thawed = quotesOf(md).length;
    const isBack = () =>
      quotesOf(md)
        .slice(thawed)
        .flat()
        .some(({ contractId }) => contractId === id);
    await waitUntil("it goes on", isBack);
  });

  test("stop while a chart grows", async () => {
    await subscribe("ESZ6");
    await md.ask("md/getchart", CHART);
    await client.control({ knob: "freezeQuotes", user: "joe", channels: ["quotes"] });
    await md.settle();
    const [quotes, messages] = [quotesOf(md).length, md.messages.length];
    await client.quote(6_860);
    await md.settle();
    expect(quotesOf(md).length).toBe(quotes);
    expect(md.messages.slice(messages).some(({ e }) => e === "chart")).toBe(true);
  });

  test("may have no bid and no trade", async () => {
    await set({ quoteOmits: ["Bid", "Trade"] });
    await subscribe("ESZ6");
    expect(Object.keys(quotesOf(md)[0]?.[0]?.entries ?? {})).toEqual(["Offer", "TotalTradeVolume"]);
  });

  test("may come several in a message", async () => {
    await set({ bundlesQuotes: true });
    await subscribe("ESZ6");
    await subscribe("NQZ6");
    await client.quote(6_860);
    await md.settle();
    expect(quotesOf(md).at(-1)).toHaveLength(2);
  });

  test("may be lost, the next few or all", async () => {
    await client.control({ knob: "loseEvents", user: "joe", count: 1, socket: "md" });
    await subscribe("ESZ6");
    await md.settle();
    expect(quotesOf(md)).toEqual([]);
    await client.quote(6_860);
    await md.settle();
    expect(quotesOf(md).length).toBeGreaterThan(0);
    await set({ losesMarketData: ["quotes"] });
    const before = quotesOf(md).length;
    await client.quote(6_870);
    await md.settle();
    expect(quotesOf(md).length).toBe(before);
  });
});
