// The goal: of changes to copy groups at once none is lost, and an account's fills are noted for
// copying exactly while it leads.
// The method: drive the real scripts on a real Redis, as two processes, side by side and out of turn.
import fc from "fast-check";
import type { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CopyGroup } from "../../src/domain/copying/copy-group.ts";
import { type AccountId, accountId, copyGroupId, userId } from "../../src/domain/ids.ts";
import {
  copyGroupScripts,
  createRedisCopyGroups,
} from "../../src/store/copying/redis-copy-groups.ts";
import { setLeading } from "../../src/store/copying/set-leading.ts";
import { runScript } from "../../src/store/redis/script.ts";
import type { CopyGroups } from "../../src/trading/copying/ports.ts";
import { waitUntil } from "../support/wait.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";

const LEADER = accountId("lead-1");
const OTHER = accountId("lead-2");

let corner: RedisCorner;
let redis: Redis;
let groups: CopyGroups;
let elsewhere: CopyGroups;

beforeEach(async () => {
  corner = await openCorner();
  const { keys } = corner;
  redis = await corner.open("request", copyGroupScripts);
  groups = createRedisCopyGroups({ redis, keys });
  elsewhere = createRedisCopyGroups({ redis: await corner.open("request"), keys });
});
afterEach(() => corner.close());

const groupOf = (id: string, change: Partial<CopyGroup> = {}): CopyGroup => ({
  groupId: copyGroupId(`cg_${id}`),
  userId: userId("user_1"),
  leader: LEADER,
  followers: [
    {
      accountId: accountId(`follower-${id}`),
      size: { by: "multiplier", multiplier: "0.5", rounding: "down" },
      invert: false,
      symbolMap: { NQ: "MNQ" },
      enabled: true,
      joining: [],
    },
  ],
  name: id,
  mode: "fills",
  drift: "alarm",
  driftAfterSeconds: 10,
  maxAgeSeconds: 30,
  stopAfterRejects: 3,
  paused: false,
  createdAt: 1_700_000_000_000,
  ...change,
});

const leads = async (leader: AccountId) =>
  (await redis.hget(corner.keys.copyLead(leader), "leads")) === "1";
const note = async (leader: AccountId) => await redis.zadd(corner.keys.copyNews(leader), 1, "e1");
const isNoted = async (leader: AccountId) =>
  (await redis.exists(corner.keys.copyNews(leader))) === 1;

/** Saves or removes by the groups as they are, as often as someone else was faster. */
async function insist(store: CopyGroups, change: (version: number) => Promise<boolean>) {
  for (;;) {
    const { version } = await store.read();
    if (await change(version)) return;
  }
}

describe("copy groups", () => {
  test("are none at first", async () => {
    expect(await groups.read()).toEqual({ groups: [], version: 0 });
  });

  test("are read as they were saved, oldest first, each change with a new version", async () => {
    const [a, b, c] = [groupOf("a"), groupOf("b", { createdAt: 1 }), groupOf("c")];
    for (const [version, group] of [c, a, b].entries()) {
      expect(await groups.save(group, version)).toBe(true);
    }
    expect(await elsewhere.read()).toEqual({ groups: [b, a, c], version: 3 });
    const changed = { ...a, paused: true };
    expect(await groups.save(changed, 3)).toBe(true);
    expect(await groups.remove(c.groupId, 4)).toBe(true);
    expect(await elsewhere.read()).toEqual({ groups: [b, changed], version: 5 });
  });

  test("are not changed by who has read them before another change", async () => {
    await groups.save(groupOf("a"), 0);
    expect(await elsewhere.save(groupOf("b", { leader: OTHER }), 0)).toBe(false);
    expect(await elsewhere.remove(copyGroupId("cg_a"), 0)).toBe(false);
    expect(await groups.read()).toEqual({ groups: [groupOf("a")], version: 1 });
    expect([await leads(LEADER), await leads(OTHER)]).toEqual([true, false]);
  });

  test("that are as they are to be are done: a command that comes twice is no conflict", async () => {
    expect(await groups.save(groupOf("a"), 0)).toBe(true);
    expect(await groups.save(groupOf("a"), 0)).toBe(true);
    expect(await groups.remove(copyGroupId("cg_a"), 1)).toBe(true);
    expect(await groups.remove(copyGroupId("cg_a"), 1)).toBe(true);
    expect((await groups.read()).version).toBe(2);
  });

  test("tell every process of each change, and of nothing else", async () => {
    const listener = await corner.open("worker");
    const heard: string[] = [];
    listener.on("message", (_, message) => heard.push(message));
    await listener.subscribe(corner.keys.copyChanges);
    await groups.save(groupOf("a"), 0);
    await groups.save(groupOf("b"), 0);
    await groups.save(groupOf("a"), 0);
    await groups.remove(copyGroupId("cg_a"), 1);
    await redis.publish(corner.keys.copyChanges, "the end");
    await waitUntil("the last message is heard", () => heard.includes("the end"));
    expect(heard).toEqual(["cg_a", "cg_a", "the end"]);
  });
});

describe("whether an account leads", () => {
  test("is so from its first group to its last one, whose noted fills are forgotten", async () => {
    await groups.save(groupOf("a"), 0);
    await groups.save(groupOf("b"), 1);
    await note(LEADER);
    await groups.remove(copyGroupId("cg_a"), 2);
    expect([await leads(LEADER), await isNoted(LEADER)]).toEqual([true, true]);
    await groups.remove(copyGroupId("cg_b"), 3);
    expect([await leads(LEADER), await isNoted(LEADER)]).toEqual([false, false]);
  });

  test("follows a group that gets another leader", async () => {
    await groups.save(groupOf("a"), 0);
    await note(LEADER);
    await groups.save(groupOf("a", { leader: OTHER }), 1);
    expect([await leads(LEADER), await isNoted(LEADER)]).toEqual([false, false]);
    expect(await leads(OTHER)).toBe(true);
  });

  test("keeps the newest number of what it did, however often it stops leading", async () => {
    const seq = async () => await redis.hincrby(corner.keys.copyLead(LEADER), "seq", 1);
    await groups.save(groupOf("a"), 0);
    expect(await seq()).toBe(1);
    await groups.remove(copyGroupId("cg_a"), 1);
    await groups.save(groupOf("a"), 2);
    expect(await seq()).toBe(2);
  });

  test("is not undone by who has read older groups", async () => {
    const { keys } = corner;
    const say = async (isLeading: 0 | 1, version: number) =>
      await runScript(
        redis,
        setLeading,
        [keys.copyLead(LEADER), keys.copyNews(LEADER)],
        [isLeading, version],
      );
    await groups.save(groupOf("a"), 0);
    await say(0, 0);
    expect(await leads(LEADER)).toBe(true);
    // A group is being saved as version 10, while somebody has read version 9, where there is none.
    await say(1, 10);
    await note(LEADER);
    await say(0, 9);
    expect([await leads(LEADER), await isNoted(LEADER)]).toEqual([true, true]);
    // A later beginning is not made older by an earlier one that comes late.
    await say(1, 3);
    await say(0, 9);
    expect(await leads(LEADER)).toBe(true);
    await say(0, 10);
    expect([await leads(LEADER), await isNoted(LEADER)]).toEqual([false, false]);
  });

  test("any changes by two processes at once: none is lost, and who leads a group leads", async () => {
    const one = fc.record({
      id: fc.constantFrom("a", "b", "c"),
      leader: fc.constantFrom(LEADER, OTHER),
      name: fc.integer({ min: 0, max: 3 }).map(String),
      isRemoved: fc.boolean(),
    });
    const changes = fc.array(one, { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(changes, changes, async (here, there) => {
        const before = (await groups.read()).groups;
        for (const { groupId } of before) {
          await insist(groups, (version) => groups.remove(groupId, version));
        }
        const carryOut = async (store: CopyGroups, some: typeof here, place: string) => {
          for (const { id, leader, name, isRemoved } of some) {
            // Each process changes groups of its own, so that what is left follows from each alone.
            const group = groupOf(`${place}${id}`, { leader, name });
            await insist(store, (version) =>
              isRemoved ? store.remove(group.groupId, version) : store.save(group, version),
            );
          }
        };
        await Promise.all([carryOut(groups, here, "x"), carryOut(elsewhere, there, "y")]);

        const left = (some: typeof here, place: string) => {
          const byId = new Map(some.map((each) => [each.id, each]));
          return [...byId.values()]
            .filter(({ isRemoved }) => !isRemoved)
            .map(({ id, leader, name }) => groupOf(`${place}${id}`, { leader, name }));
        };
        const expected = [...left(here, "x"), ...left(there, "y")];
        const found = (await groups.read()).groups;
        expect(found).toEqual(expected.sort((a, b) => (a.groupId < b.groupId ? -1 : 1)));
        for (const leader of [LEADER, OTHER]) {
          expect(await leads(leader)).toBe(expected.some((group) => group.leader === leader));
        }
      }),
      { numRuns: 60 },
    );
  });
});
