// The goal: a change whose answer is lost ends as what became of it, and is never sent again.
// The method: the whole gateway over HTTP; the broker, a process of its own, breaks the session on one
// command, with or without carrying it out.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ExchangeSimulator, startExchangeSimulator } from "../simulators/exchange/start.ts";
import type { ExchangeGateway } from "../support/exchange-gateway.ts";
import { frontMonth } from "../support/gateway.ts";
import { shareConnections } from "../support/shared-gateway.ts";
import { waitUntil } from "../support/wait.ts";

const ES = frontMonth("ES");
const BID = 27_400;
const LEVELS = { takeProfit: { ticks: 40 }, stopLoss: { ticks: 40 } };
/** The end of one leg leaves the other one. */
const KEPT = { cancelEndsLinkedLeg: false };
const UNLINKED = { nativeOco: false, cancelEndsLinkedLeg: false };

let simulator: ExchangeSimulator;

beforeAll(async () => {
  simulator = await startExchangeSimulator();
});
afterAll(() => simulator.stop());

/** Each test has a connection to itself, and may run beside the others: none of them moves the market. */
async function openConnection(nextConnection: () => ExchangeGateway) {
  const gateway = nextConnection();
  await gateway.quote(ES, BID);
  return gateway;
}

async function place(gateway: ExchangeGateway, more: object = {}) {
  const body = { symbol: "ES1!", action: "buy", qty: 2, ...more };
  const reply = await gateway.post("orders", body);
  expect([reply.status, reply.body.error]).toEqual([201, undefined]);
  return reply.body;
}

async function protect(gateway: ExchangeGateway, levels: object) {
  const reply = await gateway.post("protect", levels);
  expect([reply.status, reply.body.error]).toEqual([200, undefined]);
  return reply.body;
}

/** The call is answered as unknown; how its intent ends. */
async function settled(gateway: ExchangeGateway, call: ReturnType<ExchangeGateway["post"]>) {
  const { status, body } = await call;
  expect([status, body.error?.code, body.error?.retry]).toEqual([
    500,
    "OUTCOME_UNKNOWN",
    "check-first",
  ]);
  const { intentId } = body.error;
  let intent = { state: "" } as Record<string, unknown> & { state: string };
  const isSettled = async () => {
    const reply = await gateway.get(`intents/${intentId}`);
    expect(reply.status).toBe(200);
    intent = reply.body;
    return !["prepared", "sending", "unknown"].includes(intent.state);
  };
  await waitUntil("the intent is settled", isSettled);
  expect((await gateway.get("intents?state=unsettled")).body.intents).toEqual([]);
  return intent;
}

const isHeldBack = { isCarriedOut: false };
const isDone = { isCarriedOut: true };

async function sentSince(gateway: ExchangeGateway, before: number) {
  const sent = (await gateway.commands()).slice(before);
  return sent.map(({ op, orderId, outcome }) => [op, orderId, outcome]);
}

async function levels(gateway: ExchangeGateway) {
  const orders = (await gateway.broker())?.workingOrders ?? [];
  return orders.map(({ orderId, price, stopPx }) => [orderId, price ?? stopPx]);
}

describe.concurrent("a changed order whose answer is lost", () => {
  const ENTRY = { type: "limit", limitPrice: 6000 };
  const nextConnection = shareConnections(() => simulator, 3, {}, { isPatient: true });

  test("after it was carried out: done, with the new values", async () => {
    const gateway = await openConnection(nextConnection);
    const { orderId } = await place(gateway, ENTRY);
    const before = (await gateway.commands()).length;
    await gateway.loseNextAnswer(isDone);
    const change = gateway.patch(`orders/${orderId}`, { qty: 3, limitPrice: 6100 });

    expect(await settled(gateway, change)).toMatchObject({
      kind: "modify",
      state: "done",
      reason: null,
      result: { orderId, status: "working", qty: 3, limitPrice: 6100 },
    });
    expect(await sentSince(gateway, before)).toEqual([["modifyOrder", orderId, "accepted"]]);
    expect(await levels(gateway)).toEqual([[orderId, 24_400]]);
  });

  test("before it was carried out: lost, with the old values; it can be asked for again", async () => {
    const gateway = await openConnection(nextConnection);
    const { orderId } = await place(gateway, ENTRY);
    const before = (await gateway.commands()).length;
    await gateway.loseNextAnswer(isHeldBack);
    const change = gateway.patch(`orders/${orderId}`, { limitPrice: 6100 });

    expect(await settled(gateway, change)).toMatchObject({
      state: "lost",
      reason: "The broker did not change the order; it works without the new values",
      result: null,
    });
    expect(await sentSince(gateway, before)).toEqual([["modifyOrder", orderId, "lost"]]);
    expect(await levels(gateway)).toEqual([[orderId, 24_000]]);

    expect((await gateway.patch(`orders/${orderId}`, { limitPrice: 6100 })).status).toBe(200);
    expect(await levels(gateway)).toEqual([[orderId, 24_400]]);
  });

  test("and that fills by it: done, with what it filled", async () => {
    const gateway = await openConnection(nextConnection);
    const { orderId } = await place(gateway, ENTRY);
    const before = (await gateway.commands()).length;
    await gateway.loseNextAnswer(isDone);
    const change = gateway.patch(`orders/${orderId}`, { limitPrice: 6900 });

    expect(await settled(gateway, change)).toMatchObject({
      state: "done",
      result: { orderId, status: "filled", qty: 2, filledQty: 2, remainingQty: 0 },
    });
    expect(await sentSince(gateway, before)).toEqual([["modifyOrder", orderId, "accepted"]]);
    const positions = (await gateway.broker())?.positions.map(({ netQty }) => netQty);
    expect(positions).toEqual([2]);
  });
});

async function openProtected(nextConnection: () => ExchangeGateway) {
  const gateway = await openConnection(nextConnection);
  await place(gateway);
  const ids = await protect(gateway, LEVELS);
  return { gateway, ids, before: (await gateway.commands()).length };
}

describe.concurrent.each([
  ["linked by the broker", {}],
  ["linked by the broker, each leg with an end of its own", KEPT],
  ["of two plain orders", UNLINKED],
])("a protection %s that is changed in place and whose answer is lost", (_how, capabilities) => {
  const nextConnection = shareConnections(() => simulator, 3, capabilities, { isPatient: true });

  test("after its stop has moved: done", async () => {
    const { gateway, ids, before } = await openProtected(nextConnection);
    await gateway.loseNextAnswer(isDone);
    const change = gateway.post("protect", { stopLoss: { ticks: 20 } });

    expect(await settled(gateway, change)).toMatchObject({
      kind: "protect",
      state: "done",
      result: {
        qty: 2,
        stopLossOrderId: ids.stopLossOrderId,
        takeProfitOrderId: ids.takeProfitOrderId,
      },
    });
    const { stopLossOrderId } = ids;
    expect(await sentSince(gateway, before)).toEqual([
      ["modifyOrder", stopLossOrderId, "accepted"],
    ]);
    expect(await levels(gateway)).toContainEqual([stopLossOrderId, BID - 19]);
  });

  test("before its stop has moved: lost, and it stands as it stood", async () => {
    const { gateway, ids, before } = await openProtected(nextConnection);
    const old = await levels(gateway);
    await gateway.loseNextAnswer(isHeldBack);
    const change = gateway.post("protect", { takeProfit: { ticks: 60 }, stopLoss: { ticks: 20 } });

    expect(await settled(gateway, change)).toMatchObject({ state: "lost", result: null });
    const { stopLossOrderId } = ids;
    expect(await sentSince(gateway, before)).toEqual([["modifyOrder", stopLossOrderId, "lost"]]);
    expect(await levels(gateway)).toEqual(old);
  });

  test("after its stop has moved and its take-profit not: said so, and asked for again done", async () => {
    const { gateway, ids, before } = await openProtected(nextConnection);
    const { stopLossOrderId, takeProfitOrderId } = ids;
    const both = { takeProfit: { ticks: 60 }, stopLoss: { ticks: 20 } };
    await gateway.loseNextAnswer(isDone);

    const intent = await settled(gateway, gateway.post("protect", both));
    expect(intent).toMatchObject({ state: "unprotected", result: null });
    expect(intent["reason"]).toMatch(/still there: a (?:take-profit|stop-loss) and a /);
    expect(await sentSince(gateway, before)).toEqual([
      ["modifyOrder", stopLossOrderId, "accepted"],
    ]);
    expect(await levels(gateway)).toEqual(
      expect.arrayContaining([
        [stopLossOrderId, BID - 19],
        [takeProfitOrderId, BID + 41],
      ]),
    );

    expect(await protect(gateway, both)).toMatchObject({ stopLossOrderId, takeProfitOrderId });
    expect(await levels(gateway)).toContainEqual([takeProfitOrderId, BID + 61]);
  });
});

describe.concurrent.each([
  ["linked by the broker", KEPT],
  ["of two plain orders", UNLINKED],
])("a pair %s of which a leg is cancelled, and whose answer is lost", (_how, capabilities) => {
  const nextConnection = shareConnections(() => simulator, 1, capabilities, { isPatient: true });

  test("done, and the other one is left", async () => {
    const { gateway, ids, before } = await openProtected(nextConnection);
    const { takeProfitOrderId, stopLossOrderId } = ids;
    await gateway.loseNextAnswer(isDone);
    const canceling = gateway.delete(`orders/${takeProfitOrderId}`);

    expect(await settled(gateway, canceling)).toMatchObject({ kind: "cancel", state: "done" });
    expect(await sentSince(gateway, before)).toEqual([
      ["cancelOrder", takeProfitOrderId, "accepted"],
    ]);
    expect(await levels(gateway)).toEqual([[stopLossOrderId, BID - 39]]);
  });
});
