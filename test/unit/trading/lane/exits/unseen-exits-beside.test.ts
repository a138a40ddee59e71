// The goal: exits that were asked for with an order and never came stand as asked beside everything else of the account.
// The method: the keeper of plans on a lane at the built-in broker, with other entries, plans, protections and late legs.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { missingExits } from "../../../../../src/domain/asked-exits.ts";
import { ticks } from "../../../../../src/domain/contracts/price.ts";
import { intentId, orderId } from "../../../../../src/domain/ids.ts";
import { clOrdIdOf } from "../../../../../src/domain/intent.ts";
import type { Bracket } from "../../../../../src/domain/order.ts";
import { ACCOUNT, ES } from "../../lane-kit.ts";
import { BOTH, by, LIMIT, droppingExits } from "./dropping-exits.ts";
import { at, BID, THREE, PlanWorld } from "./exits-kit.ts";

let world: PlanWorld;
let end: AbortController;
const { losesExits, enter, plain, brokerPlaces } = droppingExits(() => world);

beforeEach(async () => {
  end = new AbortController();
  world = await PlanWorld.open(end);
});
afterEach(() => {
  vi.restoreAllMocks();
  end.abort();
});
const entryId = (n: number) => clOrdIdOf(intentId(`i${n.toString(16).padStart(28, "0")}`), 1);

describe("targets beside another entry", () => {
  test("both of two entries whose exits never came get their targets", async () => {
    losesExits();
    await enter(BOTH);
    await world.passes(6_000);
    losesExits();
    await enter(BOTH);
    await world.passes(10_000);
    expect(await world.exits()).toEqual([
      "stop 1 @3980",
      "stop 1 @3980",
      "target 1 @4010",
      "target 1 @4010",
    ]);
  });
  test("an entry beside one whose exits stand gets its target", async () => {
    await enter(BOTH);
    await world.passes(2_000);
    losesExits();
    await enter(BOTH);
    await world.passes(10_000);
    expect(await world.exits()).toEqual([
      "stop 1 @3980",
      "stop 1 @3980",
      "target 1 @4010",
      "target 1 @4010",
    ]);
  });
  test("a target alone beside an entry whose exits stand is placed", async () => {
    await enter(BOTH);
    await world.passes(2_000);
    losesExits();
    await enter({ takeProfit: by(15) });
    await world.passes(10_000);
    expect(await world.exits()).toEqual(["stop 1 @3980", "target 1 @4010", "target 1 @4015"]);
  });
  test("a plan of three beside another entry gets its targets", async () => {
    await enter(BOTH);
    await world.passes(2_000);
    losesExits();
    await world.enter(THREE, { orderQty: 3 });
    await world.passes(15_000);
    expect((await world.exits()).filter((x) => x.startsWith("target"))).toEqual([
      "target 1 @4010",
      "target 1 @4010",
      "target 1 @4020",
      "target 1 @4030",
    ]);
  });
});

describe("a target alone that is missing", () => {
  test("stays missing, with its alarm, where the stop was named", async () => {
    losesExits(
      ({ stopLoss }) => ({ ...(stopLoss && { stopLoss }) }),
      (real) => real,
    );
    const record = await enter(BOTH);
    await world.passes(10_000);
    expect(await world.exits()).toEqual(["stop 1 @3980"]);
    expect(missingExits(record)).toMatchObject([{ exits: ["TAKE_PROFIT", "STOP_LOSS"] }]);
  });
});

describe("dropped by one glance", () => {
  test("a position that is told late beside another entry does not end the wish", async () => {
    await enter(BOTH);
    await world.passes(3_000);
    losesExits();
    const real = world.paper.positions.bind(world.paper);
    let late = true;
    vi.spyOn(world.paper, "positions").mockImplementation(async (account) => {
      const all = await real(account);
      return late ? all.map((p) => ({ ...p, netQty: Math.min(1, p.netQty) })) : all;
    });
    await enter(BOTH);
    await world.passes(1_500);
    late = false;
    await world.passes(15_000);
    expect([await world.held(), await world.stops()]).toEqual([2, 2]);
  });
  test("a plan's pair that stands beside its forerunner does not end another's wish", async () => {
    losesExits();
    const wish = enter(BOTH, { ...LIMIT });
    await wish;
    await world.passes(10_000);
    // Rests. Now a plan of three at the market, the limit fills as it splits.
    world.quote(BID - 6);
    await world.enter(THREE, { orderQty: 3 });
    await world.passes(20_000);
    expect([await world.held(), await world.stops()]).toEqual([4, 4]);
  });
  test("stops that are for more for a moment do not end the wish", async () => {
    await enter(BOTH, { orderQty: 2 });
    await world.passes(3_000);
    losesExits();
    await enter(BOTH);
    await world.passes(500);
    // a person makes a stop larger than it needs to be, and back
    const [stop] = await world.working("STOP_LOSS");
    await world.paper.modifyOrder(ACCOUNT, { orderId: orderId(stop?.orderId ?? ""), orderQty: 3 });
    await world.passes(1_500);
    await world.paper.modifyOrder(ACCOUNT, { orderId: orderId(stop?.orderId ?? ""), orderQty: 2 });
    await world.passes(10_000);
    expect([await world.held(), await world.stops()]).toEqual([3, 3]);
  });
});

describe("PROTECT meanwhile", () => {
  const protect = async (levels: Bracket) =>
    await world.run({ kind: "PROTECT", contract: ES, levels });
  test("a protection of what is held does not end the wish of an order that rests", async () => {
    losesExits();
    await enter(BOTH, LIMIT);
    await world.passes(10_000);
    await plain();
    await protect({ stopLoss: by(30) });
    await world.passes(5_000);
    world.quote(BID - 6);
    await world.passes(15_000);
    expect([await world.held(), await world.stops()]).toEqual([2, 2]);
  });
  test("an exit plan for the position neither", async () => {
    losesExits();
    await enter(BOTH, LIMIT);
    await world.passes(10_000);
    await plain();
    await world.run({ kind: "PROTECT", contract: ES, plan: { targets: [], stop: at(30) } });
    await world.passes(5_000);
    world.quote(BID - 6);
    await world.passes(15_000);
    expect([await world.held(), await world.stops()]).toEqual([2, 2]);
  });
  test("a protection with the naked entry: one set", async () => {
    losesExits();
    await enter(BOTH);
    await world.passes(1_000);
    await protect({ stopLoss: by(30), takeProfit: by(30) });
    await world.passes(15_000);
    expect(await world.exits()).toEqual(["stop 1 @3970", "target 1 @4030"]);
    expect(world.plan()).toBeUndefined();
  });
  test("a protection after the pair: one set", async () => {
    losesExits();
    await enter(BOTH);
    await world.passes(3_700);
    await protect({ stopLoss: by(30), takeProfit: by(30) });
    await world.passes(15_000);
    expect(await world.exits()).toEqual(["stop 1 @3970", "target 1 @4030"]);
  });
});

describe("late legs", () => {
  for (const ms of [1_000, 2_000, 2_900, 3_100, 3_300, 3_600, 4_000, 6_000]) {
    test(`that come after ${ms} ms are for no more than is held`, async () => {
      losesExits();
      await enter(BOTH, { orderQty: 2 });
      await world.passes(ms);
      await brokerPlaces(1, 2, 3980, 4010);
      await world.passes(15_000);
      expect([await world.stops(), await world.exits(), world.plan()]).toEqual([
        2,
        ["stop 2 @3980", "target 2 @4010"],
        undefined,
      ]);
    });
  }
  for (const ms of [3_100, 3_200, 3_300, 3_400, 3_500, 3_600, 3_700, 3_800, 4_000]) {
    test(`of a plan of three after ${ms} ms: each part has its target`, async () => {
      losesExits();
      await world.enter(THREE, { orderQty: 3 });
      await world.passes(ms);
      await brokerPlaces(1, 3, 3980, 4010);
      await world.passes(20_000);
      expect(await world.exits()).toEqual([
        "stop 1 @3980",
        "stop 1 @3980",
        "stop 1 @3980",
        "target 1 @4010",
        "target 1 @4020",
        "target 1 @4030",
      ]);
    });
  }
  test("of a plan of three once its entry is done, part by part before", async () => {
    losesExits();
    await world.enter(THREE, { ...LIMIT, orderQty: 3 });
    await world.passes(1_000);
    world.quote(BID - 6, 1);
    await world.passes(6_000);
    world.quote(BID - 7);
    await world.passes(300);
    await brokerPlaces(1, 3, 3975, 4005);
    await world.passes(20_000);
    expect(await world.exits()).toEqual([
      "stop 1 @3975",
      "stop 1 @3975",
      "stop 1 @3975",
      "target 1 @4005",
      "target 1 @4014",
      "target 1 @4024",
    ]);
  });
});

describe("refused many times", () => {
  test("a target alone that is refused for ever does not read the broker ten times a second", async () => {
    losesExits();
    const spy = vi
      .spyOn(world.paper, "submitProtection")
      .mockResolvedValue({ kind: "rejected", reason: "no" });
    await enter({ takeProfit: by(10) });
    await world.passes(900_000);
    const reads = vi.spyOn(world.paper, "positions");
    await world.passes(60_000);
    expect([spy.mock.calls.length, reads.mock.calls.length < 60]).toEqual([12, true]);
  });
  test("one passing refusal does not lose the target", async () => {
    losesExits();
    vi.spyOn(world.paper, "submitProtection").mockResolvedValueOnce({
      kind: "notSent",
      reason: "The link is down",
    });
    await enter(BOTH);
    await world.passes(20_000);
    expect([await world.exits(), world.alarms]).toEqual([["stop 1 @3980", "target 1 @4010"], []]);
  });
  test("a target that the market has passed", async () => {
    losesExits();
    await enter({ takeProfit: by(10) });
    await world.passes(500);
    world.quote(BID + 15);
    await world.passes(20_000);
    expect([await world.held(), await world.exits(), world.plan()]).toEqual([0, [], undefined]);
  });
});

describe("others", () => {
  test("reduce between", async () => {
    losesExits();
    await enter(BOTH, { orderQty: 3 });
    await world.passes(1_000);
    await world.reduce(1);
    await world.passes(10_000);
    expect(await world.exits()).toEqual(["stop 2 @3980", "target 2 @4010"]);
  });
  test("part fills, its target fills, the rest fills", async () => {
    losesExits();
    await enter(BOTH, { ...LIMIT, orderQty: 3 });
    world.quote(BID - 6, 1);
    await world.passes(5_000);
    world.quote(BID + 15, 1);
    await world.passes(5_000);
    expect(await world.held()).toBe(0);
    world.quote(BID - 7);
    await world.passes(10_000);
    expect([await world.held(), await world.exits(), world.plan()]).toEqual([
      2,
      ["stop 2 @3975", "target 2 @4004"],
      undefined,
    ]);
  });
  test("closes part of the opposite", async () => {
    await plain({ side: "SELL", orderQty: 1 });
    await world.passes(2_000);
    losesExits();
    await enter(BOTH, { orderQty: 3 });
    await world.passes(10_000);
    expect([await world.held(), await world.exits()]).toEqual([
      2,
      ["stop 2 @3980", "target 2 @4010"],
    ]);
  });
  test("only closes", async () => {
    await plain({ side: "SELL", orderQty: 3 });
    await world.passes(2_000);
    losesExits();
    await enter(BOTH, { orderQty: 2 });
    await world.passes(20_000);
    expect([await world.held(), await world.exits(), world.plan()]).toEqual([-1, [], undefined]);
  });
  test("flatten while pair is on its way", async () => {
    losesExits();
    await enter(BOTH);
    world.holdsIntents = false;
    await world.passes(3_200);
    await world.run({ kind: "FLATTEN", cancelResting: true });
    await world.passes(20_000);
    expect([await world.held(), await world.exits(), world.plan()]).toEqual([0, [], undefined]);
  });
  for (const ms of [110, 1_100, 2_200, 3_100, 3_190, 3_300, 3_410, 3_520, 4_000, 5_000]) {
    test(`restart after ${ms}`, async () => {
      losesExits();
      await enter(BOTH, { orderQty: 2 });
      await world.passes(ms);
      await world.restart();
      await world.passes(15_000);
      expect([await world.exits(), world.plan()]).toEqual([
        ["stop 2 @3980", "target 2 @4010"],
        undefined,
      ]);
    });
  }
  for (const ms of [110, 1_100, 2_200, 3_190, 3_300, 3_410, 3_520, 4_000, 5_000]) {
    test(`reduced by one of three after ${ms}`, async () => {
      losesExits();
      await enter(BOTH, { orderQty: 3 });
      await world.passes(ms);
      await world.reduce(1);
      await world.passes(15_000);
      expect([await world.exits(), world.plan()]).toEqual([
        ["stop 2 @3980", "target 2 @4010"],
        undefined,
      ]);
    });
  }
  test("kill switch", async () => {
    losesExits();
    await enter(BOTH);
    world.lane.intents.accountKillSwitch = { active: true } as never;
    await world.passes(10_000);
    expect(await world.exits()).toEqual(["stop 1 @3980", "target 1 @4010"]);
  });
  test("fills told late by the book", async () => {
    losesExits();
    world.recordsAs = (fill) => ({ ...fill, transactTimeAt: fill.transactTimeAt - 5_000 });
    await enter(BOTH);
    await world.passes(10_000);
    expect([await world.exits(), world.plan()]).toEqual([
      ["stop 1 @3980", "target 1 @4010"],
      undefined,
    ]);
  });
  test("unnamed legs of the broker cover it", async () => {
    losesExits();
    await enter(BOTH);
    await world.passes(1_000);
    await world.paper.submitProtection(ACCOUNT, {
      contract: ES,
      side: "SELL",
      orderQty: 1,
      stopLoss: { clOrdId: entryId(77) as never, stopPx: ticks(3980) },
      takeProfit: { clOrdId: entryId(78) as never, price: ticks(4010) },
    });
    await world.passes(10_000);
    expect(await world.exits()).toEqual(["stop 1 @3980", "target 1 @4010"]);
  });
  for (const aim of [
    { to: "position", netQty: 2 },
    { to: "add", side: "BUY", qty: 1 },
    { to: "enter", side: "BUY", qty: 2 },
    { to: "reverse", side: "BUY", qty: 2 },
  ] as never[]) {
    test(`adjust ${JSON.stringify(aim)} beside one that is held`, async () => {
      await plain({ side: (aim as { to: string }).to === "reverse" ? "SELL" : "BUY" });
      await world.passes(2_000);
      losesExits();
      await world.run({
        kind: "ADJUST",
        contract: ES,
        aim,
        terms: { ordType: "MARKET", timeInForce: "DAY", bracket: BOTH },
      });
      await world.passes(15_000);
      const held = await world.held();
      expect([
        await world.stops(),
        (await world.working("TAKE_PROFIT")).reduce((n, o) => n + o.leavesQty, 0),
      ]).toEqual([held, held]);
    });
  }
});
