// The goal: of changes to strategies at once none is lost, and slots and log follow their strategy.
// The method: drive the real scripts on a real Redis, as two processes, side by side and out of turn.
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { strategyId } from "../../../src/domain/ids.ts";
import type { Strategies } from "../../../src/trading/strategies/ports.ts";
import { waitUntil } from "../../support/wait.ts";
import { ID, NEXT_SLOT, SLOT, StrategyStoreKit, strategyOf } from "./strategy-store-kit.ts";

const OTHER = strategyId("st_b");

let kit: StrategyStoreKit;
let strategies: Strategies;
let elsewhere: Strategies;

beforeEach(async () => {
  kit = await StrategyStoreKit.open();
  ({ strategies } = kit);
  ({ strategies: elsewhere } = await kit.elsewhere());
});
afterEach(() => kit.corner.close());

const logKeys = async () =>
  (await kit.corner.stored()).filter((key) => key === kit.corner.keys.evaluations(ID));

describe("strategies", () => {
  test("are none at first", async () => {
    expect(await strategies.read()).toEqual({ strategies: [], version: 0 });
    expect(await kit.corner.stored()).toEqual([]);
  });

  test("are read as they were saved, oldest first, each change with a new version", async () => {
    const { schedule, ...plain } = strategyOf({ createdAt: 1 });
    const [a, b, c] = [strategyOf(), { ...plain, strategyId: OTHER }, strategyOf({ createdAt: 2 })];
    const third = { ...c, strategyId: strategyId("st_c"), bracket: { stopLoss: { ticks: 20 } } };
    for (const [version, one] of [third, a, b].entries()) {
      expect(await strategies.save(one, version, undefined)).toBe(true);
    }
    expect(schedule).toBeDefined();
    expect(await elsewhere.read()).toEqual({ strategies: [b, third, a], version: 3 });
    const changed = { ...a, version: 2, enabled: false };
    expect(await strategies.save(changed, 3, undefined)).toBe(true);
    expect(await strategies.remove(third.strategyId, 4)).toBe(true);
    expect(await elsewhere.read()).toEqual({ strategies: [b, changed], version: 5 });
  });

  test("are found by their id, and their version is told by itself", async () => {
    expect([await elsewhere.find(ID), await elsewhere.version()]).toEqual([undefined, 0]);
    await strategies.save(strategyOf(), 0, SLOT);
    await strategies.save(strategyOf({ strategyId: OTHER }), 1, SLOT);
    expect([await elsewhere.find(ID), await elsewhere.version()]).toEqual([strategyOf(), 2]);
    await strategies.remove(ID, 2);
    expect([await elsewhere.find(ID), await elsewhere.version()]).toEqual([undefined, 3]);
  });

  test("of one instant are told in the order of their ids", async () => {
    for (const [version, id] of ["st_c", "st_a", "st_b"].entries()) {
      await strategies.save(strategyOf({ strategyId: strategyId(id) }), version, undefined);
    }
    const ids = (await strategies.read()).strategies.map((one) => one.strategyId);
    expect(ids).toEqual(["st_a", "st_b", "st_c"]);
  });

  test("are not changed by who has read them before another change", async () => {
    await strategies.save(strategyOf(), 0, SLOT);
    expect(await elsewhere.save(strategyOf({ strategyId: OTHER }), 0, SLOT)).toBe(false);
    expect(await elsewhere.save(strategyOf({ name: "Other" }), 0, NEXT_SLOT)).toBe(false);
    expect(await elsewhere.remove(ID, 0)).toBe(false);
    expect(await strategies.read()).toEqual({ strategies: [strategyOf()], version: 1 });
    expect(await kit.log.nextSlot(ID)).toBe(SLOT);
    expect(await kit.log.nextSlot(OTHER)).toBeUndefined();
  });

  test("that are as they are to be are done: a command that comes twice is no conflict", async () => {
    expect(await strategies.save(strategyOf(), 0, SLOT)).toBe(true);
    expect(await strategies.save(strategyOf(), 0, SLOT)).toBe(true);
    expect(await strategies.remove(ID, 1)).toBe(true);
    expect(await strategies.remove(ID, 1)).toBe(true);
    expect(await strategies.read()).toEqual({ strategies: [], version: 2 });
  });

  test("tell every process of each change, and of nothing else", async () => {
    const listener = await kit.corner.open("worker");
    const { strategyChanges } = kit.corner.keys;
    const heard: string[] = [];
    listener.on("message", (_, message) => heard.push(message));
    await listener.subscribe(strategyChanges);
    await strategies.save(strategyOf(), 0, SLOT);
    await strategies.save(strategyOf({ strategyId: OTHER }), 0, SLOT);
    await strategies.save(strategyOf(), 0, SLOT);
    await strategies.save(strategyOf({ version: 2 }), 1, SLOT);
    await strategies.remove(ID, 2);
    await strategies.remove(ID, 2);
    await kit.redis.publish(strategyChanges, "the end");
    await waitUntil("the last message is heard", () => heard.includes("the end"));
    expect(heard).toEqual([ID, ID, ID, "the end"]);
  });

  test("any changes by two processes at once: none is lost", async () => {
    const one = fc.record({
      id: fc.constantFrom("a", "b", "c"),
      name: fc.integer({ min: 0, max: 3 }).map(String),
      isRemoved: fc.boolean(),
    });
    const changes = fc.array(one, { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(changes, changes, async (here, there) => {
        for (const { strategyId: id } of (await strategies.read()).strategies) {
          await insist(strategies, (version) => strategies.remove(id, version));
        }
        const named = (id: string, name: string) =>
          strategyOf({ strategyId: strategyId(id), name });
        const carryOut = async (store: Strategies, some: typeof here, place: string) => {
          for (const { id, name, isRemoved } of some) {
            const wanted = named(`st_${place}${id}`, name);
            await insist(store, (version) =>
              isRemoved
                ? store.remove(wanted.strategyId, version)
                : store.save(wanted, version, SLOT),
            );
          }
        };
        await Promise.all([carryOut(strategies, here, "x"), carryOut(elsewhere, there, "y")]);

        const left = (some: typeof here, place: string) =>
          [...new Map(some.map((each) => [each.id, each])).values()]
            .filter(({ isRemoved }) => !isRemoved)
            .map(({ id, name }) => named(`st_${place}${id}`, name));
        const expected = [...left(here, "x"), ...left(there, "y")];
        expect((await strategies.read()).strategies).toEqual(
          expected.sort((a, b) => (a.strategyId < b.strategyId ? -1 : 1)),
        );
        const slots = await kit.redis.hkeys(kit.corner.keys.nextSlots);
        expect(slots.sort()).toEqual(expected.map((each) => each.strategyId));
      }),
      { numRuns: 40 },
    );
  });
});

/** Saves or removes by the strategies as they are, as often as someone else was faster. */
async function insist(store: Strategies, change: (version: number) => Promise<boolean>) {
  for (;;) {
    const { version } = await store.read();
    if (await change(version)) return;
  }
}

describe("a strategy's next slot", () => {
  test("is set with it, and moved and cleared by its changes", async () => {
    await strategies.save(strategyOf(), 0, SLOT);
    expect(await kit.log.nextSlot(ID)).toBe(SLOT);
    await strategies.save(strategyOf({ version: 2 }), 1, NEXT_SLOT);
    expect(await kit.log.nextSlot(ID)).toBe(NEXT_SLOT);
    await strategies.save(strategyOf({ version: 3, enabled: false }), 2, undefined);
    expect(await kit.log.nextSlot(ID)).toBeUndefined();
  });

  test("is one of its own for each", async () => {
    await strategies.save(strategyOf(), 0, SLOT);
    await strategies.save(strategyOf({ strategyId: OTHER }), 1, NEXT_SLOT);
    await strategies.remove(ID, 2);
    expect(await kit.log.nextSlot(ID)).toBeUndefined();
    expect(await kit.log.nextSlot(OTHER)).toBe(NEXT_SLOT);
  });

  test("is not put back by a command that comes twice", async () => {
    await strategies.save(strategyOf(), 0, SLOT);
    await kit.redis.hset(kit.corner.keys.nextSlots, ID, NEXT_SLOT);
    await strategies.save(strategyOf(), 0, SLOT);
    expect(await kit.log.nextSlot(ID)).toBe(NEXT_SLOT);
  });
});

describe("a strategy's log", () => {
  test("stays through its changes, and goes with it", async () => {
    await strategies.save(strategyOf(), 0, SLOT);
    await kit.logged("i1", "i2");
    await strategies.save(strategyOf({ version: 2 }), 1, SLOT);
    expect(await kit.loggedIds()).toEqual(["i2", "i1"]);
    expect(await strategies.remove(ID, 1)).toBe(false);
    expect(await logKeys()).toHaveLength(1);
    expect(await strategies.remove(ID, 2)).toBe(true);
    expect(await logKeys()).toEqual([]);
    expect(await kit.loggedIds()).toEqual([]);
  });

  test("of another one stays", async () => {
    await strategies.save(strategyOf(), 0, SLOT);
    await strategies.save(strategyOf({ strategyId: OTHER }), 1, SLOT);
    await kit.logged("i1");
    await strategies.remove(OTHER, 2);
    expect(await kit.loggedIds()).toEqual(["i1"]);
  });

  test("leaves nothing but the version behind, once all are gone", async () => {
    await strategies.save(strategyOf(), 0, SLOT);
    await kit.logged("i1");
    await strategies.remove(ID, 1);
    expect(await kit.corner.stored()).toEqual([kit.corner.keys.strategies]);
    expect(await kit.redis.hkeys(kit.corner.keys.strategies)).toEqual(["version"]);
  });
});
