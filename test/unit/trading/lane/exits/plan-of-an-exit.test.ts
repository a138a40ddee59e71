// The goal: the plan of an order that only closed is over, and takes nothing of another order. The method: plans
// of exits on the paper broker, while the process goes on and over a restart.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ticks } from "../../../../../src/domain/contracts/price.ts";
import { orderId } from "../../../../../src/domain/ids.ts";
import type { ExitPlan } from "../../../../../src/domain/exits/exit-plan.ts";
import { ACCOUNT, order } from "../../lane-kit.ts";
import { at, PlanWorld } from "./exits-kit.ts";

let world: PlanWorld;
let end: AbortController;
beforeEach(async () => {
  end = new AbortController();
  world = await PlanWorld.open(end);
});
afterEach(() => end.abort());

const TIMED: ExitPlan = { targets: [], stop: at(40), closeAfterSeconds: 20 };
const long = async (orderQty: number) =>
  await world.run({ kind: "PLACE", order: order({ orderQty }) });

describe.each([["goes on"], ["restarts"]])("while the process %s", (how) => {
  const passes = async (ms: number) => {
    await world.passes(500);
    if (how === "restarts") await world.restart();
    await world.passes(ms);
  };

  test("the plan of an exit at the market is forgotten", async () => {
    await long(2);
    await world.enter(TIMED, { side: "SELL", orderQty: 2 });
    await passes(60_000);
    expect([await world.held(), world.stored.size]).toEqual([0, 0]);
  });

  test("a position of another order is not its own", async () => {
    await long(2);
    await world.enter(TIMED, { side: "SELL", orderQty: 2 });
    await world.run({ kind: "PLACE", order: order({ side: "SELL", orderQty: 3 }) });
    await passes(60_000);
    expect([await world.held(), world.stored.size]).toEqual([-3, 0]);
  });

  test("the plan of an entry that moved is forgotten", async () => {
    const { watch } = world.lane;
    const report = () => {
      const news = { ...order({ orderQty: 1 }), orderId: orderId("news"), role: "ORDER" } as const;
      const ended = { ordStatus: "CANCELED", cumQty: 0, leavesQty: 0, transactTimeAt: 0 } as const;
      watch.onReport(ACCOUNT, { execType: "CANCELED", order: { ...news, ...ended } });
    };
    // A storm: something is reported at each reading.
    const read = world.paper.positions.bind(world.paper);
    world.paper.positions = async (...args) => {
      const held = await read(...args);
      report();
      return held;
    };
    const { outcome } = await world.enter(TIMED, { orderQty: 2 });
    expect(outcome?.kind).toBe("notSent");
    world.paper.positions = read;
    await passes(60_000);
    expect(world.stored.size).toBe(0);
  });

  test("the plan of an exit whose order the broker does not show any more is forgotten", async () => {
    // The exit closes all that is held, by its own fill, which is recorded under its name.
    await long(2);
    const find = world.paper.findOrder.bind(world.paper);
    await world.enter(TIMED, {
      side: "SELL",
      orderQty: 2,
      ordType: "LIMIT",
      price: ticks(4_010),
    });
    await world.passes(1_000);
    world.paper.findOrder = async (account, id) => {
      const found = await find(account, id);
      return found !== undefined && found.leavesQty === 0 ? undefined : found;
    };
    world.quote(4_011);
    await passes(3_600_000 / 6);
    expect([await world.held(), world.stored.size]).toEqual([0, 0]);
  });
});
