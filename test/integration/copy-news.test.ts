// The goal: what a leader does is noted for copying exactly once, and kept until it is copied.
// The method: record fills as two owners of a leader's connection on a real Redis, read and forget
// what they noted, in any order.
import fc from "fast-check";
import type { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ContractCode } from "../../src/domain/contracts/contract.ts";
import { type AccountId, accountId, execId, orderId } from "../../src/domain/ids.ts";
import { type Fill, sign } from "../../src/domain/order.ts";
import { ticks } from "../../src/domain/contracts/price.ts";
import {
  accountViewScripts,
  createRedisAccountViews,
} from "../../src/store/accounts/redis-account-views.ts";
import {
  copyNewsScripts,
  createRedisCopyNews,
  MAX_FILLS_NOTED,
} from "../../src/store/copying/redis-copy-news.ts";
import type { CopyNews, LeaderNews } from "../../src/trading/copying/ports.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";
import type { AccountViews } from "../../src/trading/reads/ports.ts";

const LEADER = accountId("lead-1");
const FOLLOWER = accountId("follower-1");
const ES = "ESZ2026" as ContractCode;
const NQ = "NQZ2026" as ContractCode;

let corner: RedisCorner;
let redis: Redis;
let views: AccountViews;
let news: CopyNews;

beforeEach(async () => {
  corner = await openCorner();
  const { keys } = corner;
  redis = await corner.open("worker", [...accountViewScripts, ...copyNewsScripts]);
  views = createRedisAccountViews({ redis, keys });
  news = createRedisCopyNews({ redis, keys });
});
afterEach(() => corner.close());

const fill = (id: string, change: Partial<Fill> = {}): Fill => ({
  execId: execId(id),
  orderId: orderId("7"),
  contract: ES,
  side: "BUY",
  lastQty: 1,
  lastPx: ticks(4_000),
  transactTimeAt: 1,
  ...change,
});

const setLeads = async (account: AccountId, leads: 0 | 1) =>
  await redis.hset(corner.keys.copyLead(account), "leads", leads);
const add = async (fills: readonly Fill[], account = LEADER) =>
  (await views.recordFills(account, fills, undefined)).added;
const idsOf = ({ fills }: LeaderNews) => fills.map((noted) => noted.fill.execId as string);
const seqsOf = ({ fills }: LeaderNews) => fills.map(({ seq }) => seq);

describe("a leader's new fills", () => {
  test("are noted in the order in which they are recorded, whole, with the store's time", async () => {
    await setLeads(LEADER, 1);
    const before = Date.now();
    await add([fill("e9", { transactTimeAt: 9, realizedPnl: "12.5" }), fill("e2")]);
    await add([fill("e1", { contract: NQ })]);
    const read = await news.read(LEADER);
    expect(read.fills).toEqual([
      { seq: 1, fill: fill("e9", { transactTimeAt: 9, realizedPnl: "12.5" }) },
      { seq: 2, fill: fill("e2") },
      { seq: 3, fill: fill("e1", { contract: NQ }) },
    ]);
    expect(read.now).toBeGreaterThanOrEqual(before);
    expect(read.now).toBeLessThanOrEqual(Date.now());
  });

  test("are noted once, however often they are told", async () => {
    await setLeads(LEADER, 1);
    await Promise.all([add([fill("e1"), fill("e1")]), add([fill("e1"), fill("e2")])]);
    await add([fill("e2")]);
    expect(idsOf(await news.read(LEADER))).toEqual(["e1", "e2"]);
    expect(seqsOf(await news.read(LEADER))).toEqual([1, 2]);
  });

  test("of an account that leads nobody are not noted, and cost it no key", async () => {
    const { copyLead, copyNews } = corner.keys;
    await add([fill("e1")]);
    expect(await redis.exists(copyLead(LEADER), copyNews(LEADER))).toBe(0);
    await setLeads(LEADER, 0);
    await add([fill("e2")]);
    expect(await redis.exists(copyNews(LEADER))).toBe(0);
    await setLeads(LEADER, 1);
    // What was known before is no news.
    await add([fill("e1"), fill("e2"), fill("e3")]);
    expect(idsOf(await news.read(LEADER))).toEqual(["e3"]);
  });

  test("that made room at once are no news", async () => {
    const all = Array.from({ length: 10_000 }, (_, n) => fill(`e${n}`, { transactTimeAt: 10 + n }));
    await add(all);
    await setLeads(LEADER, 1);
    expect(await add([fill("early", { transactTimeAt: 1 })])).toEqual([]);
    expect(await news.read(LEADER)).toMatchObject({ fills: [] });
  });

  test("are bounded: the oldest make room, and count among what is held", async () => {
    await setLeads(LEADER, 1);
    const all = Array.from({ length: MAX_FILLS_NOTED + 30 }, (_, n) => fill(`e${n}`));
    await add(all);
    const read = await news.read(LEADER);
    expect(read.fills).toHaveLength(MAX_FILLS_NOTED);
    expect([read.fills[0]?.seq, read.fills.at(-1)?.seq]).toEqual([31, MAX_FILLS_NOTED + 30]);
    expect(read.holds.get(ES)).toBe(MAX_FILLS_NOTED + 30);
  });

  test("whose bodies are gone are forgotten", async () => {
    await setLeads(LEADER, 1);
    await add([fill("e1"), fill("e2", { contract: NQ })]);
    await redis.hdel(corner.keys.fills(LEADER), "e1");
    expect(idsOf(await news.read(LEADER))).toEqual(["e2"]);
    expect(await redis.zrange(corner.keys.copyNews(LEADER), "0", "-1")).toEqual(["e2"]);
  });

  test("are kept until they are copied, and a number is never given twice", async () => {
    await setLeads(LEADER, 1);
    await add([fill("e1"), fill("e2"), fill("e3")]);
    await news.done(LEADER, [2]);
    await news.done(LEADER, []);
    expect(seqsOf(await news.read(LEADER))).toEqual([1, 3]);
    expect(await news.nextSeq(LEADER)).toBe(4);
    await add([fill("e4")]);
    // A crash repeats what was done.
    await news.done(LEADER, [1, 2, 3]);
    expect(seqsOf(await news.read(LEADER))).toEqual([5]);
    expect(await news.nextSeq(LEADER)).toBe(6);
  });
});

describe("what a leader holds", () => {
  const holds = async () => Object.fromEntries((await news.read(LEADER)).holds);

  test("is its fills and what it held before, and nothing of what is flat", async () => {
    expect(await holds()).toEqual({});
    await add([fill("e1", { lastQty: 3 }), fill("e2", { contract: NQ, side: "SELL" })]);
    await views.saveBase(LEADER, {
      epoch: 1,
      base: new Map([
        [ES, -1],
        [NQ, 1],
      ]),
      reconciledUpTo: 7,
    });
    expect(await holds()).toEqual({ [ES]: 2 });
  });

  test("names a contract that is flat where news are of it, until they are copied", async () => {
    await setLeads(LEADER, 1);
    await add([fill("e1"), fill("e2", { side: "SELL" })]);
    expect(await holds()).toEqual({ [ES]: 0 });
    await news.done(LEADER, [1]);
    expect(await holds()).toEqual({ [ES]: 0 });
    await news.done(LEADER, [2]);
    expect(await holds()).toEqual({});
  });
});

type Step =
  | { readonly kind: "record"; readonly ids: readonly number[] }
  /** Reads, and has copied so many of what it read. */
  | { readonly kind: "copy"; readonly count: number }
  /** A crash repeats the last forgetting. */
  | { readonly kind: "repeat" };

/** What one process saw of a leader. */
interface Seen {
  readonly added: string[];
  readonly reads: LeaderNews[];
  readonly copied: number[];
}

/** Works as the owner of the leader's connection does, on a connection to Redis of its own. */
async function work(
  connection: Redis,
  leader: AccountId,
  { steps, fillOf }: { steps: readonly Step[]; fillOf: (id: number) => Fill },
): Promise<Seen> {
  const at = { redis: connection, keys: corner.keys };
  const [own, ownViews] = [createRedisCopyNews(at), createRedisAccountViews(at)];
  const seen: Seen = { added: [], reads: [], copied: [] };
  let last: readonly number[] = [];
  for (const step of steps) {
    if (step.kind === "record") {
      const { added } = await ownViews.recordFills(leader, step.ids.map(fillOf), undefined);
      seen.added.push(...added);
      continue;
    }
    if (step.kind === "copy") {
      const read = await own.read(leader);
      seen.reads.push(read);
      last = seqsOf(read).slice(0, step.count);
      seen.copied.push(...last);
    }
    await own.done(leader, last);
  }
  return seen;
}

test("any interleaving of two processes: each new fill is noted once, in order, and in the end nothing is left", async () => {
  let run = 0;
  const size = fc.record({
    side: fc.constantFrom("BUY" as const, "SELL" as const),
    lastQty: fc.integer({ min: 1, max: 9 }),
  });
  const book = fc.array(size, { minLength: 12, maxLength: 12 });
  const ids = fc.array(fc.integer({ min: 0, max: 11 }), { maxLength: 6 });
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ kind: fc.constant("record" as const), ids }),
    fc.record({ kind: fc.constant("copy" as const), count: fc.integer({ min: 0, max: 3 }) }),
    fc.record({ kind: fc.constant("repeat" as const) }),
  );
  const steps = fc.array(step, { maxLength: 12 });
  const other = await corner.open("worker");
  await fc.assert(
    fc.asyncProperty(book, steps, steps, async (kinds, here, there) => {
      const leader = accountId(`property-${(run += 1)}`);
      await setLeads(leader, 1);
      const fillOf = (id: number) => fill(`e${id}`, kinds[id] ?? {});
      const processes = await Promise.all([
        work(redis, leader, { steps: here, fillOf }),
        work(other, leader, { steps: there, fillOf }),
      ]);

      const rest = await news.read(leader);
      const reads = [...processes.flatMap((seen) => seen.reads), rest];
      for (const seqs of reads.map(seqsOf)) expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
      // A fill has one number, and a number one fill, whoever reads it and when.
      const noted = reads
        .flatMap(({ fills }) => fills)
        .map((one) => [one.fill.execId, one.seq] as const);
      const distinct = new Map(
        noted.map(([id, seq]) => [`${id} ${seq}`, { id: id as string, seq }]),
      );
      const added = processes.flatMap((seen) => seen.added).sort();
      expect([...distinct.values()].map(({ id }) => id).sort()).toEqual(added);
      expect(new Set([...distinct.values()].map(({ seq }) => seq)).size).toBe(added.length);
      const copied = new Set(processes.flatMap((seen) => seen.copied));
      expect(seqsOf(rest).filter((seq) => copied.has(seq))).toEqual([]);

      const net = added
        .map((id) => fillOf(Number(id.slice(1))))
        .reduce((sum, each) => sum + sign(each.side) * each.lastQty, 0);
      expect(rest.holds.get(ES) ?? 0).toBe(net);
      await news.done(leader, seqsOf(rest));
      expect(await redis.exists(corner.keys.copyNews(leader))).toBe(0);
    }),
    { numRuns: 100 },
  );
});

describe("a copy on its way", () => {
  const mark = (seq: number, leader = LEADER) => ({ leader, seq });

  test("is old once a later one into the same contract was noted", async () => {
    expect(await news.isOld(FOLLOWER, ES, mark(1))).toBe(false);
    expect(await news.claim(FOLLOWER, ES, mark(9))).toBe(true);
    // As a text, 10 comes before 9.
    expect(await news.claim(FOLLOWER, ES, mark(10))).toBe(true);
    expect(await news.claim(FOLLOWER, ES, mark(10))).toBe(true);
    expect(await news.claim(FOLLOWER, ES, mark(9))).toBe(false);
    const old = await Promise.all([9, 10, 11].map((seq) => news.isOld(FOLLOWER, ES, mark(seq))));
    expect(old).toEqual([true, false, false]);
  });

  test("says nothing of another contract, follower or leader", async () => {
    await news.claim(FOLLOWER, ES, mark(10));
    const other = accountId("lead-2");
    expect(await news.isOld(FOLLOWER, NQ, mark(1))).toBe(false);
    expect(await news.isOld(accountId("follower-2"), ES, mark(1))).toBe(false);
    expect(await news.isOld(FOLLOWER, ES, mark(1, other))).toBe(false);
    expect(await news.claim(FOLLOWER, ES, mark(1, other))).toBe(true);
    expect(await news.isOld(FOLLOWER, ES, mark(9))).toBe(true);
  });

  test("of many claimed at once the latest stands", async () => {
    const seqs = Array.from({ length: 50 }, (_, n) => ((n * 7) % 50) + 1);
    const claimed = await Promise.all(seqs.map((seq) => news.claim(FOLLOWER, ES, mark(seq))));
    expect(claimed[seqs.indexOf(50)]).toBe(true);
    expect(await news.isOld(FOLLOWER, ES, mark(49))).toBe(true);
    expect(await news.isOld(FOLLOWER, ES, mark(50))).toBe(false);
  });
});

test("refusals are counted in a row, by follower", async () => {
  const other = accountId("follower-2");
  const counts = [];
  for (const isRejected of [true, true, false, true]) {
    counts.push(await news.countRejects(FOLLOWER, isRejected));
  }
  expect(counts).toEqual([1, 2, 0, 1]);
  expect(await news.countRejects(other, false)).toBe(0);
  expect(await news.countRejects(other, true)).toBe(1);
});
