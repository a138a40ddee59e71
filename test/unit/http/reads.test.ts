import { describe, expect, test } from "vitest";
import { accountDayAt, STANDARD_CLOCKS } from "../../../src/domain/calendar/account-day.ts";
import { clOrdId, credentialId, execId, orderId, userId } from "../../../src/domain/ids.ts";
import type { Intent, Outcome } from "../../../src/domain/intent.ts";
import type { AccountMoney } from "../../../src/trading/money/read-money.ts";
import { ticks } from "../../../src/domain/contracts/price.ts";
import {
  presentOpenPnl,
  presentOpenTicks,
  presentPrice,
  presentWholeTicks,
} from "../../../src/http/present/figures.ts";
import {
  account,
  ACCOUNT,
  ES,
  filled,
  flattened,
  flattenIntent,
  NOW,
  placeIntent,
  record,
  settled,
  startApp,
  webhook,
} from "./http-kit.ts";

const TIME = "2026-09-21T14:30:00.000Z";
const terms = { symbol: "6JZ6", tickSize: "0.0000005", tickValue: "6.25", currency: "USD" };

describe("figures", () => {
  test("a tiny price is an exact number", () => {
    expect(presentPrice(ticks(13_141), terms)).toBe(0.0065705);
    expect(JSON.stringify(presentPrice(ticks(1), terms))).toBe("5e-7");
  });

  test.each([
    [{ netQty: 2, avgPx: { numerator: 20_001, denominator: 2 }, markPx: ticks(10_001) }, 6.25],
    [{ netQty: -2, avgPx: { numerator: 20_001, denominator: 2 }, markPx: ticks(10_001) }, -6.25],
    [{ netQty: 1, avgPx: { numerator: 100, denominator: 3 }, markPx: ticks(34) }, 4.166667],
    [{ netQty: -1, avgPx: { numerator: 100, denominator: 3 }, markPx: ticks(34) }, -4.166667],
    [{ netQty: 1, avgPx: { numerator: 1, denominator: 1 } }, null],
  ])("open profit of %j is %j", (position, expected) => {
    expect(presentOpenPnl(position, terms)).toBe(expected);
  });

  test.each([
    [{ netQty: 2, avgPx: { numerator: 20_001, denominator: 2 }, markPx: ticks(10_001) }, 1],
    [{ netQty: -2, avgPx: { numerator: 20_001, denominator: 2 }, markPx: ticks(10_001) }, -1],
    [{ netQty: 1, avgPx: { numerator: 100, denominator: 3 }, markPx: ticks(34) }, 0.6667],
    [{ netQty: -1, avgPx: { numerator: 100, denominator: 3 }, markPx: ticks(34) }, -0.6667],
    [{ netQty: -3, avgPx: { numerator: 34, denominator: 1 }, markPx: ticks(34) }, 0],
    [{ netQty: 1, avgPx: { numerator: 1, denominator: 1 } }, null],
  ])("open ticks of %j are %j", (position, expected) => {
    expect(presentOpenTicks(position)).toBe(expected);
  });

  test.each([
    ["12.50", 2],
    ["-6.25", -1],
    ["0.00", 0],
    ["6.24", null],
    ["0.0000001", null],
    [undefined, null],
  ])("%j of money are %j ticks", (amount, expected) => {
    expect(presentWholeTicks(amount, terms)).toBe(expected);
  });
});

describe("reads", () => {
  test("accounts", async () => {
    const app = await startApp({ gateway: { listAccounts: async () => ({ items: [account] }) } });
    const { accountId: id, ...rest } = account;
    expect((await app.get("/v1/accounts")).body).toEqual({
      accounts: [{ id, cannotCancel: null, ...rest }],
    });
  });

  test("a page of accounts, and where the next one begins", async () => {
    const asked: unknown[] = [];
    const listAccounts = async (_: unknown, request: unknown) => {
      asked.push(request);
      return { items: [account], nextCursor: "further" };
    };
    const app = await startApp({ gateway: { listAccounts } });
    expect((await app.get("/v1/accounts?limit=1&cursor=here")).body.nextCursor).toBe("further");
    await app.get("/v1/accounts");
    expect(asked).toEqual([{ limit: 1, cursor: "here" }, { limit: 1_000 }]);
    for (const limit of [0, 1_001, "all"]) {
      expect((await app.get(`/v1/accounts?limit=${limit}`)).status).toBe(400);
    }
  });

  test("an account whose currency the broker does not tell", async () => {
    const { currency: _, ...untold } = account;
    const app = await startApp({ gateway: { listAccounts: async () => ({ items: [untold] }) } });
    expect((await app.get("/v1/accounts")).body.accounts[0]).toMatchObject({ currency: null });
  });

  test("positions", async () => {
    const position = {
      contract: ES,
      netQty: -2,
      avgPx: { numerator: 40_001, denominator: 2 },
      // As old as the broker's word on the position: it is shown nowhere.
      markPx: ticks(19_000),
      realizedPnl: "-12.50",
    };
    const holding = {
      account: { ...account, userId: userId("u_1") },
      position,
      mark: { px: ticks(20_000), at: NOW, isStale: true },
      asOf: NOW,
      live: false,
      noted: [],
      protection: { kind: "unknown", reason: "It is down" },
      exits: undefined,
    } as const;
    const app = await startApp({
      gateway: { readPositions: async () => ({ value: [holding], asOf: NOW, live: false }) },
    });
    expect((await app.get("/v1/accounts/paper-1/positions")).body).toEqual({
      positions: [
        {
          symbol: "ESZ6",
          side: "short",
          qty: 2,
          averagePrice: 5000.125,
          markPrice: 5000,
          markedAt: TIME,
          markStale: true,
          unrealizedPnl: 12.5,
          unrealizedTicks: 1,
          realizedPnl: -12.5,
          realizedTicks: -1,
          currency: "USD",
          tickSize: 0.25,
          tickValue: 12.5,
          protection: { state: "unknown", missing: [], openedBy: null, reason: "It is down" },
          stopLosses: null,
          takeProfits: null,
        },
      ],
      asOf: TIME,
      live: false,
    });
  });

  test("trades", async () => {
    const fill = {
      execId: execId("9"),
      orderId: orderId("4000001"),
      contract: ES,
      side: "SELL",
      lastQty: 1,
      lastPx: ticks(20_001),
      realizedPnl: "162.50",
      transactTimeAt: NOW,
    } as const;
    const app = await startApp({
      gateway: {
        readTrades: async () => ({
          items: [fill, { ...fill, fee: "2.25" }, { ...fill, fee: "-0.50", feeCurrency: "EUR" }],
          nextCursor: "c2",
          keptSinceAt: NOW,
        }),
      },
    });
    const { body } = await app.get("/v1/accounts/paper-1/orders?limit=1");
    expect(body.nextCursor).toBe("c2");
    expect(body.trades[0]).toEqual({
      id: "9",
      orderId: "4000001",
      symbol: "ESZ6",
      side: "sell",
      qty: 1,
      price: 5000.25,
      realizedPnl: 162.5,
      currency: "USD",
      fee: null,
      feeCurrency: null,
      time: TIME,
      takenBack: false,
    });
    expect(body.keptSince).toBe(TIME);
    expect(body.trades.slice(1)).toMatchObject([
      { fee: 2.25, feeCurrency: null },
      { fee: -0.5, feeCurrency: "EUR" },
    ]);
  });

  test("trades are asked for by instants and by symbol", async () => {
    const app = await startApp({ gateway: { readTrades: async () => ({ items: [] }) } });
    const query = "limit=7&cursor=abc&symbol=CME_MINI:ES1!";
    await app.get(`/v1/accounts/paper-1/orders?${query}&from=${TIME}&to=${NOW + 1}`);
    expect(app.calls[0]?.args.slice(1)).toEqual([
      ACCOUNT,
      { limit: 7, cursor: "abc", symbol: "CME_MINI:ES1!", fromAt: NOW, beforeAt: NOW + 1 },
    ]);
    const { status, body } = await app.get("/v1/accounts/paper-1/orders?from=today&to=1790001000");
    expect(status).toBe(400);
    expect(body.error.details.map(({ path }: { path: string }) => path)).toEqual(["from", "to"]);
  });

  test("working orders", async () => {
    const order = {
      orderId: orderId("4000003"),
      contract: ES,
      side: "SELL",
      ordType: "STOP",
      timeInForce: "GTC",
      ordStatus: "PARTIALLY_FILLED",
      orderQty: 3,
      cumQty: 1,
      leavesQty: 2,
      stopPx: ticks(19_980),
      role: "STOP_LOSS",
      parentOrderId: orderId("4000001"),
      transactTimeAt: NOW,
    } as const;
    const orders = [
      order,
      { ...order, clOrdId: clOrdId(`i${"0".repeat(28)}-1-SL`), ordStatus: "HELD" as const },
      { ...order, clOrdId: clOrdId("another program's") },
    ];
    const app = await startApp({ gateway: { readWorkingOrders: async () => orders } });
    const { body } = await app.get("/v1/accounts/paper-1/working-orders");
    expect(body.orders[0]).toEqual({
      orderId: "4000003",
      symbol: "ESZ6",
      action: "sell",
      type: "stop",
      qty: 3,
      filledQty: 1,
      remainingQty: 2,
      limitPrice: null,
      stopPrice: 4995,
      trailOffset: null,
      timeInForce: "gtc",
      status: "partiallyFilled",
      role: "stopLoss",
      parentOrderId: "4000001",
      linkedOrderId: null,
      problem: null,
      bracket: null,
      source: "foreign",
      intentId: null,
      updatedAt: TIME,
    });
    expect(body.orders[1]).toMatchObject({
      status: "held",
      source: "gateway",
      intentId: `i${"0".repeat(28)}`,
    });
    expect(body.orders[2]).toMatchObject({ source: "foreign", intentId: null });
  });

  test("a working entry names the legs that belong to it", async () => {
    const entry = {
      orderId: orderId("1"),
      contract: ES,
      side: "BUY",
      ordType: "LIMIT",
      timeInForce: "DAY",
      ordStatus: "NEW",
      orderQty: 1,
      cumQty: 0,
      leavesQty: 1,
      price: ticks(20_000),
      role: "ORDER",
      transactTimeAt: NOW,
    } as const;
    const leg = { ...entry, side: "SELL", ordStatus: "HELD" } as const;
    const orders = [
      { ...leg, orderId: orderId("3"), role: "STOP_LOSS", parentOrderId: orderId("1") },
      entry,
      { ...leg, orderId: orderId("2"), role: "TAKE_PROFIT", parentOrderId: orderId("1") },
      { ...entry, orderId: orderId("4") },
      { ...leg, orderId: orderId("6"), role: "STOP_LOSS", parentOrderId: orderId("5") },
      { ...entry, orderId: orderId("5") },
    ] as const;
    const app = await startApp({ gateway: { readWorkingOrders: async () => orders } });
    const { body } = await app.get("/v1/accounts/paper-1/working-orders");
    expect(body.orders.map(({ bracket }: { bracket: unknown }) => bracket)).toEqual([
      null,
      { takeProfitOrderId: "2", stopLossOrderId: "3" },
      null,
      null,
      null,
      { takeProfitOrderId: null, stopLossOrderId: "6" },
    ]);
  });

  test("the user", async () => {
    const user = { userId: webhook.userId, name: "Owner", createdAt: NOW };
    const app = await startApp({ gateway: { readUser: async () => user } });
    expect((await app.get("/v1/user")).body).toEqual({ id: "u_1", name: "Owner", createdAt: TIME });
  });
});

describe("intents", () => {
  const cancel: Intent = { kind: "CANCEL", orderId: orderId("4000002") };
  test.each([
    ["done", placeIntent, filled, { kind: "place", result: { orderId: "4000001" } }],
    ["done", flattenIntent, flattened, { kind: "flatten", result: { remaining: [] } }],
    [
      "notSent",
      cancel,
      { kind: "notSent", reason: "down" },
      { reason: "down", orderId: "4000002" },
    ],
    [
      "denied",
      placeIntent,
      { kind: "denied", code: "KILL_SWITCH_ON", reason: "on" },
      { code: "KILL_SWITCH_ON", reason: "on" },
    ],
    [
      "unprotected",
      { kind: "PROTECT", contract: ES, levels: {} },
      { kind: "unprotected", canceled: "stop 1", reason: "no", restored: false },
      { reason: "cancelled: stop 1; the replacement failed: no" },
    ],
    [
      "done",
      { kind: "PROTECT", contract: ES, levels: {} },
      { kind: "done", result: { kind: "PROTECT", contract: ES, orderQty: 1 } },
      { result: { qty: 1 } },
    ],
    ["done", cancel, { kind: "done", result: cancel }, { result: { status: "canceled" } }],
    [
      "done",
      { kind: "CANCEL_ENTRIES" },
      { kind: "done", result: { kind: "CANCEL_ENTRIES", canceledOrderIds: [] } },
      { kind: "cancelEntries" },
    ],
  ] satisfies [string, Intent, Outcome, object][])(
    "%s %j",
    async (state, intent, outcome, expected) => {
      const app = await startApp({ gateway: { findIntent: async () => record(outcome, intent) } });
      const { body } = await app.get("/v1/accounts/paper-1/intents/01J8ZK3V7M");
      expect(body).toMatchObject({ intentId: "01J8ZK3V7M", state, acceptedAt: TIME, ...expected });
    },
  );

  test("unsettled ones are listed, with or without saying so", async () => {
    const { outcome: _, sentAt: __, settledAt: ___, ...open } = record(filled);
    const order = {
      ...placeIntent.order,
      bracket: { stopLoss: { by: "distance", distance: ticks(20) } },
    };
    const app = await startApp({
      gateway: {
        listUnsettledIntents: async () => [
          { ...open, state: "PREPARED", intent: { kind: "PLACE", order } as Intent },
        ],
      },
    });
    const { body } = await app.get("/v1/accounts/paper-1/intents?state=unsettled");
    expect(body.intents[0]).toMatchObject({
      state: "prepared",
      sentAt: null,
      result: null,
      order: { action: "buy", bracket: { takeProfit: null, stopLoss: { ticks: 20 } } },
    });
    expect((await app.get("/v1/accounts/paper-1/intents")).status).toBe(200);
    expect((await app.get("/v1/accounts/paper-1/intents?state=all")).status).toBe(400);
  });
});

describe("positions are changed", () => {
  const protect: Intent = { kind: "PROTECT", contract: ES, levels: {} };

  test("protect", async () => {
    const result = {
      kind: "PROTECT",
      contract: ES,
      orderQty: 2,
      stopLossOrderId: orderId("5"),
    } as const;
    const app = await startApp({
      gateway: { protectPosition: async () => settled({ kind: "done", result }, protect) },
    });
    const request = { symbol: "ES", stopLoss: { price: 4995 } };
    const { status, body } = await app.post("/v1/accounts/paper-1/protect", request);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      symbol: "ESZ6",
      qty: 2,
      takeProfitOrderId: null,
      stopLossOrderId: "5",
    });
    expect(app.calls[0]?.args.slice(1)).toEqual([ACCOUNT, request]);
  });

  test("a failed replacement names the levels that are gone", async () => {
    const outcome = {
      kind: "unprotected",
      restored: false,
      canceled: "stop-loss 4995",
      reason: "no margin",
    } as const;
    const app = await startApp({
      gateway: { protectPosition: async () => settled(outcome, protect) },
    });
    const reply = await app.post("/v1/accounts/paper-1/protect", { stopLoss: { ticks: 4 } });
    expect([reply.status, reply.body.error.code]).toEqual([502, "PROTECTION_REPLACE_FAILED"]);
    expect(reply.body.error.message).toContain("stop-loss 4995");
  });

  test("flatten, of everything or of one symbol", async () => {
    const app = await startApp({
      gateway: { flattenAccount: async () => settled(flattened, flattenIntent) },
    });
    const { body } = await app.send("DELETE", "/v1/accounts/paper-1/positions");
    await app.send("DELETE", "/v1/accounts/paper-1/positions?symbol=CME_MINI:ES1!");
    expect(body.closed).toEqual([{ symbol: "ESZ6", qty: 2, side: "short", orderId: "4000009" }]);
    expect(app.calls.map(({ args }) => args[2])).toEqual([undefined, "CME_MINI:ES1!"]);
  });
});

describe("settings", () => {
  const limits = {
    maxOrderQty: 5,
    maxPositionQty: 10,
    maxOrdersPerMinute: 60,
    entriesWithoutCancel: false,
  };

  test("the day of an account is set, in a time zone that there is", async () => {
    const money = {
      account: {
        accountId: ACCOUNT,
        name: "Paper 1",
        connectionId: "paper",
        broker: "paper",
        environment: "demo",
        active: true,
        connectionStatus: "CONNECTED",
        clocks: [
          ...STANDARD_CLOCKS,
          { begins: "00:00", zone: "Europe/Berlin", from: NOW + 60_000 },
        ],
      },
      day: accountDayAt(STANDARD_CLOCKS, NOW),
      balances: [],
      figures: [],
      marks: [],
      asOf: NOW,
    } as unknown as AccountMoney;
    const app = await startApp({
      gateway: { changeAccountDay: async () => undefined, readAccountMoney: async () => money },
    });
    const day = { begins: "00:00", zone: "Europe/Berlin" };
    const { body } = await app.send("PATCH", "/v1/accounts/paper-1", { day });
    const from = new Date(NOW + 60_000).toISOString();
    expect(body.day).toMatchObject({ begins: "17:00", next: { ...day, from } });
    expect(app.calls[0]?.args.slice(1)).toEqual([ACCOUNT, day]);
    const mars = { day: { begins: "00:00", zone: "Mars/Base" } };
    const refused = await app.send("PATCH", "/v1/accounts/paper-1", mars);
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, "day.zone"]);
  });

  test("limits are read and changed", async () => {
    const app = await startApp({
      gateway: { readLimits: async () => limits, changeLimits: async () => limits },
    });
    expect((await app.get("/v1/accounts/paper-1/limits")).body).toEqual(limits);
    const { body } = await app.send("PUT", "/v1/accounts/paper-1/limits", { maxOrderQty: 5 });
    expect(body).toEqual(limits);
    expect(app.calls[1]?.args.slice(1)).toEqual([ACCOUNT, { maxOrderQty: 5 }]);
  });

  test("the kill switch is read and thrown", async () => {
    const view = {
      active: false,
      accounts: [{ accountId: ACCOUNT, active: true, changedAt: NOW }],
    };
    const app = await startApp({
      gateway: { readKillSwitch: async () => view, changeKillSwitch: async () => view },
    });
    expect((await app.get("/v1/kill-switch")).body).toEqual({
      active: false,
      reason: null,
      changedAt: null,
      accounts: [{ accountId: "paper-1", active: true, reason: null, changedAt: TIME }],
    });
    const change = { active: true, accountId: "paper-1", reason: "news" };
    expect((await app.send("PUT", "/v1/kill-switch", change)).status).toBe(200);
    expect(app.calls[1]?.args[1]).toEqual(change);
    expect(
      (await app.send("PUT", "/v1/kill-switch", { active: true, accountId: "a b" })).status,
    ).toBe(404);
  });

  test("a webhook's URL is shown once, at its creation", async () => {
    const app = await startApp({
      gateway: {
        createWebhook: async () => ({ webhook, secret: "s3cret" }),
        listWebhooks: async () => [webhook],
        findWebhook: async () => ({ ...webhook, lastUsedAt: NOW }),
        changeWebhook: async () => ({ ...webhook, paused: true }),
        deleteWebhook: async () => undefined,
      },
    });
    const created = await app.post("/v1/webhooks", { accountId: "paper-1", name: "Alerts" });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      id: "wh_1",
      accountId: "paper-1",
      name: "Alerts",
      paused: false,
      createdAt: TIME,
      lastUsedAt: null,
      url: "https://gateway.example/hooks/s3cret",
    });
    expect((await app.get("/v1/webhooks")).text).not.toContain("s3cret");
    expect((await app.get("/v1/webhooks/wh_1")).body.lastUsedAt).toBe(TIME);
    expect((await app.send("PATCH", "/v1/webhooks/wh_1", { paused: true })).body.paused).toBe(true);
    const deleted = await app.send("DELETE", "/v1/webhooks/wh_1");
    expect([deleted.status, deleted.text]).toEqual([204, ""]);
    expect(app.calls.at(-1)?.args[1]).toBe(credentialId("wh_1"));
  });
});
