// The goal: a reversal opens the other side once all is closed, however many closes that took. The method: the
// lane with a scripted broker.
import { expect, test } from "vitest";
import { type ClOrdId, orderId } from "../../../../src/domain/ids.ts";
import { ACCOUNT, openLane, position } from "../lane-kit.ts";
import { adjustIntent as adjust } from "./adjust-kit.ts";
import { runIn } from "./going-on-kit.ts";

test("a close that the broker ends after a part is followed by another one, and by the order", async () => {
  const lane = await openLane();
  const { broker } = lane;
  broker.held = [position(2)];
  broker.next.close.push(() => {
    const [, , clOrdId] = broker.commands.at(-1) ?? [];
    broker.held = [position(1)];
    const ended = { ordStatus: "CANCELED", ordType: "MARKET", side: "SELL" } as const;
    const shown = { orderId: orderId("c1"), clOrdId: clOrdId as ClOrdId, orderQty: 2, cumQty: 1 };
    broker.report(ACCOUNT, broker.show({ ...shown, ...ended, leavesQty: 0 }));
    return { kind: "accepted", orderId: orderId("c1") };
  });
  const id = await runIn(lane, adjust({ to: "position", netQty: -1 }));
  expect(broker.held).toEqual([]);
  expect(broker.sent).toMatchObject([{ side: "SELL", orderQty: 1 }]);
  expect(lane.record(id).outcome).toMatchObject({ kind: "done" });
});
