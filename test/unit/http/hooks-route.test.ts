import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Outcome } from "../../../src/domain/intent.ts";
import { errors, GatewayError } from "../../../src/errors.ts";
import { type Ending, openReception } from "../trading/alerts/alerts-kit.ts";
import { admitted, filled, flattened, NOW, QUOTA, startApp, webhook } from "./http-kit.ts";
import { ANY_CHARACTER } from "../../support/any-character.ts";

const buyOne = { action: "buy", symbol: "ES1!", qty: 1 };

/** The real reading, refusing and answering in front of a scripted lane. */
async function open(
  script: Ending | ((place: number) => Ending) = {},
  more: Parameters<typeof startApp>[0] = {},
) {
  const kit = await openReception(typeof script === "function" ? script : () => script);
  const app = await startApp({ gateway: { receiveAlerts: kit.receiveAlerts }, ...more });
  return { ...app, kit };
}

const ending = async (outcome: Outcome) => await open({ outcome });

describe("POST /hooks/{token}", () => {
  test("answers an order that is done", async () => {
    const app = await ending(filled);
    const { status, body } = await app.alert(buyOne);
    expect(status).toBe(200);
    expect(body).toEqual({
      alertId: "a1",
      intentId: "a1",
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
    expect(app.kit.submissions).toMatchObject([
      {
        receivedAt: NOW,
        source: { kind: "webhook", credentialId: "wh_1" },
        intent: {
          kind: "PLACE",
          order: { contract: "ESZ2026", side: "BUY", orderQty: 1, ordType: "MARKET" },
        },
        alert: { entry: { sender: expect.stringMatching(/^127\.0\.0\.1$|^::1$/) } },
      },
    ]);
  });

  test("answers a flatten that is done", async () => {
    const app = await ending(flattened);
    const { status, body } = await app.alert({ action: "exit", symbol: "ES" });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      outcome: "done",
      accountId: "paper-1",
      closed: [{ symbol: "ESZ6", qty: 2, side: "short", orderId: "4000009" }],
      canceledOrders: ["4000002"],
      remaining: [],
    });
    expect(app.kit.submissions[0]?.intent).toEqual({
      kind: "FLATTEN",
      mustHold: "ES",
      cancelResting: true,
    });
  });

  test("a duplicate is answered as the first one, and marked", async () => {
    const { body } = await (await open({ outcome: filled, of: "first" })).alert(buyOne);
    expect(body).toMatchObject({ alertId: "first", duplicate: true });
    const rejected: Outcome = { kind: "rejected", reason: "no" };
    const refused = await (await open({ outcome: rejected, of: "first" })).alert(buyOne);
    expect(refused.body.error).toMatchObject({ alertId: "first", duplicate: true });
  });

  test("answers 202 while nothing is known", async () => {
    const { status, body } = await (await open()).alert(buyOne);
    expect(status).toBe(202);
    expect(body).toEqual({ alertId: "a1", intentId: "a1", outcome: "pending" });
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
    expect(reply.body.error.alertId).toBe("a1");
  });

  test.each([
    [errors.unknownSymbol("ZZZ", "no root"), 400, "UNKNOWN_SYMBOL"],
    [errors.storeUnavailable(new Error("x")), 503, "STORE_UNAVAILABLE"],
    [new GatewayError("ACCEPTANCE_UNKNOWN", "x"), 504, "ACCEPTANCE_UNKNOWN"],
    [new GatewayError("OUTCOME_UNKNOWN", "x"), 504, "ACCEPTANCE_UNKNOWN"],
    [new GatewayError("BROKER_ORDER_REJECTED", "x"), 422, "BROKER_ORDER_REJECTED"],
    [new Error("secret detail"), 504, "ACCEPTANCE_UNKNOWN"],
  ])("%s thrown", async (error, status, code) => {
    const app = await open({ error });
    const reply = await app.alert(buyOne);
    expect([reply.status, reply.body.error.code]).toEqual([status, code]);
    expect(app.kit.endings.length).toBe(1);
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
    const admitWebhook = async () => admitted({ ...webhook, paused: true });
    const app = await open({}, { admitWebhook });
    const { status, body } = await app.alert("nonsense");
    expect([status, body.error.code]).toEqual([403, "WEBHOOK_PAUSED"]);
  });

  test("too many alerts are a 429 with Retry-After", async () => {
    const admitWebhook = async () => ({
      kind: "limited" as const,
      now: NOW,
      credential: webhook,
      quota: { ...QUOTA, remaining: 0, resetSeconds: 2.2 },
    });
    const app = await open({}, { admitWebhook });
    const { status, headers } = await app.alert(buyOne);
    expect([status, headers.get("retry-after")]).toEqual([429, "3"]);
    expect(app.kit.endings).toMatchObject([{ ending: { code: "RATE_LIMITED" } }]);
  });

  test("any content type, a byte order mark and surrounding space are fine", async () => {
    const app = await ending(filled);
    const text = `\ufeff \n${JSON.stringify(buyOne)}\r\n`;
    for (const type of ["text/plain", "application/json", "application/xml"]) {
      expect((await app.alert(text, { "content-type": type })).status).toBe(200);
    }
  });

  test("buy without symbol and qty names both", async () => {
    const app = await open();
    const { status, body } = await app.alert({ action: "BUY" });
    expect(status).toBe(400);
    expect(body.error.details).toEqual([
      { path: "symbol", message: "is needed" },
      { path: "qty", message: "is needed" },
    ]);
    expect(app.kit.submissions).toEqual([]);
  });

  test("a sender from elsewhere is a 403, and stands in the log with its address", async () => {
    const options = { allowedSenders: ["192.0.2.0/24"] };
    const admitWebhook = async () => admitted({ ...webhook, options });
    const app = await open({}, { admitWebhook });
    const { status, body } = await app.alert(buyOne);
    expect([status, body.error.code]).toEqual([403, "SENDER_NOT_ALLOWED"]);
    expect(app.kit.endings).toMatchObject([{ ending: { code: "SENDER_NOT_ALLOWED" } }]);
    expect(app.kit.submissions).toEqual([]);
  });

  test.each([
    ["too long", "x".repeat(64 * 1024 + 1), 65_537, "64 KiB"],
    ["not UTF-8", Buffer.from([0x7b, 0xff]), 2, "UTF-8"],
  ])("a body that is %s is a 400 that stands in the log", async (_, text, __, said) => {
    const app = await open();
    const { status, body } = await app.alert(text);
    expect([status, body.error.details[0].message]).toEqual([400, expect.stringContaining(said)]);
    expect(app.kit.endings).toMatchObject([{ ending: { code: "VALIDATION_FAILED" } }]);
  });

  test("a placeholder that was not filled in has a code of its own", async () => {
    const app = await open();
    const { status, body } = await app.alert({ ...buyOne, qty: "{{strategy.order.contracts}}" });
    expect([status, body.error.code]).toEqual([400, "UNRESOLVED_PLACEHOLDER"]);
    expect(body.error.message).toContain("{{strategy.order.contracts}}");
  });

  test("an array is answered with one answer for each of its alerts", async () => {
    const app = await open((place) => (place === 0 ? { outcome: filled } : {}));
    const { status, body } = await app.alert([buyOne, buyOne, { ...buyOne, symbol: "ZZZ" }]);
    expect(status).toBe(207);
    expect(body).toMatchObject({
      alerts: [
        { httpStatus: 200, alertId: "00", outcome: "done" },
        { httpStatus: 202, alertId: "01", outcome: "pending" },
        { httpStatus: 400, error: { code: "UNKNOWN_SYMBOL", alertId: "02" } },
      ],
    });
  });

  test("what is told of a request never holds its token", async () => {
    const app = await open({ error: new Error("x") });
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
    const app = await open();
    const field = fc.oneof(fc.anything(), fc.constantFrom("buy", "1", 1, "{{plot_0}}"));
    const alert = fc.record(
      {
        action: fc.constantFrom("buy", "SELL", "exit", "reduce", "protect"),
        symbol: field,
        qty: field,
        type: field,
        stopLoss: field,
        bracket: field,
      },
      { requiredKeys: [] },
    );
    const bodies = fc.oneof(
      fc.string({ unit: ANY_CHARACTER }),
      fc.json(),
      alert.map((value) =>
        JSON.stringify(value, (_, v: unknown) => (typeof v === "bigint" ? String(v) : v)),
      ),
    );
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const { status, text } = await app.alert(body);
        expect([text, status === 202 || status === 400]).toEqual([text, true]);
      }),
      { numRuns: 200 },
    );
  });
});
