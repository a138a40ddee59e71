import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  createManualFeed,
  type ManualFeed,
} from "../../../../src/brokers/paper/feed/manual-feed.ts";
import { createSeededFeed } from "../../../../src/brokers/paper/feed/seeded-feed.ts";
import { PaperPrices } from "../../../../src/brokers/paper/paper-prices.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { ES, PRODUCT } from "./test-exchange.ts";
import { quoteHeardAt } from "../../../../src/domain/quote.ts";

const UNKNOWN = "NQZ2026" as ContractCode;
const NOT_RUNNING = "No session";

let feed: ManualFeed;

beforeEach(() => {
  feed = createManualFeed();
  quote(999);
});
afterEach(() => {
  vi.useRealTimers();
});

const quote = (bid: number, contract = ES) =>
  feed.set(contract, { bid: ticks(bid), ask: ticks(bid + 1), bidQty: 1, askQty: 1 });
const soon = () => new Promise((resolve) => setImmediate(resolve));

function create(from: typeof feed | ReturnType<typeof createSeededFeed> = feed): PaperPrices {
  const product = (contract: ContractCode) => (contract === ES ? PRODUCT : undefined);
  const prices = new PaperPrices({ feed: from, product, now: Date.now, notRunning: NOT_RUNNING });
  prices.start();
  return prices;
}

function bids(prices: PaperPrices, contract = ES) {
  const heard: (number | undefined)[] = [];
  const unwatch = prices.watch(contract, ({ bid }) => heard.push(bid?.px));
  return { heard, unwatch };
}

test("the quote that stands comes first, even where a new one comes before it was told", async () => {
  const prices = create();
  const [early, late] = [bids(prices), bids(prices)];
  expect(early.heard).toEqual([]);
  quote(1_001);
  early.unwatch();
  await soon();
  quote(1_003);
  expect([early.heard, late.heard]).toEqual([
    [999, 1_001],
    [999, 1_001, 1_003],
  ]);
});

test("a quote has both sides and says when it was told, and no last trade", async () => {
  vi.useFakeTimers({ now: 5_000, toFake: ["Date"] });
  const heard: unknown[] = [];
  create().watch(ES, (told) => heard.push(told));
  await soon();
  expect(heard).toEqual([quoteHeardAt(5_000, { bid: ticks(999), ask: ticks(1_000) }, 5_000)]);
});

test("quotes are told while a session runs, and a watch begins anew with the next one", async () => {
  const prices = create();
  prices.stop();
  const { heard, unwatch } = bids(prices);
  expect(prices.missing()).toBe(NOT_RUNNING);
  quote(1_001);
  await soon();
  expect(heard).toEqual([]);
  prices.start();
  await soon();
  expect(prices.missing()).toBeUndefined();
  prices.stop();
  quote(1_003);
  prices.start();
  await soon();
  quote(1_005);
  unwatch();
  quote(1_007);
  expect(heard).toEqual([1_001, 1_003, 1_005]);
});

test("a session that ends at once tells nothing", async () => {
  const prices = create();
  const { heard } = bids(prices);
  prices.stop();
  await soon();
  expect(heard).toEqual([]);
});

test("a listener may end its own watch", async () => {
  const heard: (number | undefined)[] = [];
  const unwatch = create().watch(ES, ({ bid }) => {
    heard.push(bid?.px);
    unwatch();
  });
  quote(1_001);
  await soon();
  expect(heard).toEqual([999]);
});

test("nothing runs when nobody watches, nor without a session", () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const prices = create(
    createSeededFeed({
      seed: 1,
      now: Date.now,
      productOf: (root) => ({ root, tickSize: PRODUCT.tickSize }),
    }),
  );
  const [one, other] = [bids(prices), bids(prices)];
  expect(vi.getTimerCount()).toBe(1);
  one.unwatch();
  other.unwatch();
  one.unwatch();
  expect(vi.getTimerCount()).toBe(0);
  bids(prices);
  prices.stop();
  expect(vi.getTimerCount()).toBe(0);
});

test("of a contract that is not known nothing is told", async () => {
  const { heard, unwatch } = bids(create(), UNKNOWN);
  quote(1, UNKNOWN);
  await soon();
  unwatch();
  expect(heard).toEqual([]);
});
