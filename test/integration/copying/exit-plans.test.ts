// The goal: followers of a leader with an exit plan have its exits where orders are copied, and follow what
// it fills where fills are.
// The method: the whole gateway, prices moved by hand, and the paper broker looked at.
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import type { OrderReport } from "../../../src/domain/order.ts";
import { CopySite, type Desk, MNQ, untilNet } from "./copy-desk.ts";

/** In ticks of a quarter: 25000, and 25000.25 is asked. */
const BID = 100_000;

let site: CopySite;

beforeAll(async () => {
  site = await CopySite.open(8);
});
afterAll(async () => await site.gateway.stop());
beforeEach(() => site.gateway.quote(MNQ, BID));

const inWords = ({ role, leavesQty, price, stopPx }: OrderReport): string =>
  `${role} ${leavesQty} at ${price ?? stopPx}`;

const worksFor = (desk: Desk) => async () =>
  (await site.gateway.broker.working(desk.account)).map(inWords).toSorted();

test("the legs of a plan are mirrored in the mode orders, and its stop as it moves", async () => {
  const party = await site.group({ mode: "orders" }, [{ multiplier: 2 }]);
  const exitPlan = {
    targets: [{ ticks: 80 }],
    stop: { ticks: 40 },
    breakeven: { after: { ticks: 20 } },
  };
  expect((await party.leader.trade("buy", 1, { exitPlan })).status).toBe(201);
  await untilNet(party.follower(), 2);
  const both = (qty: number, stop: number) => [
    `STOP_LOSS ${qty} at ${stop}`,
    `TAKE_PROFIT ${qty} at 100081`,
  ];
  await expect.poll(worksFor(party.leader)).toEqual(both(1, 99_961));
  await expect.poll(worksFor(party.follower())).toEqual(both(2, 99_961));
  // A plan moves nothing by a stale price.
  onTestFinished(site.gateway.keepQuoting(MNQ, BID + 30));
  await expect.poll(worksFor(party.leader)).toEqual(both(1, 100_001));
  await expect.poll(worksFor(party.follower())).toEqual(both(2, 100_001));
});

test("what a plan fills is followed in the mode fills, target by target", async () => {
  const party = await site.group({ mode: "fills" });
  const exitPlan = { targets: [{ ticks: 20, qty: 2 }, { ticks: 60 }], stop: { ticks: 40 } };
  expect((await party.leader.trade("buy", 3, { exitPlan })).status).toBe(201);
  await untilNet(party.follower(), 3);
  await expect
    .poll(worksFor(party.leader))
    .toEqual([
      "STOP_LOSS 1 at 99961",
      "STOP_LOSS 2 at 99961",
      "TAKE_PROFIT 1 at 100061",
      "TAKE_PROFIT 2 at 100021",
    ]);
  expect(await worksFor(party.follower())()).toEqual([]);
  site.gateway.quote(MNQ, BID + 30);
  await untilNet(party.leader, 1);
  await untilNet(party.follower(), 1);
  site.gateway.quote(MNQ, BID + 70);
  await untilNet(party.leader, 0);
  await untilNet(party.follower(), 0);
});
