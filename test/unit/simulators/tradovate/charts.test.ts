import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { waitUntil } from "../../../support/wait.ts";
import { type Json, TestClient, type TestSocket } from "./test-client.ts";

interface WireBar {
  readonly timestamp: string;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly upVolume: number;
  readonly downVolume: number;
}

interface WireChart {
  readonly id: number;
  readonly td?: number;
  readonly eoh?: boolean;
  readonly bars?: readonly WireBar[];
  readonly tks?: readonly { readonly t: number; readonly p: number }[];
  readonly bt?: number;
  readonly bp?: number;
}

/** A Wednesday, half a minute into a bar. */
const NOW = Date.parse("2026-11-25T15:00:30Z");
const MINUTE_MS = 60_000;

let client: TestClient;
let socket: TestSocket;

beforeEach(async () => {
  client = await TestClient.start();
  await client.control({ knob: "setClock", at: NOW });
  await client.quote(6_850);
  await client.logIn();
  socket = await client.connectMd();
});
afterEach(() => client.close());

const charts = () =>
  socket.messages
    .filter(({ e }) => e === "chart")
    .flatMap(({ d }) => (d as { charts: readonly WireChart[] }).charts);
const ask = (timeRange: Json, description: Json = {}, more: Json = {}) =>
  socket.ask("md/getChart", {
    symbol: "ESZ6",
    chartDescription: {
      underlyingType: "MinuteBar",
      elementSize: 1,
      elementSizeUnit: "UnderlyingUnits",
      ...description,
    },
    timeRange,
    ...more,
  });
const idsOf = ({ d }: { d?: unknown }) => d as { historicalId: number; realtimeId: number };
const ended = (id: number) =>
  waitUntil("the history has ended", () => charts().some((chart) => chart.id === id && chart.eoh));
const barsOf = (id: number) =>
  charts()
    .filter((chart) => chart.id === id)
    .flatMap(({ bars = [] }) => bars);
/** The history in the order of its bars. */
async function history(timeRange: Json, description: Json = {}): Promise<readonly WireBar[]> {
  const { historicalId } = idsOf(await ask(timeRange, description));
  await ended(historicalId);
  return barsOf(historicalId).toSorted((a, b) => a.timestamp.localeCompare(b.timestamp));
}
const shortly = ({ timestamp, open, high, low, close, upVolume, downVolume }: WireBar) =>
  [timestamp.slice(11, 16), open, high, low, close, upVolume + downVolume] as const;
const settings = (values: Json) => client.control({ knob: "set", ...values });
const bar = (open: number, high: number, low: number, close: number, volume = 10) => ({
  open,
  high,
  low,
  close,
  volume,
});

describe("a chart by itself", () => {
  test("has a history of made bars that ends at the price that stands", async () => {
    const bars = await history({ asMuchAsElements: 20 });
    expect(bars).toHaveLength(20);
    expect(bars.map(({ timestamp }) => Date.parse(timestamp))).toEqual(
      bars.map((_, n) => NOW - 30_000 - (19 - n) * MINUTE_MS),
    );
    for (const { open, high, low, close } of bars) {
      expect(high).toBeGreaterThanOrEqual(Math.max(open, close));
      expect(low).toBeLessThanOrEqual(Math.min(open, close));
    }
    expect(bars.slice(1).map(({ open }) => open)).toEqual(
      bars.slice(0, -1).map(({ close }) => close),
    );
    expect(bars.at(-1)).toMatchObject({ open: 6_850, close: 6_850 });
  });

  test("is the same each time, and another one of another seed", async () => {
    const range = { asMuchAsElements: 30, closestTimestamp: "2026-11-25T14:50Z" };
    const first = await history(range);
    expect(await history(range)).toEqual(first);
    await client.control({ knob: "bars", contract: "ESZ6", bars: null });
    await settings({ chartSeed: 2 });
    expect(await history(range)).not.toEqual(first);
  });

  test("has bars of several minutes that are those of one put together", async () => {
    const [small, [large]] = [
      await history({ asMuchAsElements: 15, closestTimestamp: "2026-11-25T14:59Z" }),
      await history(
        { asMuchAsElements: 1, closestTimestamp: "2026-11-25T14:59Z" },
        { elementSize: 15 },
      ),
    ];
    expect(large).toMatchObject({
      timestamp: "2026-11-25T14:45:00.000Z",
      open: small[0]?.open,
      close: small.at(-1)?.close,
      high: Math.max(...small.map(({ high }) => high)),
      low: Math.min(...small.map(({ low }) => low)),
    });
  });

  test("grows with the quotes, and begins the next bar", async () => {
    const { historicalId, realtimeId } = idsOf(await ask({ asMuchAsElements: 1 }));
    await ended(historicalId);
    await client.quote(6_852);
    await client.quote(6_849);
    await waitUntil("it has grown", () => barsOf(realtimeId).at(-1)?.close === 6_849);
    expect(barsOf(realtimeId).at(-1)).toMatchObject({
      timestamp: "2026-11-25T15:00:00.000Z",
      open: 6_850,
      high: 6_852,
      low: 6_849,
    });
    await client.control({ knob: "advance", ms: MINUTE_MS });
    const next = "2026-11-25T15:01:00.000Z";
    await waitUntil("the next has begun", () => barsOf(realtimeId).at(-1)?.timestamp === next);
    expect(barsOf(realtimeId).at(-1)).toMatchObject({ open: 6_849, close: 6_849 });
  });

  test("goes back two weeks in minutes, and a year in days", async () => {
    await settings({ chartMaxElements: 100_000, chartPacketSize: 5_000 });
    const hours = await history({ asFarAsTimestamp: "2026-01-01T00:00Z" }, { elementSize: 60 });
    expect(hours[0]?.timestamp).toBe("2026-11-11T15:00:00.000Z");
    const days = await history({ asMuchAsElements: 200 }, { underlyingType: "DailyBar" });
    expect(days).toHaveLength(200);
    // A trade day begins at 17:00 in Chicago on the evening before.
    expect(days.at(-1)?.timestamp).toBe("2026-11-24T23:00:00.000Z");
    const today = charts().find(({ bars }) => bars?.[0]?.timestamp === days.at(-1)?.timestamp);
    expect(today?.td).toBe(20_261_125);
  });

  test("may leave out the hours at which the exchange is closed", async () => {
    await settings({ chartHours: "globex" });
    const bars = await history(
      { asFarAsTimestamp: "2026-11-20T21:00Z", closestTimestamp: "2026-11-23T00:00Z" },
      { elementSize: 60 },
    );
    expect(bars.map(({ timestamp }) => timestamp.slice(0, 16))).toEqual([
      "2026-11-20T21:00",
      "2026-11-22T23:00",
      "2026-11-23T00:00",
    ]);
  });

  test("of ticks has prices and times as distances", async () => {
    const { historicalId, realtimeId } = idsOf(
      await ask({ asMuchAsElements: 8 }, { underlyingType: "Tick" }),
    );
    await ended(historicalId);
    await client.quote(6_851);
    const own = (id: number) => charts().filter((chart) => chart.id === id && chart.tks);
    await waitUntil("it ticks", () => own(realtimeId).some(({ bp }) => bp === 6_851 * 4));
    expect(own(historicalId).flatMap(({ tks = [] }) => tks)).toHaveLength(8);
    expect(own(historicalId)[0]).toMatchObject({ s: "db", ts: 0.25, td: 20_261_125 });
  });
});

describe("bars by hand", () => {
  beforeEach(() =>
    client.control({
      knob: "bars",
      contract: "ESZ6",
      minutes: 1,
      bars: [bar(100, 104, 98, 102), null, bar(104, 108, 104, 104), bar(104, 112, 96, 100)],
    }),
  );

  test("are all there is, with a gap where nothing traded", async () => {
    expect((await history({ asMuchAsElements: 10 })).map(shortly)).toEqual([
      ["14:56", 25, 26, 24.5, 25.5, 10],
      ["14:58", 26, 27, 26, 26, 10],
      ["14:59", 26, 28, 24, 25, 10],
    ]);
    expect((await history({ asMuchAsElements: 10 }, { elementSize: 5 })).map(shortly)).toEqual([
      ["14:55", 25, 28, 24, 25, 30],
    ]);
  });

  test("are followed by the quotes that are set, and by nothing else", async () => {
    const { realtimeId, historicalId } = idsOf(await ask({ asMuchAsElements: 10 }));
    await ended(historicalId);
    await client.quote(25.5);
    await client.quote(25);
    await waitUntil("it has grown", () => barsOf(realtimeId).length === 2);
    expect(barsOf(realtimeId).map(shortly)).toEqual([
      ["15:00", 25.5, 25.5, 25.5, 25.5, 1],
      ["15:00", 25.5, 25.5, 25, 25, 2],
    ]);
    expect((await history({ asMuchAsElements: 1 })).map(shortly)).toEqual([
      ["15:00", 25.5, 25.5, 25, 25, 2],
    ]);
    await settings({ chartHistoryHasOpenBar: false });
    expect((await history({ asMuchAsElements: 1 })).map(shortly)).toEqual([
      ["14:59", 26, 28, 24, 25, 10],
    ]);
  });

  test("of a size that no bar has come to nothing, and their last may be the open one", async () => {
    const one = { knob: "bars", contract: "MESZ6", minutes: 5, bars: [bar(4, 8, 4, 8)] } as const;
    await client.control({ ...one, lastIsOpen: true });
    const of = async (elementSize: number) => {
      const asked = await ask({ asMuchAsElements: 5 }, { elementSize }, { symbol: "MESZ6" });
      await ended(idsOf(asked).historicalId);
      return barsOf(idsOf(asked).historicalId).map(shortly);
    };
    expect(await of(1)).toEqual([]);
    expect(await of(5)).toEqual([["15:00", 1, 2, 1, 2, 10]]);
    expect(await of(15)).toEqual([["15:00", 1, 2, 1, 2, 10]]);
  });

  test("lose what lies in a gap", async () => {
    const from = Date.parse("2026-11-25T14:58Z");
    await client.control({ knob: "gap", contract: "ESZ6", from, to: from + MINUTE_MS });
    expect((await history({ asMuchAsElements: 10 })).map((each) => shortly(each)[0])).toEqual([
      "14:56",
      "14:59",
    ]);
  });

  test.each([
    [{ asMuchAsElements: 2, closestTimestamp: "2026-11-25T14:58Z" }, ["14:56", "14:58"]],
    [{ asMuchAsElements: 2, asFarAsTimestamp: "2026-11-25T14:59Z" }, ["14:59"]],
    [{ asFarAsTimestamp: "2026-11-25T14:57Z", closestTimestamp: "2026-11-25T14:58Z" }, ["14:58"]],
    [{ asFarAsTimestamp: "2026-11-25T14:57Z" }, ["14:58", "14:59"]],
    [{ asMuchAsElements: 0 }, []],
  ])("are limited by all limits at once: %j", async (range, times) => {
    expect((await history(range)).map((each) => shortly(each)[0])).toEqual(times);
  });
});

describe("a history", () => {
  test("comes in packets, out of order, of one trade date each, then its end", async () => {
    await settings({ chartPacketSize: 4, chartMaxElements: 10 });
    for (const [chartPackets, firsts] of [
      ["inOrder", ["14:51", "14:55", "14:59"]],
      ["newestFirst", ["14:59", "14:55", "14:51"]],
      ["mixed", ["14:55", "14:51", "14:59"]],
    ] as const) {
      await settings({ chartPackets });
      const { historicalId } = idsOf(await ask({ asMuchAsElements: 100 }));
      await ended(historicalId);
      const own = charts().filter(({ id }) => id === historicalId);
      expect(own.at(-1)).toEqual({ id: historicalId, eoh: true });
      expect(own.flatMap(({ bars }) => bars?.[0]?.timestamp.slice(11, 16) ?? [])).toEqual(firsts);
    }
  });

  test("may never end, come late, before its answer, or in one message", async () => {
    await settings({ chartTellsEnd: false, chartHistoryBeforeAnswer: true });
    const { historicalId } = idsOf(await ask({ asMuchAsElements: 3 }));
    const first = socket.messages.findIndex(({ e }) => e === "chart");
    expect(first).toBeLessThan(socket.messages.findIndex(({ i }) => i === 101));
    expect(charts().some(({ eoh }) => eoh)).toBe(false);
    expect(barsOf(historicalId)).toHaveLength(3);
    await settings({
      chartTellsEnd: true,
      chartHistoryBeforeAnswer: false,
      chartHistoryDelayMs: 30,
      chartPacketsPerMessage: 50,
      chartPacketSize: 1,
    });
    const before = socket.messages.length;
    const answer = await ask({ asMuchAsElements: 3 });
    await ended(idsOf(answer).historicalId);
    const after = socket.messages.slice(before);
    const answeredAt = after.findIndex(({ i }) => i === answer.i);
    expect(answeredAt).toBeLessThan(after.findIndex(({ e }) => e === "chart"));
    const told = socket.messages.slice(before).filter(({ d }) => JSON.stringify(d).includes("eoh"));
    expect(told.map(({ d }) => (d as { charts: readonly object[] }).charts.length)).toEqual([4]);
  });
});

describe("the official examples", () => {
  const units = { elementSizeUnit: "UnderlyingUnits", withHistogram: false };
  const bars = { ...units, underlyingType: "MinuteBar" };
  const ticks = { ...units, underlyingType: "Tick", elementSize: 1 };

  test.each<[string, Json, Json]>([
    ["EX-10, half hours", { ...bars, elementSize: 30 }, { asMuchAsElements: 66 }],
    [
      "EX-11, by days",
      { ...units, underlyingType: "DailyBar", elementSize: 1 },
      { asMuchAsElements: 20 },
    ],
    ["the tick chart", ticks, { asMuchAsElements: 20 }],
    [
      "the request reference, which limits a range in every way at once",
      { ...bars, elementSize: 15 },
      {
        closestTimestamp: "2026-11-25T14:33Z",
        closestTickId: 123,
        asFarAsTimestamp: "2026-11-24T11:33Z",
        asMuchAsElements: 66,
      },
    ],
  ])("are served: %s", async (_, description, timeRange) => {
    const answer = await ask(timeRange, description);
    expect(answer.s).toBe(200);
    const { historicalId, realtimeId } = idsOf(answer);
    expect(new Set([historicalId, realtimeId]).size).toBe(2);
    await ended(historicalId);
    const told = charts().filter(({ id }) => id === historicalId);
    const count = told.reduce((sum, { bars: some, tks }) => sum + (some ?? tks ?? []).length, 0);
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(66);
    expect((await socket.ask("md/cancelChart", { subscriptionId: realtimeId })).s).toBe(200);
  });
});

describe("a request for a chart", () => {
  test("may ask by the contract's id, and be told a subscription too", async () => {
    await settings({ chartTellsSubscriptionId: true });
    const { id } = await client.get("contract/find?name=ESZ6");
    const { d } = await ask({ asMuchAsElements: 1 }, {}, { symbol: undefined, contractId: id });
    const { realtimeId } = idsOf({ d });
    expect(d).toEqual({ subscriptionId: realtimeId, realtimeId, historicalId: realtimeId + 1 });
  });

  test("is refused in words where it cannot be served", async () => {
    const wrong = async (timeRange: Json, description: Json = {}, more: Json = {}) =>
      (await ask(timeRange, description, more)).d;
    const some = { asMuchAsElements: 1 };
    expect(await wrong(some, {}, { symbol: "XXZ6" })).toEqual({
      errorText: "Symbol is inaccessible",
      errorCode: "UnknownSymbol",
      mode: "None",
    });
    for (const description of [
      { elementSize: 0.25 },
      { elementSizeUnit: "Renko" },
      { underlyingType: "DailyBar", elementSize: 2 },
      { underlyingType: "Custom" },
    ]) {
      expect(await wrong(some, description)).toMatchObject({
        errorText: "Unsupported chart description",
      });
    }
    expect(await wrong({})).toMatchObject({ errorText: "Incorrect time range" });
    expect((await socket.ask("md/getChart", { symbol: "ESZ6" })).s).toBe(400);
    expect(await wrong(some, { withHistogram: true })).toHaveProperty("realtimeId");
    await settings({ chartHistogram: "refused" });
    expect(await wrong(some, { withHistogram: true })).toHaveProperty("errorText");
  });

  test.each([
    ["epoch", "14:40"],
    ["session", "14:10"],
  ] as const)("may count bars of several minutes from the %s", async (chartAlign, start) => {
    await settings({ chartAlign });
    const [last] = await history({ asMuchAsElements: 1 }, { elementSize: 70 });
    expect(last?.timestamp.slice(11, 16)).toBe(start);
  });

  test.each([
    ["realtimeId", 200, 404],
    ["historicalId", 404, 200],
    ["either", 200, 200],
  ] as const)("is cancelled by its %s", async (chartCancelBy, byRealtime, byHistorical) => {
    await settings({ chartCancelBy });
    const cancel = async (name: "realtimeId" | "historicalId") => {
      const ids = idsOf(await ask({ asMuchAsElements: 1 }));
      await ended(ids.historicalId);
      const { s } = await socket.ask("md/cancelChart", { subscriptionId: ids[name] });
      const before = barsOf(ids.realtimeId).length;
      await client.quote(6_860);
      await socket.settle();
      expect(barsOf(ids.realtimeId).length > before).toBe(s !== 200);
      return s;
    };
    expect(await cancel("realtimeId")).toBe(byRealtime);
    expect(await cancel("historicalId")).toBe(byHistorical);
  });
});
