// The goal: a broker that links no orders protects a position as well as one that does.
// The method: the whole gateway over HTTP, on a broker in a process of its own that lacks what is said.
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { BrokerCapabilities } from "../../src/brokers/broker-adapter.ts";
import { type ExchangeSimulator, startExchangeSimulator } from "../simulators/exchange/start.ts";
import { ExchangeGateway } from "../support/exchange-gateway.ts";
import { frontMonth } from "../support/gateway.ts";
import { shareConnections } from "../support/shared-gateway.ts";
import { eventually, waitUntil } from "../support/wait.ts";

const ES = frontMonth("ES");
const BID = 27_400;
/** Of a position bought at 6850.25: a sell at 6860.25 and a stop at 6840.25. */
const LEVELS = { takeProfit: { ticks: 40 }, stopLoss: { ticks: 40 } };
const PROFIT_PX = BID + 41;
const LOSS_PX = BID - 39;

const UNLINKED = { nativeOco: false, cancelEndsLinkedLeg: false };

let simulator: ExchangeSimulator;
let gateway: ExchangeGateway;

beforeAll(async () => {
  simulator = await startExchangeSimulator();
});
afterAll(() => simulator.stop());

async function openGateway(capabilities: Partial<BrokerCapabilities>): Promise<void> {
  gateway = await ExchangeGateway.start(simulator, capabilities);
  onTestFinished(gateway.stop);
  await gateway.quote(ES, BID);
}

/** One gateway for the tests of a block, which leave nothing working behind. */
function shareBroker(connections: number, capabilities: Partial<BrokerCapabilities>): void {
  const nextConnection = shareConnections(() => simulator, connections, capabilities, {
    isPatient: true,
  });
  beforeEach(async () => {
    gateway = nextConnection();
    await gateway.quote(ES, BID);
    return async () => {
      await gateway.quote(ES, BID);
      expect((await gateway.delete("positions")).status).toBe(200);
    };
  });
}

async function order(action: "buy" | "sell", qty: number, more: object = {}) {
  const reply = await gateway.post("orders", { symbol: "ES1!", action, qty, ...more });
  expect([reply.status, reply.body.error]).toEqual([201, undefined]);
  return reply.body;
}

async function protect(levels: object = LEVELS) {
  const reply = await gateway.post("protect", levels);
  expect([reply.status, reply.body.error]).toEqual([200, undefined]);
  return reply.body;
}

async function cancel(orderId: string) {
  const reply = await gateway.delete(`orders/${orderId}`);
  expect([reply.status, reply.body.error]).toEqual([200, undefined]);
  return reply.body;
}

const working = async () => (await gateway.broker())?.workingOrders ?? [];

async function held(): Promise<number> {
  const positions = (await gateway.broker())?.positions ?? [];
  return positions.reduce((sum, { netQty }) => sum + netQty, 0);
}

/** Size and level of everything that works. */
async function legs(): Promise<string[]> {
  const orders = await working();
  const shown = orders.map(({ leavesQty, ordType, price, stopPx }) =>
    [ordType, leavesQty, price ?? stopPx].join(" "),
  );
  return shown.toSorted();
}

async function waitForLegs(...expected: string[]): Promise<void> {
  let found: string[] = [];
  const isThere = async () => {
    found = await legs();
    return JSON.stringify(found) === JSON.stringify(expected.toSorted());
  };
  await waitUntil(`these work: ${expected.join(", ") || "none"}`, isThere).catch((cause) => {
    throw new Error(`There work: ${found.join(", ") || "none"}`, { cause });
  });
}

const profit = (qty: number, px = PROFIT_PX) => `LIMIT ${qty} ${px}`;
const loss = (qty: number, px = LOSS_PX) => `STOP ${qty} ${px}`;

/** Carries the price past every level; nothing must trade. */
async function passAllLevels(): Promise<void> {
  const before = (await gateway.broker())?.fills.length;
  for (const bid of [BID + 200, BID - 200, BID]) await gateway.quote(ES, bid);
  expect([(await gateway.broker())?.fills.length, await held()]).toEqual([before, 0]);
}

describe("a protection where nothing links two orders", () => {
  shareBroker(15, UNLINKED);

  test("is two plain orders, the stop first", async () => {
    await order("buy", 2);
    const before = (await gateway.commands()).length;
    const { takeProfitOrderId, stopLossOrderId } = await protect();

    const sent = (await gateway.commands()).slice(before);
    expect(sent.map(({ op, outcome, orderId }) => [op, outcome, orderId])).toEqual([
      ["submitOrder", "accepted", stopLossOrderId],
      ["submitOrder", "accepted", takeProfitOrderId],
    ]);
    expect(await legs()).toEqual([profit(2), loss(2)]);
    expect((await working()).map(({ linkedOrderId }) => linkedOrderId)).toEqual([
      undefined,
      undefined,
    ]);
    const { body } = await gateway.get("working-orders");
    expect(body.orders.map(({ role }: { role: string }) => role).toSorted()).toEqual([
      "stopLoss",
      "takeProfit",
    ]);
  });

  test.each([
    ["buy", "take-profit", BID + 50],
    ["buy", "stop-loss", BID - 50],
    ["sell", "take-profit", BID - 50],
    ["sell", "stop-loss", BID + 50],
  ] as const)("of a %s ends with the fill of its %s", async (action, _leg, bid) => {
    await order(action, 2);
    await protect();
    await gateway.quote(ES, bid);
    await waitForLegs();
    expect(await held()).toBe(0);
    await passAllLevels();
  });

  test("shrinks with each part of a leg that fills", async () => {
    await order("buy", 5);
    await protect();
    await gateway.quote(ES, PROFIT_PX, 2);
    await waitForLegs(profit(3), loss(3));
    await gateway.quote(ES, PROFIT_PX, 1);
    await waitForLegs(profit(2), loss(2));
    expect(await held()).toBe(2);
    await gateway.quote(ES, LOSS_PX - 1);
    await waitForLegs();
    expect(await held()).toBe(0);
    await passAllLevels();
  });

  test.each([
    ["in full", 5, []],
    ["in part", 2, [profit(3), loss(3)]],
  ])("shrinks too when a leg fills %s while the gateway is down", async (_how, qty, left) => {
    await order("buy", 5);
    await protect();
    await gateway.halt();
    await gateway.quote(ES, PROFIT_PX, qty);
    await gateway.start();
    await waitForLegs(...left);
    expect(await held()).toBe(5 - qty);
  });

  test("that has shrunk goes on as a pair after a restart", async () => {
    await order("buy", 5);
    await protect();
    await gateway.quote(ES, PROFIT_PX, 2);
    await waitForLegs(profit(3), loss(3));
    await gateway.halt();
    await gateway.start();
    await gateway.waitUntilConnected();
    await gateway.quote(ES, PROFIT_PX, 1);
    await waitForLegs(profit(2), loss(2));
    await gateway.quote(ES, PROFIT_PX + 1);
    await waitForLegs();
    expect(await held()).toBe(0);
    await passAllLevels();
  });

  test("asked for again is changed in place", async () => {
    await order("buy", 2);
    const first = await protect();
    const before = (await gateway.commands()).length;
    const again = await protect({ takeProfit: { ticks: 60 }, stopLoss: { ticks: 20 } });
    expect([again.takeProfitOrderId, again.stopLossOrderId]).toEqual([
      first.takeProfitOrderId,
      first.stopLossOrderId,
    ]);
    const sent = (await gateway.commands()).slice(before);
    expect(sent.map(({ op, orderId }) => [op, orderId])).toEqual([
      ["modifyOrder", first.stopLossOrderId],
      ["modifyOrder", first.takeProfitOrderId],
    ]);
    expect(await legs()).toEqual([profit(2, PROFIT_PX + 20), loss(2, LOSS_PX + 20)]);
    await gateway.quote(ES, BID - 30);
    await waitForLegs();
    await passAllLevels();
  });

  test("after a purchase grows in place to the whole position", async () => {
    await order("buy", 2);
    const first = await protect();
    await order("buy", 1);
    const again = await protect();
    expect(again).toMatchObject({ qty: 3, stopLossOrderId: first.stopLossOrderId });
    await waitForLegs(profit(3), loss(3));
    await gateway.quote(ES, LOSS_PX - 1);
    await waitForLegs();
    await passAllLevels();
  });

  test("for what is left after a take-profit does not build on the stop that it leaves", async () => {
    await order("buy", 2);
    const first = await protect();
    await order("buy", 2);
    await gateway.quote(ES, PROFIT_PX);
    // At once, as an alert on the same price would: the old stop is still there, for two as well.
    const again = await protect({ stopLoss: { price: 6850.25 } });
    expect(again).toMatchObject({ qty: 2, takeProfitOrderId: null });
    expect(again.stopLossOrderId).not.toBe(first.stopLossOrderId);
    expect(await legs()).toEqual([loss(2, BID + 1)]);

    await gateway.halt();
    await gateway.start();
    await gateway.waitUntilConnected();
    expect(await legs()).toEqual([loss(2, BID + 1)]);
    await gateway.quote(ES, BID);
    await waitForLegs();
    await passAllLevels();
  });

  test("flattened leaves no leg and no position", async () => {
    await order("buy", 3);
    await protect();
    const { status, body } = await gateway.delete("positions");
    expect([status, body.error]).toEqual([200, undefined]);
    expect([await held(), await legs()]).toEqual([0, []]);
    await passAllLevels();
  });

  test("closed by an opposite order leaves no leg", async () => {
    await order("buy", 3);
    await protect();
    await order("sell", 3);
    await waitForLegs();
    expect(await held()).toBe(0);
    await passAllLevels();
  });

  test("covers a market order larger than what is shown, whose rest is believed", async () => {
    await gateway.quote(ES, BID, 2);
    const answer = await order("buy", 5);
    expect(answer).toMatchObject({ status: "partiallyFilled", filledQty: 2 });

    await gateway.quote(ES, BID, 2);
    await gateway.quote(ES, BID + 4);
    expect(await held()).toBe(5);
    await waitUntil("the position is told", async () => {
      const { body } = await gateway.get("positions");
      return body.positions[0]?.qty === 5;
    });
    await eventually(async () => {
      const { body } = await gateway.get("orders");
      expect(body.trades.map(({ qty }: { qty: number }) => qty).toSorted()).toEqual([1, 2, 2]);
    });
    expect(await gateway.commands()).toHaveLength(1);

    await protect({ stopLoss: { price: 6840.25 } });
    await waitForLegs(loss(5));
  });
});

describe.each([
  ["nothing links two orders", UNLINKED],
  ["a cancel leaves the other leg", { cancelEndsLinkedLeg: false }],
])("a leg that is cancelled, where %s,", (_which, capabilities) => {
  shareBroker(3, capabilities);

  test.each([
    ["takeProfit", "stopLoss", loss(2), BID - 50],
    ["stopLoss", "takeProfit", profit(2), BID + 50],
  ] as const)("the %s, leaves the %s under a new id, once", async (role, survivor, left, bid) => {
    await order("buy", 2);
    const ids = await protect();
    const before = (await gateway.commands()).length;
    const { replacedLeg } = await cancel(ids[`${role}OrderId`]);

    expect(await legs()).toEqual([left]);
    const [only] = await working();
    expect(replacedLeg).toEqual({ role: survivor, orderId: only?.orderId });
    expect(only?.orderId).not.toBe(ids[`${survivor}OrderId`]);
    const sent = (await gateway.commands()).slice(before);
    expect(sent.map(({ op, outcome }) => [op, outcome])).toEqual([
      ["cancelOrder", "accepted"],
      ["cancelOrder", "accepted"],
      [expect.stringMatching(/^submit/), "accepted"],
    ]);
    expect(await held()).toBe(2);

    await gateway.quote(ES, bid);
    await waitForLegs();
    await passAllLevels();
  });

  test("after which the other one is cancelled too, leaves none", async () => {
    await order("buy", 2);
    const { takeProfitOrderId } = await protect();
    const { replacedLeg } = await cancel(takeProfitOrderId);
    expect((await cancel(replacedLeg.orderId)).replacedLeg).toBeNull();
    expect([await legs(), await held()]).toEqual([[], 2]);
  });
});

/** Two positions with their own levels in one: the legs of a bracket are not linked here either. */
describe("several pairs where nothing links two orders", () => {
  const FAR = { takeProfit: { ticks: 80 }, stopLoss: { ticks: 80 } };
  const [FAR_PROFIT, FAR_LOSS] = [BID + 81, BID - 79];

  shareBroker(6, UNLINKED);

  /** How the fill comes about: under the gateway's eyes, or not. */
  const FILLED = {
    seen: async (fill) => await fill(),
    "while the gateway is down": async (fill) => {
      await gateway.halt();
      await fill();
      await gateway.start();
    },
    "while the broker is out of reach": async (fill) => {
      await gateway.breakSession(500);
      await fill();
    },
  } satisfies Record<string, (fill: () => Promise<void>) => Promise<void>>;

  const older = [LEVELS, FAR, [profit(3, FAR_PROFIT), loss(3, FAR_LOSS)]] as const;
  const newer = [FAR, LEVELS, [profit(2, FAR_PROFIT), loss(2, FAR_LOSS)]] as const;

  test.each(
    (Object.keys(FILLED) as (keyof typeof FILLED)[]).flatMap((how) => [
      ["older", how, ...older, 3] as const,
      ["newer", how, ...newer, 2] as const,
    ]),
  )(
    "keep the other pair when the %s one's take-profit fills, %s",
    async (_which, how, first, second, left, qty) => {
      await order("buy", 2, { bracket: first });
      await order("buy", 3, { bracket: second });
      await FILLED[how](async () => await gateway.quote(ES, PROFIT_PX));
      await waitForLegs(...left);
      expect(await held()).toBe(qty);

      await gateway.quote(ES, FAR_PROFIT);
      await waitForLegs();
      await passAllLevels();
    },
  );
});

test("a bracket is refused by name where the broker has none, and nothing is placed", async () => {
  await openGateway({ ...UNLINKED, nativeBracket: false });
  const body = { symbol: "ES1!", action: "buy", qty: 2, bracket: LEVELS };
  const reply = await gateway.post("orders", body);
  expect([reply.status, reply.body.error.code]).toEqual([502, "BROKER_ORDER_REJECTED"]);
  expect(reply.body.error.message).toContain("Brackets are not supported");
  expect([await held(), await legs()]).toEqual([0, []]);

  // The way to the same protection there.
  await order("buy", 2);
  await protect();
  expect(await legs()).toEqual([profit(2), loss(2)]);
});
