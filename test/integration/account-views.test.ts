// The goal: what is shown of an account is what its owner last wrote, page by page without a gap.
// The method: write accounts, positions and fills to a real Redis and read them back.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import fc from "fast-check";
import type { Redis } from "ioredis";
import type { ContractCode } from "../../src/domain/contracts/contract.ts";
import {
  type AccountId,
  accountId,
  connectionId,
  execId,
  orderId,
  userId,
} from "../../src/domain/ids.ts";
import { positionGaps } from "../../src/domain/holdings.ts";
import { type Fill, sign } from "../../src/domain/order.ts";
import { ticks } from "../../src/domain/contracts/price.ts";
import {
  accountClockScripts,
  createRedisAccountClocks,
} from "../../src/store/accounts/redis-account-clocks.ts";
import {
  accountViewScripts,
  createRedisAccountViews,
} from "../../src/store/accounts/redis-account-views.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";
import { createForgetPositions } from "../../src/trading/connections/forget-positions.ts";
import type { FillPosition, FillQuery, FillsRead } from "../../src/trading/reads/fill-pages.ts";
import type { AccountViews } from "../../src/trading/reads/ports.ts";
import type { StoredAccount } from "../../src/trading/connections/ports.ts";

const ACCOUNT = accountId("paper-1");
const ES = "ESZ2026" as ContractCode;
const NQ = "NQZ2026" as ContractCode;

let corner: RedisCorner;
let redis: Redis;
let views: AccountViews;

beforeEach(async () => {
  corner = await openCorner();
  redis = await corner.open("worker", [...accountViewScripts, ...accountClockScripts]);
  views = createRedisAccountViews({ redis, keys: corner.keys, now: () => 1_700_000_000_000 });
});
afterEach(() => corner.close());

const fill = (id: string, at: number): Fill => ({
  execId: execId(id),
  orderId: orderId("7"),
  contract: ES,
  side: "BUY",
  lastQty: 1,
  lastPx: ticks(4_000),
  transactTimeAt: at,
});

const at = (time: number, id: string): FillPosition => ({ at: time, execId: execId(id) });

const add = async (account: AccountId, fills: readonly Fill[]) =>
  (await views.recordFills(account, fills, undefined)).added;

const idsOf = ({ items }: FillsRead) => items.map((item) => item.execId);

/** All pages one after another, as a caller reads them; `between` is called before each next one. */
async function readAll(
  query: FillQuery,
  account = ACCOUNT,
  between: (page: number) => Promise<unknown> = async () => undefined,
): Promise<string[][]> {
  const pages: string[][] = [];
  let after: FillPosition | undefined;
  do {
    const page = await views.fills(account, { ...query, ...(after !== undefined && { after }) });
    pages.push(idsOf(page));
    after = page.next;
    if (after !== undefined) await between(pages.length);
  } while (after !== undefined && pages.length < 100);
  return pages;
}

describe("accounts", () => {
  const account = (id: string, change: Partial<StoredAccount> = {}): StoredAccount => ({
    accountId: accountId(id),
    name: id,
    connectionId: connectionId("paper"),
    broker: "paper",
    environment: "demo",
    currency: "USD",
    active: true,
    userId: userId("user_1"),
    ...change,
  });
  const active = async () =>
    Object.fromEntries((await views.accounts()).map((one) => [one.accountId, one.active]));

  test("are kept as reported", async () => {
    await views.saveAccounts(connectionId("paper"), [account("paper-1"), account("paper-2")]);
    expect(await views.accounts()).toEqual(
      expect.arrayContaining([account("paper-1"), account("paper-2")]),
    );
  });

  test("are read whole, thousands of them in parts", async () => {
    const many = Array.from({ length: 3_000 }, (_, n) => account(`paper-${n}`));
    await views.saveAccounts(connectionId("paper"), many);
    const before = await callsOf("hscan");
    const read = await views.accounts();
    expect(new Set(read.map((one) => one.accountId)).size).toBe(3_000);
    expect(read).toHaveLength(3_000);
    expect((await callsOf("hscan")) - before).toBeGreaterThanOrEqual(5);
  });

  test("that are reported no more become inactive, and active again when they are back", async () => {
    const both = [account("paper-1"), account("paper-2")];
    await views.saveAccounts(connectionId("paper"), both);
    await views.saveAccounts(connectionId("paper"), [account("paper-1")]);
    expect(await active()).toEqual({ "paper-1": true, "paper-2": false });
    await views.saveAccounts(connectionId("paper"), both);
    expect(await active()).toEqual({ "paper-1": true, "paper-2": true });
  });

  test("keep the clock of their days over reports, and of two who set one the first does", async () => {
    const clocks = createRedisAccountClocks({ redis, keys: corner.keys });
    const [one, other] = [
      [{ begins: "00:00", zone: "UTC" }],
      [{ begins: "18:00", zone: "Europe/Berlin" }],
    ];
    await views.saveAccounts(connectionId("paper"), [account("paper-1")]);
    const written = await Promise.all(
      [one, other].map((next) => clocks.change(accountId("paper-1"), undefined, next ?? [])),
    );
    expect(written).toEqual([true, false]);
    await views.saveAccounts(connectionId("paper"), []);
    expect(await clocks.change(accountId("paper-1"), one, other ?? [])).toBe(true);
    await views.saveAccounts(connectionId("paper"), [account("paper-1")]);
    expect(await views.accounts()).toEqual([{ ...account("paper-1"), clocks: other }]);
  });

  test("of another connection are left alone, even by an empty report", async () => {
    const live = account("live-1", { connectionId: connectionId("live") });
    await views.saveAccounts(connectionId("live"), [live]);
    await views.saveAccounts(connectionId("paper"), []);
    expect(await active()).toEqual({ "live-1": true });
  });
});

/** How often the server was asked for a command. */
async function callsOf(command: string): Promise<number> {
  const found = new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(
    await redis.info("commandstats"),
  );
  return Number(found?.[1] ?? 0);
}

describe("positions", () => {
  test("are as last written, with the time of the broker's word", async () => {
    expect(await views.positions(ACCOUNT)).toEqual({ value: [], asOf: 0 });
    const position = { contract: ES, netQty: 2, avgPx: { numerator: 8_001, denominator: 2 } };
    await views.recordFills(ACCOUNT, [], { positions: [position], epoch: 1 });
    expect(await views.positions(ACCOUNT)).toEqual({ value: [position], asOf: 1_700_000_000_000 });
    await views.recordFills(ACCOUNT, [], { positions: [], epoch: 1 });
    expect((await views.positions(ACCOUNT)).value).toEqual([]);
    expect((await views.positions(accountId("paper-2"))).asOf).toBe(0);
  });
});

describe("fills", () => {
  test("come newest first, page by page", async () => {
    await add(
      ACCOUNT,
      [1, 2, 3, 4, 5].map((at) => fill(`e${at}`, at)),
    );
    expect(await readAll({ limit: 2 })).toEqual([["e5", "e4"], ["e3", "e2"], ["e1"]]);
  });

  test("a last page that is full has no next one", async () => {
    await add(
      ACCOUNT,
      [1, 2, 3, 4].map((at) => fill(`e${at}`, at)),
    );
    expect(await readAll({ limit: 2 })).toEqual([
      ["e4", "e3"],
      ["e2", "e1"],
    ]);
    expect(await readAll({ limit: 4 })).toHaveLength(1);
    expect(await readAll({ limit: 100 })).toHaveLength(1);
  });

  test("of one instant are on one page each, and none is lost between pages", async () => {
    const all = Array.from({ length: 25 }, (_, n) => fill(`e${n}`, 1_000));
    await add(ACCOUNT, all);
    for (const limit of [1, 2, 7, 24, 25]) {
      const read = (await readAll({ limit })).flat();
      expect(read).toHaveLength(25);
      expect(new Set(read).size).toBe(25);
    }
  });

  test("that come while pages are read move nothing on the next ones", async () => {
    await add(
      ACCOUNT,
      [1, 2, 3, 4].map((at) => fill(`e${at}`, at)),
    );
    const first = await views.fills(ACCOUNT, { limit: 2 });
    await add(ACCOUNT, [fill("e9", 9), fill("e0", 0)]);
    expect(first.next).toEqual({ at: 3, execId: "e3" });
    const second = await views.fills(ACCOUNT, { limit: 2, after: at(3, "e3") });
    expect(idsOf(second)).toEqual(["e2", "e1"]);
    expect(second.next).toEqual({ at: 1, execId: "e1" });
  });

  test("are the same when they are added again", async () => {
    const all = [fill("e1", 1), fill("e2", 2)];
    await add(ACCOUNT, all);
    await Promise.all([add(ACCOUNT, all), add(ACCOUNT, [fill("e2", 2)])]);
    expect(await readAll({ limit: 10 })).toEqual([["e2", "e1"]]);
  });

  test("any fills, any filters, any page size and whatever comes meanwhile: none is skipped or read twice", async () => {
    let run = 0;
    const one = fc.record({
      at: fc.integer({ min: 0, max: 3 }),
      contract: fc.constantFrom(ES, NQ),
      // Ids whose order by bytes is not the one that JavaScript gives texts.
      id: fc.constantFrom("a", "Z", "9", "10", "\u{fffd}", "\u{1f4b0}"),
    });
    const request = fc.record(
      {
        fromAt: fc.integer({ min: 0, max: 3 }),
        beforeAt: fc.integer({ min: 0, max: 4 }),
        isOf: fc.constant((contract: ContractCode) => contract === NQ),
      },
      { requiredKeys: [] },
    );
    const fills = fc.array(one, { maxLength: 20 });
    const limits = fc.integer({ min: 1, max: 21 });
    await fc.assert(
      fc.asyncProperty(fills, fills, request, limits, async (first, later, filters, limit) => {
        const account = accountId(`property-${(run += 1)}`);
        const toFills = (some: typeof first, from: number) =>
          some.map(({ at: time, contract, id }, n) => ({
            ...fill(`${id}-${from + n}`, time),
            contract,
          }));
        const before = toFills(first, 0);
        const meanwhile = toFills(later, 100);
        await add(account, before);

        const pages = await readAll({ limit, ...filters }, account, async (page) =>
          add(account, meanwhile.slice(page - 1, page)),
        );
        const read = pages.flat();
        const { fromAt = 0, beforeAt = 99, isOf = () => true } = filters;
        const isAsked = ({ transactTimeAt, contract }: Fill) =>
          transactTimeAt >= fromAt && transactTimeAt < beforeAt && isOf(contract);
        const all = new Map([...before, ...meanwhile].map((each) => [each.execId as string, each]));
        expect(new Set(read).size).toBe(read.length);
        expect(read).toEqual(
          expect.arrayContaining(before.filter(isAsked).map(({ execId: id }) => id)),
        );
        const found = read.map((id) => all.get(id));
        expect(found.every((each) => each !== undefined && isAsked(each))).toBe(true);
        const times = found.map((each) => each?.transactTimeAt ?? -1);
        expect(times).toEqual([...times].sort((a, b) => b - a));
        expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  test("between two instants are those at the first and not those at the second", async () => {
    await add(
      ACCOUNT,
      [1, 2, 3, 4].map((time) => fill(`e${time}`, time)),
    );
    const read = async (query: Partial<FillQuery>) =>
      idsOf(await views.fills(ACCOUNT, { limit: 9, ...query }));
    expect(await read({ fromAt: 2, beforeAt: 4 })).toEqual(["e3", "e2"]);
    expect(await read({ fromAt: 4 })).toEqual(["e4"]);
    expect(await read({ beforeAt: 2 })).toEqual(["e1"]);
    expect(await read({ fromAt: 3, beforeAt: 3 })).toEqual([]);
  });

  test("of a contract that was traded long ago are found behind many others", async () => {
    const many = Array.from({ length: 1_200 }, (_, n) => fill(`m${n}`, 10 + n));
    const rare = [1, 2, 600].map((time) => ({ ...fill(`r${time}`, time), contract: NQ }));
    await add(ACCOUNT, [...many, ...rare]);
    const isOf = (contract: ContractCode) => contract === NQ;
    expect(await readAll({ limit: 2, isOf })).toEqual([["r600", "r2"], ["r1"]]);
  });

  test("come after a place whose own fill is not there", async () => {
    await add(ACCOUNT, [fill("e1", 1), fill("e3", 3), fill("e4", 3)]);
    const read = async (after: FillPosition) =>
      idsOf(await views.fills(ACCOUNT, { limit: 5, after }));
    expect(await read(at(3, "e35"))).toEqual(["e3", "e1"]);
    expect(await read(at(2, "x"))).toEqual(["e1"]);
    expect(await read(at(1, "e1"))).toEqual([]);
  });

  test("asked for by time are found by their index: the others are not even loaded", async () => {
    await add(
      ACCOUNT,
      Array.from({ length: 2_000 }, (_, n) => fill(`e${n}`, n)),
    );
    const start = redis.stream.bytesRead;
    const page = await views.fills(ACCOUNT, { limit: 5, fromAt: 990, beforeAt: 1_000 });
    const used = redis.stream.bytesRead - start;
    expect(idsOf(page)).toEqual(["e999", "e998", "e997", "e996", "e995"]);
    // Six bodies are about 400 bytes; all 2,000 would be more than 100 KB.
    expect(used).toBeGreaterThan(300);
    expect(used).toBeLessThan(5_000);
  });

  test("are bounded: the oldest make room, with their bodies", async () => {
    for (let start = 0; start < 10_300; start += 1_030) {
      const batch = Array.from({ length: 1_030 }, (_, n) => fill(`e${start + n}`, start + n));
      await add(ACCOUNT, batch);
    }
    expect(await redis.zcard(corner.keys.fillTimes(ACCOUNT))).toBe(10_000);
    expect(await redis.hlen(corner.keys.fills(ACCOUNT))).toBe(10_000);
    const { items, keptSinceAt } = await views.fills(ACCOUNT, { limit: 1 });
    expect(items[0]?.execId).toBe("e10299");
    expect(keptSinceAt).toBe(300);
    expect(await redis.hexists(corner.keys.fills(ACCOUNT), "e299")).toBe(0);
  });
});

describe("what fills add up to", () => {
  const of = (id: string, change: Partial<Fill>): Fill => ({ ...fill(id, 1), ...change });
  const holdings = async (account = ACCOUNT) => {
    const { filledNet, base } = await views.holdings(account);
    return { net: Object.fromEntries(filledNet), base: Object.fromEntries(base) };
  };

  test("is signed, by contract, and told with what was new", async () => {
    const all = [
      of("e1", { lastQty: 3 }),
      of("e2", { side: "SELL", lastQty: 5 }),
      of("e3", { contract: NQ, lastQty: 2 }),
    ];
    expect(await add(ACCOUNT, all)).toEqual(["e1", "e2", "e3"]);
    const again = await add(ACCOUNT, [...all, of("e4", {}), of("e4", {})]);
    expect(again).toEqual(["e4"]);
    expect((await holdings()).net).toEqual({ [ES]: -1, [NQ]: 2 });
    expect(await holdings(accountId("paper-2"))).toEqual({ net: {}, base: {} });
  });

  test("is the sum of the distinct fills, however they are split, repeated and interleaved", async () => {
    let run = 0;
    const one = fc.record({
      id: fc.integer({ min: 0, max: 15 }),
      side: fc.constantFrom("BUY" as const, "SELL" as const),
      lastQty: fc.integer({ min: 1, max: 9 }),
    });
    // What a fill is follows from its id, as at a broker.
    const batches = fc.array(fc.array(fc.integer({ min: 0, max: 15 }), { maxLength: 8 }), {
      maxLength: 8,
    });
    const book = fc.array(one, { minLength: 16, maxLength: 16 });
    await fc.assert(
      fc.asyncProperty(book, batches, fc.boolean(), async (kinds, calls, atOnce) => {
        const account = accountId(`sum-${(run += 1)}`);
        const fillOf = (id: number): Fill =>
          of(`e${id}`, { side: kinds[id]?.side ?? "BUY", lastQty: kinds[id]?.lastQty ?? 1 });
        const added: string[] = [];
        const call = async (ids: readonly number[]) => {
          added.push(...(await add(account, ids.map(fillOf))));
        };
        if (atOnce) await Promise.all(calls.map(call));
        else for (const ids of calls) await call(ids);

        const distinct = [...new Set(calls.flat())].map(fillOf);
        const sum = distinct.reduce((net, { side, lastQty }) => net + sign(side) * lastQty, 0);
        expect((await holdings(account)).net[ES] ?? 0).toBe(sum);
        expect(added.sort()).toEqual(distinct.map(({ execId }) => execId).sort());
      }),
      { numRuns: 60 },
    );
  });

  test("outlives the fills, and a fill that has made room is not new when it comes again", async () => {
    const all = Array.from({ length: 10_300 }, (_, n) => fill(`e${n}`, n));
    expect(await add(ACCOUNT, all)).toHaveLength(10_300);
    expect((await holdings()).net).toEqual({ [ES]: 10_300 });
    expect(await add(ACCOUNT, all)).toEqual([]);
    expect(await add(ACCOUNT, [fill("early", 5)])).toEqual([]);
    expect((await holdings()).net).toEqual({ [ES]: 10_300 });
    expect(await add(ACCOUNT, [fill("late", 20_000)])).toEqual(["late"]);
  });

  const upTo = async () => (await views.holdings(ACCOUNT)).reconciledUpTo;

  test("is added to positions from before, contract by contract", async () => {
    expect(await upTo()).toBeUndefined();
    await views.saveBase(ACCOUNT, { epoch: 1, base: new Map([[ES, 2]]), reconciledUpTo: 7 });
    await views.saveBase(ACCOUNT, { epoch: 1, base: new Map([[NQ, -1]]) });
    expect((await holdings()).base).toEqual({ [ES]: 2, [NQ]: -1 });
    expect(await upTo()).toBe(7);
    await views.saveBase(ACCOUNT, { epoch: 1, base: new Map([[ES, 0]]), reconciledUpTo: 9 });
    expect((await holdings()).base).toEqual({ [ES]: 0, [NQ]: -1 });
    expect(await upTo()).toBe(9);
  });

  test("comes with the positions in one step, or leaves them as they are", async () => {
    const position = { contract: ES, netQty: 1, avgPx: { numerator: 4_000, denominator: 1 } };
    await views.recordFills(ACCOUNT, [fill("e1", 1)], { positions: [position], epoch: 1 });
    await add(ACCOUNT, [fill("e2", 2)]);
    expect((await views.positions(ACCOUNT)).value).toEqual([position]);
  });
});

describe("what a former owner has read", () => {
  const position = (netQty: number) => ({
    contract: ES,
    netQty,
    avgPx: { numerator: 4_000, denominator: 1 },
  });
  const read = (netQty: number, epoch: number) => ({ positions: [position(netQty)], epoch });
  const shown = async () => (await views.positions(ACCOUNT)).value.map(({ netQty }) => netQty);

  beforeEach(async () => {
    await redis.set(corner.keys.epoch(ACCOUNT), 10);
  });

  test("never covers positions of the newest one, and its fills count all the same", async () => {
    await views.recordFills(ACCOUNT, [fill("e1", 1)], read(1, 10));
    // As a text, 9 comes after 10.
    const { added } = await views.recordFills(ACCOUNT, [fill("e2", 2)], read(7, 9));
    expect(added).toEqual(["e2"]);
    expect(await shown()).toEqual([1]);
    expect((await views.holdings(ACCOUNT)).filledNet.get(ES)).toBe(2);
    await views.recordFills(ACCOUNT, [], read(2, 11));
    expect(await shown()).toEqual([2]);
  });

  test("never covers the base of the newest one", async () => {
    await views.saveBase(ACCOUNT, { epoch: 10, base: new Map([[ES, 3]]), reconciledUpTo: 7 });
    await views.saveBase(ACCOUNT, { epoch: 9, base: new Map([[ES, 5]]), reconciledUpTo: 9 });
    const { base, reconciledUpTo } = await views.holdings(ACCOUNT);
    expect([base.get(ES), reconciledUpTo]).toEqual([3, 7]);
  });

  test("in many parts is judged like in one", async () => {
    const many = Array.from({ length: 1_001 }, (_, n) => fill(`m${n}`, n));
    expect((await views.recordFills(ACCOUNT, many, read(7, 9))).added).toHaveLength(1_001);
    expect(await shown()).toEqual([]);
    await views.recordFills(ACCOUNT, many, read(8, 10));
    expect(await shown()).toEqual([8]);
  });
});

test("a person's word makes an inactive account flat, and its next owner's reading counts again", async () => {
  await redis.set(corner.keys.epoch(ACCOUNT), 7);
  const held = { positions: [{ contract: ES, netQty: 2 }], epoch: 7 };
  await views.recordFills(ACCOUNT, [fill("1", 1), fill("2", 2)], held);
  await views.saveBase(ACCOUNT, { epoch: 7, base: new Map([[NQ, -1]]) });
  const { forgetPositions } = createForgetPositions({
    accounts: { require: async () => ({ active: false }) as never },
    views,
    sides: { keep: async () => undefined },
    now: () => 0,
  });
  await forgetPositions({ userId: userId("owner") } as never, ACCOUNT);
  expect((await views.positions(ACCOUNT)).value).toEqual([]);
  expect(positionGaps(await views.holdings(ACCOUNT), [])).toEqual([]);

  await views.recordFills(ACCOUNT, [], { ...held, epoch: 8 });
  expect((await views.positions(ACCOUNT)).value).toEqual(held.positions);
});
