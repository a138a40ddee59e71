// The goal: exits that never came stand though positions, legs and answers come late. The method: the keeper of plans on
// a lane at the built-in broker that reports them so, and orders drawn at random.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Bracket } from "../../../../../src/domain/order.ts";
import { ACCOUNT } from "../../lane-kit.ts";
import { BOTH, by, LIMIT, droppingExits } from "./dropping-exits.ts";
import { at, BID, PlanWorld } from "./exits-kit.ts";

let world: PlanWorld;
let end: AbortController;
const { losesExits, enter, brokerPlaces } = droppingExits(() => world);

beforeEach(async () => {
  end = new AbortController();
  world = await PlanWorld.open(end);
});
afterEach(() => {
  vi.restoreAllMocks();
  end.abort();
});

describe("positions that lag behind orders", () => {
  for (const lag of [110, 220, 330, 500, 1_000]) {
    test(`by ${lag} ms at the fill of a limit beside another entry do not end the wish`, async () => {
      await enter(BOTH);
      await world.passes(3_000);
      losesExits();
      await enter(BOTH, LIMIT);
      await world.passes(10_000);
      const real = world.paper.positions.bind(world.paper);
      let late = true;
      vi.spyOn(world.paper, "positions").mockImplementation(async (account) => {
        const all = await real(account);
        return late ? all.map((p) => ({ ...p, netQty: Math.min(1, p.netQty) })) : all;
      });
      world.quote(BID - 6);
      await world.passes(lag);
      late = false;
      await world.passes(15_000);
      expect([await world.held(), await world.stops()]).toEqual([2, 2]);
    });
  }
});

describe("late legs with looks of the keeper of legs", () => {
  for (const ms of [3_300, 3_600, 4_000, 6_000]) {
    test(`that come after ${ms} ms are cut within 3 s without a look from outside`, async () => {
      losesExits();
      await enter(BOTH, { orderQty: 2 });
      await world.passes(ms);
      await brokerPlaces(1, 2, 3980, 4010);
      await world.passes(3_000);
      const before = await world.stops();
      world.lane.legs.look(ACCOUNT);
      await world.passes(3_000);
      expect([before, await world.stops()]).toEqual([2, 2]);
    });
  }
  test("late and then the stop fires: the position is not turned", async () => {
    losesExits();
    await enter(BOTH, { orderQty: 2 });
    await world.passes(4_000);
    await brokerPlaces(1, 2, 3980, 4010);
    await world.passes(3_000);
    world.quote(3_970);
    await world.passes(3_000);
    expect(await world.held()).toBe(0);
  });
});

describe("a stop that the market has passed for a moment", () => {
  const STOP: Bracket = { stopLoss: by(20) };
  test("of an exit plan goes back to where it was asked", async () => {
    losesExits();
    await world.enter({ targets: [], stop: at(20) });
    await world.passes(500);
    world.quote(BID - 40);
    await world.passes(5_000);
    world.quote(BID);
    await world.passes(40_000);
    expect(await world.exits()).toEqual(["stop 1 @3980"]);
  });
  test("of an order too", async () => {
    losesExits();
    await enter(STOP);
    await world.passes(500);
    world.quote(BID - 40);
    await world.passes(5_000);
    world.quote(BID);
    await world.passes(40_000);
    expect(await world.exits()).toEqual(["stop 1 @3980"]);
  });
});

describe("a pair's stop that never worked", () => {
  test("is not taken for one that a person has ended", async () => {
    losesExits();
    const submit = world.paper.submitProtection.bind(world.paper);
    vi.spyOn(world.paper, "submitProtection").mockImplementationOnce(async (account, asked) => {
      const { contract, side, orderQty, takeProfit } = asked;
      await submit(account, { contract, side, orderQty, ...(takeProfit && { takeProfit }) });
      return { kind: "unknown", reason: "The link was lost" };
    });
    await enter(BOTH);
    await world.passes(30_000);
    expect(await world.stops()).toBe(1);
  });
  test("of an exit plan the same", async () => {
    losesExits();
    const submit = world.paper.submitProtection.bind(world.paper);
    vi.spyOn(world.paper, "submitProtection").mockImplementationOnce(async (account, asked) => {
      const { contract, side, orderQty, takeProfit } = asked;
      await submit(account, { contract, side, orderQty, ...(takeProfit && { takeProfit }) });
      return { kind: "unknown", reason: "The link was lost" };
    });
    await world.enter({ targets: [{ at: at(10) }], stop: at(20) });
    await world.passes(30_000);
    expect([await world.stops()]).toEqual([1]);
  });
});

describe("an order that the broker shows no more", () => {
  test("is no wish for ever", async () => {
    losesExits();
    await enter(BOTH, LIMIT);
    await world.passes(5_000);
    await world.cancel("ORDER");
    vi.spyOn(world.paper, "findOrder").mockResolvedValue(undefined);
    await world.passes(400_000);
    expect(world.plan()).toBeUndefined();
  });
});

describe("at random", () => {
  const rand = (seed: number) => () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  for (let seed = 1; seed <= 60; seed += 1) {
    test(`stops are for what is held, ${seed}`, async () => {
      const next = rand(seed * 7919);
      for (let i = 0; i < 3; i += 1) next();
      const log: string[] = [];
      const pass = async () => {
        const ms = [110, 440, 1_500, 3_300, 6_000][Math.floor(next() * 5)] ?? 110;
        log.push(`passes ${ms}`);
        await world.passes(ms);
      };
      const n = 3 + Math.floor(next() * 4);
      let limits = 0;
      for (let i = 0; i < n; i += 1) {
        const what = Math.floor(next() * 7);
        const qty = 1 + Math.floor(next() * 3);
        if (what === 0 || what === 1) {
          log.push(`lost ${qty}`);
          losesExits();
          await enter(BOTH, { orderQty: qty });
        }
        if (what === 2) {
          log.push(`seen ${qty}`);
          await enter(BOTH, { orderQty: qty });
        }
        if (what === 3) {
          log.push(`lost limit ${qty}`);
          losesExits();
          await enter(BOTH, { ...LIMIT, orderQty: qty });
          limits += 1;
        }
        if (what === 4) {
          log.push("reduce 1");
          await world.reduce(1);
        }
        if (what === 5) {
          log.push("restart");
          await world.restart();
        }
        if (what === 6 && limits > 0) {
          log.push("fills part");
          world.quote(BID - 6, 1);
          await world.passes(110);
          world.quote(BID - 3);
        }
        await pass();
      }
      await world.passes(25_000);
      expect([await world.stops(), log]).toEqual([await world.held(), log]);
    });
  }
});
