// The goal: the plan of an order that only closed ends with it, and not before. The method: orders that the broker does not
// show any more.
import { afterEach, beforeEach, expect, test } from "vitest";
import { ticks } from "../../../../../src/domain/contracts/price.ts";
import type { ExitPlan } from "../../../../../src/domain/exits/exit-plan.ts";
import type { Intent } from "../../../../../src/domain/intent.ts";
import { order } from "../../lane-kit.ts";
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

test.each([false, true])(
  "the plan of an order that was made larger goes on while it opens (order not shown: %s)",
  async (hides) => {
    await long(2);
    const { outcome, intentId } = await world.enter(TIMED, {
      side: "SELL",
      orderQty: 2,
      ordType: "LIMIT",
      price: ticks(4_010),
    });
    await world.passes(1_000);
    const result =
      outcome?.kind === "done" && outcome.result.kind === "PLACE" ? outcome.result : undefined;
    const id = result?.order.orderId;
    const modified = await world.run({
      kind: "MODIFY",
      orderId: id,
      clOrdId: `${intentId}-1`,
      change: { orderQty: 5 },
    } as unknown as Intent);
    expect(modified.outcome?.kind).toBe("done");
    const find = world.paper.findOrder.bind(world.paper);
    if (hides) {
      world.paper.findOrder = async (account, one) => {
        const found = await find(account, one);
        return found?.orderId === id ? undefined : found;
      };
    }
    world.quote(4_011, 2);
    await world.passes(120_000);
    expect([await world.held(), world.stored.size]).toEqual([0, 1]);
    world.paper.findOrder = find;
    world.quote(4_012);
    await world.passes(60_000);
    expect([await world.held(), world.stored.size]).toEqual([0, 0]);
  },
);

test("the plan of a refused order's closing half ends once the broker does not show it any more", async () => {
  await long(2);
  world.lane.intents.accountKillSwitch = { active: true };
  const find = world.paper.findOrder.bind(world.paper);
  const { outcome } = await world.enter(TIMED, {
    side: "SELL",
    orderQty: 4,
    ordType: "LIMIT",
    price: ticks(4_010),
  });
  expect(outcome?.kind).toBe("done");
  await world.passes(1_000);
  world.paper.findOrder = async (account, id) => {
    const found = await find(account, id);
    return found !== undefined && found.leavesQty === 0 ? undefined : found;
  };
  world.quote(4_011);
  await world.passes(600_000);
  expect([await world.held(), world.stored.size]).toEqual([0, 0]);
});
