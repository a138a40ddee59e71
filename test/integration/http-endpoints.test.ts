// The goal: every endpoint does what the API document says, and refuses what it says it refuses.
// The method: the whole gateway over HTTP, each test on a paper account and at prices of its own.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { accountNames, frontMonth, startGateway, type TestGateway } from "../support/gateway.ts";
import { call } from "../support/http-client.ts";
import { untilBrokerIsThere, untilTaken, waitUntil } from "../support/wait.ts";

const ES = frontMonth("ES");
const MNQ = frontMonth("MNQ");
const nextAccount = accountNames(40);

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-40" } });
  return gateway.stop;
});
beforeEach(() => gateway.quoteAsUsual());

const of = (account: string, rest: string) => `/v1/accounts/${account}/${rest}`;
const buy = (more: object = {}) => ({ symbol: "ES1!", action: "buy", qty: 1, ...more });
/** Far below the market: it rests. */
const resting = (more: object = {}) => buy({ type: "limit", limitPrice: 6000, ...more });

async function place(account: string, body: object) {
  const reply = await untilTaken(() => gateway.api.post(of(account, "orders"), body));
  expect([reply.status, reply.body?.error]).toEqual([201, undefined]);
  return reply.body;
}

async function workingOf(account: string) {
  const { body } = await gateway.api.get(of(account, "working-orders"));
  return body.orders as { orderId: string; role: string; [field: string]: unknown }[];
}

/** Prices are told once a second. */
async function untilMarked(account: string) {
  const read = async () => await gateway.api.get(of(account, "positions"));
  await waitUntil("it is marked", async () => (await read()).body.positions[0].markPrice !== null);
  return await read();
}

describe("accounts and user", () => {
  test("accounts are listed with their connection", async () => {
    const { status, body } = await gateway.api.get("/v1/accounts");
    expect([status, body.accounts.length]).toEqual([200, 40]);
    expect(body.accounts[0]).toEqual({
      id: "paper-1",
      name: "Paper 1",
      connectionId: "paper",
      broker: "paper",
      environment: "demo",
      currency: "USD",
      active: true,
      cannotCancel: null,
      connectionStatus: "CONNECTED",
    });
    expect(body.accounts[9].id).toBe("paper-10");
  });

  test("the user is the appliance's owner", async () => {
    const { status, body } = await gateway.api.get("/v1/user");
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.any(String),
      name: "owner",
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });
});

describe("orders", () => {
  test("a market order is answered filled, with its position and its trade", async () => {
    const account = nextAccount();
    const order = await place(account, buy({ qty: 2 }));
    expect(order).toEqual({
      orderId: expect.any(String),
      accountId: account,
      symbol: ES.symbol,
      status: "filled",
      filledQty: 2,
      averagePrice: 6850.25,
      bracket: null,
      intentId: expect.any(String),
    });

    const positions = await untilMarked(account);
    expect(positions.status).toBe(200);
    expect(positions.body).toEqual({
      positions: [
        {
          symbol: ES.symbol,
          side: "long",
          qty: 2,
          averagePrice: 6850.25,
          markPrice: 6850,
          markedAt: expect.any(String),
          markStale: false,
          unrealizedPnl: -25,
          unrealizedTicks: -2,
          realizedPnl: 0,
          realizedTicks: 0,
          currency: "USD",
          tickSize: 0.25,
          tickValue: 12.5,
          protection: { state: "noneAsked", openedBy: "api", missing: [], reason: null },
          stopLosses: [],
          takeProfits: [],
        },
      ],
      asOf: expect.any(String),
      live: true,
    });

    const trades = await gateway.api.get(of(account, "orders"));
    expect(trades.body).toEqual({
      trades: [
        {
          id: expect.any(String),
          orderId: order.orderId,
          symbol: ES.symbol,
          side: "buy",
          qty: 2,
          price: 6850.25,
          realizedPnl: null,
          currency: "USD",
          fee: 0,
          feeCurrency: "USD",
          time: expect.any(String),
          takenBack: false,
        },
      ],
      nextCursor: null,
      keptSince: null,
    });
  });

  test("trades come newest first and in pages", async () => {
    const account = nextAccount();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift((await place(account, buy())).orderId);

    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const from: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const { body } = await gateway.api.get(of(account, `orders?limit=2${from}`));
      expect(body.trades.length).toBeLessThanOrEqual(2);
      seen.push(...body.trades.map(({ orderId }: { orderId: string }) => orderId));
      cursor = body.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(ids);
  });

  test("a bracket of what only takes something off is left out, which is said", async () => {
    const account = nextAccount();
    await place(account, buy({ qty: 2 }));
    const bracket = { takeProfit: { ticks: 40 }, stopLoss: { ticks: 40 } };
    const order = await place(account, buy({ action: "sell", bracket }));
    const bare = { takeProfitOrderId: null, stopLossOrderId: null };
    expect(order).toMatchObject({ status: "filled", filledQty: 1, bracket: bare });
    expect(order.problems).toEqual([expect.stringMatching(/opens nothing.*not placed/)]);
    expect(await workingOf(account)).toEqual([]);
  });

  test("a bracket order names both legs, which work at the broker", async () => {
    const account = nextAccount();
    const bracket = { takeProfit: { ticks: 40 }, stopLoss: { price: 6840 } };
    const order = await place(account, buy({ bracket }));

    expect(order.bracket).toEqual({
      takeProfitOrderId: expect.any(String),
      stopLossOrderId: expect.any(String),
    });
    const legs = await workingOf(account);
    expect(legs).toHaveLength(2);
    expect(legs).toContainEqual(
      expect.objectContaining({
        orderId: order.bracket.takeProfitOrderId,
        role: "takeProfit",
        action: "sell",
        type: "limit",
        limitPrice: 6860.25,
        linkedOrderId: order.bracket.stopLossOrderId,
        parentOrderId: order.orderId,
        source: "gateway",
      }),
    );
    expect(legs).toContainEqual(
      expect.objectContaining({ role: "stopLoss", type: "stop", stopPrice: 6840 }),
    );
  });

  test.each([
    ["limit", { limitPrice: 6000 }],
    ["stop", { stopPrice: 7000 }],
    ["stopLimit", { stopPrice: 7000, limitPrice: 7000.25 }],
    ["trailingStop", { trailOffset: 50 }],
  ])("a %s order is answered working and can be cancelled", async (type, prices) => {
    const account = nextAccount();
    const order = await place(account, buy({ type, timeInForce: "gtc", ...prices }));
    expect([order.status, order.filledQty, order.averagePrice]).toEqual(["working", 0, null]);
    expect(await workingOf(account)).toMatchObject([
      { orderId: order.orderId, type, role: "entry", remainingQty: 1, timeInForce: "gtc" },
    ]);

    const canceled = await gateway.api.delete(of(account, `orders/${order.orderId}`));
    expect(canceled.status).toBe(200);
    expect(canceled.body).toEqual({
      orderId: order.orderId,
      accountId: account,
      status: "canceled",
      replacedLeg: null,
      intentId: expect.any(String),
    });
    expect(await workingOf(account)).toEqual([]);
  });

  test("an ioc order that finds nothing is answered canceled", async () => {
    const order = await place(nextAccount(), resting({ timeInForce: "ioc" }));
    expect([order.status, order.filledQty]).toEqual(["canceled", 0]);
  });

  test("what the broker refuses is a 502 in the broker's words", async () => {
    const account = nextAccount();
    const stop = buy({ type: "stop", stopPrice: 6000 });
    const { status, body } = await gateway.api.post(of(account, "orders"), stop);
    expect([status, body.error.code, body.error.retry]).toEqual([
      502,
      "BROKER_ORDER_REJECTED",
      "never",
    ]);
    expect(body.error.message).toContain("Stop price is on the wrong side of the market");
    expect(await gateway.broker.positions(account)).toEqual({});
  });

  test("a cancel that comes too late, or of an order nobody knows, is a 409", async () => {
    const account = nextAccount();
    const { orderId } = await place(account, buy());
    for (const id of [orderId, "no-such-order"]) {
      const { status, body } = await gateway.api.delete(of(account, `orders/${id}`));
      expect([status, body.error.code, body.error.retry]).toEqual([
        409,
        "CANCEL_REJECTED",
        "never",
      ]);
    }
    expect(await gateway.broker.positions(account)).toEqual({ [ES.code]: 1 });
  });

  test("an order of another account cannot be cancelled through this one", async () => {
    const [mine, other] = [nextAccount(), nextAccount()];
    const { orderId } = await place(other, resting());
    expect((await gateway.api.delete(of(mine, `orders/${orderId}`))).status).toBe(409);
    expect(await workingOf(other)).toHaveLength(1);
  });
});

describe("positions", () => {
  test("protect answers the ids of the pair it placed", async () => {
    const account = nextAccount();
    await place(account, buy({ qty: 3 }));
    const levels = { takeProfit: { price: 6900 }, stopLoss: { ticks: 40 } };
    const { status, body } = await gateway.api.post(of(account, "protect"), levels);

    expect([status, body.symbol, body.qty]).toEqual([200, ES.symbol, 3]);
    expect(await workingOf(account)).toMatchObject([
      { orderId: body.takeProfitOrderId, limitPrice: 6900, qty: 3 },
      { orderId: body.stopLossOrderId, stopPrice: 6840.25, qty: 3 },
    ]);
  });

  test("flatten answers what it closed and cancelled", async () => {
    const account = nextAccount();
    const order = await place(account, buy({ bracket: { stopLoss: { ticks: 40 } } }));
    const { status, body } = await gateway.api.delete(of(account, "positions"));

    expect(status).toBe(200);
    expect(body).toMatchObject({
      accountId: account,
      closed: [{ symbol: ES.symbol, qty: 1, side: "long", orderId: expect.any(String) }],
      canceledOrders: [order.bracket.stopLossOrderId],
      remaining: [],
      remainingOrders: [],
      intentId: expect.any(String),
    });
    expect(await gateway.broker.positions(account)).toEqual({});
  });

  test("flatten of one symbol leaves the others", async () => {
    const account = nextAccount();
    await place(account, buy());
    await place(account, buy({ symbol: "MNQ" }));
    const { status, body } = await gateway.api.delete(of(account, "positions?symbol=ES1!"));
    expect([status, body.closed.length]).toEqual([200, 1]);
    expect(await gateway.broker.positions(account)).toEqual({ [MNQ.code]: 1 });
  });

  test("flatten of a flat account is nothing to refuse", async () => {
    const { status, body } = await gateway.api.delete(of(nextAccount(), "positions"));
    expect([status, body.closed, body.canceledOrders]).toEqual([200, [], []]);
  });
});

describe("intents", () => {
  test("an answered order can be looked up, and nothing is unsettled", async () => {
    const account = nextAccount();
    const order = await place(account, buy());
    const { status, body } = await gateway.api.get(of(account, `intents/${order.intentId}`));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      intentId: order.intentId,
      kind: "place",
      source: "api",
      state: "done",
      order: { symbol: ES.symbol, action: "buy", qty: 1, type: "market" },
      result: order,
    });
    const unsettled = await gateway.api.get(of(account, "intents?state=unsettled"));
    expect([unsettled.status, unsettled.body]).toEqual([200, { intents: [] }]);
  });
});

describe("webhooks", () => {
  test("one is created, used, read, renamed, paused, pointed elsewhere and deleted", async () => {
    const [account, other] = [nextAccount(), nextAccount()];
    const created = await gateway.api.post("/v1/webhooks", { accountId: account, name: "One" });
    const { url, message, warning, ...webhook } = created.body;
    expect([created.status, webhook.accountId, webhook.name]).toEqual([201, account, "One"]);
    expect(JSON.parse(message)).toMatchObject({ action: "{{strategy.order.action}}" });
    expect(warning).toContain("Charting platforms cannot reach");
    expect(url).toMatch(new RegExp(`^${gateway.url}/hooks/[\\w-]{43,}$`));

    const alert = async (id: string) => {
      const body = { action: "buy", symbol: "ES1!", qty: 1, comment: id };
      return await call(url, "POST", "", { body });
    };
    const done = await alert("first");
    expect(done.body).toMatchObject({ outcome: "done", accountId: account, status: "filled" });

    const path = `/v1/webhooks/${webhook.id}`;
    const read = await gateway.api.get(path);
    expect(read.body).toEqual({ ...webhook, lastUsedAt: expect.any(String) });
    const list = await gateway.api.get("/v1/webhooks");
    expect(list.body.webhooks).toContainEqual(read.body);
    expect(list.text).not.toContain(url.slice(-43));

    expect((await gateway.api.patch(path, { name: "Two", paused: true })).body).toMatchObject({
      name: "Two",
      paused: true,
    });
    const paused = await alert("second");
    expect([paused.status, paused.body.error.code]).toEqual([403, "WEBHOOK_PAUSED"]);

    await gateway.api.patch(path, { paused: false, accountId: other });
    expect((await alert("third")).body).toMatchObject({ outcome: "done", accountId: other });
    expect(await gateway.broker.positions(account)).toEqual({ [ES.code]: 1 });
    expect(await gateway.broker.positions(other)).toEqual({ [ES.code]: 1 });

    const deleted = await gateway.api.delete(path);
    expect([deleted.status, deleted.text]).toEqual([204, ""]);
    const gone = await alert("fourth");
    expect([gone.status, gone.body.error.code]).toEqual([404, "NOT_FOUND"]);
    expect((await gateway.api.get(path)).status).toBe(404);
    expect((await gateway.api.delete(path)).status).toBe(404);
  });
});

describe("what everyone may ask", () => {
  test("the API document names every endpoint", async () => {
    for (const path of ["/api-docs", "/api-docs/openapi.json"]) {
      const { status, body } = await call(gateway.url, "GET", path);
      expect([status, body.openapi]).toEqual([200, expect.stringMatching(/^3\.1/)]);
      expect(Object.keys(body.paths)).toEqual(
        expect.arrayContaining([
          "/v1/accounts/{id}/orders",
          "/v1/accounts/{id}/protect",
          "/v1/webhooks/{id}",
          "/hooks/{token}",
        ]),
      );
    }
  });

  test("it lives, it is ready, and it can be measured", async () => {
    expect((await call(gateway.url, "GET", "/healthz")).body).toEqual({ status: "ok" });
    const ready = await call(gateway.url, "GET", "/readyz");
    expect([ready.status, ready.body]).toEqual([
      200,
      { ready: true, checks: { store: true, broker: true } },
    ]);
    const metrics = await call(gateway.url, "GET", "/metrics");
    expect(metrics.status).toBe(200);
    expect(metrics.headers.get("content-type")).toContain("text/plain");
    expect(metrics.text).toMatch(/^gateway_http_requests_total\{.*route="\/v1\/accounts"/m);
  });

  test("without its broker it is not ready, refuses orders at once, and shows what it knows", async () => {
    const account = nextAccount();
    await place(account, buy());
    const bringBack = gateway.loseBroker();

    const { status, body } = await gateway.api.post(of(account, "orders"), buy());
    expect([status, body.error.code, body.error.retry]).toEqual([
      503,
      "BROKER_UNAVAILABLE",
      "safe",
    ]);
    const positions = await gateway.api.get(of(account, "positions"));
    expect([positions.status, positions.body.live]).toEqual([200, false]);
    expect(positions.body.positions).toMatchObject([{ symbol: ES.symbol, qty: 1 }]);
    expect((await gateway.api.get(of(account, "working-orders"))).status).toBe(503);
    expect((await call(gateway.url, "GET", "/readyz")).status).toBe(503);
    bringBack();
    await untilBrokerIsThere(gateway.url);
    expect(await gateway.broker.filled(account)).toEqual({ qty: 1, orders: 1 });
  });
});

test("/api/v1 answers as /v1 does", async () => {
  const [one, other] = await Promise.all([
    gateway.api.get("/v1/user"),
    gateway.api.get("/api/v1/user"),
  ]);
  expect([other.status, other.text]).toEqual([200, one.text]);
  const account = nextAccount();
  const order = await gateway.api.post(`/api/v1/accounts/${account}/orders`, buy());
  expect([order.status, order.body.status]).toEqual([201, "filled"]);
});
