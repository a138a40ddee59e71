// The goal: every fill is a line of its account's ledger, once and for good, with where it came from and
// what it cost; and what the lines add up to is the same however it is read.
// The method: record fills in a real Redis, as owners do, and read the ledger back.
import { appendFile, readFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import type { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { appendToLedgerFile } from "../../src/data-folder/ledger-files.ts";
import type { ContractCode } from "../../src/domain/contracts/contract.ts";
import {
  accountId,
  clOrdId,
  connectionId,
  execId,
  intentId,
  orderId,
} from "../../src/domain/ids.ts";
import type { PlacedEntry } from "../../src/domain/ledger/ledger-entry.ts";
import type { Fill } from "../../src/domain/order.ts";
import { ticks } from "../../src/domain/contracts/price.ts";
import {
  accountViewScripts,
  createRedisAccountViews,
} from "../../src/store/accounts/redis-account-views.ts";
import { openLedger } from "../../src/store/ledger/open-ledger.ts";
import { createRedisLedger, ledgerScripts } from "../../src/store/ledger/redis-ledger.ts";
import { createRedisQuotes } from "../../src/store/ledger/redis-quotes.ts";
import { runScript } from "../../src/store/redis/script.ts";
import type { Ledger } from "../../src/trading/money/ports.ts";
import type { AccountViews } from "../../src/trading/reads/ports.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";
import { quoteHeardAt } from "../../src/domain/quote.ts";

const ACCOUNT = accountId("paper-1");
const ES = "ESZ2026" as ContractCode;
const INTENT = intentId(`i${"0".repeat(28)}`);

let corner: RedisCorner;
let redis: Redis;
let views: AccountViews;
let ledger: Ledger;

beforeEach(async () => {
  corner = await openCorner();
  redis = await corner.open("worker", [...accountViewScripts, ...ledgerScripts]);
  views = createRedisAccountViews({ redis, keys: corner.keys });
  ledger = another();
});
afterEach(() => corner.close());

/** As of a process that has read nothing yet. */
const another = (over = redis) =>
  createRedisLedger({ redis: over, keys: corner.keys, dayOf: () => "2026-11-27" });
const fill = (id: number, change: Partial<Fill> = {}): Fill => ({
  execId: execId(`x${id}`),
  orderId: orderId("7"),
  contract: ES,
  side: "BUY",
  lastQty: 1,
  lastPx: ticks(4_000 + id),
  transactTimeAt: 1_000 + id,
  ...change,
});
const record = async (...fills: Fill[]) => await views.recordFills(ACCOUNT, fills, undefined);
const many = (count: number) => Array.from({ length: count }, (_, nth) => fill(nth));
const lines = async (limit = 500) => (await ledger.entries(ACCOUNT, { limit })).items;

test("a fill is one line, however often it is told, and by whichever list", async () => {
  await record(fill(1), fill(2));
  await record(fill(2), fill(1), fill(3));
  await record(...many(120));
  await record(...many(120));
  const told = await lines();
  expect(told.map((line) => line.kind)).toEqual(Array(120).fill("fill"));
  const ids = told.map((line) => (line.kind === "lot" ? "" : line.fill.execId));
  expect(new Set(ids).size).toBe(120);
});

test("a line says where its intent came from, and what stood as it was sent", async () => {
  const key = corner.keys.intent(ACCOUNT, INTENT);
  const from = ["user_1", "hook_1", "r1"];
  const ours = { clOrdId: clOrdId(`${INTENT}-1-SL`) };
  await redis.hset(key, "record", JSON.stringify({ from, signalPrice: "5000.25", intent: {} }));
  await redis.hset(key, "quote", "100 101 - 5 4");
  await record(fill(1, ours), fill(2, { clOrdId: clOrdId("of another program") }));
  const copied = { userId: "u", source: { kind: "copy" }, copy: { leader: "paper-2", seq: 4 } };
  await redis.hset(key, "record", JSON.stringify({ ...copied, intent: {} }));
  await redis.hdel(key, "quote");
  await record(fill(3, ours));
  const [third, second, first] = await lines();
  expect(first).toMatchObject({
    origin: { by: "webhook", credentialId: "hook_1", signalPrice: "5000.25" },
    quote: { bid: { px: 100, heardAt: 5 }, ask: { px: 101, heardAt: 5 }, toldAt: 4 },
  });
  expect(first).not.toHaveProperty("quote.last");
  expect(second).not.toHaveProperty("origin");
  expect(third).toMatchObject({ origin: { by: "copy", leader: "paper-2" } });
  expect(third).not.toHaveProperty("quote");
});

test("what a fill cost may come later, and change: each is a line, and the trade shows the last", async () => {
  await record(fill(1, { lastQty: 2 }));
  const told = { lastQty: 2, fee: "4.50", feeCurrency: "USD" };
  await record(fill(1, told));
  await record(fill(1, told));
  await record(...many(100).slice(2), fill(1, { ...told, fee: "4.10" }));
  expect((await lines()).filter(({ kind }) => kind === "fee").toReversed()).toMatchObject([
    { fill: { execId: "x1", fee: "4.50" } },
    { fill: { execId: "x1", fee: "4.10" }, former: { amount: "4.50", currency: "USD" } },
  ]);
  const { days } = await ledger.book(ACCOUNT);
  expect(days["2026-11-27"]?.[ES]).toMatchObject({ fees: { USD: "4.1" }, unfeedQty: 98 });
  const { items } = await views.fills(ACCOUNT, { limit: 200 });
  expect(items.find((one) => one.execId === "x1")).toMatchObject({ fee: "4.10" });
});

test("a fill whose cost is the same is no line again, whatever else is told of it", async () => {
  const told = { fee: "4.50", feeCurrency: "USD" };
  const ours = { ...told, clOrdId: clOrdId(`${INTENT}-1`) };
  await record(fill(1, ours));
  await record(fill(1, told));
  await record(fill(1, { ...told, tradeDay: "2026-11-27" }));
  expect(await lines()).toMatchObject([{ kind: "fill", fill: ours }]);
  expect((await views.fills(ACCOUNT, { limit: 1 })).items).toMatchObject([ours]);
  await redis.hset(corner.keys.fills(ACCOUNT), "x1", JSON.stringify({ contract: ES, ...ours }));
  await record(fill(1, ours));
  expect(await lines()).toHaveLength(1);
  await record(fill(1, { ...ours, feeCurrency: "EUR" }));
  expect(await lines()).toHaveLength(2);
});

describe("what is held and no fill explains", () => {
  test("is a line with the broker's price, as far as the base has changed", async () => {
    const prices = new Map([[ES, { avgPx: { numerator: 8_001, denominator: 2 } }]]);
    const save = async (qty: number, epoch = 1) =>
      await views.saveBase(ACCOUNT, { epoch, base: new Map([[ES, qty]]), prices });
    await save(2);
    await save(2);
    await save(-1);
    await redis.set(corner.keys.epoch(ACCOUNT), 5);
    await save(9);
    expect((await lines()).toReversed()).toMatchObject([
      { kind: "lot", contract: ES, netQty: 2, avgPx: { numerator: 8_001, denominator: 2 } },
      { kind: "lot", netQty: -3 },
    ]);
    expect((await ledger.book(ACCOUNT)).positions[ES]).toMatchObject({
      position: { netQty: -1 },
      isEstimated: true,
    });
  });

  test("from before there was a ledger is where it begins, once", async () => {
    const open = async () => await runScript(redis, openLedger, [corner.keys.account(ACCOUNT)], []);
    await open();
    expect(await lines()).toEqual([]);
    const positions = [
      { contract: ES, netQty: -2, avgPx: { numerator: 20_001, denominator: 2 } },
      { contract: "XXZ2026", netQty: 1, terms: { tickSize: "0.5" } },
    ];
    await redis.set(corner.keys.positions(ACCOUNT), JSON.stringify({ positions, asOf: 1 }));
    await redis.hset(corner.keys.filledNet(ACCOUNT), { [ES]: -5, XXZ2026: 1, NQZ2026: 2 });
    await redis.hset(corner.keys.positionBase(ACCOUNT), { [ES]: 3, NQZ2026: -2, upTo: 7 });
    await open();
    await open();
    const lots = (await lines()).flatMap((one) => (one.kind === "lot" ? [one] : []));
    expect(lots.toSorted((one, other) => one.netQty - other.netQty)).toMatchObject(
      positions.map((position) => ({ kind: "lot", ...position })),
    );
  });

  test("from before there was a ledger comes before the fills that are kept", async () => {
    const key = corner.keys.intent(ACCOUNT, INTENT);
    await redis.hset(key, "record", JSON.stringify({ from: ["u", "hook_1", "r"], intent: {} }));
    const ours = { clOrdId: clOrdId(`${INTENT}-1`) };
    await record(fill(3, { side: "SELL", lastQty: 3 }), fill(1, ours), fill(2, { fee: "1.5" }));
    await redis.hset(corner.keys.positionBase(ACCOUNT), { [ES]: 4, upTo: 7 });
    // As an earlier version wrote it.
    const former = {
      orderId: "7",
      contract: ES,
      side: "BUY",
      lastQty: 1,
      lastPx: 4_002,
      fee: "1.5",
    };
    await redis.hset(corner.keys.fills(ACCOUNT), "x2", JSON.stringify(former));
    await redis.del(corner.keys.ledger(ACCOUNT));
    await runScript(redis, openLedger, [corner.keys.account(ACCOUNT)], []);
    expect((await lines()).toReversed()).toMatchObject([
      { kind: "lot", contract: ES, netQty: 4 },
      { kind: "fill", fill: { execId: "x1" }, origin: { by: "webhook", credentialId: "hook_1" } },
      { kind: "fill", fill: { execId: "x2", fee: "1.5" } },
      { kind: "fill", fill: { execId: "x3", side: "SELL" } },
    ]);
    const { positions, days } = await ledger.book(ACCOUNT);
    expect(positions[ES]?.position.netQty).toBe(3);
    expect(days["2026-11-27"]?.[ES]).toMatchObject({ unfeedQty: 4, fees: { "": "1.5" } });
  });

  test("from before there was a ledger is counted once, whatever was shown of it by then", async () => {
    const open = async () => await runScript(redis, openLedger, [corner.keys.account(ACCOUNT)], []);
    const show = async (netQty: number) => {
      const body = { positions: [{ contract: ES, netQty }], asOf: 1 };
      await redis.set(corner.keys.positions(ACCOUNT), JSON.stringify(body));
    };
    // Its broker could not show its positions any more as the last fill was written.
    await show(2);
    await redis.hset(corner.keys.filledNet(ACCOUNT), ES, 3);
    await open();
    const held = async () => (await another().book(ACCOUNT)).positions[ES]?.position.netQty;
    expect(await held()).toBe(3);
    // Its positions were shown, and nothing was concluded of them before it died.
    await redis.del(corner.keys.filledNet(ACCOUNT), corner.keys.ledger(ACCOUNT));
    await open();
    await views.saveBase(ACCOUNT, { epoch: 1, base: new Map([[ES, 2]]) });
    expect(await held()).toBe(2);
  });
});

test("pages follow one another without a gap, and what comes in meanwhile moves nothing", async () => {
  await record(...many(45));
  const found: PlacedEntry[] = [];
  let before: string | undefined;
  do {
    const query = { limit: 10, ...(before !== undefined && { before }) };
    const page = await ledger.entries(ACCOUNT, query);
    found.push(...page.items);
    before = page.next;
    await record(fill(100 + found.length));
  } while (before !== undefined);
  const ids = found.flatMap((line) => (line.kind === "fill" ? [line.fill.execId] : []));
  expect(ids).toEqual(
    many(45)
      .map((one) => one.execId)
      .toReversed(),
  );
});

test("the sum is the same from the beginning, from where it was kept, and by several at once", async () => {
  const fills = Array.from({ length: 1_300 }, (_, nth) =>
    fill(nth, { side: nth % 3 === 0 ? "SELL" : "BUY", lastQty: 1 + (nth % 4), fee: "0.5" }),
  );
  await record(...fills.slice(0, 700));
  const halfway = await ledger.book(ACCOUNT);
  expect(await redis.hexists(corner.keys.ledgerBook(ACCOUNT), "upTo")).toBe(1);
  expect(await ledger.book(ACCOUNT)).toEqual(halfway);
  await record(...fills.slice(700));
  const kept = await Promise.all([1, 2, 3].map(async () => await ledger.book(ACCOUNT)));
  await redis.del(corner.keys.ledgerBook(ACCOUNT));
  const anew = await another().book(ACCOUNT);
  expect(kept).toEqual([anew, anew, anew]);
});

test.each(["before its first lines", "between its lines"])(
  "a sum that is read slowly is the same where lines leave %s",
  async (when) => {
    await record(...many(1_300));
    const sum = await ledger.book(ACCOUNT);
    await redis.del(corner.keys.ledgerBook(ACCOUNT));
    let reads = when === "before its first lines" ? 1 : 2;
    const slow = new Proxy(redis, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        if (name !== "xrange") return value.bind(target) as unknown;
        return async (...args: Parameters<Redis["xrange"]>) => {
          reads -= 1;
          const written = async () => await Promise.resolve();
          if (reads === 0) await ledger.archive(ACCOUNT, { keep: 100, written });
          return await target.xrange(...args);
        };
      },
    });
    const reader = another(slow);
    expect(await reader.book(ACCOUNT)).toEqual(sum);
    expect(await ledger.book(ACCOUNT)).toEqual(sum);
  },
);

test("a process that goes on from where it was reads the same as one that begins", async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant("trade" as const), count: fc.integer({ min: 1, max: 90 }) }),
    fc.record({ do: fc.constant("archive" as const), keep: fc.nat(40) }),
    // As after a server took over that did not have them yet.
    fc.record({ do: fc.constant("lose" as const), count: fc.integer({ min: 1, max: 9 }) }),
    fc.constant({ do: "read" as const }),
  );
  const written = async () => await Promise.resolve();
  let traded = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      for (const one of steps) {
        if (one.do === "trade") {
          await record(...Array.from({ length: one.count }, () => fill((traded += 1))));
        } else if (one.do === "archive") {
          await ledger.archive(ACCOUNT, { keep: one.keep, written });
        } else if (one.do === "lose") {
          const key = corner.keys.ledger(ACCOUNT);
          const newest = await redis.xrevrange(key, "+", "-", "COUNT", one.count);
          const upTo = await redis.hget(corner.keys.ledgerBook(ACCOUNT), "upTo");
          const lost = newest.map(([id]) => id).filter((id) => comesAfter(id, upTo ?? "0-0"));
          if (lost.length > 0) await redis.xdel(key, ...lost);
        }
        if (one.do !== "read") continue;
        expect(await ledger.book(ACCOUNT)).toEqual(await another().book(ACCOUNT));
      }
    }),
    { numRuns: 40 },
  );
});

function comesAfter(one: string, other: string): boolean {
  const [ms = 0, seq = 0] = one.split("-").map(Number);
  const [otherMs = 0, otherSeq = 0] = other.split("-").map(Number);
  return ms > otherMs || (ms === otherMs && seq > otherSeq);
}

test("lines that leave are in the file before, and what they add up to stays", async () => {
  await record(...many(1_250));
  const sum = await ledger.book(ACCOUNT);
  const folder = await temporaryFolder();
  const written = async (some: readonly PlacedEntry[]) =>
    await appendToLedgerFile(folder, ACCOUNT, some);
  const broken = async () => await Promise.reject(new Error("The disk is full"));
  await expect(ledger.archive(ACCOUNT, { keep: 100, written: broken })).rejects.toThrow("full");
  expect(await ledger.length(ACCOUNT)).toBe(1_250);
  expect(await ledger.archive(ACCOUNT, { keep: 100, written })).toBe(1_150);
  expect(await ledger.archive(ACCOUNT, { keep: 100, written })).toBe(0);
  expect([await ledger.length(ACCOUNT), await ledger.book(ACCOUNT)]).toEqual([100, sum]);
  const text = await readFile(path.join(folder, "ledger", `${ACCOUNT}.jsonl`), "utf8");
  const moved = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as PlacedEntry);
  expect(moved).toHaveLength(1_150);
  expect(moved.at(-1)).toMatchObject({ kind: "fill", fill: { execId: "x1149" } });
});

test("a line that broke off in a file spoils no other one", async () => {
  await record(...many(3));
  const folder = await temporaryFolder();
  const some = await lines();
  await appendToLedgerFile(folder, ACCOUNT, some.slice(0, 1));
  const file = path.join(folder, "ledger", `${ACCOUNT}.jsonl`);
  await appendFile(file, JSON.stringify(some[1]).slice(0, 20));
  await appendToLedgerFile(folder, ACCOUNT, some.slice(1));
  const text = (await readFile(file, "utf8")).split("\n");
  const whole = some.map((line) => JSON.stringify(line));
  expect(text.filter((line) => whole.includes(line))).toEqual(whole);
});

test("a fill takes about so much of Redis as the documents say", async () => {
  const origin = { clOrdId: clOrdId(`${INTENT}-1`), fee: "2.25", feeCurrency: "USD" };
  const from = ["user_1", "hook_m2re4qNFWrnL", "r1"];
  const key = corner.keys.intent(ACCOUNT, INTENT);
  await redis.hset(key, "record", JSON.stringify({ from, signalPrice: "5000.25", intent: {} }));
  await redis.hset(key, "quote", "27401 27402 - 1795704653240 1795704653230");
  await record(...Array.from({ length: 2_000 }, (_, nth) => fill(1_000_000 + nth, origin)));
  const bytes = Number(await redis.call("MEMORY", "USAGE", corner.keys.ledger(ACCOUNT)));
  expect(bytes / 2_000).toBeLessThan(300);
});

test("all quotes of a connection take the place of what a former owner has left", async () => {
  const quotes = createRedisQuotes({ redis, keys: corner.keys });
  const connection = connectionId("c1");
  const NQ = "NQZ2026" as ContractCode;
  const quote = quoteHeardAt(1, { bid: ticks(5) });
  const news = { isAll: false, dropped: [], missing: undefined };
  await quotes.save(connection, { ...news, quotes: new Map([[ES, quote]]) });
  const both = { ...news, missing: "No subscription", quotes: new Map([[NQ, quote]]) };
  await quotes.save(connection, both);
  expect([...(await quotes.of(connection)).quotes.keys()].toSorted()).toEqual([ES, NQ]);
  await quotes.save(connection, { ...both, isAll: true });
  expect(await quotes.of(connection)).toEqual({
    quotes: new Map([[NQ, quote]]),
    missing: "No subscription",
  });
});
