// The goal: a part that goes on leaves what was bought since and what its target keeps. The method: a stop that fills
// while the part is written ahead.
import { beforeEach, expect, test } from "vitest";
import { clOrdId, execId, intentId, orderId } from "../../../../src/domain/ids.ts";
import { adjustIntent, to } from "./adjust-kit.ts";
import { runIn, settleIn } from "./going-on-kit.ts";
import { ACCOUNT, ES, type Lane, openLane, place, position, REJECTED } from "../lane-kit.ts";

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
});
const LATER = intentId(`i${"1".repeat(28)}`);
const FOREIGN = clOrdId(`i${"f".repeat(28)}-1`);
const report = () => {
  const other = { orderId: orderId("news"), clOrdId: FOREIGN, ordStatus: "CANCELED" } as const;
  lane.broker.report(ACCOUNT, { ...lane.broker.show({ ...other, leavesQty: 0 }) });
};
const bought = (order: string, qty: number) =>
  ({ execId: execId(order), order, side: "BUY", qty, at: 1, heardAt: 0 }) as const;

test.each([
  [false, "SELL 2"],
  [true, "SELL 1"],
])(
  "an exit that goes on leaves what it spares where a stop fills meanwhile (%s): %s",
  async (fills, expected) => {
    lane.broker.held = [position(3)];
    lane.broker.next.submit.push(REJECTED);
    const id = await runIn(lane, adjustIntent(to(1)));
    expect(lane.record(id).state).not.toBe("REJECTED");
    await runIn(lane, place({ orderQty: 2 }), { intentId: LATER });
    lane.broker.held = [position(5)];
    lane.trips.set(ES, { fills: [bought("older", 3), bought(`${LATER}-1`, 2)], unexplained: 0 });
    lane.broker.sent.length = 0;
    lane.intents.after.beginSending = () => {
      delete lane.intents.after.beginSending;
      if (fills) lane.broker.held = [position(4)];
      report();
    };
    await settleIn(lane, 10_000);
    expect(lane.broker.sent.map(({ side, orderQty }) => `${side} ${orderQty}`).slice(0, 1)).toEqual(
      [expected],
    );
  },
);
