// The goal: every copy is found again with what became of it, whatever a crash repeats.
// The method: drive the real scripts on a real Redis, with the intents that the copies become.
import fc from "fast-check";
import type { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ContractCode } from "../../src/domain/contracts/contract.ts";
import { type AccountId, accountId, copyGroupId, intentId } from "../../src/domain/ids.ts";
import { MAX_EXAMINED } from "../../src/store/redis/read-matching.ts";
import {
  copyLogScripts,
  createRedisCopyLog,
  MAX_COPIES_KEPT,
} from "../../src/store/copying/redis-copy-log.ts";
import { intentScripts } from "../support/intent-store.ts";
import type {
  CopyEntry,
  CopyLog,
  CopyMeasure,
  CopyPosition,
  CopyQuery,
  LoggedCopy,
} from "../../src/trading/copying/ports.ts";
import { ACCOUNT, DONE, IntentKit, OTHER, OWNER } from "../support/intent-kit.ts";
import { openCorner } from "../unit/store/open-redis.ts";

const RETENTION_MS = 3_600_000;
const LEADER = accountId("lead-1");
const SKIPPED = { reason: "The group is paused" };
const MEASURE: CopyMeasure = {
  avgPx: { numerator: 8_001, denominator: 2 },
  filledQty: 2,
  slippageTicks: -0.5,
  sentMs: 3,
  settledMs: 9,
};

let kit: IntentKit;
let redis: Redis;
let log: CopyLog;
let now: number;
let last = 0;

beforeEach(async () => {
  const corner = await openCorner();
  redis = await corner.open("request", [...intentScripts, ...copyLogScripts]);
  kit = new IntentKit(corner, redis);
  log = createRedisCopyLog({ redis, keys: corner.keys, retentionMs: RETENTION_MS });
  now = await kit.intents.now();
});
afterEach(() => kit.corner.close());

const entry = (change: Partial<CopyEntry> = {}): CopyEntry => ({
  copyId: intentId(`i-copy-${(last += 1)}`),
  groupId: copyGroupId("cg_1"),
  userId: OWNER.userId,
  leader: LEADER,
  follower: ACCOUNT,
  cause: "fill",
  leaderAt: now - 5,
  notedAt: now,
  contract: "ESZ2026" as ContractCode,
  targetQty: 2,
  decisions: ["2 of the leader are 1"],
  ...change,
});
/** A copy that was noted so many seconds ago. */
const ago = (seconds: number, change: Partial<CopyEntry> = {}) =>
  entry({ notedAt: now - 1_000 * seconds, ...change });
const accept = async ({ copyId, follower }: CopyEntry) => {
  const id = await kit.accept({ intentId: copyId, accountId: follower, isDerived: true });
  return await kit.intents.find(follower, id);
};
const list = async (query: Partial<CopyQuery> = {}, followers: readonly AccountId[] = [ACCOUNT]) =>
  await log.list(followers, { limit: 50, ...query });
const idsOf = (copies: readonly LoggedCopy[]) => copies.map((copy) => copy.entry.copyId);
const openIds = async () => idsOf(await log.open(ACCOUNT));

async function readAll(query: CopyQuery, followers = [ACCOUNT]) {
  const items: LoggedCopy[] = [];
  let after: CopyPosition | undefined;
  for (let pages = 1; ; pages += 1) {
    const read = await log.list(followers, { ...query, ...(after && { after }) });
    items.push(...read.items);
    if (read.next === undefined) return { items, ids: idsOf(items), pages };
    after = read.next;
  }
}

describe("a copy", () => {
  test("is its entry, then its intent as it stands, then what was measured", async () => {
    const copy = entry();
    await log.note(copy);
    expect(await list()).toEqual({ items: [{ entry: copy }] });
    const intent = await accept(copy);
    expect(await list()).toEqual({ items: [{ entry: copy, intent }] });
    expect(await log.open(ACCOUNT)).toEqual([{ entry: copy, intent }]);
    const settled = await kit.settle(copy.copyId, DONE);
    expect(await log.open(ACCOUNT)).toEqual([{ entry: copy, intent: settled }]);
    await log.measure(copy, MEASURE);
    expect(await list()).toEqual({ items: [{ entry: copy, intent: settled, measure: MEASURE }] });
    expect(await log.open(ACCOUNT)).toEqual([]);
  });

  test("that is skipped says why, and is not open", async () => {
    const copy = entry();
    await log.note(copy, SKIPPED);
    expect(await list()).toEqual({ items: [{ entry: copy, skipped: SKIPPED }] });
    expect(await log.open(ACCOUNT)).toEqual([]);
  });

  test("that comes again stays as it was noted first, in its place", async () => {
    const copy = ago(9);
    await log.note(copy);
    await log.note(ago(3));
    const again = { ...copy, notedAt: now, decisions: ["Decided again"] };
    await log.note(again);
    expect((await list()).items[1]).toEqual({ entry: copy });
    expect((await openIds())[0]).toBe(copy.copyId);
    await accept(copy);
    await kit.settle(copy.copyId, DONE);
    await log.measure(copy, MEASURE);
    await log.note(again);
    expect((await list()).items[1]).toMatchObject({ entry: copy, measure: MEASURE });
    expect(await openIds()).not.toContain(copy.copyId);
  });

  test("is skipped or not as was decided last, until it has an intent", async () => {
    const copy = entry();
    await log.note(copy);
    await log.note(copy, SKIPPED);
    expect([(await list()).items[0]?.skipped, await openIds()]).toEqual([SKIPPED, []]);
    await log.note(copy, { reason: "Another one" });
    expect((await list()).items[0]?.skipped).toEqual(SKIPPED);
    await log.note(copy);
    expect([await list(), await openIds()]).toEqual([{ items: [{ entry: copy }] }, [copy.copyId]]);
    const intent = await accept(copy);
    await log.note(copy, SKIPPED);
    expect(await list()).toEqual({ items: [{ entry: copy, intent }] });
    expect(await openIds()).toEqual([copy.copyId]);
  });

  test("that was thought to be skipped and has an intent is what became of that", async () => {
    const copy = entry();
    await log.note(copy, SKIPPED);
    const intent = await accept(copy);
    expect(await list()).toEqual({ items: [{ entry: copy, intent }] });
  });

  test("is kept for as long as copies are, and is not there again by a late measure", async () => {
    const { keys } = kit.corner;
    const copy = entry();
    await log.note(copy);
    for (const key of [
      keys.copy(ACCOUNT, copy.copyId),
      keys.copies(ACCOUNT),
      keys.openCopies(ACCOUNT),
    ]) {
      const ttl = await redis.pttl(key);
      expect(ttl).toBeGreaterThan(RETENTION_MS - 60_000);
      expect(ttl).toBeLessThanOrEqual(RETENTION_MS);
    }
    await redis.del(keys.copy(ACCOUNT, copy.copyId));
    await log.measure(copy, MEASURE);
    expect([await list(), await log.open(ACCOUNT)]).toEqual([{ items: [] }, []]);
    expect(await redis.exists(keys.copy(ACCOUNT, copy.copyId))).toBe(0);
  });

  test("that is older than copies are kept leaves the lists with the next one", async () => {
    const old = entry({ notedAt: now - RETENTION_MS - 1_000 });
    await log.note(old);
    const copy = entry();
    await log.note(copy);
    const { copies, openCopies } = kit.corner.keys;
    for (const key of [copies(ACCOUNT), openCopies(ACCOUNT)]) {
      expect(await redis.zrange(key, "0", "-1")).toEqual([copy.copyId]);
    }
  });
});

test("open ones are a follower's own, oldest first", async () => {
  const [third, first, second] = [ago(1), ago(3), ago(2)];
  for (const copy of [third, first, second]) await log.note(copy);
  await log.note(ago(4, { follower: OTHER }));
  expect(await openIds()).toEqual(idsOf([first, second, third].map((one) => ({ entry: one }))));
});

describe("the list", () => {
  test("is newest first over all followers, of one instant by the ids backwards", async () => {
    const at = (seconds: number, follower: AccountId, id: string) =>
      ago(seconds, { follower, copyId: intentId(id) });
    const all = [
      at(1, OTHER, "i1"),
      at(2, ACCOUNT, "i2"),
      at(5, ACCOUNT, "ic"),
      at(5, OTHER, "ib"),
      at(5, ACCOUNT, "ia"),
    ];
    for (const copy of all.toReversed()) await log.note(copy);
    const ids = all.map(({ copyId }) => copyId);
    expect(idsOf((await list({}, [ACCOUNT, OTHER])).items)).toEqual(ids);
    expect(idsOf((await list({}, [OTHER])).items)).toEqual(["i1", "ib"]);
    expect(await list({}, [])).toEqual({ items: [] });
    const { items, next } = await list({ limit: 3 }, [ACCOUNT, OTHER]);
    expect([idsOf(items), next]).toEqual([ids.slice(0, 3), { at: now - 5_000, copyId: "ic" }]);
    expect(await list({ limit: 5 }, [ACCOUNT, OTHER])).not.toHaveProperty("next");
  });

  test("any copies, any filter and any page size: none is left out or given twice", async () => {
    let run = 0;
    const one = fc.record({
      second: fc.integer({ min: 0, max: 9 }),
      follower: fc.constantFrom(0, 0, 1, 2),
      isSkipped: fc.boolean(),
    });
    const some = fc.array(one, { maxLength: 80, size: "max" });
    const isSkipped = ({ skipped }: LoggedCopy) => skipped !== undefined;
    const limits = fc.integer({ min: 1, max: 40 });
    await fc.assert(
      fc.asyncProperty(some, fc.boolean(), limits, async (copies, onlySkipped, limit) => {
        run += 1;
        const followers = [0, 1, 2].map((nth) => accountId(`property-${run}-${nth}`));
        const written = await Promise.all(
          copies.map(async (copy) => {
            const follower = followers[copy.follower] ?? ACCOUNT;
            const noted = ago(copy.second, { follower });
            await log.note(noted, copy.isSkipped ? SKIPPED : undefined);
            return { ...copy, noted };
          }),
        );
        const query = { limit, ...(onlySkipped && { matches: isSkipped }) };
        const { items, ids } = await readAll(query, followers);
        const asked = written.filter((copy) => copy.isSkipped || !onlySkipped);
        expect([...ids].sort()).toEqual(asked.map(({ noted }) => noted.copyId).sort());
        const times = items.map((item) => item.entry.notedAt);
        expect(times).toEqual([...times].sort((a, b) => b - a));
      }),
      { numRuns: 30 },
    );
  });

  test("one call looks at so many copies, and says where to go on", async () => {
    const oldest = ago(600);
    await log.note(oldest);
    await fill(MAX_EXAMINED + 500);
    const first = await list();
    expect(first.items).toEqual([]);
    expect(first.next?.at).toBe(now - 999 - MAX_EXAMINED);
    expect(await readAll({ limit: 50 })).toMatchObject({ ids: [oldest.copyId], pages: 2 });
  });

  test("is of the newest copies: older ones make room, with their records", async () => {
    const { keys } = kit.corner;
    const oldest = ago(600);
    await log.note(oldest);
    await fill(MAX_COPIES_KEPT - 1);
    expect(await redis.exists(keys.copy(ACCOUNT, oldest.copyId))).toBe(1);
    const newest = entry();
    await log.note(newest);
    expect(await redis.zcard(keys.copies(ACCOUNT))).toBe(MAX_COPIES_KEPT);
    expect(await redis.exists(keys.copy(ACCOUNT, oldest.copyId))).toBe(0);
    expect(await openIds()).toEqual([newest.copyId]);
  });

  /** Members of the log whose records are gone: each a millisecond older than the one before it. */
  async function fill(count: number): Promise<void> {
    const members = Array.from({ length: count }, (_, n) => [now - 1_000 - n, `gone-${n}`]);
    await redis.zadd(kit.corner.keys.copies(ACCOUNT), ...members.flat());
  }
});
