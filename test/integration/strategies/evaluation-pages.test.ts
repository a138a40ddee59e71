// The goal: whoever reads a strategy's log page by page sees each entry once, and old ones go.
// The method: real streams on a real Redis, entries that come while it is read, and old ones by XADD.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { MAX_EXAMINED } from "../../../src/store/redis/read-matching.ts";
import { MAX_EVALUATIONS_KEPT } from "../../../src/store/strategies/redis-evaluation-log.ts";
import type {
  EvaluationLog,
  EvaluationPosition,
  EvaluationQuery,
} from "../../../src/trading/strategies/ports.ts";
import {
  DAY_MS,
  decidedOf,
  evaluationOf,
  ID,
  RETENTION_MS,
  StrategyStoreKit,
} from "./strategy-store-kit.ts";

let kit: StrategyStoreKit;
let log: EvaluationLog;
let key: string;

beforeEach(async () => {
  kit = await StrategyStoreKit.open();
  ({ log } = kit);
  key = kit.corner.keys.evaluations(ID);
  await kit.save();
});
afterEach(() => kit.corner.close());

const names = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => `i${from + n}`);

/** Entries as they stand in the stream, each a millisecond after the one before it. */
async function write(
  count: number,
  beganAt: number,
  notable: (n: number) => boolean = () => false,
) {
  for (let from = 0; from < count; from += 1_000) {
    const pipeline = kit.redis.pipeline();
    for (let n = from; n < Math.min(count, from + 1_000); n += 1) {
      const evaluation = decidedOf(`i${n}`, notable(n) ? "exit" : "hold");
      pipeline.xadd(key, `${beganAt + n}-0`, "e", JSON.stringify(evaluation));
    }
    await pipeline.exec();
  }
}

/** Reads on until nothing comes after; what happens between two pages is the test's. */
async function readAll(
  query: EvaluationQuery,
  between: () => Promise<void> = async () => undefined,
) {
  const pages: (readonly string[])[] = [];
  let after: EvaluationPosition | undefined;
  do {
    const page = await log.list(ID, { ...query, ...(after !== undefined && { after }) });
    pages.push(page.items.map(({ evaluationId }) => evaluationId));
    after = page.next;
    await between();
  } while (after !== undefined);
  return pages;
}

const redisNow = async () => Number((await kit.redis.time())[0]) * 1_000;
const exits = { matches: ({ verdict }: { readonly verdict: string }) => verdict === "exit" };

describe("pages", () => {
  test("are newest first, each entry once, while new ones come", async () => {
    await kit.logged(...names(1, 17));
    let last = 17;
    const pages = await readAll({ limit: 4 }, async () => {
      await kit.logged(...names(last + 1, last + 3));
      last += 3;
    });
    expect(pages).toHaveLength(5);
    expect(pages.slice(0, 4).map((page) => page.length)).toEqual([4, 4, 4, 4]);
    expect(pages.flat()).toEqual(names(1, 17).toReversed());
    expect((await log.list(ID, { limit: 4 })).items[0]?.evaluationId).toBe(`i${last}`);
  });

  test.each([
    [0, 1],
    [1, 1],
    [3, 1],
    [8, 4],
    [9, 4],
    [4, 4],
    [3, 500],
    [450, 220],
  ])("of %d entries, %d a page, leave none out and end", async (count, limit) => {
    await write(count, await redisNow());
    const pages = await readAll({ limit });
    expect(pages.flat()).toEqual(count === 0 ? [] : names(0, count - 1).toReversed());
    expect(pages).toHaveLength(Math.max(1, Math.ceil(count / limit)));
  });

  test("go on behind their place, even when its entry is gone", async () => {
    await kit.logged(...names(1, 6));
    const { next } = await log.list(ID, { limit: 2 });
    if (next === undefined) throw new Error("there is more");
    await kit.redis.xdel(key, next.id);
    const { items } = await log.list(ID, { limit: 2, after: next });
    expect(items.map(({ evaluationId }) => evaluationId)).toEqual(["i4", "i3"]);
  });

  test("tell entries of one millisecond apart", async () => {
    for (let n = 0; n < 5; n += 1) {
      await kit.redis.xadd(key, `1790000000000-${n}`, "e", JSON.stringify(decidedOf(`i${n}`)));
    }
    expect(await readAll({ limit: 2 })).toEqual([["i4", "i3"], ["i2", "i1"], ["i0"]]);
  });
});

describe("pages of what matches only", () => {
  test("are as long as asked for, while there is as much within reach", async () => {
    await write(100, await redisNow(), (n) => n % 3 === 0);
    const pages = await readAll({ limit: 10, ...exits });
    const wanted = names(0, 99).filter((_, n) => n % 3 === 0);
    expect(pages.flat()).toEqual(wanted.toReversed());
    expect(pages.map((page) => page.length)).toEqual([10, 10, 10, 4]);
  });

  test(`are short, or empty, after ${MAX_EXAMINED} entries, with more to come`, async () => {
    const count = 3 * MAX_EXAMINED;
    // One among the newest, and one as the very oldest.
    await write(count, await redisNow(), (n) => n === count - 1 || n === 0);
    const query = { limit: 50, ...exits };
    const first = await log.list(ID, query);
    expect(first.items.map(({ evaluationId }) => evaluationId)).toEqual([`i${count - 1}`]);
    expect(first.next).toBeDefined();
    const pages = await readAll(query);
    expect(pages.flat()).toEqual([`i${count - 1}`, "i0"]);
    expect(pages[1]).toEqual([]);
    expect(pages.length).toBeLessThanOrEqual(4);
  });

  test("look at no more entries than that", async () => {
    await write(2 * MAX_EXAMINED, await redisNow());
    let looked = 0;
    const matches = () => {
      looked += 1;
      return false;
    };
    const { items, next } = await log.list(ID, { limit: 100, matches });
    expect(items).toEqual([]);
    expect(next).toBeDefined();
    expect(looked).toBeGreaterThanOrEqual(MAX_EXAMINED);
    // A last read may go over it by what one read brings.
    expect(looked).toBeLessThan(MAX_EXAMINED + 101);
  });
});

describe("what is kept", () => {
  // Redis trims by whole nodes of its stream, of 100 entries at most: so up to as many more stay.
  const NODE = 100;

  test("is 30 days: older entries go with the next one that ends", async () => {
    const now = await redisNow();
    await write(1_000, now - 31 * DAY_MS);
    await write(50, now - 29 * DAY_MS);
    await kit.logged("new");
    const ids = await allIds();
    expect(ids.slice(0, 51)).toEqual(["new", ...names(0, 49).toReversed()]);
    expect(ids.length).toBeLessThanOrEqual(51 + NODE);
  });

  test("is nothing younger than that", async () => {
    await write(500, (await redisNow()) - RETENTION_MS + 60_000);
    await kit.logged("new");
    expect(await kit.redis.xlen(key)).toBe(501);
  });

  test("is what its own time says", async () => {
    const hour = 3_600_000;
    const briefly = kit.logOn(kit.redis, hour);
    await write(1_000, (await redisNow()) - 2 * hour);
    await briefly.open(evaluationOf("new"));
    await briefly.end(decidedOf("new"));
    expect(await kit.redis.xlen(key)).toBeLessThanOrEqual(1 + NODE);
    const left = await kit.redis.pttl(key);
    expect(left).toBeGreaterThan(hour - 60_000);
    expect(left).toBeLessThanOrEqual(hour);
  });

  test("goes as a whole 30 days after the newest", async () => {
    await kit.logged("i1");
    await kit.redis.pexpire(key, 1_000_000);
    await kit.logged("i2");
    const left = await kit.redis.pttl(key);
    expect(left).toBeGreaterThan(RETENTION_MS - 60_000);
    expect(left).toBeLessThanOrEqual(RETENTION_MS);
  });

  test(`is at most the newest ${MAX_EVALUATIONS_KEPT}, and at most one node more`, async () => {
    await write(MAX_EVALUATIONS_KEPT + 1_500, (await redisNow()) - DAY_MS);
    await kit.logged("new");
    const kept = await kit.redis.xlen(key);
    expect(kept).toBeGreaterThanOrEqual(MAX_EVALUATIONS_KEPT);
    expect(kept).toBeLessThanOrEqual(MAX_EVALUATIONS_KEPT + NODE);
    const [newest] = await log.newest([ID]);
    expect(newest?.evaluationId).toBe("new");
  });
});

async function allIds(): Promise<readonly string[]> {
  return (await readAll({ limit: 500 })).flat();
}
