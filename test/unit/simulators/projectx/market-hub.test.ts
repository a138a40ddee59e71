import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { waitUntil } from "../../../support/wait.ts";
import { ESZ6, type Json, type RawHub, TestClient } from "./test-client.ts";

let client: TestClient;

beforeEach(async () => {
  client = await TestClient.start();
  await client.logIn();
  await client.quote(6_850);
});
afterEach(() => client.close());

const watch = async (what: "Quotes" | "Trades" | "MarketDepth"): Promise<RawHub> => {
  const hub = await client.connect("market");
  await hub.call(`SubscribeContract${what}`, ESZ6);
  await hub.settle();
  return hub;
};
const payloads = (hub: RawHub, target: string): readonly Json[] =>
  hub.told.filter((event) => event.target === target).map(({ args }) => args[1] as Json);

describe("quotes", () => {
  test("come whole at first, and name only what has changed then", async () => {
    const hub = await watch("Quotes");
    await client.quote(6_850, 6_851);
    await hub.settle();
    const [first, second] = payloads(hub, "GatewayQuote");
    expect(hub.told[0]?.args[0]).toBe(ESZ6);
    expect(first).toMatchObject({
      symbol: "F.US.EP",
      symbolName: "/ES",
      bestBid: 6_850,
      bestAsk: 6_850.25,
      lastPrice: 6_850,
      volume: 0,
    });
    expect(Object.keys(second ?? {}).sort()).toEqual([
      "bestAsk",
      "lastUpdated",
      "symbol",
      "timestamp",
    ]);
    expect(second).toMatchObject({ bestAsk: 6_851 });
  });

  test("are repeated while nothing changes", async () => {
    const hub = await watch("Quotes");
    await waitUntil("one is repeated", () => payloads(hub, "GatewayQuote").length > 1);
    expect(payloads(hub, "GatewayQuote").at(-1)).toMatchObject({
      bestBid: 6_850,
      bestAsk: 6_850.25,
      lastPrice: 6_850,
    });
  });

  test("come whole each time, in lists, or without some fields", async () => {
    await client.control({
      knob: "set",
      sparseQuotes: false,
      quotesInArrays: true,
      quoteOmits: ["bestBid"],
    });
    const hub = await watch("Quotes");
    await client.quote(6_850, 6_851);
    await hub.settle();
    const [, second] = hub.told.map(({ args }) => args[1]);
    expect(second).toEqual([expect.objectContaining({ bestAsk: 6_851, open: 6_850 })]);
    expect(second).not.toEqual([expect.objectContaining({ bestBid: 6_850 })]);
  });

  test("begin with a change where the standing one is not told", async () => {
    await client.control({ knob: "set", quotesOnSubscribe: false });
    const hub = await watch("Quotes");
    expect(payloads(hub, "GatewayQuote")).toEqual([]);
    await client.quote(6_851);
    await hub.settle();
    expect(payloads(hub, "GatewayQuote")).toMatchObject([{ bestBid: 6_851 }]);
  });

  test("stand still for a user, and go on", async () => {
    const hub = await watch("Quotes");
    await client.control({ knob: "freezeQuotes", contract: "ESZ6", user: "joe" });
    await client.quote(6_852);
    await hub.settle();
    expect(payloads(hub, "GatewayQuote")).toHaveLength(1);
    await client.control({ knob: "freezeQuotes", user: "joe", isFrozen: false });
    await client.quote(6_853);
    await hub.settle();
    // What was held back counts as never told.
    expect(payloads(hub, "GatewayQuote").at(-1)).toMatchObject({ bestBid: 6_853, high: 6_853 });
  });

  test("end when they are not wanted any more", async () => {
    const hub = await watch("Quotes");
    await hub.call("UnsubscribeContractQuotes", ESZ6);
    await client.quote(6_852);
    await hub.settle();
    expect(payloads(hub, "GatewayQuote")).toHaveLength(1);
  });

  test("of what does not trade never come, and nothing says so", async () => {
    const hub = await client.connect("market");
    expect(await hub.call("SubscribeContractQuotes", "CON.F.US.XX.Z26")).toMatchObject({
      result: null,
    });
    expect(await hub.call("SubscribeContractQuotes", 7)).toMatchObject({
      error: "Failed to invoke 'SubscribeContractQuotes' due to an error on the server.",
    });
    await hub.settle();
    expect(hub.told).toEqual([]);
  });
});

describe("trades and the top of the book", () => {
  test("come as they are made", async () => {
    const hub = await watch("Trades");
    await client.place({ size: 3 });
    await hub.settle();
    expect(payloads(hub, "GatewayTrade")).toMatchObject([
      { symbolId: "F.US.EP", price: 6_850.25, type: 0, volume: 3 },
    ]);
  });

  test("a trade moves the last price and the volume", async () => {
    const hub = await watch("Quotes");
    await client.place({ size: 3 });
    await hub.settle();
    expect(payloads(hub, "GatewayQuote").at(-1)).toMatchObject({
      lastPrice: 6_850.25,
      volume: 3,
      high: 6_850.25,
    });
  });

  test("the book's best bid and ask come one by one, or in a list", async () => {
    const hub = await watch("MarketDepth");
    expect(payloads(hub, "GatewayDepth")).toMatchObject([
      { type: 4, price: 6_850, volume: 1_000 },
      { type: 3, price: 6_850.25, volume: 1_000 },
    ]);
    await client.control({ knob: "set", quotesInArrays: true });
    await client.quote(6_851);
    await hub.settle();
    expect(payloads(hub, "GatewayDepth").at(-1)).toMatchObject([{ type: 4 }, { type: 3 }]);
  });
});

describe("bars", () => {
  const NOW = Date.now();
  /** Before the minute that runs: no bar is added while a test compares two answers. */
  const ENDED = NOW - (NOW % 60_000) - 1_000;
  const bars = async (asked: Json = {}): Promise<Json> =>
    await client.post("History/retrieveBars", {
      contractId: ESZ6,
      live: false,
      startTime: new Date(NOW - 3_600_000).toISOString(),
      endTime: new Date(ENDED).toISOString(),
      unit: 2,
      unitNumber: 1,
      limit: 100,
      includePartialBar: false,
      ...asked,
    });
  const listOf = ({ bars: list }: Json) => list as readonly (Json & { readonly t: string })[];

  test("have a past from the first look, newest first, and stay the same", async () => {
    const first = listOf(await bars());
    expect(first.length).toBeGreaterThan(50);
    expect(first.map(({ t }) => t)).toEqual(
      first
        .map(({ t }) => t)
        .sort()
        .reverse(),
    );
    expect(first[0]).toEqual({
      t: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\+00:00$/) as string,
      o: expect.any(Number) as number,
      h: expect.any(Number) as number,
      l: expect.any(Number) as number,
      c: expect.any(Number) as number,
      v: expect.any(Number) as number,
    });
    expect(listOf(await bars())).toEqual(first);
    await client.control({ knob: "set", barsNewestFirst: false });
    expect(listOf(await bars())).toEqual([...first].reverse());
  });

  test("are the newest so many of a span, in minutes, hours, days and seconds", async () => {
    const newest = listOf(await bars({ limit: 3 }));
    expect(newest).toEqual(listOf(await bars()).slice(0, 3));
    const five = listOf(await bars({ unitNumber: 5, limit: 2 }));
    expect(five.every(({ t }) => Number(t.slice(14, 16)) % 5 === 0)).toBe(true);
    const startTime = new Date(NOW - 5 * 86_400_000).toISOString();
    expect(listOf(await bars({ unit: 3, startTime })).length).toBeGreaterThan(20);
    expect(listOf(await bars({ unit: 4, startTime })).length).toBeGreaterThan(2);
    expect(listOf(await bars({ unit: 1, includePartialBar: true })).length).toBeGreaterThan(0);
  });

  test("that are not over are left out unless they are wanted", async () => {
    // Its minute must not end meanwhile.
    const leftMs = 60_000 - (Date.now() % 60_000);
    if (leftMs < 20_000) await client.control({ knob: "advance", ms: leftMs });
    const endTime = new Date(Date.now() + 120_000).toISOString();
    await client.control({
      knob: "bars",
      contract: "ESZ6",
      minutes: 1,
      bars: [bar(100), bar(200)],
      lastIsOpen: true,
    });
    expect(listOf(await bars({ endTime }))).toMatchObject([{ c: 25 }]);
    const all = await bars({ endTime, includePartialBar: true });
    expect(listOf(all)).toMatchObject([{ c: 50 }, { c: 25 }]);
  });

  test("are refused in the documents' codes", async () => {
    expect(await bars({ contractId: "CON.F.US.XX.Z26" })).toMatchObject({ errorCode: 1 });
    expect(await bars({ unit: 9 })).toMatchObject({ errorCode: 2 });
    expect(await bars({ unitNumber: 0 })).toMatchObject({ errorCode: 3 });
    expect(await bars({ limit: 20_001 })).toMatchObject({ errorCode: 4, success: false });
  });

  test("have a budget of their own", async () => {
    await client.control({ knob: "set", barsPerHalfMinute: 2 });
    await bars();
    await bars();
    expect((await client.request("History/retrieveBars", {})).status).toBe(429);
    await client.post("Account/search", { onlyActiveAccounts: true });
  });

  test("are none where live ones are not paid for", async () => {
    expect(listOf(await bars({ live: true })).length).toBeGreaterThan(0);
    await client.control({ knob: "set", liveBars: "empty" });
    expect(listOf(await bars({ live: true }))).toEqual([]);
    expect(listOf(await bars()).length).toBeGreaterThan(0);
  });
});

const bar = (price: number) => ({ open: price, high: price, low: price, close: price });
