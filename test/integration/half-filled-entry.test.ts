// The goal: what an entry with a bracket still fills is never without the exits that were asked for.
// The method: a bracket entry on the paper broker that finds 2 of 5, and everything that could take
// its legs away before the rest is filled.
import assert from "node:assert/strict";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { frontMonth, startGateway, type TestGateway } from "../support/gateway.ts";

const ES = frontMonth("ES");
const ACCOUNT = "/v1/accounts/paper-1";
const LEGS = { takeProfit: { ticks: 40 }, stopLoss: { ticks: 40 } };

let gateway: TestGateway;
let entry: { readonly orderId: string; readonly bracket: Record<string, string> };

beforeEach(async () => {
  gateway = await startGateway();
  onTestFinished(gateway.stop);
  gateway.quote(ES, 27_400, 2);
  const { body } = await gateway.api.post(`${ACCOUNT}/orders`, {
    symbol: "ES1!",
    action: "buy",
    qty: 5,
    type: "limit",
    limitPrice: 6850.25,
    bracket: LEGS,
  });
  entry = body;
  assert.deepEqual(await gateway.broker.positions("paper-1"), { [ES.code]: 2 });
});

const sizes = async () =>
  (await gateway.broker.working("paper-1")).map(({ role, leavesQty }) => `${role} ${leavesQty}`);

async function fillTheRest(): Promise<void> {
  gateway.quote(ES, 27_400);
  await expect
    .poll(async () => await gateway.broker.positions("paper-1"))
    .toEqual({ [ES.code]: 5 });
}

test.each(["takeProfit", "stopLoss"])("its %s is not cancelled while it fills", async (leg) => {
  const path = `${ACCOUNT}/orders/${entry.bracket[`${leg}OrderId`]}`;
  const { status, body } = await gateway.api.delete(path);
  expect([status, body.error.code]).toEqual([409, "CANCEL_REJECTED"]);
  expect(body.error.message).toContain("cancel the entry's rest first");
  await fillTheRest();
  await expect.poll(sizes).toEqual(["TAKE_PROFIT 5", "STOP_LOSS 5"]);
});

test("its levels may be moved, and grow with it", async () => {
  const { status } = await gateway.api.post(`${ACCOUNT}/protect`, {
    takeProfit: { ticks: 60 },
    stopLoss: { ticks: 60 },
  });
  expect(status).toBe(200);
  await fillTheRest();
  await expect.poll(sizes).toEqual(["TAKE_PROFIT 5", "STOP_LOSS 5"]);
});

test("once its rest is cancelled, a leg can be cancelled too", async () => {
  await gateway.api.delete(`${ACCOUNT}/orders/${entry.orderId}`);
  const path = `${ACCOUNT}/orders/${entry.bracket["takeProfitOrderId"]}`;
  expect((await gateway.api.delete(path)).status).toBe(200);
  await expect.poll(sizes).toEqual(["STOP_LOSS 2"]);
});

test("a flatten by /v1 ends it with its legs", async () => {
  const { body } = await gateway.api.delete(`${ACCOUNT}/positions`);
  expect(body.canceledOrders).toContain(entry.orderId);
  expect(await sizes()).toEqual([]);
  gateway.quote(ES, 27_400);
  expect(await gateway.broker.positions("paper-1")).toEqual({});
});
