// The goal: an exit that may rest only so long opens nothing at its time, whatever rests beside it. The method:
// the lane with a scripted broker.
import { expect, test } from "vitest";
import { orderId } from "../../../../../src/domain/ids.ts";
import type { Intent } from "../../../../../src/domain/intent.ts";
import { ticks } from "../../../../../src/domain/contracts/price.ts";
import { openLane, place, position } from "../../lane-kit.ts";

const timeout = { afterSeconds: 60, then: "market" } as const;

test("an exit beside another order that rests on its side only closes", async () => {
  const lane = await openLane();
  lane.broker.held = [position(-4)];
  lane.broker.show({
    orderId: orderId("other"),
    side: "BUY",
    price: ticks(3900),
    orderQty: 2,
    leavesQty: 2,
  });
  const exit = place({ side: "BUY", orderQty: 4, ordType: "LIMIT", price: ticks(3950) });
  const id = await lane.accept({ ...exit, handling: { timeout } } as Intent);
  await lane.work(id);
  const [timed] = lane.timedOrders;
  if (timed === undefined) throw new Error("no deadline is kept");
  // Another exit closes the position before its time is over.
  lane.broker.held = [];
  lane.broker.sent.length = 0;
  await lane.run(timed.intent);
  expect(lane.broker.sent).toEqual([]);
});
