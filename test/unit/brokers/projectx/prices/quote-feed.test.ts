import { setImmediate as turn } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import type { KnownContract } from "../../../../../src/brokers/projectx/contract-desk.ts";
import { QuoteFeed } from "../../../../../src/brokers/projectx/prices/quote-feed.ts";
import type { ContractCode } from "../../../../../src/domain/contracts/contract.ts";
import { ticks, tickSize } from "../../../../../src/domain/contracts/price.ts";
import { type Quote, QUOTE_STALE_AFTER_MS, quoteHeardAt } from "../../../../../src/domain/quote.ts";
import { BrokerReadError } from "../../../../../src/trading/ports.ts";

const CODE = "ESZ2026" as ContractCode;
const ID = "CON.F.US.EP.Z26";
const ES: KnownContract = { code: CODE, id: ID, tickSize: tickSize("0.25") };
const START = Date.UTC(2026, 10, 27, 15);

let now: number;
let isUp: boolean;
let called: string[];
let finds: number;
let find: () => Promise<KnownContract | undefined>;
let refusesCalls: boolean;
let heard: Quote[];
let feed: QuoteFeed;

beforeEach(() => {
  [now, isUp, called, finds, refusesCalls, heard] = [START, true, [], 0, false, []];
  find = async () => ES;
  const link = {
    get isUp() {
      return isUp;
    },
    call: async (method: string, id: string) => {
      called.push(`${method} ${id}`);
      if (refusesCalls) throw new Error("the hub refuses");
    },
  };
  feed = new QuoteFeed({
    link,
    find: async () => {
      finds += 1;
      return await find();
    },
    now: () => now,
    elapsed: () => now,
  });
  feed.begin();
});

/** Watches, and lets what follows from it happen. */
async function watch(): Promise<() => void> {
  const end = feed.watch(CODE, (quote) => heard.push(quote));
  await settled();
  return end;
}
const settled = async () => {
  for (let turns = 0; turns < 5; turns += 1) await turn();
};
async function lookAfter(ms: number): Promise<void> {
  now += ms;
  feed.look();
  await settled();
}
const stamp = (at = now) => new Date(at).toISOString();
const tell = (fields: unknown, id: unknown = ID) => feed.take(id, fields);

describe("quotes", () => {
  test("are subscribed to while somebody watches, once for all", async () => {
    const ends = [await watch(), await watch()];
    expect(called).toEqual([`SubscribeContractQuotes ${ID}`]);
    ends[0]?.();
    await settled();
    expect(called).toHaveLength(1);
    ends[1]?.();
    await settled();
    expect(called.at(-1)).toBe(`UnsubscribeContractQuotes ${ID}`);
    expect(feed.isWatched).toBe(false);
  });

  test("are told in ticks, with when the broker told them", async () => {
    await watch();
    tell({ bestBid: 6_335.25, bestAsk: 6_335.5, lastPrice: 6_335.25, timestamp: stamp() });
    const prices = { bid: ticks(25_341), ask: ticks(25_342), last: ticks(25_341) };
    expect(heard).toEqual([quoteHeardAt(now, prices, now)]);
  });

  test("may name what has changed alone: what is left out stands, and not for ever", async () => {
    await watch();
    tell({ bestBid: 6_335.25, bestAsk: 6_335.5 });
    now += QUOTE_STALE_AFTER_MS;
    tell({ bestAsk: 6_335.75 });
    expect(heard.at(-1)).toEqual({
      bid: { px: 25_341, heardAt: START },
      ask: { px: 25_343, heardAt: now },
    });
    now += 1;
    tell({ bestAsk: 6_336 });
    expect(heard.at(-1)).toEqual(quoteHeardAt(now, { ask: ticks(25_344) }));
  });

  test("come one by one or as a list, and what cannot be read keeps nothing else", async () => {
    await watch();
    tell([{ bestBid: 6_335 }, "nonsense", null, [], { bestBid: 6_336 }]);
    for (const broken of [undefined, 7, "x", { action: 1, data: null }]) tell(broken);
    tell({ bestBid: 6_337 }, { not: "an id" });
    tell({ bestBid: "6338", bestAsk: Number.POSITIVE_INFINITY, lastPrice: 6_336.1 });
    tell({ bestAsk: 1e300 });
    expect(heard.map(({ bid }) => bid?.px)).toEqual([25_340, 25_344, 25_344, 25_344]);
    expect(heard.at(-1)).not.toHaveProperty("ask");
    expect(heard.at(-1)).not.toHaveProperty("last");
  });

  test("may be wrapped, as the other hub's events are", async () => {
    await watch();
    tell({ action: 1, data: { bestBid: 6_335 } });
    tell([{ action: 1, data: { bestBid: 6_336 } }]);
    expect(heard.map(({ bid }) => bid?.px)).toEqual([25_340, 25_344]);
  });

  test("a side that is told as 0 is none", async () => {
    await watch();
    tell({ bestBid: 6_335, bestAsk: 6_335.25 });
    tell({ bestBid: 0 });
    expect(heard.at(-1)).toEqual(quoteHeardAt(now, { ask: ticks(25_341) }));
  });

  test("of another time are told to nobody, and said to be so", async () => {
    await watch();
    tell({ bestBid: 6_335, timestamp: stamp(now - 6 * 60_000) });
    expect(heard).toEqual([]);
    expect(feed.trouble).toMatch(/as of 2026-11-27T14:54:00.000Z/);
    tell({ bestBid: 6_335, timestamp: stamp() });
    expect(heard).toHaveLength(1);
    expect(feed.trouble).toBeUndefined();
  });

  test("that are old stand for nothing", async () => {
    await watch();
    tell({ bestBid: 6_335 });
    expect(feed.fresh(CODE)?.bid?.px).toBe(25_340);
    now += QUOTE_STALE_AFTER_MS + 1;
    expect(feed.fresh(CODE)).toBeUndefined();
  });

  test("end with the link, and are subscribed to anew on the next one", async () => {
    await watch();
    tell({ bestBid: 6_335 });
    isUp = false;
    feed.end();
    expect(feed.fresh(CODE)).toBeUndefined();
    await lookAfter(1_000);
    expect(called).toHaveLength(1);
    isUp = true;
    feed.begin();
    await settled();
    expect(called).toEqual(Array(2).fill(`SubscribeContractQuotes ${ID}`));
    tell({ bestAsk: 6_336 });
    // What the former link told is not carried over.
    expect(heard.at(-1)).toEqual(quoteHeardAt(now, { ask: ticks(25_344) }));
  });
});

describe("what cannot be had", () => {
  test("is asked for ever less often, since reading has one budget", async () => {
    find = async () => {
      throw new BrokerReadError("The request budget is used up");
    };
    await watch();
    for (let second = 0; second < 60; second += 1) await lookAfter(1_000);
    expect(finds).toBeGreaterThan(3);
    expect(finds).toBeLessThan(8);
    expect(feed.trouble).toBe("The request budget is used up");
    find = async () => ES;
    await lookAfter(60_000);
    expect(feed.trouble).toBeUndefined();
    tell({ bestBid: 6_335 });
    expect(heard).toHaveLength(1);
  });

  test("a contract that the broker does not know is not asked for again for half an hour", async () => {
    find = async () => undefined;
    await watch();
    expect(feed.trouble).toContain(`no contract ${CODE}`);
    for (let minute = 0; minute < 29; minute += 1) await lookAfter(60_000);
    feed.begin();
    await settled();
    expect([finds, called]).toEqual([1, []]);
    find = async () => ES;
    await lookAfter(2 * 60_000);
    expect(called).toEqual([`SubscribeContractQuotes ${ID}`]);
  });

  test("a subscription that is refused is tried again, on a new link at once", async () => {
    refusesCalls = true;
    await watch();
    await lookAfter(1_000);
    expect(called).toHaveLength(1);
    await lookAfter(1_000);
    expect(called).toHaveLength(2);
    expect(feed.trouble).toBe("the hub refuses");
    refusesCalls = false;
    feed.begin();
    await settled();
    expect(called).toHaveLength(3);
    tell({ bestBid: 6_335 });
    expect(heard).toHaveLength(1);
  });

  test("one who stops watching meanwhile leaves nothing behind", async () => {
    find = async () => undefined;
    (await watch())();
    await settled();
    expect(feed.trouble).toBeUndefined();
    expect(feed.isWatched).toBe(false);
  });
});
