// The goal: a plan touches the contracts that its own entry has opened, and is over when these are.
// The method: the real lane and plan keeper on the paper exchange, all in memory; a process may end between.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ticks } from "../../../../../src/domain/contracts/price.ts";
import type { ExitPlan } from "../../../../../src/domain/exits/exit-plan.ts";
import { ES } from "../../lane-kit.ts";
import { at, BID, PlanWorld } from "./exits-kit.ts";

let world: PlanWorld;
let end: AbortController;

beforeEach(async () => {
  end = new AbortController();
  world = await PlanWorld.open(end);
});
afterEach(() => end.abort());

const TIMED: ExitPlan = { targets: [], stop: at(40), closeAfterSeconds: 20 };
const FAR: ExitPlan = { targets: [{ at: at(500) }], stop: at(40) };

const reduce = async (qty: number) => await world.reduce(qty);
const buy = async (orderQty: number) => await world.enter(FAR, { orderQty });
const flatten = async () => await world.run({ kind: "FLATTEN", cancelResting: true });

describe.each([["goes on"], ["ends, and another one takes over"]])(
  "while the process %s",
  (how) => {
    const meanwhile = async () => {
      await world.passes(500);
      if (how !== "goes on") await world.restart();
      await world.passes(500);
    };

    test("the time exit closes what is left of its own after a reduce and a later buy", async () => {
      await world.enter(TIMED, { orderQty: 4 });
      await meanwhile();
      await reduce(2);
      await meanwhile();
      await buy(2);
      await meanwhile();
      expect(await world.held()).toBe(4);
      await world.passes(22_000);
      expect(await world.held()).toBe(2);
    });

    test("a reduce takes the oldest lot, and the younger plan's time exit all of its own", async () => {
      await world.enter(FAR, { orderQty: 4 });
      await meanwhile();
      await world.enter(TIMED, { orderQty: 3 });
      await meanwhile();
      await reduce(2);
      await meanwhile();
      await world.passes(22_000);
      expect(await world.held()).toBe(2);
    });

    test("what is left after a younger plan's time exit has its own plan's exits", async () => {
      await world.enter(FAR, { orderQty: 2 });
      await meanwhile();
      const own = await world.exits();
      await world.enter(TIMED, { orderQty: 3 });
      await meanwhile();
      await world.passes(22_000);
      expect([await world.held(), await world.exits()]).toEqual([2, own]);
    });

    test("a position that opens right after a close is not the old plan's", async () => {
      await world.enter(TIMED, { orderQty: 4 });
      await flatten();
      await buy(2);
      await meanwhile();
      await world.passes(22_000);
      expect(await world.held()).toBe(2);
    });

    test("a reversal leaves the old plan nothing, and the new one what it has opened", async () => {
      await world.enter(TIMED, { orderQty: 2 });
      await meanwhile();
      await world.enter(TIMED, { orderQty: 5, side: "SELL" });
      await meanwhile();
      expect(await world.held()).toBe(-3);
      await world.passes(22_000);
      expect(await world.held()).toBe(0);
    });

    test("a plan for all of a position is over once that was closed", async () => {
      await world.run({
        kind: "PLACE",
        order: { contract: ES, side: "BUY", orderQty: 3, ordType: "MARKET", timeInForce: "DAY" },
      });
      await world.run({ kind: "PROTECT", plan: TIMED });
      await meanwhile();
      await flatten();
      await buy(2);
      await meanwhile();
      await world.passes(22_000);
      expect(await world.held()).toBe(2);
    });
  },
);

test("a process that owns the account again knows nothing of before", async () => {
  await world.enter(TIMED, { orderQty: 4 });
  await world.passes(1_000);
  await world.meanwhileElsewhere(async () => {
    await flatten();
    await buy(2);
    await world.passes(25_000);
    expect([world.stored.size, await world.held()]).toEqual([1, 2]);
  });
  await world.passes(1_000);
  expect(await world.held()).toBe(2);
});

test("exits that a later message asks for stay, and the older plan ends", async () => {
  await world.enter(TIMED, { orderQty: 2 });
  await world.passes(1_000);
  const bracket = { stopLoss: { by: "price", price: ticks(3_930) } } as const;
  const { outcome } = await world.run({
    kind: "ADJUST",
    contract: ES,
    aim: { to: "position", netQty: 2 },
    terms: { ordType: "MARKET", timeInForce: "DAY", bracket },
  });
  expect(outcome).toMatchObject({ kind: "done" });
  const asked = await world.exits();
  await world.passes(25_000);
  expect([await world.exits(), await world.held(), world.plan()]).toEqual([asked, 2, undefined]);
});

describe("exits whose answer is lost", () => {
  const levels = { stopLoss: { by: "price", price: ticks(3_930) } } as const;
  const PROTECT = { kind: "PROTECT", contract: ES, levels } as const;
  const loses = (isPlaced: boolean) => {
    const modify = world.paper.modifyOrder.bind(world.paper);
    world.paper.modifyOrder = async (...asked) => {
      if (isPlaced) await modify(...asked);
      world.paper.modifyOrder = modify;
      return { kind: "unknown", reason: "Its answer is lost" };
    };
  };

  test.each(["goes on", "ends"])(
    "end the older plan once they are found, and its process %s",
    async (how) => {
      await world.enter(TIMED, { orderQty: 2 });
      await world.passes(1_000);
      loses(true);
      expect(await world.run(PROTECT)).toMatchObject({ state: "UNKNOWN" });
      if (how === "ends") await world.restart();
      await world.passes(25_000);
      expect([await world.held(), world.plan(), world.stored.size]).toEqual([2, undefined, 0]);
      expect(await world.exits()).toEqual(["stop 2 @3930"]);
    },
  );

  test("and that are not there leave the older plan as it is", async () => {
    await world.enter(TIMED, { orderQty: 2 });
    await world.passes(1_000);
    loses(false);
    await world.run(PROTECT);
    await world.passes(30_000);
    expect(await world.held()).toBe(0);
  });

  test("and that are not there are asked about until that is known, and no longer", async () => {
    await world.enter({ ...TIMED, closeAfterSeconds: 600 }, { orderQty: 2 });
    await world.passes(1_000);
    loses(false);
    await world.run(PROTECT);
    expect(world.plan()).toHaveProperty("replacedBy");
    await world.passes(60_000);
    expect([world.stored.size, world.plan()?.replacedBy]).toEqual([1, undefined]);
  });
});

test("a clock that is fast or slow against the broker's closes nothing early", async () => {
  await world.enter(TIMED, { orderQty: 1 });
  world.lane.intents.clock += 300_000;
  await world.restart();
  await world.passes(15_000);
  expect(await world.held()).toBe(1);
  await world.passes(10_000);
  expect(await world.held()).toBe(0);
});

test("an end of its session that was missed is still due, whenever its fill is seen", async () => {
  const MINUTE = 60_000;
  world.sessionEndOf = (instant) => (Math.floor(instant / MINUTE) + 1) * MINUTE;
  await world.enter(
    { targets: [], stop: at(40), closeBeforeSessionEndSeconds: 5 },
    { orderQty: 1 },
  );
  // Its process ends before it sees the fill.
  world.lane.intents.clock += 5 * MINUTE;
  await world.restart();
  await world.passes(5_000);
  expect(await world.held()).toBe(0);
});

test("a broker's clock that is a day slow ends no session", async () => {
  const MINUTE = 60_000;
  world.sessionEndOf = (instant) => (Math.floor(instant / MINUTE) + 1) * MINUTE;
  world.lane.intents.clock = 100 * MINUTE;
  world.recordsAs = (fill) => ({ ...fill, transactTimeAt: fill.transactTimeAt - 90 * MINUTE });
  await world.enter(
    { targets: [], stop: at(40), closeBeforeSessionEndSeconds: 5 },
    { orderQty: 1 },
  );
  await world.passes(5_000);
  expect(await world.held()).toBe(1);
  await world.passes(55_000);
  expect(await world.held()).toBe(0);
});

test("a repeat that is never accepted leaves no plan behind", async () => {
  await world.enter(FAR, { orderQty: 1 });
  const [own] = [...world.stored.keys()];
  const planId = `i${"f".repeat(28)}` as typeof own & string;
  const { plan = FAR } = world.plan() ?? {};
  const filled = { qty: 1, avgPx: { numerator: 4_000, denominator: 1 } };
  const repeat = {
    planId,
    plan,
    contract: ES,
    side: "BUY",
    scope: "position",
    filled,
    begunAt: world.lane.intents.clock,
    pairs: [],
    closes: 0,
  };
  world.stored.set(planId, JSON.stringify(repeat));
  await world.restart();
  await world.passes(70_000);
  expect([...world.stored.keys()]).toEqual([own]);
});

test("what an entry fills after its contracts were closed by hand has a stop, beside another entry", async () => {
  world.quote(BID - 1, 1);
  await world.enter(FAR, { orderQty: 3, ordType: "LIMIT", price: ticks(BID) });
  world.quote(BID + 1);
  await world.passes(1_000);
  await world.enter(FAR, { orderQty: 1 });
  await world.passes(1_000);
  expect([await world.held(), await world.stops()]).toEqual([2, 2]);
  // The oldest, of which the entry goes on.
  await reduce(1);
  await world.passes(2_000);
  expect([await world.held(), await world.stops()]).toEqual([1, 1]);
  world.quote(BID - 1, 1);
  world.quote(BID + 1);
  await world.passes(2_000);
  expect([await world.held(), await world.stops()]).toEqual([2, 2]);
});
