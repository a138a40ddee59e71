// The goal: prices come however ProjectX tells them, and nothing that becomes of them keeps an order waiting.
// The method: the real adapter before the simulator, whose market hub and bars fail in every way.
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Quote } from "../../src/domain/quote.ts";
import { BrokerReadError } from "../../src/trading/ports.ts";
import type { Settings } from "../simulators/projectx/settings.ts";
import { endWithTest } from "../support/side-by-side.ts";
import { waitUntil } from "../support/wait.ts";
import { clearOfBarEnd } from "./bar-end.ts";
import { projectXCases, type ProjectXCase } from "./projectx-case.ts";

const { connected } = projectXCases();

const BARS = { minutes: 5, count: 10 } as const;
const BARS_PATH = "History/retrieveBars";

/** Someone who watches a contract, and what was told. */
function watch({ trader }: ProjectXCase, contract = trader.broker.contract) {
  const quotes: Quote[] = [];
  const end = trader.adapter.prices?.watch(contract, (quote) => quotes.push(quote));
  endWithTest(() => end?.());
  return {
    quotes,
    last: () => quotes.at(-1),
    until: (bid: number) =>
      waitUntil(`a bid of ${bid} is told`, () => quotes.at(-1)?.bid?.px === bid),
  };
}

const missing = ({ trader }: ProjectXCase) => trader.adapter.prices?.missing();

const readBars = async ({ trader }: ProjectXCase, minutes = 5, count = 10) =>
  await trader.adapter.prices?.bars({ contract: trader.broker.contract, minutes, count });

/** Orders go and are told in the session that there was from the beginning. */
async function ordersGoOn({ trader }: ProjectXCase): Promise<void> {
  const before = await trader.netQty();
  const { orderId } = await trader.place();
  await trader.waitForReport(orderId, "TRADE");
  await trader.waitForPosition(before + 1);
  expect((await trader.closeOut()).kind).toBe("accepted");
  await trader.waitForPosition(0);
  expect(trader.isWhole).toBe(true);
}

describe.concurrent("quotes", () => {
  test.each<Partial<Settings>>([
    { sparseQuotes: false },
    { quotesInArrays: true },
    { sparseQuotes: true, quotesInArrays: true },
    { framing: "joined" },
    { framing: "fragmented" },
  ])("follow the market however they are told: %j", async (behaviour) => {
    const given = await connected({}, behaviour);
    const watched = watch(given);
    await watched.until(999);
    const movedAt = Date.now();
    await given.trader.market(1_001, 1_003);
    await watched.until(1_001);
    expect(watched.last()).toMatchObject({ bid: { px: 1_001 }, ask: { px: 1_003 } });
    // By whole seconds of the broker at the worst.
    expect(watched.last()?.toldAt).toBeGreaterThan(movedAt - 1_000);
    expect(watched.last()?.toldAt).toBeLessThanOrEqual(Date.now() + 1_000);
    expect(missing(given)).toBeUndefined();
  });

  test("that are not told on subscribing come with the next one", async () => {
    const given = await connected({}, { quotesOnSubscribe: false });
    const watched = watch(given);
    await waitUntil("one is told", async () => {
      await given.trader.market(1_001, 1_002);
      await sleep(100);
      return watched.last()?.bid?.px === 1_001;
    });
    expect(watched.quotes.map(({ bid }) => bid?.px)).not.toContain(999);
  });

  test("a side that is not told is none, and the other one goes on", async () => {
    const given = await connected({}, { quoteOmits: ["bestAsk"] });
    const watched = watch(given);
    await watched.until(999);
    expect(watched.last()).not.toHaveProperty("ask");
  });

  test("a price that messages leave out ages by itself", async () => {
    const given = await connected();
    const watched = watch(given);
    await watched.until(999);
    await given.set({ quoteOmits: ["lastPrice"] });
    const leftOutAt = Date.now();
    await waitUntil("time has gone by", () => Date.now() > leftOutAt);
    await given.trader.market(1_001, 1_002);
    await watched.until(1_001);
    expect(watched.last()?.last?.heardAt).toBeLessThanOrEqual(leftOutAt);
    expect(watched.last()?.bid?.heardAt).toBeGreaterThan(leftOutAt);
  });

  test("what cannot be read among them ends nothing", async () => {
    const given = await connected();
    const watched = watch(given);
    await watched.until(999);
    const at = { user: given.broker.user, hub: "market" } as const;
    await given.turn({ knob: "hubText", text: "{broken\u001e", ...at });
    await given.turn({ knob: "hubEvent", target: "GatewayQuote", payload: null, ...at });
    await given.turn({ knob: "hubEvent", target: "GatewayQuote", payload: [7, {}], ...at });
    await given.trader.market(1_001, 1_002);
    await watched.until(1_001);
    expect(missing(given)).toBeUndefined();
    await ordersGoOn(given);
  });

  test("that freeze grow old, while the link stands", async () => {
    const given = await connected();
    const watched = watch(given);
    await watched.until(999);
    const { user } = given.broker;
    await given.turn({ knob: "freezeQuotes", user });
    await given.trader.market(1_001, 1_002);
    const frozenAt = Date.now();
    await ordersGoOn(given);
    await sleep(1_500);
    expect(watched.last()?.bid?.heardAt).toBeLessThanOrEqual(frozenAt);
    await given.turn({ knob: "freezeQuotes", user, isFrozen: false });
    await given.trader.market(1_002, 1_003);
    await watched.until(1_002);
  });
});

describe.concurrent("prices that fail keep no order from going", () => {
  test("a link that is cut comes up again by itself, in the same session", async () => {
    const given = await connected();
    const watched = watch(given);
    await watched.until(999);
    for (const bid of [1_001, 1_002]) {
      await given.turn({ knob: "closeHubs", user: given.broker.user, hub: "market" });
      await ordersGoOn(given);
      await given.trader.market(bid, bid + 1);
      await watched.until(bid);
    }
    expect(missing(given)).toBeUndefined();
    expect(given.trader.isWhole).toBe(true);
  });

  test("a hub that lets nobody in is said to be away, until it does", async () => {
    const given = await connected();
    const watched = watch(given);
    await watched.until(999);
    const { user } = given.broker;
    await given.turn({ knob: "closeHubs", user, hub: "market", error: "maintenance" });
    await waitUntil("it is said", () => /is down .*maintenance/.test(missing(given) ?? ""));
    await ordersGoOn(given);
    await given.trader.market(1_001, 1_002);
    await watched.until(1_001);
    expect(missing(given)).toBeUndefined();
  });

  test("a subscription that is refused is said to be, and tried again ever less often", async () => {
    const given = await connected({}, { refusesCalls: ["SubscribeContractQuotes"] });
    const watched = watch(given);
    await waitUntil("it is said", () => /SubscribeContractQuotes/.test(missing(given) ?? ""));
    await ordersGoOn(given);
    expect(watched.quotes).toEqual([]);
    await given.set({ refusesCalls: [] });
    await watched.until(999);
    expect(missing(given)).toBeUndefined();
  });

  test("a contract that is not known is searched for once, not every second", async () => {
    const given = await connected();
    const before = await given.asked("Contract/search");
    watch(given, given.broker.unknownContract);
    const known = watch(given);
    await known.until(999);
    await sleep(3_500);
    // By its name and by its root, and the known one.
    expect((await given.asked("Contract/search")) - before).toBeLessThanOrEqual(4);
    expect(missing(given)).toContain(`no contract ${given.broker.unknownContract}`);
    await ordersGoOn(given);
  });

  test("where the settings say so, none are asked for", async () => {
    const given = await connected({ marketData: false });
    watch(given);
    expect(missing(given)).toMatch(/switched off/);
    await expect(readBars(given)).rejects.toThrow(/switched off/);
    await ordersGoOn(given);
    expect(await given.asked(BARS_PATH)).toBe(0);
  });
});

/** As `connected`, clear of the end of a bar. */
const betweenBars: typeof connected = async (deps) => {
  await clearOfBarEnd();
  return await connected(deps);
};

describe.concurrent("bars", () => {
  test.each<Partial<Settings>>([{ barsNewestFirst: false }, { ids: "text" }])(
    "are the same however they are told: %j",
    async (behaviour) => {
      const given = await betweenBars();
      const whole = await readBars(given);
      expect(whole).toHaveLength(BARS.count);
      await given.set(behaviour);
      const asked = await given.asked(BARS_PATH);
      expect((await readBars(given, 5, 20))?.slice(-BARS.count)).toEqual(whole);
      expect(await given.asked(BARS_PATH)).toBeGreaterThan(asked);
    },
  );

  test("of hours are made of whole parts, each once", async () => {
    const given = await betweenBars();
    const [hours, halves] = await Promise.all([readBars(given, 240, 5), readBars(given, 30, 60)]);
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
    expect(await given.asked(BARS_PATH)).toBe(1);
  });

  test.each([
    ["a refusal for too many of them", { kind: "status", status: 429 }],
    ["an error of the service", { kind: "status", status: 500 }],
    ["an answer that is none", { kind: "garbage", isCarriedOut: true }],
    ["a connection that is cut", { kind: "drop", isCarriedOut: true }],
    ["a refusal in the envelope", { kind: "code", code: 2, isCarriedOut: false }],
  ] as const)("%s is an error in words, and orders go on", async (_, fault) => {
    const given = await betweenBars();
    await given.fault(fault, BARS_PATH);
    await expect(readBars(given)).rejects.toBeInstanceOf(BrokerReadError);
    await ordersGoOn(given);
    expect(missing(given)).toBeUndefined();
  });

  test("count for themselves: used up, they take nothing from orders", async () => {
    const given = await betweenBars({ barsLimit: { most: 2, withinMs: 60_000 } });
    const lengths = [1, 2, 3, 5, 10, 15];
    const read = await Promise.allSettled(lengths.map((minutes) => readBars(given, minutes, 5)));
    const refused = read.filter(({ status }) => status === "rejected");
    expect(refused.length).toBeGreaterThanOrEqual(lengths.length - 2);
    expect(await given.asked(BARS_PATH)).toBeLessThanOrEqual(2);
    await ordersGoOn(given);
  });
});
