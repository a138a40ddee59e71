// The goal: the half of a reversal that closes opens nothing, and is not lost. The method: fills and locks while the
// order is written ahead.
import { beforeEach, expect, test } from "vitest";
import { clOrdId, credentialId, orderId } from "../../../../src/domain/ids.ts";
import { adjustIntent } from "./adjust-kit.ts";
import { ACCOUNT, type Lane, openLane, place, position } from "../lane-kit.ts";

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
});
const FOREIGN = clOrdId(`i${"f".repeat(28)}-1`);
function report(): void {
  const other = { orderId: orderId("news"), clOrdId: FOREIGN, ordStatus: "CANCELED" } as const;
  lane.broker.report(ACCOUNT, { ...lane.broker.show({ ...other, leavesQty: 0 }) });
}
const sent = () => lane.broker.sent.map(({ side, orderQty }) => `${side} ${orderQty}`);

test("the closing half of a reversal opens nothing where a stop fills while its switches are read again", async () => {
  lane.broker.held = [position(2)];
  lane.intents.after.beginSending = () => {
    delete lane.intents.after.beginSending;
    report();
    lane.intents.before.loadForLane = () => {
      delete lane.intents.before.loadForLane;
      lane.intents.accountKillSwitch = { active: true };
      lane.broker.held = [];
      report();
    };
  };
  await lane.run(place({ side: "SELL", orderQty: 4 }));
  expect(sent()).toEqual([]);
});

test("an exit as an order of a strategy closes what a stop leaves of it, beside an unknown outcome", async () => {
  const other = await lane.accept(place({ side: "SELL" }));
  lane.broker.next.submit.push({ kind: "unknown", reason: "lost" });
  lane.broker.held = [position(2)];
  await lane.work(other);
  lane.broker.sent.length = 0;
  lane.intents.after.beginSending = () => {
    delete lane.intents.after.beginSending;
    lane.broker.held = [position(1)];
    report();
  };
  const source = { kind: "webhook", credentialId: credentialId("t1") } as never;
  const { outcome } = await lane.run(adjustIntent({ to: "order", side: "SELL", qty: 2 }), {
    source,
  });
  expect([sent(), outcome?.kind]).toEqual([["SELL 1"], "done"]);
});
