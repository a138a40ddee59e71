import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { contracts } from "../../../../config/contracts.ts";
import type { PaperSettings } from "../../../../src/brokers/paper/config.ts";
import type { Quote } from "../../../../src/brokers/paper/exchange/contract-book.ts";
import { createBarFeed } from "../../../../src/brokers/paper/feed/bar-feed.ts";
import { quotesOf } from "../../../../src/brokers/paper/feed/replayed-bars.ts";
import { parseBars } from "../../../../src/brokers/paper/feed/bar-file.ts";
import { createManualFeed } from "../../../../src/brokers/paper/feed/manual-feed.ts";
import { loadPaperFeed } from "../../../../src/brokers/paper/feed/paper-feed.ts";
import { createSeededFeed } from "../../../../src/brokers/paper/feed/seeded-feed.ts";
import { referenceTicks } from "../../../../src/brokers/paper/reference-prices.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { ticks, tickSize } from "../../../../src/domain/contracts/price.ts";
import { ES, WEDNESDAY } from "./test-exchange.ts";

const NQ = "NQZ2026" as ContractCode;
const QUARTER = tickSize("0.25");
const rowOf = (root: string) => ({ root, tickSize: QUARTER });

beforeEach(() => {
  vi.useFakeTimers({ now: WEDNESDAY });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the seeded feed", () => {
  const create = (seed = 1) => createSeededFeed({ seed, now: Date.now, productOf: rowOf });

  test("is the same for everyone at the same time, so a restart changes nothing", () => {
    expect(create().quote(ES)).toEqual(create().quote(ES));
    expect(create(2).quote(ES)).not.toEqual(create().quote(ES));
    expect(create().quote(NQ)).not.toEqual(create().quote(ES));
  });

  test("quotes whole ticks, one apart, near the reference price, with thousands shown", () => {
    const feed = create();
    const centre = referenceTicks(rowOf("ES"));
    const bids = new Set<number>();
    for (let i = 0; i < 2_000; i += 1) {
      vi.setSystemTime(WEDNESDAY + i * 47_250);
      const { bid = 0, ask = 0, bidQty = 0, askQty = 0 } = feed.quote(ES) ?? {};
      expect(Number.isSafeInteger(bid)).toBe(true);
      expect(ask - bid).toBe(1);
      expect(Math.abs(bid - centre)).toBeLessThan(centre * 0.02);
      for (const size of [bidQty, askQty]) {
        expect(size >= 5_000 && size < 10_000).toBe(true);
      }
      bids.add(bid);
    }
    expect(bids.size).toBeGreaterThan(100);
  });

  test("is one object until the quarter of a second is over", () => {
    const feed = create();
    const first = feed.quote(ES);
    vi.setSystemTime(WEDNESDAY + 249);
    expect(feed.quote(ES)).toBe(first);
    vi.setSystemTime(WEDNESDAY + 250);
    expect(feed.quote(ES)).not.toBe(first);
  });

  test("has one timer while something is watched, and none otherwise", () => {
    const feed = create();
    const heard: string[] = [];
    feed.quote(ES);
    expect(vi.getTimerCount()).toBe(0);
    const unwatch = [
      feed.watch(ES, () => heard.push("ES")),
      feed.watch(NQ, () => heard.push("NQ")),
    ];
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(500);
    expect(heard).toEqual(["ES", "NQ", "ES", "NQ"]);
    for (const end of unwatch) end();
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each(contracts.map((product) => [product.root, product] as const))(
    "knows a price level of %s",
    (_, product) => {
      const level = referenceTicks(product);
      expect(level).not.toBe(1_000);
      expect(level).toBeGreaterThan(50);
    },
  );

  test("has 1,000 ticks for a root it does not know", () => {
    expect(referenceTicks(rowOf("XX"))).toBe(1_000);
    expect(referenceTicks(undefined)).toBe(1_000);
  });
});

describe("the manual feed", () => {
  test("tells who watches before it returns, and nobody else", () => {
    const feed = createManualFeed();
    const heard: Quote[] = [];
    const quote = { bid: ticks(1), ask: ticks(2), bidQty: 3, askQty: 4 };
    const unwatch = feed.watch(ES, (at) => heard.push(at));
    feed.set(ES, quote);
    feed.set(NQ, quote);
    expect(heard).toEqual([quote]);
    unwatch();
    feed.set(ES, quote);
    expect(heard).toHaveLength(1);
    // A new object each time: setting the same prices again is a new quote.
    expect(feed.quote(ES)).not.toBe(heard[0]);
  });
});

const HEADER = "time,open,high,low,close,volume";

describe("the bar file", () => {
  test("is read in ticks", () => {
    const text = `${HEADER}\r\n2026-07-15T14:00:00Z,10,11,9.75,10.25,40\n1784124060,10,10,10,10,0\n\n`;
    expect(parseBars(text, QUARTER)).toEqual([
      { startsAt: WEDNESDAY, open: 40, high: 44, low: 39, close: 41, volume: 40 },
      { startsAt: WEDNESDAY + 60_000, open: 40, high: 40, low: 40, close: 40, volume: 0 },
    ]);
  });

  test.each([
    ["Line 1", "date,open", ""],
    ["Line 2", HEADER, ""],
    ["Line 2", HEADER, "1784124060,10,10,10,10"],
    ["Line 2", HEADER, "noon,10,10,10,10,1"],
    ["Line 2", HEADER, "1784124060,10,10.1,10,10,1"],
    ["Line 2", HEADER, "1784124060,10,9,9,9,1"],
    ["Line 2", HEADER, "1784124060,10,10,9.75,9.5,1"],
    ["Line 2", HEADER, "1784124060,10,10,10,10,"],
    ["Line 2", HEADER, "1784124060,10,10,10,10,-1"],
    ["Line 3", HEADER, "1784124060,10,10,10,10,1\n1784124060,10,10,10,10,1"],
  ])("%s is named when it is wrong: %s %s", (line, header, rows) => {
    expect(() => parseBars(`${header}\n${rows}`, QUARTER)).toThrow(line);
  });
});

describe("the bar feed", () => {
  const bars = parseBars(`${HEADER}\n1784124000,10,12,9,11,40\n1784124060,11,12,8,9,4`, QUARTER);
  const create = (loops: boolean) =>
    createBarFeed({ root: "ES", bars, speed: 60, loops, now: Date.now });
  const bidAfter = (feed: ReturnType<typeof create>, ms: number) => {
    vi.setSystemTime(WEDNESDAY + ms);
    return feed.quote(ES)?.bid;
  };

  test("a rising bar goes low first, a falling one high first, never beyond their range", () => {
    const [rising, falling] = bars.map((bar) => quotesOf(bar).map(({ bid }) => bid / 4));
    expect(rising).toEqual([10, 9, 11.75, 11]);
    expect(falling).toEqual([11, 11.75, 8, 9]);
    expect(bars.flatMap((bar) => quotesOf(bar)).map(({ askQty }) => askQty)).toContain(10);
  });

  test("runs at its speed and stands still at its end", () => {
    const feed = create(false);
    expect([0, 250, 1_000, 1_999, 9_000].map((ms) => bidAfter(feed, ms))).toEqual([
      40, 36, 44, 36, 36,
    ]);
    expect(feed.quote(NQ)).toBeUndefined();
  });

  test("starts again when it loops", () => {
    const feed = create(true);
    expect([0, 2_000, 2_250].map((ms) => bidAfter(feed, ms))).toEqual([40, 40, 36]);
  });

  test("tells watchers every quote, however fast it runs", () => {
    const feed = createBarFeed({ root: "ES", bars, speed: 3_600, loops: false, now: Date.now });
    const heard: number[] = [];
    const unwatch = feed.watch(ES, ({ bid }) => heard.push(bid / 4));
    vi.advanceTimersByTime(100);
    unwatch();
    expect(heard).toEqual([9, 11.75, 11, 11, 11.75, 8, 9]);
  });
});

describe("the feed of the settings", () => {
  const settings: PaperSettings = {
    accounts: "1-2",
    feed: "seeded",
    seed: 1,
    barSpeed: 60,
    barsLoop: true,
    sessionHours: false,
    startBalance: 50_000,
    fees: "*=0",
  };
  const deps = {
    now: Date.now,
    productOf: (root: string) => (root === "ES" ? rowOf(root) : undefined),
  };

  test("is seeded by default, and silent when it is in somebody's hand", async () => {
    expect((await loadPaperFeed(settings, deps)).quote(ES)).toBeDefined();
    const manual = await loadPaperFeed({ ...settings, feed: "manual" }, deps);
    expect(manual.quote(ES)).toBeUndefined();
  });

  test("replays the bar file", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "bars-"));
    const barFile = path.join(folder, "es.csv");
    await writeFile(barFile, `${HEADER}\n1784124000,10,12,9,11,40\n`);
    const feed = await loadPaperFeed({ ...settings, feed: "bars", barFile, barRoot: "ES" }, deps);
    await rm(folder, { recursive: true });
    expect(feed.quote(ES)?.bid).toBe(40);
  });

  test.each([{}, { barFile: "x.csv" }, { barFile: "x.csv", barRoot: "XX" }])(
    "of bars needs a file and a known root: %j",
    async (missing) => {
      const asked = loadPaperFeed({ ...settings, ...missing, feed: "bars" }, deps);
      await expect(asked).rejects.toThrow("barFile");
    },
  );
});
