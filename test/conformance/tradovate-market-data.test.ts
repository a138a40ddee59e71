import { describe, expect, test } from "vitest";
import type { TradovateSettings } from "../../src/brokers/tradovate/config.ts";
import type { Quote } from "../../src/domain/quote.ts";
import { BrokerReadError } from "../../src/trading/ports.ts";
import type { Settings } from "../simulators/tradovate/settings.ts";
import { endWithTest } from "../support/side-by-side.ts";
import { waitUntil } from "../support/wait.ts";
import { clearOfBarEnd } from "./bar-end.ts";
import { tradovateCases, type TradovateCase } from "./tradovate-case.ts";
import type { KitDeps } from "./tradovate-kit.ts";

const { connected, prepared, wire } = tradovateCases();

const HOW_TO_GET = /permission "Market Data: Read".*sub-vendor/;
const BARS = { minutes: 5, count: 10 } as const;

/** Someone who watches a contract, and what he was told. */
function watch({ trader }: TradovateCase, contract = trader.broker.contract) {
  const quotes: Quote[] = [];
  const end = trader.adapter.prices?.watch(contract, (quote) => quotes.push(quote));
  endWithTest(() => end?.());
  return {
    quotes,
    end: () => end?.(),
    last: () => quotes.at(-1),
    until: (bid: number) =>
      waitUntil(`a bid of ${bid} is told`, () => quotes.at(-1)?.bid?.px === bid),
  };
}

const missing = ({ trader }: TradovateCase) => trader.adapter.prices?.missing();

const untilMissing = (given: TradovateCase, words: RegExp) =>
  waitUntil(`it is said that ${words}`, () => words.test(missing(given) ?? ""));

const readBars = ({ trader }: TradovateCase) =>
  trader.adapter.prices?.bars({ contract: trader.broker.contract, ...BARS });

/** How often a user has asked for something by sockets. */
async function askedFor({ broker }: TradovateCase, endpoint: string): Promise<number> {
  const own = (await wire()).filter(({ dir, user }) => dir === "in" && user === broker.user);
  return own.filter(({ text }) => text.startsWith(endpoint)).length;
}

/** How often the broker has answered a user who looked for a contract. */
async function lookUps({ broker }: TradovateCase): Promise<number> {
  const own = (await wire()).filter(({ dir, user }) => dir === "out" && user === broker.user);
  return own.filter(({ path = "" }) => path.toLowerCase().includes("contract/find")).length;
}

/** Orders go and are told in the session that there was from the beginning. */
async function ordersGoOn({ trader }: TradovateCase): Promise<void> {
  const before = await trader.netQty();
  const { orderId } = await trader.place();
  await trader.waitForReport(orderId, "TRADE");
  await trader.waitForPosition(before + 1);
  expect((await trader.closeOut()).kind).toBe("accepted");
  await trader.waitForPosition(0);
  expect(trader.isWhole).toBe(true);
}

async function refusedWith(settings: Partial<Settings>): Promise<TradovateCase> {
  const given = await prepared();
  await given.set(settings);
  await given.trader.connect();
  await given.trader.market(999, 1_000);
  return given;
}

describe.concurrent("quotes", () => {
  test("stand at once and follow the market, by one subscription for all who watch", async () => {
    const begunAt = Date.now();
    const given = await connected();
    const first = watch(given);
    await first.until(999);
    const second = watch(given);
    await second.until(999);
    expect(first.last()).toMatchObject({ bid: { px: 999 }, ask: { px: 1_000 } });
    expect(first.last()?.toldAt).toBeGreaterThan(begunAt - 1_000);
    expect(first.last()?.toldAt).toBeLessThanOrEqual(Date.now() + 1_000);
    await given.trader.market(1_001, 1_003);
    await Promise.all([first.until(1_001), second.until(1_001)]);
    expect(first.last()).toMatchObject({ ask: { px: 1_003 } });
    expect(await askedFor(given, "md/subscribeQuote")).toBe(1);
    expect(missing(given)).toBeUndefined();
    first.end();
    await given.trader.market(1_002, 1_003);
    await second.until(1_002);
    expect(first.last()?.bid?.px).toBe(1_001);
    expect(await askedFor(given, "md/unsubscribeQuote")).toBe(0);
    second.end();
    const isEnded = async () => (await askedFor(given, "md/unsubscribeQuote")) === 1;
    await waitUntil("the subscription is ended", isEnded);
    await ordersGoOn(given);
  });

  test("nobody who watches nothing opens a socket for it", async () => {
    const given = await connected();
    await ordersGoOn(given);
    expect(await askedFor(given, "md/")).toBe(0);
    expect(missing(given)).toBeUndefined();
  });

  test("a side that is not told is none, and the other ones go on", async () => {
    const given = await connected();
    await given.set({ quoteOmits: ["Offer"] });
    const watched = watch(given);
    await watched.until(999);
    expect(watched.last()).not.toHaveProperty("ask");
  });

  test("a price that messages leave out ages by itself", async () => {
    const given = await connected();
    const watched = watch(given);
    await watched.until(999);
    await given.set({ quoteOmits: ["Trade"] });
    const leftOutAt = Date.now();
    await waitUntil("time has gone by", () => Date.now() > leftOutAt);
    await given.trader.market(1_001, 1_002);
    await watched.until(1_001);
    expect(watched.last()?.last?.heardAt).toBeLessThanOrEqual(leftOutAt);
    expect(watched.last()?.bid?.heardAt).toBeGreaterThan(leftOutAt);
  });

  test("without a token of their own they come by the other one", async () => {
    const given = await refusedWith({ mdAccess: "noToken" });
    await watch(given).until(999);
    expect(missing(given)).toBeUndefined();
  });

  test("go on in the next session for who has watched since an earlier one", async () => {
    const given = await connected();
    const watched = watch(given);
    await watched.until(999);
    await given.broker.breakSession();
    await given.trader.broken();
    expect(missing(given)).toMatch(/session.*not running/);
    await given.trader.connect();
    await given.trader.market(1_005, 1_006);
    await watched.until(1_005);
  });
});

describe.concurrent("market data that fail keep no order from going", () => {
  test.each([
    ["are not subscribed to", "inaccessible", "Symbol is inaccessible"],
    ["are refused at their login", "refused", "Access is denied"],
    ["are not there at all", "noRoutes", "Not found"],
  ] as const)("where they %s, it is said, and not asked for again", async (_, mdAccess, words) => {
    const given = await refusedWith({ mdAccess });
    const watched = watch(given);
    await untilMissing(given, new RegExp(words, "i"));
    expect(missing(given)).toMatch(HOW_TO_GET);
    await expect(readBars(given)).rejects.toThrow(HOW_TO_GET);
    const before = [await askedFor(given, "md/"), await askedFor(given, "authorize")];
    await ordersGoOn(given);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await expect(readBars(given)).rejects.toBeInstanceOf(BrokerReadError);
    expect([await askedFor(given, "md/"), await askedFor(given, "authorize")]).toEqual(before);
    expect(watched.quotes).toEqual([]);
  });

  test.each([401, 408, 502])(
    "nor does a contract that is looked up for them in vain: %d",
    async (status) => {
      const given = await connected();
      await given.fault({ kind: "status", status }, "contract/find", 2);
      const before = await lookUps(given);
      const watched = watch(given, given.broker.otherContract);
      await waitUntil("prices come", () => watched.quotes.length > 0);
      // They come by the first look-up that does not fail.
      expect((await lookUps(given)) - before).toBeGreaterThanOrEqual(3);
      expect(given.trader.isWhole).toBe(true);
      await ordersGoOn(given);
    },
  );

  test("where the settings say so, none are asked for", async () => {
    const off = await connected({ change: (usual) => ({ ...usual, marketData: false }) });
    watch(off);
    expect(missing(off)).toMatch(/switched off/);
    await expect(readBars(off)).rejects.toThrow(/switched off/);
    await ordersGoOn(off);
    expect(await askedFor(off, "md/")).toBe(0);
  });

  test("where a look-alike names no address, that is said", async () => {
    const change: KitDeps["change"] = (usual) =>
      Object.fromEntries(
        Object.entries(usual).filter(([name]) => name !== "mdUrl"),
      ) as TradovateSettings;
    const bare = await connected({ change });
    expect(missing(bare)).toMatch(/mdUrl/);
    await expect(readBars(bare)).rejects.toThrow(/mdUrl/);
    await ordersGoOn(bare);
  });

  test("a link that is cut comes up again by itself", async () => {
    const given = await connected();
    const watched = watch(given);
    await watched.until(999);
    const { user } = given.broker;
    for (const bid of [1_001, 1_002]) {
      await given.turn({ knob: "closeSockets", user, socket: "md" });
      await ordersGoOn(given);
      await given.trader.market(bid, bid + 1);
      await watched.until(bid);
    }
    expect(missing(given)).toBeUndefined();
  });

  test("a link that is half open is found out, and comes up again", async () => {
    const given = await connected({ timing: { silentAfterMs: 3_000 } });
    const watched = watch(given);
    await watched.until(999);
    await given.turn({ knob: "halfOpen", user: given.broker.user, socket: "md" });
    await given.trader.market(1_001, 1_002);
    await ordersGoOn(given);
    await watched.until(1_001);
    expect(missing(given)).toBeUndefined();
  });

  test("a link that was ended for too many of them is not opened again at once", async () => {
    const given = await connected();
    await watch(given).until(999);
    const { user } = given.broker;
    const reasonCode = "ConnectionQuotaReached";
    await given.turn({ knob: "shutdown", user, reasonCode, socket: "md" });
    await untilMissing(given, /ConnectionQuotaReached/);
    const before = await askedFor(given, "authorize");
    await ordersGoOn(given);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(await askedFor(given, "authorize")).toBe(before);
  });

  test("quotes that freeze grow old, while the link stands", async () => {
    const given = await connected();
    const watched = watch(given);
    await watched.until(999);
    await given.turn({ knob: "freezeQuotes", user: given.broker.user });
    await given.trader.market(1_001, 1_002);
    const told = watched.quotes.length;
    await ordersGoOn(given);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect(watched.quotes.length).toBe(told);
    expect(Date.now() - (watched.last()?.bid?.heardAt ?? 0)).toBeGreaterThan(2_000);
    await given.turn({ knob: "freezeQuotes", user: given.broker.user, isFrozen: false });
    await watched.until(1_001);
  });
});

/** As `connected`, clear of the end of a bar. */
const betweenBars: typeof connected = async (deps) => {
  await clearOfBarEnd();
  return await connected(deps);
};

describe.concurrent("bars", () => {
  test("whose answer is lost are an error in words, and come when they are asked for again", async () => {
    const given = await betweenBars();
    await given.fault({ kind: "silence", isCarriedOut: true }, "md/getchart");
    await expect(readBars(given)).rejects.toThrow(/No answer in time/);
    await ordersGoOn(given);
    await waitUntil("bars come", async () => {
      const bars = await readBars(given)?.catch(() => undefined);
      return bars?.length === BARS.count;
    });
  });

  test("that were refused are asked for again with another token", async () => {
    const given = await betweenBars();
    await given.fault({ kind: "status", status: 401, body: "Expired" }, "md/getchart");
    await expect(readBars(given)).rejects.toThrow(/Expired/);
    await expect(readBars(given)).rejects.toThrow(/Expired/);
    await given.turn({ knob: "expireTokens", user: given.broker.user });
    await given.trader.netQty().catch(() => undefined);
    await given.trader.broken();
    await given.trader.connect();
    await waitUntil("bars come", async () => {
      const bars = await readBars(given)?.catch(() => undefined);
      return bars?.length === BARS.count;
    });
  });

  test("of which no part comes are an error in words", async () => {
    const given = await betweenBars();
    await given.set({ losesMarketData: ["charts"] });
    await expect(readBars(given)).rejects.toThrow(/did not send all bars/);
    await ordersGoOn(given);
  });

  test.each<Partial<Settings>>([
    { chartPackets: "mixed", chartPacketSize: 3 },
    { chartHistoryBeforeAnswer: true },
    { chartHistoryHasOpenBar: false },
    { chartCancelBy: "historicalId" },
    { chartAlign: "session" },
    { chartTellsEnd: false, chartPacketsPerMessage: 5 },
  ])("are the same however they are told: %j", async (settings) => {
    const given = await betweenBars();
    const whole = await readBars(given);
    expect(whole).toHaveLength(BARS.count);
    await given.set(settings);
    const asked = await given.asked("md/getChart");
    const prices = given.trader.adapter.prices;
    const { contract } = given.trader.broker;
    const more = await prices?.bars({ contract, minutes: 5, count: 20 });
    expect(more?.slice(-BARS.count)).toEqual(whole);
    expect(await given.asked("md/getChart")).toBeGreaterThan(asked);
  });

  test("of a day are made of its half hours, each once", async () => {
    const given = await betweenBars();
    const { contract } = given.trader.broker;
    const [hours, halves] = await Promise.all([
      given.trader.adapter.prices?.bars({ contract, minutes: 240, count: 5 }),
      given.trader.adapter.prices?.bars({ contract, minutes: 30, count: 60 }),
    ]);
    expect(hours).toHaveLength(5);
    for (const bar of hours ?? []) {
      const parts = (halves ?? []).filter(
        ({ startsAt }) => startsAt >= bar.startsAt && startsAt < bar.startsAt + 240 * 60_000,
      );
      expect(parts).toHaveLength(8);
      expect(bar).toMatchObject({
        open: parts[0]?.open,
        close: parts.at(-1)?.close,
        high: Math.max(...parts.map(({ high }) => high)),
        low: Math.min(...parts.map(({ low }) => low)),
        volume: parts.reduce((sum, { volume }) => sum + volume, 0),
      });
    }
  });

  test("that several ask for are asked of the broker once", async () => {
    const given = await betweenBars();
    const bars = await Promise.all([readBars(given), readBars(given), readBars(given)]);
    expect(bars[1]).toEqual(bars[0]);
    expect(await readBars(given)).toEqual(bars[0]);
    const isCancelled = async () => (await given.asked("md/cancelChart")) >= 1;
    await waitUntil("the chart is cancelled", isCancelled);
    expect(await given.asked("md/getChart")).toBe(1);
  });
});
