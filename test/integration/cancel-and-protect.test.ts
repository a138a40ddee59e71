// The goal: a cancel never flattens a position, and a protection is never lost without a word.
// The method: the whole gateway over HTTP, with prices moved by hand to fill what the test wants filled.
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type ExecutionReport, isUnderstood } from "../../src/domain/order.ts";
import { frontMonth, quarterAfter } from "../support/gateway.ts";
import { shareGateway } from "../support/shared-gateway.ts";
import { waitUntil } from "../support/wait.ts";

const ES = frontMonth("ES");
const LATER_ES = quarterAfter(ES);
const BRACKET = { takeProfit: { ticks: 40 }, stopLoss: { ticks: 40 } };

const own = shareGateway(30);

async function order(more: object = {}) {
  const body = { symbol: "ES1!", action: "buy", qty: 1, ...more };
  const reply = await own.gateway.api.post(`${own.root}/orders`, body);
  expect([reply.status, reply.body.error]).toEqual([201, undefined]);
  return reply.body;
}

const cancel = async (orderId: string) =>
  await own.gateway.api.delete(`${own.root}/orders/${orderId}`);
const protect = async (levels: object) => await own.gateway.api.post(`${own.root}/protect`, levels);
/** The reports of one kind from now on. */
function reportsOf(kind: ExecutionReport["execType"]): readonly ExecutionReport[] {
  const reports: ExecutionReport[] = [];
  const stop = own.gateway.paper.onReport((account, report) => {
    if (account !== own.account || !isUnderstood(report)) return;
    if (report.execType === kind) reports.push(report);
  });
  onTestFinished(stop);
  return reports;
}

const positions = async () => await own.gateway.broker.positions(own.account);

interface Working {
  readonly orderId: string;
  readonly role: string;
  readonly qty: number;
  readonly remainingQty: number;
  readonly limitPrice: number | null;
  readonly stopPrice: number | null;
  readonly status: string;
}

async function working(): Promise<Record<string, Working>> {
  const { body } = await own.gateway.api.get(`${own.root}/working-orders`);
  return Object.fromEntries(body.orders.map((one: Working) => [one.role, one]));
}

describe("a cancel", () => {
  test("of an unfilled bracket entry removes its legs with it", async () => {
    const { orderId } = await order({ type: "limit", limitPrice: 6000, bracket: BRACKET });
    expect(Object.keys(await working())).toEqual(["entry", "takeProfit", "stopLoss"]);

    const { status, body } = await cancel(orderId);

    expect([status, body.status, body.replacedLeg]).toEqual([200, "canceled", null]);
    expect(await working()).toEqual({});
    expect(await positions()).toEqual({});
  });

  test("of a partly filled bracket entry keeps what is filled, and protected", async () => {
    own.gateway.quote(ES, 27_400, 2);
    const { orderId } = await order({
      qty: 5,
      type: "limit",
      limitPrice: 6850.25,
      bracket: BRACKET,
    });
    expect(await working()).toMatchObject({
      entry: { status: "partiallyFilled", remainingQty: 3 },
    });

    const { status } = await cancel(orderId);

    expect(status).toBe(200);
    expect(await positions()).toEqual({ [ES.code]: 2 });
    const legs = await working();
    expect(Object.keys(legs)).toEqual(["takeProfit", "stopLoss"]);
    expect(legs).toMatchObject({ takeProfit: { qty: 2 }, stopLoss: { qty: 2 } });

    // The legs still work as a pair: one of them closes the position and ends the other.
    own.gateway.quote(ES, 27_500);
    await waitUntil(
      "the position is closed",
      async () => (await working())["stopLoss"] === undefined,
    );
    expect([await positions(), await working()]).toEqual([{}, {}]);
  });

  test.each([
    ["takeProfit", "stopLoss", { stopPrice: 6840.25, limitPrice: null }],
    ["stopLoss", "takeProfit", { stopPrice: null, limitPrice: 6860.25 }],
  ] as const)(
    "of a filled bracket's %s keeps the position, and the %s under a new id",
    async (role, survivor, price) => {
      const { bracket } = await order({ qty: 2, bracket: BRACKET });

      const { status, body } = await cancel(bracket[`${role}OrderId`]);

      expect(status).toBe(200);
      expect(await positions()).toEqual({ [ES.code]: 2 });
      const legs = await working();
      expect(Object.keys(legs)).toEqual([survivor]);
      expect(legs[survivor]).toMatchObject({ ...price, qty: 2 });
      expect(body.replacedLeg).toEqual({ role: survivor, orderId: legs[survivor]?.orderId });
      expect(body.replacedLeg.orderId).not.toBe(bracket[`${survivor}OrderId`]);

      const old = await cancel(bracket[`${survivor}OrderId`]);
      expect([old.status, old.body.error.code]).toEqual([409, "CANCEL_REJECTED"]);
      expect((await cancel(body.replacedLeg.orderId)).status).toBe(200);
      expect([await positions(), await working()]).toEqual([{ [ES.code]: 2 }, {}]);
    },
  );

  test("of a leg that waits for its entry is refused, and changes nothing", async () => {
    const entry = await order({ type: "limit", limitPrice: 6000, bracket: BRACKET });
    const before = await working();
    const { status, body } = await cancel(entry.bracket.stopLossOrderId);
    expect([status, body.error.code]).toEqual([409, "CANCEL_REJECTED"]);
    expect(await working()).toEqual(before);
  });

  test("of an entry that fills at the same time leaves exactly the position it made", async () => {
    const { orderId } = await order({ type: "limit", limitPrice: 6849, bracket: BRACKET });
    const canceling = cancel(orderId);
    own.gateway.quote(ES, 27_390);
    const { status } = await canceling;

    const filled = (await positions())[ES.code] ?? 0;
    expect([200, 409]).toContain(status);
    expect(filled).toBe(status === 200 ? 0 : 1);
    expect(Object.keys(await working())).toEqual(filled === 0 ? [] : ["takeProfit", "stopLoss"]);
  });
});

describe("protect", () => {
  test("attaches a pair to a position without one", async () => {
    await order({ qty: 3 });
    const { status, body } = await protect({ takeProfit: { ticks: 40 }, stopLoss: { ticks: 20 } });

    expect([status, body.qty]).toEqual([200, 3]);
    const legs = await working();
    expect(legs).toMatchObject({
      takeProfit: { orderId: body.takeProfitOrderId, limitPrice: 6860.25, qty: 3 },
      stopLoss: { orderId: body.stopLossOrderId, stopPrice: 6845.25, qty: 3 },
    });

    own.gateway.quote(ES, 27_300);
    await waitUntil("the stop is filled", async () => Object.keys(await working()).length === 0);
    expect(await positions()).toEqual({});
  });

  test("of a short position puts the levels on their right sides", async () => {
    await order({ action: "sell" });
    const { body } = await protect({ takeProfit: { offset: 10 }, stopLoss: { offset: 5 } });
    expect(await working()).toMatchObject({
      takeProfit: { orderId: body.takeProfitOrderId, limitPrice: 6840 },
      stopLoss: { orderId: body.stopLossOrderId, stopPrice: 6855 },
    });
  });

  test("moves one level in place and leaves the other where it was", async () => {
    const { bracket } = await order({ qty: 2, bracket: BRACKET });
    const ended = reportsOf("CANCELED");
    const { status, body } = await protect({ symbol: "ES1!", stopLoss: { price: 6845 } });

    expect(status).toBe(200);
    const legs = await working();
    expect(legs).toMatchObject({
      takeProfit: { orderId: body.takeProfitOrderId, limitPrice: 6860.25, qty: 2 },
      stopLoss: { orderId: body.stopLossOrderId, stopPrice: 6845, qty: 2 },
    });
    expect(Object.keys(legs)).toHaveLength(2);
    expect(body).toMatchObject(bracket);
    expect(ended).toEqual([]);

    // It is still one pair.
    own.gateway.quote(ES, 27_300);
    await waitUntil("the stop is filled", async () => Object.keys(await working()).length === 0);
    expect(await positions()).toEqual({});
  });

  test("adds the other level to one: both are a new pair under new ids", async () => {
    const { bracket } = await order({ qty: 2, bracket: { stopLoss: { ticks: 40 } } });
    const { status, body } = await protect({ takeProfit: { price: 6900 } });
    expect(status).toBe(200);
    expect(await working()).toMatchObject({
      takeProfit: { orderId: body.takeProfitOrderId, limitPrice: 6900, qty: 2 },
      stopLoss: { orderId: body.stopLossOrderId, stopPrice: 6840.25, qty: 2 },
    });
    expect(body.stopLossOrderId).not.toBe(bracket.stopLossOrderId);
  });

  test("puts one pair in the place of several brackets", async () => {
    await order({ qty: 2, bracket: BRACKET });
    await order({ qty: 1, bracket: BRACKET });
    expect(await own.gateway.broker.working(own.account)).toHaveLength(4);
    const { status, body } = await protect({ stopLoss: { price: 6845 } });
    expect([status, body.qty]).toEqual([200, 3]);
    expect(await own.gateway.broker.working(own.account)).toHaveLength(2);
    expect(await working()).toMatchObject({
      takeProfit: { limitPrice: 6860.25, qty: 3 },
      stopLoss: { stopPrice: 6845, qty: 3 },
    });
  });

  test("replaces both levels, for the whole position as it is now", async () => {
    await order({ qty: 2, bracket: BRACKET });
    await order({ qty: 3 });
    const { body } = await protect({ takeProfit: { price: 6900 }, stopLoss: { price: 6800 } });

    expect(body.qty).toBe(5);
    const legs = await working();
    expect(Object.keys(legs)).toHaveLength(2);
    expect(legs).toMatchObject({
      takeProfit: { limitPrice: 6900, qty: 5 },
      stopLoss: { stopPrice: 6800, qty: 5 },
    });
  });

  test.each([
    ["puts the old ones back", 27_385, true],
    ["says when the old ones cannot be put back either", 27_350, false],
  ])(
    "that the broker refuses names the levels that were cancelled, and %s",
    async (_, fallsTo, restored) => {
      await order({ bracket: { stopLoss: { ticks: 40 } } });
      // The market falls while the old stop is being cancelled: the new one would trigger at once.
      const stop = own.gateway.paper.onReport((account, { execType }) => {
        if (account !== own.account || execType !== "CANCELED") return;
        stop();
        own.gateway.quote(ES, fallsTo);
      });
      const { status, body } = await protect({
        takeProfit: { price: 6860 },
        stopLoss: { price: 6849 },
      });

      expect([status, body.error.code]).toEqual([502, "PROTECTION_REPLACE_FAILED"]);
      expect(body.error.message).toContain(`Cancelled: stop-loss of 1 ${ES.symbol} at 6840.25`);
      expect(body.error.message).toContain(
        restored ? "the old levels were put back" : "The position is unprotected",
      );
      expect(body.error.message.includes("putting the old levels back failed too")).toBe(!restored);
      const legs = Object.values(await working());
      expect(legs.map(({ role, stopPrice, qty }) => [role, stopPrice, qty])).toEqual(
        restored ? [["stopLoss", 6840.25, 1]] : [],
      );
      expect(await positions()).toEqual({ [ES.code]: 1 });
    },
  );

  test("that the broker will not carry out in place changes nothing", async () => {
    await order({ bracket: BRACKET });
    const before = await working();
    own.gateway.paper.setActive(own.account, false);
    const { status, body } = await protect({ stopLoss: { price: 6845 } });
    expect([status, body.error.code]).toEqual([502, "BROKER_ORDER_REJECTED"]);
    expect(await working()).toEqual(before);
  });

  test("that the broker refuses where there was none is a plain refusal", async () => {
    await order();
    own.gateway.paper.setActive(own.account, false);
    const { status, body } = await protect({ stopLoss: { price: 6845 } });
    expect([status, body.error.code]).toEqual([502, "BROKER_ORDER_REJECTED"]);
    expect(await working()).toEqual({});
  });

  test.each([
    [{ stopLoss: { price: 6848 } }, "stop-loss at 6848 is above the market at 6845"],
    [{ takeProfit: { price: 6844 } }, "take-profit at 6844 is below the market at 6845"],
  ])("at a level that would trade at once is a 400: %j", async (levels, problem) => {
    await order({ bracket: BRACKET });
    const before = await working();
    own.gateway.quote(ES, 27_380);
    const { status, body } = await protect(levels);
    expect([status, body.error.code]).toEqual([400, "VALIDATION_FAILED"]);
    expect(body.error.message).toContain(`the ${problem} and would close the position at once`);
    expect(await working()).toEqual(before);
  });

  test("without a position is a 409", async () => {
    const { status, body } = await protect({ stopLoss: { ticks: 10 } });
    expect([status, body.error.code, body.error.retry]).toEqual([409, "NO_POSITION", "never"]);
  });

  test("between two ticks is a 400, and leaves what there is", async () => {
    await order({ bracket: BRACKET });
    const before = await working();
    const levels = { takeProfit: { ticks: 40 }, stopLoss: { price: 6840.3 } };
    const { status, body } = await protect(levels);
    expect([status, body.error.details[0].path]).toEqual([400, "stopLoss.price"]);
    expect(await working()).toEqual(before);
  });
});

describe("exits after a roll", () => {
  beforeEach(async () => {
    own.gateway.quote(LATER_ES, 27_600);
    await order({ symbol: LATER_ES.symbol, qty: 2 });
  });

  test("protect the contract that is held", async () => {
    const { status, body } = await protect({ symbol: "ES1!", stopLoss: { ticks: 40 } });
    expect([status, body.symbol]).toEqual([200, LATER_ES.symbol]);
    expect(await working()).toMatchObject({ stopLoss: { symbol: LATER_ES.symbol, qty: 2 } });
  });

  test("flatten the contract that is held", async () => {
    const { status, body } = await own.gateway.api.delete(`${own.root}/positions?symbol=ES1!`);
    expect([status, body.closed[0].symbol]).toEqual([200, LATER_ES.symbol]);
    expect(await positions()).toEqual({});
  });
});

describe("an entry with a bracket that has filled 2 of 5", () => {
  let entry: { readonly orderId: string; readonly bracket: Record<string, string> };

  beforeEach(async () => {
    own.gateway.quote(ES, 27_400, 2);
    entry = await order({ qty: 5, type: "limit", limitPrice: 6850.25, bracket: BRACKET });
    const isHeld = async () => (await positions())[ES.code] === 2;
    await waitUntil("2 are held", isHeld);
  });

  const sizes = async () =>
    (await own.gateway.broker.working(own.account)).map(
      ({ role, leavesQty }) => `${role} ${leavesQty}`,
    );

  async function fillTheRest(): Promise<void> {
    own.gateway.quote(ES, 27_400);
    await expect.poll(positions).toEqual({ [ES.code]: 5 });
  }

  test.each(["takeProfit", "stopLoss"])("its %s is not cancelled while it fills", async (leg) => {
    const { status, body } = await cancel(entry.bracket[`${leg}OrderId`] ?? "");
    expect([status, body.error.code]).toEqual([409, "CANCEL_REJECTED"]);
    expect(body.error.message).toContain("cancel the entry's rest first");
    await fillTheRest();
    await expect.poll(sizes).toEqual(["TAKE_PROFIT 5", "STOP_LOSS 5"]);
  });

  test("its levels may be moved, one or both, and grow with it", async () => {
    const one = await protect({ stopLoss: { price: 6845 } });
    expect([one.status, one.body.qty]).toEqual([200, 2]);
    expect(await working()).toMatchObject({
      takeProfit: { limitPrice: 6860.25, qty: 2 },
      stopLoss: { stopPrice: 6845, qty: 2 },
    });
    expect((await protect({ takeProfit: { ticks: 60 }, stopLoss: { ticks: 60 } })).status).toBe(
      200,
    );
    await fillTheRest();
    await expect.poll(working).toMatchObject({
      takeProfit: { limitPrice: 6865.25, qty: 5 },
      stopLoss: { stopPrice: 6835.25, qty: 5 },
    });
  });

  test("once its rest is cancelled, a leg can be cancelled too", async () => {
    await cancel(entry.orderId);
    expect((await cancel(entry.bracket["takeProfitOrderId"] ?? "")).status).toBe(200);
    await expect.poll(sizes).toEqual(["STOP_LOSS 2"]);
  });

  test("a flatten by /v1 ends it with its legs", async () => {
    const { body } = await own.gateway.api.delete(`${own.root}/positions`);
    expect(body.canceledOrders).toContain(entry.orderId);
    expect(await sizes()).toEqual([]);
    own.gateway.quote(ES, 27_400);
    expect(await positions()).toEqual({});
  });
});
