// The goal: exits that were asked for with an order stand, though the answer to it was lost and the broker never
// placed them. The method: the keeper of plans on a lane at the built-in broker, which drops what comes with an order.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ticks } from "../../../../../src/domain/contracts/price.ts";
import { ES } from "../../lane-kit.ts";
import { BOTH, by, LIMIT, droppingExits } from "./dropping-exits.ts";
import { at, BID, THREE, PlanWorld } from "./exits-kit.ts";

let world: PlanWorld;
let end: AbortController;
const { losesExits, enter } = droppingExits(() => world);

beforeEach(async () => {
  end = new AbortController();
  world = await PlanWorld.open(end);
});
afterEach(() => {
  vi.restoreAllMocks();
  end.abort();
});

describe("an order whose answer is lost, and whose exits are not there", () => {
  test("gets both, and its plan is over once they stand", async () => {
    losesExits();
    await enter(BOTH, { orderQty: 2 });
    await world.passes(5_000);
    expect(await world.exits()).toEqual(["stop 2 @3980", "target 2 @4010"]);
    await world.passes(8_000);
    expect(world.plan()).toBeUndefined();
  });

  test("gets a target alone where no stop was asked for", async () => {
    losesExits();
    await enter({ takeProfit: by(10) });
    await world.passes(12_000);
    expect([await world.exits(), world.plan()]).toEqual([["target 1 @4010"], undefined]);
  });

  test("gets a stop by price where it was asked for", async () => {
    losesExits();
    await enter({ stopLoss: { by: "price", price: ticks(3_970) } });
    await world.passes(6_000);
    expect(await world.exits()).toEqual(["stop 1 @3970"]);
  });

  test("gets them from whoever owns the account next", async () => {
    losesExits();
    await enter(BOTH);
    await world.passes(1_000);
    await world.restart();
    await world.passes(5_000);
    expect(await world.exits()).toEqual(["stop 1 @3980", "target 1 @4010"]);
  });

  test("gets none once its position is closed", async () => {
    losesExits();
    await enter(BOTH);
    await world.passes(1_000);
    await world.reduce(1);
    await world.passes(15_000);
    expect([await world.held(), await world.exits(), world.plan()]).toEqual([0, [], undefined]);
  });

  test("keeps what the broker places a moment later, and no more", async () => {
    losesExits((asked) => asked);
    await enter(BOTH, { orderQty: 2 });
    await world.passes(12_000);
    expect([await world.exits(), world.plan()]).toEqual([
      ["stop 2 @3980", "target 2 @4010"],
      undefined,
    ]);
  });

  test("gets none again that a person has taken away", async () => {
    losesExits();
    await enter(BOTH);
    await world.passes(6_000);
    await world.cancelByHand("STOP_LOSS");
    await world.passes(10_000);
    expect(await world.exits()).toEqual(["target 1 @4010"]);
  });

  test("gets none that a person takes away as soon as they stand", async () => {
    losesExits();
    await enter(BOTH);
    for (let ms = 0; (await world.stops()) === 0 && ms < 10_000; ms += 110) await world.passes(110);
    expect(await world.stops()).toBe(1);
    await world.cancelByHand("STOP_LOSS");
    await world.passes(10_000);
    expect(await world.stops()).toBe(0);
  });

  test("gets them for each part that fills while the rest works", async () => {
    losesExits();
    await enter(BOTH, { ...LIMIT, orderQty: 2 });
    await world.passes(1_000);
    world.quote(BID - 6, 1);
    await world.passes(5_000);
    expect([await world.held(), await world.exits()]).toEqual([
      1,
      ["stop 1 @3975", "target 1 @4005"],
    ]);
    world.quote(BID - 7);
    await world.passes(14_000);
    expect([await world.held(), await world.stops()]).toEqual([2, 2]);
    expect(world.plan()).toBeUndefined();
  });

  test("and that fills much later gets them then", async () => {
    losesExits();
    await enter(BOTH, LIMIT);
    await world.passes(60_000);
    expect([await world.held(), await world.exits()]).toEqual([0, []]);
    world.quote(BID - 6);
    await world.passes(6_000);
    expect(await world.exits()).toEqual(["stop 1 @3975", "target 1 @4005"]);
  });

  test("and that is cancelled leaves nothing behind", async () => {
    losesExits();
    await enter(BOTH, LIMIT);
    await world.passes(3_000);
    await world.cancel("ORDER");
    await world.passes(15_000);
    expect(world.plan()).toBeUndefined();
  });
});

test("an order of which the broker names the target alone gets its stop", async () => {
  losesExits(
    ({ takeProfit }) => ({ ...(takeProfit && { takeProfit }) }),
    (real) => real,
  );
  await enter(BOTH);
  await world.passes(6_000);
  expect(await world.exits()).toEqual(["stop 1 @3980", "target 1 @4010"]);
});

test("the order of an adjustment is none of the exceptions", async () => {
  losesExits();
  await world.run({
    kind: "ADJUST",
    contract: ES,
    aim: { to: "position", netQty: 2 },
    terms: { ordType: "MARKET", timeInForce: "DAY", bracket: BOTH },
  });
  await world.passes(15_000);
  expect(await world.exits()).toEqual(["stop 2 @3980", "target 2 @4010"]);
});

test("a plan whose first exits never came places a pair for each of its targets", async () => {
  losesExits();
  await world.enter(THREE, { orderQty: 3 });
  await world.passes(8_000);
  expect(await world.exits()).toEqual([
    "stop 1 @3980",
    "stop 1 @3980",
    "stop 1 @3980",
    "target 1 @4010",
    "target 1 @4020",
    "target 1 @4030",
  ]);
});

test("a stop that its plan had before it vanished comes back without a target", async () => {
  await world.enter({ targets: [{ at: at(10) }], stop: at(20) });
  await world.passes(1_000);
  await world.cancel("STOP_LOSS");
  await world.passes(6_000);
  expect(await world.exits()).toEqual(["stop 1 @3980"]);
});
