// The goal: a stop that works is not called missing. The method: a broker without pairs that refuses the take-profit.
import { beforeEach, expect, test } from "vitest";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { credentialId, orderId } from "../../../../src/domain/ids.ts";
import type { NewOrderSingle } from "../../../../src/domain/order.ts";
import { adjustIntent, to } from "./adjust-kit.ts";
import { ACCOUNT, type Lane, openLane, position, REJECTED } from "../lane-kit.ts";

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
});

const bracket = {
  takeProfit: { by: "price", price: ticks(4_100) },
  stopLoss: { by: "price", price: ticks(3_900) },
} as const;

test("a stop that stands is not missing beside the take-profit that was refused", async () => {
  lane.setConnection({ nativeOco: false });
  lane.broker.held = [position(3)];
  const submit = lane.broker.submitOrder.bind(lane.broker);
  let isRefused = false;
  lane.broker.submitOrder = async (account, one: NewOrderSingle) => {
    if (one.ordType === "STOP") {
      lane.broker.show({
        ...one,
        orderId: orderId("own-stop"),
        role: "STOP_LOSS",
        leavesQty: one.orderQty,
      });
      lane.broker.sent.push(one);
      return { kind: "accepted", orderId: orderId("own-stop") };
    }
    if (one.ordType === "LIMIT") {
      lane.broker.sent.push(one);
      return REJECTED;
    }
    if (!isRefused) {
      isRefused = true;
      return REJECTED;
    }
    const answer = await submit(account, one);
    lane.broker.held = [position(1)];
    return answer;
  };
  const intent = adjustIntent(to(1), { terms: { ordType: "MARKET", timeInForce: "DAY", bracket } });
  const source = { kind: "webhook", credentialId: credentialId("t1") } as never;
  const record = await lane.run(intent, { source });
  for (let nth = 0; nth < 5; nth += 1) {
    lane.intents.clock += 10_000;
    await lane.settlePending(ACCOUNT);
  }
  const { outcome } = lane.record(record.intentId);
  const stands = [...lane.broker.orders.values()].filter(({ role }) => role === "STOP_LOSS");
  expect(stands).toHaveLength(1);
  expect(outcome).toMatchObject({ result: { exits: { kind: "missing", exits: ["TAKE_PROFIT"] } } });
});
