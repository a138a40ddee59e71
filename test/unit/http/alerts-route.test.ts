import { describe, expect, test } from "vitest";
import { intentId } from "../../../src/domain/ids.ts";
import { errors, GatewayError } from "../../../src/errors.ts";
import type { Outcome } from "../../../src/domain/intent.ts";
import { ALERT_OUTCOMES } from "../../../src/trading/alerts/alert-outcome.ts";
import { openReception } from "../trading/alerts/alerts-kit.ts";
import { accepted, ended, REFUSED } from "../trading/alerts/logged-alerts.ts";
import { admitted, apiKey, filled, NOW, settled, startApp, webhook } from "./http-kit.ts";

const ID = intentId("01J8ZK3V7M");
const buyOne = { action: "buy", symbol: "ES1!", qty: 1 };
const TESTED: Outcome = { kind: "done", result: { kind: "TEST", steps: [] } };

describe("GET /v1/alerts", () => {
  const LOGGED = [
    accepted("a5", filled, { senderAlertId: "mine" }),
    accepted("a4"),
    ended("a3", { kind: "duplicate", of: intentId("a5") }),
    ended("a2", REFUSED),
    accepted("a1", { kind: "denied", code: "KILL_SWITCH_ON", reason: "It is on" }),
  ];

  test("shows each alert with its one outcome", async () => {
    const app = await startApp({
      gateway: { listAlerts: async () => ({ items: LOGGED, nextCursor: "n" }) },
    });
    const { status, body } = await app.get("/v1/alerts");
    expect([status, body.nextCursor]).toEqual([200, "n"]);
    expect(
      body.alerts.map((one: Record<string, unknown>) => [one["alertId"], one["outcome"]]),
    ).toEqual([
      ["a5", "done"],
      ["a4", "pending"],
      ["a3", "duplicate"],
      ["a2", "refused"],
      ["a1", "denied"],
    ]);
    expect(app.calls[0]?.args[1]).toEqual({ limit: 50 });
  });

  test("asks for what its filters say", async () => {
    const app = await startApp({ gateway: { listAlerts: async () => ({ items: [] }) } });
    const from = encodeURIComponent("2026-09-21T14:30:00Z");
    const { body } = await app.get(
      `/v1/alerts?limit=7&cursor=c&accountId=paper-1&webhookId=wh_1&outcome=refused&from=${from}&to=${NOW + 1}`,
    );
    expect(body).toEqual({ alerts: [], nextCursor: null });
    expect(app.calls[0]?.args[1]).toEqual({
      limit: 7,
      cursor: "c",
      accountId: "paper-1",
      webhookId: "wh_1",
      outcome: "refused",
      fromAt: NOW,
      beforeAt: NOW + 1,
    });
  });

  test.each(ALERT_OUTCOMES)("knows the outcome %s", async (outcome) => {
    const app = await startApp({ gateway: { listAlerts: async () => ({ items: [] }) } });
    expect((await app.get(`/v1/alerts?outcome=${outcome}`)).status).toBe(200);
  });

  test.each([
    ["limit=0", "limit"],
    ["limit=201", "limit"],
    ["outcome=won", "outcome"],
    ["from=yesterday", "from"],
    ["from=1790001000001&to=1790001000000", "to"],
    ["cursor=", "cursor"],
    ["status=done", "status"],
  ])("%s is refused at its place", async (query, path) => {
    const app = await startApp();
    const { status, body } = await app.get(`/v1/alerts?${query}`);
    expect([status, body.error.details[0].path]).toEqual([400, path]);
    expect(app.calls).toEqual([]);
  });

  test("an account that can be none of ours is not looked up", async () => {
    const app = await startApp();
    expect((await app.get("/v1/alerts?accountId=a%20b")).status).toBeGreaterThanOrEqual(400);
    expect(app.calls).toEqual([]);
  });
});

describe("GET /v1/alerts/{alertId}", () => {
  test("shows everything about it", async () => {
    const logged = accepted("a5", filled, { unread: ["comment"], place: 0 });
    const app = await startApp({ gateway: { findAlert: async () => logged } });
    const { status, body } = await app.get("/v1/alerts/a5");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      alertId: "a5",
      decisions: ["ES1! is ESZ6"],
      unreadFields: ["comment"],
      place: 0,
      intent: { intentId: "a5", state: "done" },
    });
    expect(app.calls[0]?.args[1]).toBe("a5");
  });

  test("that is not there is a 404", async () => {
    const app = await startApp({
      gateway: { findAlert: () => Promise.reject(errors.notFound("alert")) },
    });
    const missing = await app.get("/v1/alerts/a5", { "x-request-id": "r" });
    const absurd = await app.get("/v1/alerts/a%20b", { "x-request-id": "r" });
    expect([missing.status, absurd.text]).toEqual([404, missing.text]);
    expect(app.calls.length).toBe(1);
  });
});

describe("POST /v1/alerts/{alertId}/replay", () => {
  test.each([
    ["done", { alertId: ID, unread: [], settled: settled(filled) }, 200],
    ["under way", { alertId: ID, unread: [] }, 202],
    [
      "not known",
      { alertId: ID, unread: [], settled: settled({ kind: "unknown", reason: "x" }) },
      202,
    ],
    ["refused", { alertId: ID, error: errors.unknownSymbol("ZZZ", "x") }, 400],
    [
      "rejected",
      { alertId: ID, unread: [], settled: settled({ kind: "rejected", reason: "x" }) },
      502,
    ],
    [
      "not sent",
      { alertId: ID, unread: [], settled: settled({ kind: "notSent", reason: "x" }) },
      503,
    ],
  ] as const)("that is %s is a %j", async (_, handled, status) => {
    const app = await startApp({ gateway: { replayAlert: async () => handled } });
    const reply = await app.request("POST", "/v1/alerts/a5/replay", {
      headers: { "x-api-key": "good" },
    });
    expect(reply.status).toBe(status);
    expect(reply.body.alertId ?? reply.body.error.alertId).toBe(ID);
    expect(app.calls[0]?.args[1]).toBe("a5");
  });

  test("of one that was sent is a 409, and of none a 404", async () => {
    for (const [error, status] of [
      [new GatewayError("NOT_REPLAYABLE", "it was carried out"), 409],
      [errors.notFound("alert"), 404],
    ] as const) {
      const app = await startApp({ gateway: { replayAlert: () => Promise.reject(error) } });
      expect((await app.send("POST", "/v1/alerts/a5/replay")).status).toBe(status);
    }
  });

  test("needs the scope that trading needs", async () => {
    const app = await startApp({ admitKey: async () => admitted(apiKey(["read"])) });
    expect((await app.send("POST", "/v1/alerts/a5/replay")).status).toBe(403);
    expect((await app.post("/v1/webhooks/wh_1/test", buyOne)).status).toBe(403);
    expect(app.calls).toEqual([]);
  });
});

describe("POST /v1/webhooks/{id}/test", () => {
  async function open(outcome?: Outcome) {
    const kit = await openReception(() => (outcome === undefined ? {} : { outcome }));
    const { receiveAlerts } = kit;
    const app = await startApp({ gateway: { findWebhook: async () => webhook, receiveAlerts } });
    const key = { "x-api-key": "good" };
    const send = (body: string, headers: Record<string, string> = {}) =>
      app.request("POST", "/v1/webhooks/wh_1/test", { body, headers: { ...key, ...headers } });
    return { ...app, kit, send };
  }

  test.each(["application/json", "text/plain", "application/x-www-form-urlencoded"])(
    "takes a body declared as %s, as its sender would post it",
    async (type) => {
      const app = await open(TESTED);
      for (const body of [JSON.stringify(buyOne), "action=buy;symbol=ES1!;qty=1"]) {
        const reply = await app.send(body, { "content-type": type });
        expect(reply.body).toMatchObject({ outcome: "test", wouldDo: [] });
        expect(reply.status).toBe(200);
      }
      expect(app.kit.submissions).toMatchObject([
        { test: true, receivedAt: NOW, alert: { entry: { sender: "api", webhookId: "wh_1" } } },
        { test: true },
      ]);
    },
  );

  test("of an array tests each of its alerts", async () => {
    const app = await open(TESTED);
    const several = JSON.stringify([buyOne, { ...buyOne, symbol: "ZZZ" }]);
    const { status, body } = await app.send(several);
    expect(status).toBe(207);
    expect(body.alerts).toMatchObject([{ httpStatus: 200 }, { httpStatus: 400 }]);
  });

  test("that has no answer in time is a 202", async () => {
    const { status, body } = await (await open()).send(JSON.stringify(buyOne));
    expect([status, body.outcome]).toEqual([202, "pending"]);
  });

  test.each<[string, Outcome, number, string]>([
    [
      "the kill switch",
      { kind: "denied", code: "KILL_SWITCH_ON", reason: "x" },
      422,
      "KILL_SWITCH_ON",
    ],
    ["a broker that is away", { kind: "notSent", reason: "x" }, 503, "BROKER_UNAVAILABLE"],
  ])("is refused by %s as the alert would be", async (_, outcome, status, code) => {
    const reply = await (await open(outcome)).send(JSON.stringify(buyOne));
    expect([reply.status, reply.body.error.code]).toEqual([status, code]);
  });

  test.each([
    ["", "body"],
    ['{"action":"buy" "qty":1}', "body"],
    [JSON.stringify({ ...buyOne, qty: 0 }), "qty"],
  ])("of %j names what is wrong with it", async (text, path) => {
    const app = await open(TESTED);
    const { status, body } = await app.send(text);
    expect([status, body.error.details[0].path]).toEqual([400, path]);
    expect(app.kit.endings).toMatchObject([{ ending: { code: "VALIDATION_FAILED" } }]);
  });

  test("of a webhook that is not there is a 404", async () => {
    const app = await startApp({
      gateway: { findWebhook: () => Promise.reject(errors.notFound("webhook")) },
    });
    expect((await app.post("/v1/webhooks/wh_1/test", buyOne)).status).toBe(404);
  });
});
