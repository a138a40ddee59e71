import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { intentId } from "../../../src/domain/ids.ts";
import type { Outcome } from "../../../src/domain/intent.ts";
import { errors, GatewayError } from "../../../src/errors.ts";
import {
  admitted,
  filled,
  flattened,
  flattenIntent,
  NOW,
  QUOTA,
  settled,
  startApp,
  webhook,
} from "./http-kit.ts";

const buyOne = { action: "buy", symbol: "ES1!", qty: 1 };
const INTENT = intentId("01J8ZK3V7M");

const ending = (outcome: Outcome, intent?: Parameters<typeof settled>[1], replayed?: boolean) =>
  startApp({
    gateway: {
      handleAlert: async () => ({ intentId: INTENT, settled: settled(outcome, intent, replayed) }),
    },
  });

describe("POST /hooks/{token}", () => {
  test("answers an order that is done", async () => {
    const app = await ending(filled);
    const { status, body } = await app.alert(buyOne);
    expect(status).toBe(200);
    expect(body).toEqual({
      alertId: INTENT,
      intentId: INTENT,
      outcome: "done",
      accountId: "paper-1",
      symbol: "ESZ6",
      action: "buy",
      orderId: "4000001",
      status: "filled",
      filledQty: 1,
      averagePrice: 5000.25,
      bracket: null,
    });
    expect(app.calls[0]?.args).toEqual([
      webhook,
      {
        kind: "order",
        ticket: {
          symbol: "ES1!",
          side: "BUY",
          orderQty: 1,
          ordType: "MARKET",
          timeInForce: "DAY",
        },
      },
      { receivedAt: NOW, requestId: expect.any(String) as string },
    ]);
  });

  test("answers a flatten that is done", async () => {
    const app = await ending(flattened, flattenIntent);
    const { status, body } = await app.alert({ action: "exit", symbol: "ES" });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      outcome: "done",
      accountId: "paper-1",
      closed: [{ symbol: "ESZ6", qty: 2, side: "short", orderId: "4000009" }],
      canceledOrders: ["4000002"],
      remaining: [],
    });
    expect(app.calls[0]?.args[1]).toEqual({ kind: "flatten", symbol: "ES" });
  });

  test("a duplicate is marked", async () => {
    const app = await ending(filled, undefined, true);
    expect((await app.alert(buyOne)).body.duplicate).toBe(true);
    const refused = await ending({ kind: "rejected", reason: "no" }, undefined, true);
    expect((await refused.alert(buyOne)).body.error.duplicate).toBe(true);
  });

  test("answers 202 while nothing is known", async () => {
    const app = await startApp({ gateway: { handleAlert: async () => ({ intentId: INTENT }) } });
    const { status, body } = await app.alert(buyOne);
    expect(status).toBe(202);
    expect(body).toEqual({ alertId: INTENT, intentId: INTENT, outcome: "pending" });
  });

  test("an unknown outcome is no error to a sender that would send again", async () => {
    const { status, body } = await (await ending({ kind: "unknown", reason: "x" })).alert(buyOne);
    expect([status, body.outcome]).toEqual([202, "unknown"]);
  });

  test.each([
    [{ kind: "rejected", reason: "Risk limit" }, 422, "BROKER_ORDER_REJECTED"],
    [{ kind: "denied", code: "LIMIT_EXCEEDED", reason: "x" }, 422, "LIMIT_EXCEEDED"],
    [{ kind: "denied", code: "SYMBOL_MISMATCH", reason: "x" }, 409, "SYMBOL_MISMATCH"],
    [{ kind: "denied", code: "ACCOUNT_INACTIVE", reason: "x" }, 403, "ACCOUNT_INACTIVE"],
    [{ kind: "notSent", reason: "x" }, 503, "BROKER_UNAVAILABLE"],
    [{ kind: "expired", reason: "x" }, 503, "INTENT_EXPIRED"],
    [{ kind: "withdrawn", reason: "x" }, 503, "INTENT_EXPIRED"],
  ] satisfies [Outcome, number, string][])("%j", async (outcome, status, code) => {
    const reply = await (await ending(outcome)).alert(buyOne);
    expect([reply.status, reply.body.error.code]).toEqual([status, code]);
    expect(reply.body.error.alertId).toBe(INTENT);
  });

  test.each([
    [errors.unknownSymbol("ZZZ", "no root"), 400, "UNKNOWN_SYMBOL"],
    [errors.storeUnavailable(new Error("x")), 503, "STORE_UNAVAILABLE"],
    [new GatewayError("ACCEPTANCE_UNKNOWN", "x"), 504, "ACCEPTANCE_UNKNOWN"],
    [new GatewayError("OUTCOME_UNKNOWN", "x"), 504, "ACCEPTANCE_UNKNOWN"],
    [new GatewayError("BROKER_ORDER_REJECTED", "x"), 422, "BROKER_ORDER_REJECTED"],
    [new Error("secret detail"), 504, "ACCEPTANCE_UNKNOWN"],
  ])("%s thrown", async (error, status, code) => {
    const app = await startApp({ gateway: { handleAlert: () => Promise.reject(error) } });
    const reply = await app.alert(buyOne);
    expect([reply.status, reply.body.error.code]).toEqual([status, code]);
  });

  test("every bad token gets the same 404, a revoked one too", async () => {
    const app = await ending({ kind: "denied", code: "UNAUTHORIZED", reason: "revoked" });
    const headers = { "x-request-id": "first-request" };
    const init = { headers, body: JSON.stringify(buyOne) };
    const unknown = await app.request("POST", "/hooks/wrong", init);
    const absurd = await app.request("POST", `/hooks/${"a%20".repeat(200)}`, init);
    const revoked = await app.alert(buyOne, headers);
    expect(unknown.status).toBe(404);
    expect([absurd.text, revoked.text]).toEqual([unknown.text, unknown.text]);
    expect(app.seen).toContainEqual({ name: "authFailed", value: "tokenUnknown" });
  });

  test("a paused webhook is a 403, before its body is looked at", async () => {
    const app = await startApp({
      admitWebhook: async () => admitted({ ...webhook, paused: true }),
    });
    const { status, body } = await app.alert("nonsense");
    expect([status, body.error.code]).toEqual([403, "WEBHOOK_PAUSED"]);
  });

  test("too many alerts are a 429 with Retry-After", async () => {
    const app = await startApp({
      admitWebhook: async () => ({
        kind: "limited",
        credential: webhook,
        quota: { ...QUOTA, remaining: 0, resetSeconds: 2.2 },
      }),
    });
    const { status, headers } = await app.alert(buyOne);
    expect([status, headers.get("retry-after")]).toEqual([429, "3"]);
  });

  test("any content type, a byte order mark and surrounding space are fine", async () => {
    const app = await ending(filled);
    const text = `\ufeff \n${JSON.stringify(buyOne)}\r\n`;
    for (const type of ["text/plain", "application/json", "application/xml"]) {
      expect((await app.alert(text, { "content-type": type })).status).toBe(200);
    }
  });

  test("buy without symbol and qty names both", async () => {
    const app = await startApp();
    const { status, body } = await app.alert({ action: "BUY" });
    expect(status).toBe(400);
    expect(body.error.details).toEqual([
      { path: "symbol", message: "is needed" },
      { path: "qty", message: "is needed" },
    ]);
    expect(app.calls).toEqual([]);
  });

  test("what is told of a request never holds its token", async () => {
    const app = await startApp({ gateway: { handleAlert: () => Promise.reject(new Error("x")) } });
    const texts = [
      await app.alert(buyOne),
      await app.alert("{"),
      await app.send("GET", "/hooks/token"),
    ];
    expect(texts.map(({ text }) => text).join()).not.toContain("/hooks");
    expect(JSON.stringify(app.seen)).not.toContain("/hooks/token");
    expect(texts.map(({ status }) => status)).toEqual([504, 400, 405]);
  });

  test("no alert whatever makes a 5xx or an answer that is not JSON", async () => {
    const app = await ending(filled);
    const field = fc.oneof(fc.anything(), fc.constantFrom("buy", "1", 1, "{{plot_0}}"));
    const alert = fc.record(
      {
        action: fc.constantFrom("buy", "SELL", "exit"),
        symbol: field,
        qty: field,
        type: field,
        stopLoss: field,
        bracket: field,
      },
      { requiredKeys: [] },
    );
    const bodies = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.json(),
      alert.map((value) =>
        JSON.stringify(value, (_, v: unknown) => (typeof v === "bigint" ? String(v) : v)),
      ),
    );
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const { status, text } = await app.alert(body);
        expect([text, status === 200 || status === 400]).toEqual([text, true]);
      }),
      { numRuns: 200 },
    );
  }, 30_000);
});
