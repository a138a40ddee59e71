// The goal: a plan follows its own position, and no other one. The method: the keeper of plans on a lane
// at the built-in broker, with what comes between: another trade, a late answer, an old price.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ticks } from "../../../../../src/domain/contracts/price.ts";
import type { ExitPlan } from "../../../../../src/domain/exits/exit-plan.ts";
import { ACCOUNT, ES } from "../../lane-kit.ts";
import { at, BID, PlanWorld, THREE } from "./exits-kit.ts";

let world: PlanWorld;
let end: AbortController;

beforeEach(async () => {
  end = new AbortController();
  world = await PlanWorld.open(end);
});
afterEach(() => {
  vi.restoreAllMocks();
  end.abort();
});

const TWO: ExitPlan = { targets: [{ at: at(10) }, { at: at(20) }], stop: at(20) };
const ONE: ExitPlan = { targets: [{ at: at(40) }], stop: at(20) };
const LIMIT = { ordType: "LIMIT", price: ticks(BID) } as const;

test("a plan is for what an order opens, not for what it closes before", async () => {
  const sell = { contract: ES, side: "SELL", ordType: "MARKET", timeInForce: "DAY" } as const;
  await world.run({ kind: "PLACE", order: { ...sell, orderQty: 1 } });
  await world.passes(1_000);
  await world.enter(TWO, { orderQty: 3 });
  await world.passes(4_000);
  expect([await world.held(), await world.exits()]).toEqual([
    2,
    ["stop 1 @3980", "stop 1 @3980", "target 1 @4010", "target 1 @4020"],
  ]);
});

describe("a new pair whose forerunners cannot be made smaller", () => {
  /** One entry that has its exits, and another whose first changes are refused so often. */
  async function enterBoth(refusals: number): Promise<void> {
    await world.enter(ONE, { orderQty: 1 });
    await world.passes(1_000);
    await world.enter(TWO, { orderQty: 2 });
    const refusing = vi.spyOn(world.paper, "modifyOrder");
    const refused = { kind: "rejected", reason: "Not now" } as const;
    for (let call = 0; call < refusals; call += 1) refusing.mockResolvedValueOnce(refused);
  }

  test("takes nothing from the exits of another entry", async () => {
    await enterBoth(2);
    await world.passes(6_000);
    const stops = ["stop 1 @3980", "stop 1 @3980", "stop 1 @3980"];
    const targets = ["target 1 @4010", "target 1 @4020", "target 1 @4040"];
    expect(await world.exits()).toEqual([...stops, ...targets]);
  });

  test("stands beside them for 3 s at most", async () => {
    // The plan itself tries once more after that.
    await enterBoth(3);
    await world.passes(4_500);
    expect([await world.held(), await world.stops()]).toEqual([3, 3]);
  });

  test("has its own entry's exits made smaller as soon as they can be, and no others", async () => {
    await enterBoth(12);
    await world.passes(4_500);
    expect(await world.exits()).toContain("target 1 @4040");
    await world.passes(15_000);
    const stops = ["stop 1 @3980", "stop 1 @3980", "stop 1 @3980"];
    const targets = ["target 1 @4010", "target 1 @4020", "target 1 @4040"];
    expect(await world.exits()).toEqual([...stops, ...targets]);
  });
});

test("a part closed while a pair is on its way takes as much from the stops", async () => {
  let accept = () => {};
  world.acceptsAfter = new Promise((resolve) => (accept = resolve));
  await world.enter(TWO, { orderQty: 5 });
  await world.passes(500);
  const sell = { contract: ES, side: "SELL", ordType: "MARKET", timeInForce: "DAY" } as const;
  await world.run({ kind: "PLACE", order: { ...sell, orderQty: 1 } });
  await world.passes(1_000);
  accept();
  await world.passes(6_000);
  expect([await world.held(), await world.stops()]).toEqual([4, 4]);
});

test("the stop of a protected position goes to the entry once a target has filled", async () => {
  await world.enter({ targets: [], stop: at(50) }, { orderQty: 2 });
  await world.passes(1_000);
  const breakeven = { after: { by: "target", target: 1 }, plus: ticks(0) } as const;
  await world.run({ kind: "PROTECT", contract: ES, plan: { ...TWO, breakeven } });
  await world.passes(4_000);
  world.quote(BID + 10);
  await world.passes(3_000);
  expect(await world.exits()).toEqual(["stop 1 @4000", "target 1 @4020"]);
});

describe("a protection without a plan", () => {
  const levels = { stopLoss: { by: "price", price: ticks(3_950) } } as const;

  test("ends the plan of its position, and its levels stay", async () => {
    const trailing = { distance: at(8), step: ticks(1) };
    await world.enter({ ...ONE, trailing }, { orderQty: 1 });
    await world.passes(4_000);
    await world.run({ kind: "PROTECT", contract: ES, levels });
    world.quote(BID + 20);
    await world.passes(4_000);
    expect(await world.exits()).toEqual(["stop 1 @3950", "target 1 @4040"]);
  });

  test("that is refused leaves the plan to go on", async () => {
    const trailing = { from: at(10), distance: at(8), step: ticks(1) };
    await world.enter({ ...ONE, trailing }, { orderQty: 1 });
    await world.passes(4_000);
    const above = { stopLoss: { by: "price", price: ticks(BID + 100) } } as const;
    await world.run({ kind: "PROTECT", contract: ES, levels: above });
    world.quote(BID + 20);
    await world.passes(4_000);
    expect(await world.exits()).toEqual(["stop 1 @4012", "target 1 @4040"]);
  });
});

describe("an adjustment that grows a position with the same plan", () => {
  const trailing = { from: at(10), distance: at(8), step: ticks(1) };
  const stop = { by: "price", price: ticks(3_980) } as const;
  const grow = async (exitPlan: ExitPlan, netQty: number) =>
    await world.run({
      kind: "ADJUST",
      contract: ES,
      aim: { to: "position", netQty },
      terms: { ordType: "MARKET", timeInForce: "DAY" },
      handling: { exitPlan },
    });

  test.each([
    ["a stop by price", { targets: [{ at: at(40) }, { at: at(60) }], stop, trailing }],
    ["a part without a target", { targets: [{ at: at(40) }, {}], stop: at(20), trailing }],
  ])("moves no stop back that has followed prices: %s", async (_, plan) => {
    await grow(plan, 2);
    await world.passes(4_000);
    world.quote(BID + 20);
    await world.passes(3_000);
    const before = await world.exits();
    expect(before.filter((exit) => exit === "stop 1 @4012")).toHaveLength(2);
    await grow(plan, 3);
    await world.passes(3_000);
    expect([await world.held(), await world.exits()]).toEqual([3, expect.arrayContaining(before)]);
  });
});

describe("a later target that the trade has passed already", () => {
  const price = (px: number) => ({ by: "price", price: ticks(px) }) as const;
  const plan = { ...TWO, targets: [{ at: price(4_010) }, { at: price(3_990) }] };
  const refusal = {
    kind: "denied",
    code: "VALIDATION_FAILED",
    reason: "Target 2 of its exit plan is below one before it on a buy; nothing was sent",
  };

  test("lets nothing be opened", async () => {
    expect(await world.enter(plan, { orderQty: 2 })).toMatchObject({ outcome: refusal });
    expect(await world.held()).toBe(0);
  });

  test("holds no exit back", async () => {
    const sell = { contract: ES, side: "SELL", ordType: "MARKET", timeInForce: "DAY" } as const;
    await world.run({ kind: "PLACE", order: { ...sell, orderQty: 2 } });
    await world.passes(500);
    await world.enter(plan, { orderQty: 2 });
    expect(await world.held()).toBe(0);
  });

  test("lets no adjustment open anything either", async () => {
    await world.run({
      kind: "ADJUST",
      contract: ES,
      aim: { to: "position", netQty: 2 },
      terms: { ordType: "MARKET", timeInForce: "DAY" },
      handling: { exitPlan: plan },
    });
    expect(await world.held()).toBe(0);
  });
});

describe("a price from before the fill", () => {
  test("is no best price to follow", async () => {
    const trailing = { distance: at(8), step: ticks(1) };
    world.quote(BID + 20);
    await world.enter({ ...ONE, trailing }, { orderQty: 1, ...LIMIT });
    await world.passes(500);
    world.trades(BID - 1);
    await world.passes(3_000, true);
    expect(world.plan()).not.toHaveProperty("bestPx");
    world.quote(BID + 14);
    await world.passes(2_000);
    expect(await world.exits()).toEqual(["stop 1 @4006", "target 1 @4040"]);
  });

  test("reaches no breakeven", async () => {
    const breakeven = { after: at(10), plus: ticks(0) };
    world.quote(BID + 20);
    await world.enter({ ...ONE, breakeven }, { orderQty: 1, ...LIMIT });
    await world.passes(500);
    world.trades(BID - 1);
    await world.passes(3_000, true);
    world.quote(BID + 5);
    await world.passes(2_000);
    expect(await world.exits()).toEqual(["stop 1 @3980", "target 1 @4040"]);
  });
});

describe("a close", () => {
  test.each([0, 1_000])(
    "of an older trade takes nothing of one that was opened %i ms after it",
    async (afterMs) => {
      await world.enter({ ...ONE, closeAfterSeconds: 20 }, { orderQty: 1 });
      await world.passes(15_000);
      await world.run({ kind: "FLATTEN", cancelResting: false });
      await world.passes(afterMs);
      await world.enter({ ...ONE, closeAfterSeconds: 60 }, { orderQty: 1 });
      await world.passes(10_000);
      expect([await world.held(), world.stored.size]).toEqual([1, 1]);
    },
  );

  test("that is accepted late is not asked for again", async () => {
    await world.enter({ ...ONE, closeAfterSeconds: 5 }, { orderQty: 1 });
    await world.enter(ONE, { orderQty: 1 });
    await world.passes(2_000);
    let accept = () => {};
    world.acceptsAfter = new Promise((resolve) => (accept = resolve));
    await world.passes(4_000);
    accept();
    await world.passes(6_000);
    expect(await world.held()).toBe(1);
  });

  test("waits for no entry whose rest cannot be cancelled, and that is told", async () => {
    world.quote(BID - 1, 1);
    await world.enter({ ...THREE, closeAfterSeconds: 5 }, { orderQty: 3, ...LIMIT });
    const refused = { kind: "rejected", reason: "Not today" } as const;
    vi.spyOn(world.paper, "cancelOrder").mockResolvedValue(refused);
    await world.passes(20_000);
    const why = "stuck: the rest of its entry could not be cancelled: Not today";
    expect([await world.held(), world.alarms[0]]).toEqual([0, why]);
  });
});

describe("that no price is told", () => {
  test("is over once none is needed any more", async () => {
    const breakeven = { after: at(10), plus: ticks(0) };
    await world.enter({ ...ONE, breakeven }, { orderQty: 1 });
    await world.passes(1_000);
    await world.passes(12_000, true);
    expect([...world.standing]).toEqual(["blind"]);
    world.quote(BID + 12);
    await world.passes(3_000);
    expect([...world.standing]).toEqual([]);
  });

  test("is said by nobody whose account it is not any more", async () => {
    await world.enter({ ...ONE, trailing: { distance: at(10), step: ticks(1) } }, { orderQty: 1 });
    await world.passes(1_000);
    await world.passes(12_000, true);
    expect([...world.standing]).toEqual(["blind"]);
    world.lane.setConnection(undefined);
    await world.passes(1_000, true);
    expect([...world.standing]).toEqual([]);
  });
});

test("a plan follows the side at which it closes, whatever was heard of the others before", async () => {
  await world.passes(1_000, true);
  const trailing = { distance: at(8), step: ticks(1) };
  await world.enter({ targets: [], trailing }, { orderQty: 1 });
  await world.passes(1_000, true);
  world.trades(BID + 12);
  world.bids(BID + 12);
  await world.passes(1_500, true);
  expect(await world.exits()).toEqual([`stop 1 @${BID + 4}`]);
});

test("a plan is blind without the side at which it closes", async () => {
  const trailing = { distance: at(8), step: ticks(1) };
  await world.enter({ targets: [], trailing }, { orderQty: 1 });
  await world.passes(1_500);
  world.asks();
  await world.passes(3_000);
  expect([...world.standing]).toEqual(["blind"]);
});

test("a plan whose position is closed right after its entry is over 6 s later", async () => {
  await world.enter(TWO, { orderQty: 3 });
  await world.run({ kind: "FLATTEN", cancelResting: false });
  await world.passes(6_000);
  expect([world.plan(), await world.held(), await world.exits()]).toEqual([undefined, 0, []]);
});

test("the end of one plan clears no alarm of another one", async () => {
  await world.enter({ targets: [{ at: at(5) }], stop: at(40) }, { orderQty: 1 });
  await world.enter({ ...ONE, trailing: { distance: at(8), step: ticks(1) } }, { orderQty: 1 });
  await world.passes(1_500);
  world.paper.modifyOrder = async () => ({ kind: "rejected", reason: "Not today" });
  world.quote(BID + 4);
  await world.passes(12_000);
  world.quote(BID + 6);
  await world.passes(8_000);
  expect([world.stored.size, [...world.standing]]).toEqual([1, ["stuck"]]);
});

test("a stop follows a price that came right after it was moved, though no other price is told", async () => {
  const trailing = { distance: at(8), step: ticks(1) };
  await world.enter({ targets: [], trailing }, { orderQty: 1 });
  await world.passes(1_500, true);
  world.quote(BID + 4);
  await world.passes(220, true);
  expect(await world.exits()).toEqual([`stop 1 @${BID - 4}`]);
  world.quote(BID + 8);
  // Something else of the account has it looked at before the stop may be moved again.
  world.lane.looks.ask(ACCOUNT, 100);
  await world.passes(2_000, true);
  expect(await world.exits()).toEqual([`stop 1 @${BID}`]);
});
