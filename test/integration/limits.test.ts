// The goal: nothing that opens or grows a position gets past a limit or a kill switch; every exit does.
// The method: set them over HTTP on the whole gateway, and count what reaches the paper broker.
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { accountNames, frontMonth, startGateway, type TestGateway } from "../support/gateway.ts";
import { postAlert, type Reply } from "../support/http-client.ts";

const ES = frontMonth("ES");
const nextAccount = accountNames(20);

let gateway: TestGateway;

beforeAll(async () => {
  const settings = { PAPER_ACCOUNTS: "1-20", DEFAULT_MAX_ORDERS_PER_MINUTE: "9000" };
  gateway = await startGateway({ settings });
  return gateway.stop;
});

/** Orders of one account, of the shared gateway unless another is named. */
function trader(account: string = nextAccount(), of: TestGateway = gateway) {
  const root = `/v1/accounts/${account}`;
  const order = async (body: object) =>
    await of.api.post(`${root}/orders`, { symbol: "ES1!", qty: 1, ...body });
  return {
    account,
    root,
    buy: async (qty: number, more: object = {}) => await order({ action: "buy", qty, ...more }),
    sell: async (qty: number, more: object = {}) => await order({ action: "sell", qty, ...more }),
    limit: async (change: object) => {
      const reply = await of.api.put(`${root}/limits`, change);
      expect(reply.status).toBe(200);
    },
    positions: async () => await of.broker.positions(account),
    working: async () => await of.broker.working(account),
  };
}

const RESTING = { type: "limit", limitPrice: 6000 };

function expectDenied(reply: Reply, code: string, reason: string | RegExp): void {
  expect([reply.status, reply.body.error.code, reply.body.error.retry]).toEqual([
    422,
    code,
    "never",
  ]);
  expect(reply.body.error.message).toMatch(reason);
}

describe("limits", () => {
  test("have sane defaults, and keep what a change leaves out", async () => {
    const { root } = trader();
    const before = await gateway.api.get(`${root}/limits`);
    expect(before.body).toEqual({
      maxOrderQty: 50,
      maxPositionQty: 100,
      maxOrdersPerMinute: 9_000,
      entriesWithoutCancel: false,
    });
    const after = await gateway.api.put(`${root}/limits`, { maxPositionQty: 7 });
    expect(after.body).toEqual({ ...before.body, maxPositionQty: 7 });
    expect((await gateway.api.get(`${root}/limits`)).body).toEqual(after.body);
  });

  test.each([{}, { maxOrderQty: 0 }, { maxOrderQty: 1.5 }, { maxOrderQty: "5" }, { other: 1 }])(
    "%j is no change",
    async (change) => {
      const { root } = trader();
      const { status } = await gateway.api.put(`${root}/limits`, change);
      expect(status).toBe(400);
    },
  );

  test("a larger order than allowed is denied, with its reason, and remembered", async () => {
    const { account, buy, limit, positions } = trader();
    await limit({ maxOrderQty: 5 });
    expect((await buy(5)).status).toBe(201);

    const denied = await buy(6);
    expectDenied(denied, "LIMIT_EXCEEDED", /quantity 6 .*limit of 5/);
    const { intentId } = denied.body.error;
    const { body } = await gateway.api.get(`/v1/accounts/${account}/intents/${intentId}`);
    expect(body).toMatchObject({ state: "denied", code: "LIMIT_EXCEEDED", sentAt: null });
    expect(await positions()).toEqual({ [ES.code]: 5 });
  });

  test("a larger position than allowed is denied, resting entries counted", async () => {
    const { buy, sell, limit, positions, working } = trader();
    await limit({ maxPositionQty: 5 });
    expect((await buy(2)).status).toBe(201);
    expect((await buy(2, RESTING)).status).toBe(201);
    expectDenied(await buy(2), "LIMIT_EXCEEDED", /could grow to 6.*limit of 5/);
    expectDenied(await buy(2, RESTING), "LIMIT_EXCEEDED", /could grow to 6/);
    expect((await buy(1)).status).toBe(201);
    // To the other side the resting buys do not count, but what is turned around does: only that goes.
    const { status, body } = await sell(9);
    expect(status).toBe(201);
    expect(body.problems).toEqual([expect.stringMatching(/Only 3 of 9 .*could grow to 6/)]);
    expectDenied(await sell(6), "LIMIT_EXCEEDED", /could grow to 6/);
    expect((await sell(5)).status).toBe(201);
    expect(await positions()).toEqual({ [ES.code]: -5 });
    expect(await working()).toHaveLength(1);
  });

  test("an exit passes every limit", async () => {
    const { root, buy, sell, limit, positions } = trader();
    await buy(6);
    await limit({ maxOrderQty: 1, maxPositionQty: 1, maxOrdersPerMinute: 1 });
    expectDenied(await buy(1), "LIMIT_EXCEEDED", /.+/);
    expect((await sell(2)).status).toBe(201);
    expect((await sell(2)).status).toBe(201);
    expect((await gateway.api.delete(`${root}/positions`)).status).toBe(200);
    expect(await positions()).toEqual({});
  });

  test("the bracket of an entry within the limits counts as the exit that it is", async () => {
    const { buy, limit, working } = trader();
    await limit({ maxOrderQty: 2, maxPositionQty: 2 });
    const bracket = { takeProfit: { ticks: 40 }, stopLoss: { ticks: 40 } };
    expect((await buy(2, { bracket })).status).toBe(201);
    expect(await working()).toHaveLength(2);
  });

  test("orders per minute are counted per account, also when they come at once", async () => {
    const [one, other] = [trader(), trader()];
    await one.limit({ maxOrdersPerMinute: 5 });
    const replies = await Promise.all(Array.from({ length: 12 }, () => one.buy(1)));

    const denied = replies.filter(({ status }) => status !== 201);
    expect(denied).toHaveLength(7);
    for (const reply of denied) expectDenied(reply, "LIMIT_EXCEEDED", /5 orders within a minute/);
    expect(await gateway.broker.filled(one.account)).toEqual({ qty: 5, orders: 5 });
    expect((await one.sell(5)).status).toBe(201);
    expect((await other.buy(1)).status).toBe(201);
  });

  test("orders per minute are counted for the whole appliance", async () => {
    const own = await startGateway({ settings: { MAX_ORDERS_PER_MINUTE: "6" } });
    onTestFinished(own.stop);
    const [one, other] = [trader("paper-1", own), trader("paper-2", own)];
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? one : other).buy(1)),
    );
    const denied = replies.filter(({ status }) => status !== 201);
    expect(denied).toHaveLength(4);
    for (const reply of denied) {
      expectDenied(reply, "LIMIT_EXCEEDED", /of the 6 orders within a minute that the gateway/);
    }
    const filled = [await own.broker.filled("paper-1"), await own.broker.filled("paper-2")];
    expect(filled.reduce((sum, { orders }) => sum + orders, 0)).toBe(6);
  });

  test("an alert is held to the same limits", async () => {
    const { account, limit, positions } = trader();
    const { url } = await gateway.createWebhook(account);
    await limit({ maxOrderQty: 1 });
    const reply = await postAlert(url, { action: "buy", symbol: "ES1!", qty: 2 });
    expectDenied(reply, "LIMIT_EXCEEDED", /limit of 1/);
    expect(await positions()).toEqual({});
  });
});

describe("the kill switch", () => {
  const set = async (body: object, of: TestGateway = gateway) => {
    const reply = await of.api.put("/v1/kill-switch", body);
    expect(reply.status).toBe(200);
    return reply.body;
  };

  test("of one account denies entries, cancels resting ones, and lets exits through", async () => {
    const [one, other] = [trader(), trader()];
    const { url } = await gateway.createWebhook(one.account);
    const bracket = { stopLoss: { ticks: 40 } };
    await one.buy(4, { bracket });
    await one.buy(2, RESTING);
    await one.sell(1, { type: "limit", limitPrice: 9000 });
    await other.buy(1, RESTING);

    const on = await set({ active: true, accountId: one.account, reason: "news" });
    expect([on.active, on.accounts]).toEqual([
      false,
      [{ accountId: one.account, active: true, reason: "news", changedAt: expect.any(String) }],
    ]);
    // The stop-loss and the order that takes profit stay; the entry is gone before the answer.
    expect((await one.working()).map(({ side }) => side)).toEqual(["SELL", "SELL"]);
    expect(await other.working()).toHaveLength(1);

    expectDenied(await one.buy(1), "KILL_SWITCH_ON", /news/);
    const alert = await postAlert(url, { action: "buy", symbol: "ES1!", qty: 1 });
    expectDenied(alert, "KILL_SWITCH_ON", /news/);
    expect((await one.sell(1)).status).toBe(201);
    const protect = await gateway.api.post(`${one.root}/protect`, { stopLoss: { ticks: 20 } });
    expect(protect.status).toBe(200);
    expect((await other.buy(1)).status).toBe(201);
    const turn = await one.sell(5);
    expect(turn.status).toBe(201);
    expect(turn.body.problems).toEqual([expect.stringMatching(/Only 3 of 5 .*news/)]);
    expect((await postAlert(url, { action: "flatten" })).status).toBe(200);
    expect([await one.positions(), await one.working()]).toEqual([{}, []]);

    await set({ active: false, accountId: one.account });
    expect((await one.buy(1)).status).toBe(201);
  });

  test("of all accounts does so for each of them, and survives a restart", async () => {
    const own = await startGateway();
    onTestFinished(own.stop);
    const [one, other] = [trader("paper-1", own), trader("paper-2", own)];
    await one.buy(2);
    await one.buy(1, RESTING);
    await other.buy(1, RESTING);

    const on = await set({ active: true, reason: "holiday" }, own);
    expect([on.active, on.reason, on.accounts]).toEqual([true, "holiday", []]);
    expect([await one.working(), await other.working()]).toEqual([[], []]);

    await own.restart();
    expect((await own.api.get("/v1/kill-switch")).body).toEqual(on);
    expectDenied(await other.buy(1), "KILL_SWITCH_ON", /holiday/);
    expect((await one.sell(2)).status).toBe(201);
    expect([await one.positions(), await other.positions()]).toEqual([{}, {}]);

    await set({ active: false }, own);
    expect((await other.buy(1)).status).toBe(201);
  });

  test("an order behind it in time does not get past it", async () => {
    const one = trader();
    const orders = Array.from({ length: 20 }, () => one.buy(1, RESTING));
    const [, ...replies] = await Promise.all([
      set({ active: true, accountId: one.account }),
      ...orders,
    ]);
    const placed = replies.filter(({ status }) => status === 201);
    for (const { status } of replies) expect([201, 409, 422]).toContain(status);
    expect(await one.working()).toEqual([]);
    expect(placed.length).toBeLessThanOrEqual(20);
  });
});

describe("a key without the scope manage", () => {
  const refusal = (reply: Reply) => [reply.status, reply.body.error?.code, reply.body.error?.retry];
  const REFUSED = [403, "INSUFFICIENT_SCOPE", "never"];

  test("tightens limits, and cannot loosen them again", async () => {
    const { root } = trader();
    const { api } = await gateway.createKey("read", "trade");
    const limits = async () => (await api.get(`${root}/limits`)).body;
    expect((await api.put(`${root}/limits`, { maxOrderQty: 5 })).status).toBe(200);
    const tight = await limits();
    expect(tight.maxOrderQty).toBe(5);

    const loosened = await Promise.all([
      api.put(`${root}/limits`, { maxOrderQty: 6 }),
      api.put(`${root}/limits`, { maxOrderQty: 4, maxPositionQty: 101 }),
    ]);
    expect(loosened.map(refusal)).toEqual([REFUSED, REFUSED]);
    expect(loosened[0]?.body.error.message).toMatch(/raising a limit needs the scope manage/);
    expect(await limits()).toEqual(tight);

    const manager = await gateway.createKey("trade", "manage");
    expect((await manager.api.put(`${root}/limits`, { maxOrderQty: 6 })).status).toBe(200);
    expect((await limits()).maxOrderQty).toBe(6);
  });

  test("switches the kill switch on, and cannot switch it off", async () => {
    const { account: accountId } = trader();
    const { api } = await gateway.createKey("read", "trade");
    const change = { accountId, active: true };
    expect((await api.put("/v1/kill-switch", change)).status).toBe(200);
    const off = await api.put("/v1/kill-switch", { ...change, active: false });
    expect(refusal(off)).toEqual(REFUSED);
    const switched = async () => {
      const { accounts } = (await api.get("/v1/kill-switch")).body;
      return (accounts as { accountId: string }[]).some((one) => one.accountId === accountId);
    };
    expect(await switched()).toBe(true);
    const manager = await gateway.createKey("trade", "manage");
    const again = await manager.api.put("/v1/kill-switch", { ...change, active: false });
    expect([again.status, await switched()]).toEqual([200, false]);
  });

  test("changes no connection", async () => {
    const { api } = await gateway.createKey("read", "trade");
    const refused = await Promise.all([
      api.post("/v1/connections", { broker: "paper", environment: "demo", settings: {} }),
      api.patch("/v1/connections/paper", { paused: true }),
      api.delete("/v1/connections/paper"),
      api.post("/v1/connections/paper/test", {}),
      api.post("/v1/connections/paper/reconnect", {}),
    ]);
    expect(refused.map(refusal)).toEqual(refused.map(() => REFUSED));
  });
});
