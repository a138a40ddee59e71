// The goal: a flatten that goes on closes no more than is left of its part. The method: a stop that fills while the part is
// written ahead.
import { beforeEach, expect, test } from "vitest";
import { clOrdId, execId, intentId, orderId } from "../../../../src/domain/ids.ts";
import { FLATTEN, runIn, settleIn } from "./going-on-kit.ts";
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

test.each([[0], [1]])(
  "a flatten that goes on closes no more than the %i that are held when it leaves",
  async (left) => {
    lane.broker.held = [position(2)];
    lane.broker.next.close.push(REJECTED);
    await runIn(lane, FLATTEN);
    await runIn(lane, place(), { intentId: LATER });
    lane.broker.held = [position(3)];
    lane.trips.set(ES, { fills: [bought("older", 2), bought(`${LATER}-1`, 1)], unexplained: 0 });
    lane.broker.sent.length = 0;
    let sold = 0;
    lane.intents.after.beginSending = () => {
      delete lane.intents.after.beginSending;
      lane.broker.held = left === 0 ? [] : [position(left)];
      report();
    };
    await settleIn(lane, 10_000);
    sold = lane.broker.sent.reduce((sum, { orderQty }) => sum + orderQty, 0);
    expect(sold).toBeLessThanOrEqual(left);
  },
);
