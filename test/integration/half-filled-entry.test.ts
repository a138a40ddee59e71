// The goal: what an entry with a bracket still fills is never without the exits that were asked for.
// The method: a bracket entry on the paper broker that finds 2 of 5, and everything that could take
// its legs away before the rest is filled.
import assert from "node:assert/strict";
import { beforeEach, expect, test } from "vitest";
import { frontMonth } from "../support/gateway.ts";
import { shareGateway } from "../support/shared-gateway.ts";

const ES = frontMonth("ES");
const LEGS = { takeProfit: { ticks: 40 }, stopLoss: { ticks: 40 } };

const own = shareGateway(6);
let entry: { readonly orderId: string; readonly bracket: Record<string, string> };

beforeEach(async () => {
  own.gateway.quote(ES, 27_400, 2);
  const { body } = await own.gateway.api.post(`${own.root}/orders`, {
    symbol: "ES1!",
    action: "buy",
    qty: 5,
    type: "limit",
    limitPrice: 6850.25,
    bracket: LEGS,
  });
  entry = body;
  assert.deepEqual(await own.gateway.broker.positions(own.account), { [ES.code]: 2 });
});

const sizes = async () =>
  (await own.gateway.broker.working(own.account)).map(
    ({ role, leavesQty }) => `${role} ${leavesQty}`,
  );

async function fillTheRest(): Promise<void> {
  own.gateway.quote(ES, 27_400);
  await expect
    .poll(async () => await own.gateway.broker.positions(own.account))
    .toEqual({ [ES.code]: 5 });
}

test.each(["takeProfit", "stopLoss"])("its %s is not cancelled while it fills", async (leg) => {
  const path = `${own.root}/orders/${entry.bracket[`${leg}OrderId`]}`;
  const { status, body } = await own.gateway.api.delete(path);
  expect([status, body.error.code]).toEqual([409, "CANCEL_REJECTED"]);
  expect(body.error.message).toContain("cancel the entry's rest first");
  await fillTheRest();
  await expect.poll(sizes).toEqual(["TAKE_PROFIT 5", "STOP_LOSS 5"]);
});

test("its levels may be moved, and grow with it", async () => {
  const { status } = await own.gateway.api.post(`${own.root}/protect`, {
    takeProfit: { ticks: 60 },
    stopLoss: { ticks: 60 },
  });
  expect(status).toBe(200);
  await fillTheRest();
  await expect.poll(sizes).toEqual(["TAKE_PROFIT 5", "STOP_LOSS 5"]);
});

test("once its rest is cancelled, a leg can be cancelled too", async () => {
  await own.gateway.api.delete(`${own.root}/orders/${entry.orderId}`);
  const path = `${own.root}/orders/${entry.bracket["takeProfitOrderId"]}`;
  expect((await own.gateway.api.delete(path)).status).toBe(200);
  await expect.poll(sizes).toEqual(["STOP_LOSS 2"]);
});

test("a flatten by /v1 ends it with its legs", async () => {
  const { body } = await own.gateway.api.delete(`${own.root}/positions`);
  expect(body.canceledOrders).toContain(entry.orderId);
  expect(await sizes()).toEqual([]);
  own.gateway.quote(ES, 27_400);
  expect(await own.gateway.broker.positions(own.account)).toEqual({});
});
