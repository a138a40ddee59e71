// The goal: a fill that the broker takes back or corrects counts anew in what is held, in the trades and in
// the ledger, once, by a line of its own; whether it is reported before its fill, twice, or found later.
// The method: record fills in a real Redis, as owners do, and read holdings, trades and ledger back.
import { closures } from "../../config/holidays.ts";
import fc from "fast-check";
import type { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createBusinessCalendar } from "../../src/domain/calendar/business-days.ts";
import type { ContractCode } from "../../src/domain/contracts/contract.ts";
import { ticks } from "../../src/domain/contracts/price.ts";
import { accountId, clOrdId, execId, orderId } from "../../src/domain/ids.ts";
import type { Fill } from "../../src/domain/order.ts";
import {
  accountViewScripts,
  createRedisAccountViews,
} from "../../src/store/accounts/redis-account-views.ts";
import { createRedisCopyNews } from "../../src/store/copying/redis-copy-news.ts";
import { copyNewsScripts } from "../../src/store/copying/redis-copy-news.ts";
import { createRedisLedger, ledgerScripts } from "../../src/store/ledger/redis-ledger.ts";
import { upgradeStore } from "../../src/store/trust/upgrade-store.ts";
import type { Ledger } from "../../src/trading/money/ports.ts";
import type { AccountViews } from "../../src/trading/reads/ports.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";

const ACCOUNT = accountId("paper-1");
const ES = "ESZ2026" as ContractCode;
const DAY = "2026-11-27";

let corner: RedisCorner;
let redis: Redis;
let views: AccountViews;
let ledger: Ledger;

beforeEach(async () => {
  corner = await openCorner();
  const scripts = [...accountViewScripts, ...ledgerScripts, ...copyNewsScripts];
  redis = await corner.open("worker", scripts);
  views = createRedisAccountViews({ redis, keys: corner.keys });
  ledger = another();
  await views.saveBase(ACCOUNT, { epoch: 1, base: new Map(), reconciledUpTo: 1 });
});
afterEach(() => corner.close());

/** As of a process that has read nothing yet. */
const another = (over = redis) =>
  createRedisLedger({ redis: over, keys: corner.keys, dayOf: () => DAY });
const fill = (id: number, change: Partial<Fill> = {}): Fill => ({
  execId: execId(`x${id}`),
  orderId: orderId("7"),
  contract: ES,
  side: "BUY",
  lastQty: 2,
  lastPx: ticks(4_000),
  fee: "1.00",
  feeCurrency: "USD",
  clOrdId: clOrdId("by hand"),
  transactTimeAt: 1_000 + id,
  ...change,
});
const busted = (id: number, change: Partial<Fill> = {}) => fill(id, { ...change, takenBack: true });
const record = async (...fills: Fill[]) => {
  const { added, corrected } = await views.recordFills(ACCOUNT, fills, undefined);
  return { added, corrected };
};
const kinds = async () =>
  (await ledger.entries(ACCOUNT, { limit: 500 })).items.map(({ kind }) => kind).toReversed();
const net = async () => (await views.holdings(ACCOUNT)).filledNet.get(ES);
const held = async () => (await ledger.book(ACCOUNT)).positions[ES]?.position;
const written = async () => await Promise.resolve();

describe("a fill that is taken back", () => {
  test("counts no more, by one line that names it, however often that is told", async () => {
    await record(fill(1), fill(2));
    expect(await held()).toMatchObject({ netQty: 4 });
    const { clOrdId: _, ...unnamed } = busted(1);
    expect(await record(unnamed)).toEqual({ added: [], corrected: ["x1"] });
    expect(await record(busted(1), busted(1))).toEqual({ added: [], corrected: [] });
    expect(await record(fill(1), fill(1, { fee: "9.00" }))).toEqual({ added: [], corrected: [] });
    expect(await kinds()).toEqual(["fill", "fill", "correction"]);
    expect([await net(), (await held())?.netQty]).toEqual([2, 2]);
    expect((await ledger.book(ACCOUNT)).days[DAY]?.[ES]).toMatchObject({ fees: { USD: "1" } });
    const [line] = (await ledger.entries(ACCOUNT, { limit: 1 })).items;
    expect(line).toMatchObject({
      kind: "correction",
      fill: { execId: "x1", takenBack: true },
      former: { execId: "x1", lastQty: 2, lastPx: 4_000, fee: "1.00" },
    });
    expect(line).toHaveProperty("fill.clOrdId", "by hand");
    const { items } = await views.fills(ACCOUNT, { limit: 10 });
    expect(items.map((one) => [one.execId, one.takenBack])).toEqual([
      ["x2", undefined],
      ["x1", true],
    ]);
  });

  test("before it is told itself never counts", async () => {
    expect(await record(busted(1))).toEqual({ added: [], corrected: [] });
    expect(await record(fill(1))).toEqual({ added: [], corrected: [] });
    expect([await net(), await held()]).toEqual([undefined, undefined]);
    expect(await kinds()).toEqual(["correction"]);
    const [line] = (await ledger.entries(ACCOUNT, { limit: 1 })).items;
    expect(line).not.toHaveProperty("former");
  });

  test("long before its account was known is no news, and kept all the same", async () => {
    await redis.del(corner.keys.positionBase(ACCOUNT));
    await record(busted(1), fill(1));
    expect([await net(), await kinds()]).toEqual([undefined, []]);
  });

  test("is found among many that are read again", async () => {
    const many = Array.from({ length: 120 }, (_, id) => fill(id));
    await record(...many);
    const again = many.map((one) => (one.execId === "x60" ? busted(60) : one));
    expect(await record(...again)).toEqual({ added: [], corrected: ["x60"] });
    expect([await net(), (await held())?.netQty]).toEqual([238, 238]);
  });

  test("is not copied any more where that was still to come", async () => {
    const news = createRedisCopyNews({ redis, keys: corner.keys });
    await redis.hset(corner.keys.copyLead(ACCOUNT), "leads", "1");
    await record(fill(1), fill(2));
    await record(busted(1));
    const { fills, holds } = await news.read(ACCOUNT);
    expect([fills.map((one) => one.fill.execId), holds.get(ES)]).toEqual([["x2"], 2]);
    await news.done(ACCOUNT, [fills[0]?.seq ?? 0]);
    await record(busted(2));
    expect((await news.read(ACCOUNT)).fills).toEqual([]);
  });
});

describe("a fill that is corrected", () => {
  test("counts with its new quantity and price, and says what it was", async () => {
    await record(fill(1), fill(2, { side: "SELL", lastPx: ticks(4_010) }));
    const corrected = fill(1, { lastQty: 3, lastPx: ticks(4_001) });
    expect(await record(corrected)).toEqual({ added: [], corrected: ["x1"] });
    expect(await net()).toBe(1);
    expect(await held()).toMatchObject({ netQty: 1, lots: [{ qty: 1, px: 4_001 }] });
    expect((await ledger.book(ACCOUNT)).days[DAY]?.[ES]).toMatchObject({ realizedTicks: 18 });
    const [line] = (await ledger.entries(ACCOUNT, { limit: 1 })).items;
    expect(line).toMatchObject({ fill: { lastQty: 3 }, former: { lastQty: 2, lastPx: 4_000 } });
  });

  test("is none where its contract is only described in other ticks, or by another name", async () => {
    await record(fill(1));
    const terms = { tickSize: "0.01" } as NonNullable<Fill["terms"]>;
    const renamed = fill(1, { contract: "ESU2026" as ContractCode, lastPx: ticks(1) });
    for (const told of [fill(1, { terms, lastPx: ticks(100_000) }), renamed]) {
      expect(await record(told)).toEqual({ added: [], corrected: [] });
    }
    expect(await kinds()).toEqual(["fill"]);
  });
});

test("the book is the same wherever it goes on from, and whatever lines have left before", async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant("trade" as const), side: fc.constantFrom("BUY", "SELL") }),
    fc.record({ do: fc.constant("trade" as const), side: fc.constantFrom("BUY", "SELL") }),
    fc.record({ do: fc.constant("bust" as const), nth: fc.nat(30) }),
    fc.record({ do: fc.constant("correct" as const), nth: fc.nat(30), px: fc.nat(20) }),
    fc.record({ do: fc.constant("archive" as const), keep: fc.nat(8) }),
    fc.constant({ do: "read" as const }),
  );
  let last = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const now: Fill[] = [];
      for (const one of steps) {
        const nth = "nth" in one ? one.nth : -1;
        const known = now[nth];
        if (one.do === "trade") {
          last += 1;
          const px = ticks(4_000 + (last % 7));
          const made = fill(last, { side: one.side as Fill["side"], lastPx: px });
          now.push(made);
          await record(made);
        } else if (one.do === "archive") {
          await ledger.archive(ACCOUNT, { keep: one.keep, written });
        } else if (known !== undefined && known.takenBack !== true) {
          const told =
            one.do === "bust"
              ? { ...known, takenBack: true as const }
              : { ...known, lastPx: ticks(4_000 + ("px" in one ? one.px : 0)) };
          now[nth] = told;
          await record(told);
        }
        if (one.do !== "read") continue;
        expect(await ledger.book(ACCOUNT)).toEqual(await another().book(ACCOUNT));
      }
      const book = await ledger.book(ACCOUNT);
      expect(book).toEqual(await another().book(ACCOUNT));
      expect(book.positions[ES]?.position.netQty ?? 0).toBe((await net()) ?? 0);
    }),
    { numRuns: 30 },
  );
});

test("a sum whose lines have left is exact where the correction came before that", async () => {
  const sold = fill(2, { side: "SELL", lastPx: ticks(4_010) });
  await record(fill(1), sold, fill(3), busted(2, { side: "SELL", lastPx: ticks(4_010) }), fill(4));
  const exact = await ledger.book(ACCOUNT);
  await ledger.archive(ACCOUNT, { keep: 2, written });
  await record(busted(4));
  const { days, positions } = await another().book(ACCOUNT);
  expect(positions[ES]?.position).toMatchObject({ netQty: 4 });
  expect(days[DAY]?.[ES]).toMatchObject({ realizedTicks: 0, isEstimated: false });
  expect(exact.positions[ES]?.position).toMatchObject({ netQty: 6 });
  await record(busted(1));
  const late = await another().book(ACCOUNT);
  expect(late.days[DAY]?.[ES]).toMatchObject({ isEstimated: true, fees: { USD: "1" } });
  expect(late.positions[ES]?.position.netQty).toBe(2);
});

test("a sum whose lines have left by an earlier version is where corrections go on from", async () => {
  await record(fill(1), fill(2), fill(3));
  await ledger.archive(ACCOUNT, { keep: 1, written });
  // It kept no other sum.
  await redis.hdel(corner.keys.ledgerBook(ACCOUNT), "baseUpTo", "base");
  await redis.set(corner.keys.storeIdentity, '{"id":"store-1","format":4}');
  await redis.hset(corner.keys.accounts, ACCOUNT, JSON.stringify({ accountId: ACCOUNT }));
  await upgradeStore(redis, corner.keys, createBusinessCalendar(closures.CME));
  await record(fill(4));
  const exact = await another().book(ACCOUNT);
  expect(exact.positions[ES]?.position.netQty).toBe(8);
  await record(busted(4));
  const { days, positions } = await another().book(ACCOUNT);
  expect([positions[ES]?.position.netQty, await net()]).toEqual([6, 6]);
  expect(days[DAY]?.[ES]).toMatchObject({ isEstimated: false, fees: { USD: "3" } });
  await record(busted(1));
  expect((await another().book(ACCOUNT)).positions[ES]?.position.netQty).toBe(4);
});

test("lines that leave stay in the sum, at whichever moment of it another fill is recorded", async () => {
  let last = 0;
  const trade = async () => await record(fill((last += 1)));
  let [isThrough, moments] = [false, 0];
  for (; !isThrough; moments += 1) {
    for (const _ of [1, 2, 3]) await trade();
    let left = moments;
    const slow = new Proxy(redis, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        if (!/^(?:x|h|evalsha)/.test(String(name))) return value.bind(target) as unknown;
        return async (...args: unknown[]) => {
          left -= 1;
          if (left === -1) await trade();
          return (await Reflect.apply(value, target, args)) as unknown;
        };
      },
    });
    await another(slow).archive(ACCOUNT, { keep: 2, written });
    isThrough = left >= 0;
    await trade();
    await record(busted(last));
    expect((await another().book(ACCOUNT)).positions[ES]?.position.netQty).toBe(await net());
  }
  expect(moments).toBeGreaterThan(5);
});

test("what is added up anew leaves the thread to orders in between", async () => {
  await record(...Array.from({ length: 3_000 }, (_, id) => fill(id)));
  await record(busted(1));
  let [turns, isOver, answeredAt, most] = [0, false, 0, 0];
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  turn();
  const watched = new Proxy(redis, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      if (!["xrange", "hget", "hmget"].includes(String(name))) return value.bind(target) as unknown;
      return async (...args: unknown[]) => {
        most = Math.max(most, turns - answeredAt);
        const answer: unknown = await Reflect.apply(value, target, args);
        answeredAt = turns;
        return answer;
      };
    },
  });
  const { positions } = await another(watched).book(ACCOUNT);
  isOver = true;
  expect(positions[ES]?.position.netQty).toBe(5_998);
  expect(most).toBeGreaterThanOrEqual(5);
});
