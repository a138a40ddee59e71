// The goal: a change of a working order is carried out exactly as asked, or refused with nothing sent.
// The method: the whole gateway over HTTP, with prices moved by hand; the broker is asked what stands.
import { describe, expect, test } from "vitest";
import { clOrdId } from "../../src/domain/ids.ts";
import { ticks } from "../../src/domain/contracts/price.ts";
import { frontMonth } from "../support/gateway.ts";
import { shareGateway } from "../support/shared-gateway.ts";
import { waitUntil } from "../support/wait.ts";

const ES = frontMonth("ES");
const BRACKET = { takeProfit: { ticks: 40 }, stopLoss: { ticks: 40 } };

const own = shareGateway(32);

/** A purchase far below the market, unless it is said else. */
async function place(more: object = {}) {
  const limit = { type: "limit", limitPrice: 6000 };
  const body = { symbol: "ES1!", action: "buy", qty: 2, ...limit, ...more };
  const reply = await own.gateway.api.post(`${own.root}/orders`, body);
  expect([reply.status, reply.body.error]).toEqual([201, undefined]);
  return reply.body;
}

const modify = async (orderId: string, change: object) =>
  await own.gateway.api.patch(`${own.root}/orders/${orderId}`, change);
const positions = async () => await own.gateway.broker.positions(own.account);
const working = async () => await own.gateway.broker.working(own.account);

interface Refused {
  readonly status: number;
  readonly body: { error: { code: string; details: readonly { path: string }[] } };
}
const refusal = ({ status, body: { error } }: Refused) => [
  status,
  error.code,
  ...error.details.map(({ path }) => path),
];

describe("a working order", () => {
  test("is changed in place, and the answer says how it stands", async () => {
    const { orderId } = await place({ timeInForce: "gtc" });
    const { status, body } = await modify(orderId, { qty: 3, limitPrice: 6100.25 });
    expect([status, body]).toEqual([
      200,
      {
        orderId,
        accountId: own.account,
        symbol: ES.symbol,
        status: "working",
        qty: 3,
        filledQty: 0,
        remainingQty: 3,
        limitPrice: 6100.25,
        stopPrice: null,
        trailOffset: null,
        intentId: expect.any(String),
      },
    ]);
    expect(await working()).toMatchObject([
      { orderId, orderQty: 3, price: 24_401, timeInForce: "GTC", ordStatus: "NEW" },
    ]);

    const intent = await own.gateway.api.get(`${own.root}/intents/${body.intentId}`);
    expect(intent.body).toMatchObject({ kind: "modify", state: "done", orderId, result: body });
  });

  test.each([
    ["stop", { stopPrice: 7000 }, { stopPrice: 7010.5 }, { stopPx: 28_042 }],
    [
      "stopLimit",
      { stopPrice: 7000, limitPrice: 7001 },
      { stopPrice: 7002, limitPrice: 7003 },
      { stopPx: 28_008, price: 28_012 },
    ],
    ["trailingStop", { trailOffset: 50 }, { trailOffset: 60 }, { trailOffset: 240 }],
  ])("of the type %s gets its own kinds of prices", async (type, prices, change, expected) => {
    const { orderId } = await place({ type, limitPrice: undefined, ...prices });
    const { status, body } = await modify(orderId, change);
    expect([status, body]).toMatchObject([200, change]);
    expect(await working()).toMatchObject([{ orderId, ...expected }]);
  });

  test("that the new price fills is answered filled", async () => {
    const { orderId } = await place();
    const { body } = await modify(orderId, { limitPrice: 6900 });
    expect(body).toMatchObject({ orderId, status: "filled", filledQty: 2, remainingQty: 0 });
    expect(await positions()).toEqual({ [ES.code]: 2 });
  });

  test("that is partly filled counts what is filled", async () => {
    own.gateway.quote(ES, 27_400, 2);
    const { orderId, filledQty } = await place({ qty: 5, limitPrice: 6850.25 });
    expect(filledQty).toBe(2);

    expect(refusal(await modify(orderId, { qty: 2 }))).toEqual([400, "VALIDATION_FAILED", "qty"]);
    const { body } = await modify(orderId, { qty: 3 });
    expect(body).toMatchObject({
      status: "partiallyFilled",
      qty: 3,
      filledQty: 2,
      remainingQty: 1,
    });

    own.gateway.quote(ES, 27_400, 100);
    await waitUntil("the rest is filled", async () => (await working()).length === 0);
    expect(await positions()).toEqual({ [ES.code]: 3 });
  });

  test("with a bracket takes its waiting legs along", async () => {
    const { orderId } = await place({ bracket: BRACKET });
    expect((await modify(orderId, { qty: 4, limitPrice: 6850.25 })).status).toBe(200);
    await waitUntil("the entry is filled", async () => (await working()).length === 2);
    expect(await working()).toMatchObject([
      { role: "TAKE_PROFIT", orderQty: 4, price: 27_441 },
      { role: "STOP_LOSS", orderQty: 4, stopPx: 27_361 },
    ]);
  });

  test("repeated is left alone: its place in the queue stays", async () => {
    const { orderId } = await place();
    expect((await modify(orderId, { qty: 3 })).status).toBe(200);
    const before = await working();
    const { status, body } = await modify(orderId, { qty: 3 });
    expect([status, body.qty]).toEqual([200, 3]);
    expect(await working()).toEqual(before);
  });
});

describe("a leg", () => {
  test("moves, and its pair still ends together", async () => {
    const { bracket } = await place({ type: "market", limitPrice: undefined, bracket: BRACKET });
    const moved = await modify(bracket.stopLossOrderId, { stopPrice: 6845 });
    expect([moved.status, moved.body]).toMatchObject([200, { stopPrice: 6845, qty: 2 }]);

    own.gateway.quote(ES, 27_380);
    await waitUntil("the stop is filled", async () => (await working()).length === 0);
    expect(await positions()).toEqual({});
  });

  test("has the size of its position: its quantity is not changed", async () => {
    const { bracket } = await place({ type: "market", limitPrice: undefined, bracket: BRACKET });
    const before = await working();
    const reply = await modify(bracket.takeProfitOrderId, { qty: 1 });
    expect(refusal(reply)).toEqual([400, "VALIDATION_FAILED", "qty"]);
    expect(await working()).toEqual(before);
  });
});

describe("is refused, and nothing is changed", () => {
  test.each([
    [{ limitPrice: 6000.1 }, ["limitPrice"]],
    [{ stopPrice: 6000 }, ["stopPrice"]],
    [{ trailOffset: 5, limitPrice: -1 }, ["limitPrice", "trailOffset"]],
    [{ qty: 0 }, ["qty"]],
    [{}, ["body"]],
    [{ timeInForce: "gtc" }, ["timeInForce"]],
  ])("%j: 400", async (change, paths) => {
    const { orderId } = await place();
    const before = await working();
    expect(refusal(await modify(orderId, change))).toEqual([400, "VALIDATION_FAILED", ...paths]);
    expect(await working()).toEqual(before);
  });

  test("an order that nobody knows, or that has filled: 409", async () => {
    const { orderId } = await place({ type: "market", limitPrice: undefined });
    for (const id of [orderId, "404"]) {
      const { status, body } = await modify(id, { qty: 5 });
      expect([status, body.error.code, body.error.retry]).toEqual([
        409,
        "MODIFY_REJECTED",
        "never",
      ]);
    }
    expect(await positions()).toEqual({ [ES.code]: 2 });
  });

  test("a stop moved through the market: 409 in the broker's words", async () => {
    const { orderId } = await place({ type: "stop", limitPrice: undefined, stopPrice: 7000 });
    const { status, body } = await modify(orderId, { stopPrice: 6000 });
    expect([status, body.error.code]).toEqual([409, "MODIFY_REJECTED"]);
    expect(body.error.message).toContain("wrong side of the market");
    expect(await working()).toMatchObject([{ orderId, stopPx: 28_000 }]);
  });

  test("an order placed by hand: it is not ours to change", async () => {
    const outcome = await own.gateway.paper.submitOrder(own.account, {
      clOrdId: clOrdId("by-hand"),
      contract: ES.code,
      side: "BUY",
      orderQty: 1,
      ordType: "LIMIT",
      price: ticks(24_000),
      timeInForce: "DAY",
    });
    const id = outcome.kind === "accepted" ? outcome.orderId : outcome.kind;
    expect(refusal(await modify(id, { qty: 2 }))).toEqual([400, "VALIDATION_FAILED", "orderId"]);
    expect(await working()).toMatchObject([{ orderId: id, orderQty: 1 }]);
  });

  test("without the scope trade, and on an account that is not there", async () => {
    const { orderId } = await place();
    const reader = await own.gateway.createKey("read");
    const reply = await reader.api.patch(`${own.root}/orders/${orderId}`, { qty: 3 });
    expect(refusal(reply)).toEqual([403, "INSUFFICIENT_SCOPE"]);
    const elsewhere = await own.gateway.api.patch(`/v1/accounts/nobody/orders/${orderId}`, {
      qty: 3,
    });
    expect(refusal(elsewhere)).toEqual([404, "NOT_FOUND"]);
  });
});

describe("a quantity that grows", () => {
  test("is held to the account's limits", async () => {
    await own.gateway.api.put(`${own.root}/limits`, { maxOrderQty: 4, maxPositionQty: 6 });
    const { orderId } = await place();
    await place({ limitPrice: 5990, qty: 3 });
    expect(refusal(await modify(orderId, { qty: 5 }))).toEqual([422, "LIMIT_EXCEEDED"]);
    expect(refusal(await modify(orderId, { qty: 4 }))).toEqual([422, "LIMIT_EXCEEDED"]);
    expect((await modify(orderId, { qty: 3 })).status).toBe(200);
  });

  test("is held back by the kill switch, which lets exits change as they like", async () => {
    const entry = await place();
    await place({ type: "market", limitPrice: undefined, qty: 3 });
    const exit = await place({ action: "sell", limitPrice: 6900, qty: 1 });
    await own.gateway.api.put("/v1/kill-switch", { active: true, accountId: own.account });
    await waitUntil("the entry is cancelled", async () => (await working()).length === 1);

    expect((await modify(entry.orderId, { qty: 5 })).body.error.code).toBe("MODIFY_REJECTED");
    expect((await modify(exit.orderId, { qty: 3, limitPrice: 6880 })).status).toBe(200);
    expect(refusal(await modify(exit.orderId, { qty: 4 }))).toEqual([422, "KILL_SWITCH_ON"]);
    expect(await working()).toMatchObject([{ orderQty: 3, price: 27_520 }]);
  });
});

describe("a price nearer to the market", () => {
  test("is held to the account's limits; one further away is not", async () => {
    const { orderId } = await place();
    await own.gateway.api.put(`${own.root}/limits`, { maxOrderQty: 1, maxPositionQty: 1 });
    expect(refusal(await modify(orderId, { limitPrice: 7000 }))).toEqual([422, "LIMIT_EXCEEDED"]);
    expect((await modify(orderId, { limitPrice: 5990 })).status).toBe(200);
    expect(await working()).toMatchObject([{ orderId, price: 23_960 }]);
    expect(await positions()).toEqual({});
  });

  test("is refused while a guard refuses entries, and an exit moves as it likes", async () => {
    const entry = await place();
    await place({ symbol: "NQ1!", type: "market", limitPrice: undefined, qty: 1 });
    const far = { symbol: "NQ1!", action: "sell", qty: 1, limitPrice: 30_000 };
    const exit = await place(far);
    const small = { id: "small", mode: "on", lock: "soft", kind: "orderValue", max: 1 };
    const set = await own.gateway.api.put(`${own.root}/guards`, { rules: [small] });
    expect(set.status).toBe(200);
    const judged = async () =>
      (await own.gateway.api.get(`${own.root}/guards`)).body.judgedAt !== null;
    await waitUntil("the account is judged", judged);

    const reply = await modify(entry.orderId, { limitPrice: 7000 });
    expect(refusal(reply)).toEqual([422, "GUARD_REFUSED"]);
    expect((await modify(entry.orderId, { limitPrice: 5990, qty: 1 })).status).toBe(200);
    expect((await modify(exit.orderId, { limitPrice: 29_900 })).status).toBe(200);
    expect((await positions())[ES.code]).toBeUndefined();
  });
});

test("a change and a fill at the same time leave exactly what was answered", async () => {
  const { orderId } = await place({ limitPrice: 6849 });
  const changing = modify(orderId, { limitPrice: 6800, qty: 4 });
  own.gateway.quote(ES, 27_390);
  const { status, body } = await changing;

  const [order] = await working();
  const filled = (await positions())[ES.code] ?? 0;
  const answered =
    status === 200
      ? { filled: body.filledQty, price: 27_200, orderQty: 4, leavesQty: body.remainingQty }
      : { status: 409, code: "MODIFY_REJECTED", filled: 2 };
  const { price, orderQty, leavesQty } = order ?? {};
  const stands =
    order === undefined
      ? { status, code: body.error?.code, filled }
      : { filled, price, orderQty, leavesQty };
  expect(stands).toEqual(answered);
});
