import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { orderId } from "../../../../../src/domain/ids.ts";
import { ticks } from "../../../../../src/domain/contracts/price.ts";
import { ES } from "../../lane-kit.ts";
import { at, BID, PlanWorld, THREE } from "./exits-kit.ts";

let world: PlanWorld;
let end: AbortController;

beforeEach(async () => {
  end = new AbortController();
  world = await PlanWorld.open(end);
});
afterEach(() => end.abort());

const SPLIT = [
  "stop 1 @3980",
  "stop 1 @3980",
  "stop 1 @3980",
  "target 1 @4010",
  "target 1 @4020",
  "target 1 @4030",
];

describe("an entry with three targets", () => {
  test("has its stop and first target from the fill on, and then a pair a target", async () => {
    const { outcome } = await world.enter(THREE, { orderQty: 3 });
    expect(outcome).toMatchObject({ kind: "done", result: { order: { ordStatus: "FILLED" } } });
    expect(await world.exits()).toEqual(["stop 3 @3980", "target 3 @4010"]);
    await world.passes(3_000);
    expect(await world.exits()).toEqual(SPLIT);
    expect(world.alarms).toEqual([]);
  });

  test("never has stops for less than is held, nor for more than one part more", async () => {
    await world.enter(THREE, { orderQty: 9 });
    for (let step = 0; step < 30; step += 1) {
      await world.passes(110);
      const [stops, held] = [await world.stops(), await world.held()];
      expect(stops).toBeGreaterThanOrEqual(held);
      expect(stops).toBeLessThanOrEqual(held + 3);
    }
    expect(await world.stops()).toBe(9);
  });

  test("keeps stops as large as the position while targets fill, and is over at the end", async () => {
    await world.enter(THREE, { orderQty: 3 });
    await world.passes(3_000);
    for (const [bid, left] of [
      [4_010, 2],
      [4_020, 1],
      [4_030, 0],
    ] as const) {
      world.quote(bid);
      await world.passes(500);
      expect([await world.held(), await world.stops()]).toEqual([left, left]);
    }
    await world.passes(7_000);
    expect(world.plan()).toBeUndefined();
  });

  test("that was cut off gets a pair for each that has filled", async () => {
    world.quote(BID - 1, 2);
    await world.enter(THREE, { orderQty: 3, ordType: "LIMIT", price: ticks(4_000) });
    await world.passes(500);
    expect(await world.exits()).toEqual(["stop 2 @3980", "target 2 @4010"]);
    await world.cancel("ORDER");
    await world.passes(3_000);
    expect(await world.exits()).toEqual(SPLIT.slice(0, 2).concat(SPLIT.slice(3, 5)));
  });

  test("that is never filled leaves nothing behind", async () => {
    await world.enter(THREE, { orderQty: 3, ordType: "LIMIT", price: ticks(3_900) });
    await world.passes(1_000);
    expect(world.plan()).toMatchObject({ scope: "entry" });
    await world.cancel("ORDER");
    await world.passes(7_000);
    expect([world.plan(), await world.exits()]).toEqual([undefined, []]);
  });

  test.each([["goes on"], ["ends, and another one takes over"]])(
    "whose target a person cancels keeps its stop, which is placed again, while the process %s",
    async (how) => {
      await world.enter(
        {
          targets: [{ at: at(100) }],
          stop: at(20),
          trailing: { distance: at(20), step: ticks(1) },
        },
        { orderQty: 2 },
      );
      await world.passes(2_000);
      const [target] = await world.working("TAKE_PROFIT");
      await world.run({ kind: "CANCEL", orderId: target?.orderId ?? orderId("none") });
      if (how !== "goes on") await world.restart();
      world.quote(BID + 30);
      await world.passes(3_000);
      expect(await world.exits()).toEqual([`stop 2 @${BID + 30 - 20}`]);
      world.quote(BID);
      await world.passes(7_000);
      expect([await world.held(), world.plan()]).toEqual([0, undefined]);
    },
  );

  test("goes on in another process, whatever was on its way", async () => {
    await world.enter(THREE, { orderQty: 3 });
    world.holdsIntents = true;
    await world.passes(500);
    expect(world.plan()?.pairs).toHaveLength(1);
    expect(await world.exits()).toEqual(["stop 3 @3980", "target 3 @4010"]);
    world.holdsIntents = false;
    await world.restart();
    await world.passes(3_000);
    expect(await world.exits()).toEqual(SPLIT);
  });
});

describe("the stop", () => {
  const BREAKEVEN = { ...THREE, breakeven: { after: at(15), plus: ticks(1) } };

  test("goes to the entry once a level was touched, and never back", async () => {
    await world.enter(BREAKEVEN, { orderQty: 1 });
    await world.passes(500);
    world.quote(4_009);
    await world.passes(1_500);
    expect(await world.exits()).toContain("stop 1 @3980");
    world.quote(BID - 1);
    await world.passes(500);
    await world.enter({ ...BREAKEVEN, targets: [{ at: at(40) }] }, { orderQty: 1 });
    world.quote(4_016);
    await world.passes(1_500);
    world.quote(4_005);
    await world.passes(1_500);
    expect(await world.exits()).toEqual(["stop 1 @4001", "target 1 @4040"]);
  });

  test("goes to the entry once a target has filled", async () => {
    const breakeven = { after: { by: "target", target: 1 }, plus: ticks(0) } as const;
    await world.enter({ ...THREE, breakeven }, { orderQty: 3 });
    await world.passes(3_000);
    world.quote(4_010);
    await world.passes(1_500);
    expect(await world.exits()).toEqual([
      "stop 1 @4000",
      "stop 1 @4000",
      "target 1 @4020",
      "target 1 @4030",
    ]);
  });

  test("follows the best price by whole steps, never back, also in another process", async () => {
    const trailing = { from: at(10), distance: at(8), step: ticks(4) };
    await world.enter({ targets: [], stop: at(20), trailing }, { orderQty: 2 });
    const seen: string[] = [];
    for (const bid of [4_009, 4_010, 4_012, 4_014, 4_013, 4_020, 4_015]) {
      world.quote(bid);
      await world.passes(1_200);
      seen.push((await world.exits()).join(" "));
      if (bid === 4_014) await world.restart();
    }
    const stops = [3_980, 4_002, 4_002, 4_006, 4_006, 4_012, 4_012];
    expect(seen).toEqual(stops.map((px) => `stop 2 @${px}`));
  });

  test("stays where a person has moved it nearer, and is brought back from further away", async () => {
    await world.enter(THREE, { orderQty: 1 });
    await world.passes(1_500);
    await world.moveStops(3_990);
    await world.passes(1_500);
    expect(await world.exits()).toContain("stop 1 @3990");
    await world.moveStops(3_950);
    await world.passes(32_000);
    expect(await world.exits()).toContain("stop 1 @3980");
  });

  test("is placed again where it is gone, and that is told", async () => {
    await world.enter({ targets: [], stop: at(20) }, { orderQty: 2 });
    await world.passes(1_000);
    await world.cancel("STOP_LOSS");
    await world.passes(5_000);
    expect([await world.exits(), world.missing[0]]).toEqual([["stop 2 @3980"], "STOP_LOSS"]);
  });

  test("stays where it is while no price is told, and that is told", async () => {
    const trailing = { distance: at(8), step: ticks(1) };
    await world.enter({ targets: [], trailing }, { orderQty: 1 });
    await world.passes(1_500);
    await world.passes(12_000, true);
    expect(world.alarms[0]).toContain("blind");
  });

  test("nobody is told that no price comes while its exchange is closed, or it is another's", async () => {
    const trailing = { distance: at(8), step: ticks(1) };
    await world.enter({ targets: [], trailing }, { orderQty: 1 });
    await world.passes(1_500);
    world.isTrading = false;
    await world.passes(20_000, true);
    world.isTrading = true;
    world.lane.setConnection(undefined);
    await world.passes(20_000, true);
    expect(world.alarms).toEqual([]);
  });
});

describe("time", () => {
  test("closes what is left so long after the first fill", async () => {
    await world.enter({ ...THREE, closeAfterSeconds: 10 }, { orderQty: 3 });
    await world.passes(9_000);
    expect(await world.held()).toBe(3);
    await world.passes(3_000);
    expect([await world.held(), await world.exits()]).toEqual([0, []]);
    await world.passes(7_000);
    expect(world.plan()).toBeUndefined();
  });

  test("closes only its own part of what is held", async () => {
    await world.run({
      kind: "PLACE",
      order: {
        contract: ES,
        side: "BUY",
        orderQty: 2,
        ordType: "MARKET",
        timeInForce: "DAY",
        bracket: { stopLoss: { by: "distance", distance: ticks(30) } },
      },
    });
    world.sessionEndsAt = world.lane.intents.clock + 60_000;
    await world.enter({ ...THREE, closeBeforeSessionEndSeconds: 50 }, { orderQty: 3 });
    await world.passes(5_000);
    expect(await world.held()).toBe(5);
    await world.passes(15_000);
    expect([await world.held(), await world.stops()]).toEqual([2, 2]);
  });

  test("ends the rest of an entry before it closes", async () => {
    world.quote(BID - 1, 1);
    await world.enter(
      { ...THREE, closeAfterSeconds: 3 },
      { orderQty: 3, ordType: "LIMIT", price: ticks(4_000) },
    );
    await world.passes(9_000);
    expect([await world.held(), await world.exits()]).toEqual([0, []]);
  });
});

describe("a position that is protected with a plan", () => {
  test.each([
    ["that has not begun", { targets: [], stop: at(30) }, 0],
    ["with parts that are not split yet", THREE, 0],
    ["that is split", THREE, 3_000],
  ] as const)("is split like an entry, and an older plan %s ends", async (_name, older, ms) => {
    await world.enter(older, { orderQty: 3 });
    await world.passes(ms);
    const { outcome } = await world.run({ kind: "PROTECT", contract: ES, plan: THREE });
    expect(outcome).toMatchObject({ kind: "done" });
    await world.passes(4_000);
    expect(await world.exits()).toEqual(SPLIT);
    expect([...world.stored.values()]).toHaveLength(1);
    expect(world.plan()?.scope).toBe("position");
  });
});

describe("what goes wrong", () => {
  const trailing = { distance: at(8), step: ticks(1) };

  test("a refused move is tried again, and told after three times", async () => {
    await world.enter({ targets: [], stop: at(20), trailing }, { orderQty: 1 });
    await world.passes(1_500);
    const modifyOrder = world.paper.modifyOrder.bind(world.paper);
    world.paper.modifyOrder = async () => ({ kind: "rejected", reason: "Not today" });
    world.quote(4_030);
    await world.passes(4_000);
    expect(await world.exits()).not.toEqual(["stop 1 @4022"]);
    await world.passes(6_000);
    expect(world.alarms).toContain("stuck: Not today");
    world.paper.modifyOrder = modifyOrder;
    await world.passes(20_000);
    expect(await world.exits()).toEqual(["stop 1 @4022"]);
  });

  test("a refused pair leaves the first exits for all of it, and is tried again", async () => {
    const submitProtection = world.paper.submitProtection.bind(world.paper);
    world.paper.submitProtection = async () => ({ kind: "rejected", reason: "Not today" });
    await world.enter(THREE, { orderQty: 3 });
    await world.passes(8_000);
    expect(await world.exits()).toEqual(["stop 3 @3980", "target 3 @4010"]);
    world.paper.submitProtection = submitProtection;
    await world.passes(30_000);
    expect(await world.exits()).toEqual(SPLIT);
  });

  test("a pair whose answer was lost is looked up, and never placed twice", async () => {
    const submitProtection = world.paper.submitProtection.bind(world.paper);
    let sent = 0;
    world.paper.submitProtection = async (...asked) => {
      sent += 1;
      const answer = await submitProtection(...asked);
      return sent === 1 ? { kind: "unknown", reason: "The answer was lost" } : answer;
    };
    await world.enter(THREE, { orderQty: 3 });
    await world.passes(10_000);
    expect([sent, await world.exits()]).toEqual([2, SPLIT]);
  });

  test("nothing is done while the connection is down, and all of it afterwards", async () => {
    await world.enter(THREE, { orderQty: 3 });
    world.lane.setConnection(undefined);
    await world.passes(3_000);
    expect(await world.exits()).toEqual(["stop 3 @3980", "target 3 @4010"]);
    world.lane.setConnection({ broker: world.paper, cancelEndsLinkedLeg: true });
    await world.passes(3_000);
    expect(await world.exits()).toEqual(SPLIT);
  });

  test("all of it leaves at the first target, where the price gets there before the split", async () => {
    await world.enter(THREE, { orderQty: 3 });
    world.quote(4_010);
    await world.passes(8_000);
    expect([await world.held(), await world.exits(), world.plan()]).toEqual([0, [], undefined]);
  });

  test("a person who closes a part is followed", async () => {
    await world.enter(THREE, { orderQty: 3 });
    await world.passes(3_000);
    await world.run({
      kind: "PLACE",
      order: { contract: ES, side: "SELL", orderQty: 2, ordType: "MARKET", timeInForce: "DAY" },
    });
    await world.passes(3_000);
    expect([await world.held(), await world.stops()]).toEqual([1, 1]);
  });
});

describe("a short position", () => {
  test("is split, and its stop follows, as a long one's", async () => {
    const trailing = { from: at(5), distance: at(8), step: ticks(1) };
    await world.enter({ ...THREE, trailing }, { orderQty: 3, side: "SELL" });
    await world.passes(3_000);
    expect(await world.stops()).toBe(3);
    world.quote(3_985);
    await world.passes(1_500);
    expect(await world.exits()).toEqual([
      "stop 1 @3994",
      "stop 1 @3994",
      "target 1 @3969",
      "target 1 @3979",
    ]);
  });
});

describe("what is told when it is sent", () => {
  test("targets that get nothing, and a breakeven that cannot come", async () => {
    const breakeven = { after: { by: "target", target: 2 }, plus: ticks(0) } as const;
    const { outcome } = await world.enter({ ...THREE, breakeven }, { orderQty: 1 });
    const problem = expect.stringContaining("targets 2, 3 get none");
    expect(outcome).toMatchObject({ kind: "done", result: { problems: [problem] } });
  });

  test("that a percentage counts from nothing without a price, but an exit needs none", async () => {
    const plan = { targets: [], stop: { by: "percent", percent: "1" } } as const;
    expect(await world.enter(plan, { orderQty: 1 })).toMatchObject({
      state: "DENIED",
      outcome: { code: "VALIDATION_FAILED" },
    });
    expect(world.plan()).toBeUndefined();
    const limit = { ordType: "LIMIT", price: ticks(4_000) } as const;
    await world.enter(plan, { orderQty: 1, ...limit });
    await world.passes(1_000);
    expect(await world.exits()).toEqual(["stop 1 @3960"]);
    const { outcome } = await world.enter(plan, { orderQty: 1, side: "SELL" });
    expect(outcome).toMatchObject({ kind: "done" });
    await world.passes(7_000);
    expect([await world.held(), world.plan()]).toEqual([0, undefined]);
  });

  test("an adjustment that opens has its plan too", async () => {
    await world.run({
      kind: "ADJUST",
      contract: ES,
      aim: { to: "position", netQty: 3 },
      terms: { ordType: "MARKET", timeInForce: "DAY" },
      handling: { exitPlan: THREE },
    });
    await world.passes(3_000);
    expect(await world.exits()).toEqual(SPLIT);
  });
});
