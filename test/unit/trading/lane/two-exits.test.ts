// The goal: two exits of one position do not undo each other for ever. The method: the lane with a scripted
// broker, at which a close works for some seconds before it fills.
import { expect, test } from "vitest";
import { type ClOrdId, intentId, orderId } from "../../../../src/domain/ids.ts";
import { isClosed } from "../../../../src/domain/order.ts";
import { ACCOUNT, ES, type Lane, openLane, position, REJECTED, showPair } from "../lane-kit.ts";
import { FLATTEN, runIn, settleIn, workingIn } from "./going-on-kit.ts";

/** A close fills once it has worked for so long. */
const FILLS_AFTER_MS = 10_000;

const named = (n: number) => intentId(`i${`${n}`.padStart(28, "a")}`);

function worksFirst(lane: Lane): { fill: () => void } {
  const { broker } = lane;
  const sentAt = new Map<string, number>();
  let last = 0;
  broker.closePosition = async (_account, contract, clOrdId: ClOrdId) => {
    last += 1;
    const id = orderId(`close${last}`);
    broker.commands.push(["close", contract, clOrdId]);
    sentAt.set(id, lane.intents.clock);
    const qty = Math.abs(broker.held[0]?.netQty ?? 0);
    const works = { ordStatus: "NEW", ordType: "MARKET", side: "SELL" } as const;
    const shown = { orderId: id, clOrdId, contract, orderQty: qty, leavesQty: qty };
    broker.report(ACCOUNT, broker.show({ ...shown, ...works }));
    return { kind: "accepted", orderId: id };
  };
  const fill = () => {
    for (const [id, at] of sentAt) {
      const order = broker.orders.get(id);
      if (order === undefined || isClosed(order.ordStatus)) continue;
      if (lane.intents.clock - at < FILLS_AFTER_MS) continue;
      broker.change(order.orderId, { ordStatus: "FILLED", cumQty: order.orderQty, leavesQty: 0 });
      broker.held = [];
    }
  };
  return { fill };
}

test.each([1, 2])(
  "%i of them close a position whose close takes ten seconds to fill",
  async (many) => {
    const lane = await openLane();
    lane.broker.held = [position(2)];
    const { fill } = worksFirst(lane);
    for (let n = 0; n < many; n += 1) await runIn(lane, FLATTEN, { intentId: named(n) });
    for (let second = 0; second < 60; second += 1) {
      await settleIn(lane, 1_000);
      fill();
    }
    await settleIn(lane, 1_000);
    const closes = lane.broker.commands.filter(([name, what]) => name === "close" && what === ES);
    expect([lane.broker.held, workingIn(lane), closes.length <= 2 * many]).toEqual([[], [], true]);
  },
);

test("an exit that was refused a hundred times can still close", async () => {
  const lane = await openLane();
  lane.broker.held = [position(2)];
  showPair(lane.broker);
  lane.broker.next.close.push(...Array.from({ length: 100 }, () => REJECTED));
  const id = await runIn(lane, FLATTEN);
  for (let n = 0; n < 110; n += 1) await settleIn(lane, 300_001);
  expect([lane.record(id).state, lane.broker.held]).toEqual(["DONE", []]);
});
