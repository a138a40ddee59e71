// The goal: fills that come without names, or are corrected, cost no plan its contracts and give it no other's.
// The method: the real lane and plan keeper on the paper exchange; what is recorded of its fills is changed.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ExitPlan } from "../../../../../src/domain/exits/exit-plan.ts";
import type { RunningPlan } from "../../../../../src/domain/exits/running-plan.ts";
import type { Fill } from "../../../../../src/domain/order.ts";
import { BrokerReadError } from "../../../../../src/trading/ports.ts";
import { ES, order } from "../../lane-kit.ts";
import { at, BID, PlanWorld } from "./exits-kit.ts";

let world: PlanWorld;
let end: AbortController;

beforeEach(async () => {
  end = new AbortController();
  world = await PlanWorld.open(end);
});
afterEach(() => end.abort());

const TIMED: ExitPlan = { targets: [], stop: at(400), closeAfterSeconds: 30 };
const NEAR: ExitPlan = { targets: [{ at: at(10) }, { at: at(20) }], stop: at(40) };

function nameless(fill: Fill): Fill {
  const { clOrdId: _, ...more } = fill;
  return more;
}

describe("fills without their order's name", () => {
  test("of a younger plan's exits leave the older plan its own contracts", async () => {
    await world.enter(TIMED, { orderQty: 4 });
    await world.passes(1_000);
    await world.enter(NEAR, { orderQty: 4 });
    await world.passes(3_000);
    expect(await world.exits()).toEqual([
      "stop 2 @3960",
      "stop 2 @3960",
      "stop 4 @3600",
      "target 2 @4010",
      "target 2 @4020",
    ]);
    world.recordsAs = nameless;
    world.quote(BID + 30);
    await world.passes(10_000);
    expect(await world.held()).toBe(4);
    await world.passes(20_000);
    expect(await world.held()).toBe(0);
  });

  test("of a younger plan's close leave the older plan its own contracts", async () => {
    await world.enter(TIMED, { orderQty: 4 });
    await world.passes(1_000);
    await world.enter({ ...TIMED, closeAfterSeconds: 10 }, { orderQty: 4 });
    await world.passes(3_000);
    world.recordsAs = nameless;
    await world.passes(16_000);
    expect(await world.held()).toBe(4);
    await world.passes(15_000);
    expect(await world.held()).toBe(0);
  });

  test("of a plan's second target leave it only what is left", async () => {
    await world.enter({ targets: [], stop: at(400) }, { orderQty: 4 });
    await world.passes(1_000);
    await world.enter({ ...NEAR, closeAfterSeconds: 120 }, { orderQty: 4 });
    await world.passes(3_000);
    world.recordsAs = nameless;
    world.quote(BID + 30);
    await world.passes(100_000);
    expect(world.stored.size).toBe(1);
    expect(await world.held()).toBe(4);
    await world.passes(30_000);
    expect(await world.held()).toBe(4);
  });
});

describe("a plan that an earlier version stored, whose entry's fills have no name", () => {
  /** As it was stored before the plan knew its entry's number at the broker. */
  async function upgrade(isShown: boolean): Promise<void> {
    const [[id, text] = []] = world.stored;
    if (id === undefined || text === undefined) throw new Error("there is a plan");
    const { orderId: _, filledAt: __, ...plan } = JSON.parse(text) as RunningPlan;
    const { qty = 0, avgPx } = plan.filled ?? {};
    world.stored.set(id, JSON.stringify({ ...plan, filled: { qty, avgPx } }));
    const find = world.paper.findOrder.bind(world.paper);
    world.paper.findOrder = async (account, name) =>
      !isShown && name === plan.clOrdId ? undefined : await find(account, name);
    await world.restart();
  }

  test.each([
    ["shows", true],
    ["has forgotten", false],
  ])("ends with its contracts where the broker %s the entry", async (_, isShown) => {
    world.recordsAs = nameless;
    await world.enter({ ...TIMED, closeAfterSeconds: 60 }, { orderQty: 4 });
    await world.passes(1_000);
    await upgrade(isShown);
    await world.passes(1_000);
    expect(world.stored.size).toBe(1);
    await world.run({ kind: "FLATTEN", cancelResting: true });
    await world.passes(8_000);
    expect(world.stored.size).toBe(0);
  });

  test("is closed in its time where the broker shows its entry", async () => {
    world.recordsAs = nameless;
    await world.enter(TIMED, { orderQty: 4 });
    await world.passes(1_000);
    await upgrade(true);
    await world.run({
      kind: "PLACE",
      order: { contract: ES, side: "BUY", orderQty: 2, ordType: "MARKET", timeInForce: "DAY" },
    });
    await world.passes(45_000);
    expect([await world.held(), world.stored.size]).toEqual([2, 0]);
  });
});

describe.each([["goes on"], ["ends, and another one takes over"]])(
  "a fill that the broker corrects to less while the process %s",
  (how) => {
    test("leaves its plan no contract of another", async () => {
      let entry: Fill | undefined;
      world.recordsAs = (fill) => (entry = fill);
      await world.enter({ ...TIMED, closeAfterSeconds: 60 }, { orderQty: 4 });
      await world.passes(1_000);
      // The broker takes one of the four back: it is not held any more, and no other fill says so.
      world.recordsAs = () => ({ ...(entry as Fill), lastQty: 3 });
      await world.reduce(1);
      if (how !== "goes on") await world.restart();
      await world.passes(1_000);
      world.recordsAs = (fill) => fill;
      await world.reduce(3);
      await world.passes(1_000);
      await world.run({ kind: "PLACE", order: order({ orderQty: 2 }) });
      await world.passes(70_000);
      expect([world.stored.size, await world.held()]).toEqual([0, 2]);
    });
  },
);

describe("a target that a person cancels", () => {
  test("leaves a stop that is the plan's own", async () => {
    await world.enter({ targets: [], stop: at(400) }, { orderQty: 4 });
    await world.passes(1_000);
    await world.enter(
      { targets: [{ at: at(30) }], stop: at(40), closeAfterSeconds: 90 },
      { orderQty: 4 },
    );
    await world.passes(1_000);
    await world.cancelByHand("TAKE_PROFIT");
    await world.passes(1_000);
    expect(await world.exits()).toEqual(["stop 4 @3600", "stop 4 @3960"]);
    world.quote(BID - 60);
    await world.passes(110_000);
    expect([await world.held(), world.stored.size]).toEqual([4, 1]);
  });
});

test("a close that is taken back is seen at once after a reading that failed, though its plan seemed over", async () => {
  await world.enter({ targets: [], stop: at(40) }, { orderQty: 2 });
  await world.passes(1_000);
  let close: Fill | undefined;
  world.recordsAs = (fill) => (close = fill);
  await world.reduce(2);
  await world.passes(500);
  // The broker holds both again.
  world.recordsAs = () => ({ ...(close as Fill), takenBack: true });
  await world.run({ kind: "PLACE", order: order({ orderQty: 2 }) });
  world.recordsAs = (fill) => fill;
  const failing = vi.spyOn(world.paper, "positions");
  failing.mockRejectedValue(new BrokerReadError("not now"));
  await world.passes(220);
  failing.mockRestore();
  await world.passes(4_600);
  expect([await world.held(), await world.stops()]).toEqual([2, 2]);
});
