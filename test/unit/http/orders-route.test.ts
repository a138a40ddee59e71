import { describe, expect, test } from "vitest";
import { orderId } from "../../../src/domain/ids.ts";
import type { Outcome } from "../../../src/domain/intent.ts";
import { errors } from "../../../src/errors.ts";
import { filled, settled, startApp } from "./http-kit.ts";

const ORDERS = "/v1/accounts/paper-1/orders";
const buyOne = { symbol: "ES1!", action: "buy", qty: 1 };

const placing = (outcome: Outcome) =>
  startApp({ gateway: { placeOrder: async () => settled(outcome) } });

describe("POST orders", () => {
  test("answers 201 with the order in the API's words", async () => {
    const app = await placing(filled);
    const { status, body, headers } = await app.post(ORDERS, buyOne);
    expect(status).toBe(201);
    expect(body).toEqual({
      orderId: "4000001",
      accountId: "paper-1",
      symbol: "ESZ6",
      status: "filled",
      filledQty: 1,
      averagePrice: 5000.25,
      bracket: null,
      intentId: "01J8ZK3V7M",
    });
    expect(headers.get("ratelimit")).toBe('"default";r=119;t=60');
    expect(headers.get("ratelimit-policy")).toBe('"default";q=120;w=60');
    expect(headers.get("x-ratelimit-limit")).toBe("120");
  });

  test("hands the use case the order in the domain's words", async () => {
    const app = await placing(filled);
    const bracket = { takeProfit: { ticks: 40 }, stopLoss: { price: 4995 } };
    await app.post("/api/v1/accounts/paper-1/orders", {
      ...buyOne,
      type: "stopLimit",
      limitPrice: 5000.25,
      stopPrice: 5000,
      timeInForce: "gtc",
      bracket,
    });
    const [caller, account, ticket, idempotency] = app.calls[0]?.args ?? [];
    expect(caller).toMatchObject({ userId: "u_1", credentialId: "key_1" });
    expect(account).toBe("paper-1");
    expect(ticket).toEqual({
      symbol: "ES1!",
      side: "BUY",
      orderQty: 1,
      ordType: "STOP_LIMIT",
      limitPrice: 5000.25,
      stopPrice: 5000,
      timeInForce: "GTC",
      bracket,
    });
    expect(idempotency).toBeUndefined();
  });

  test("a bracket of which only one leg was asked has null for the other", async () => {
    const { result } = filled;
    const order = { ...result.order, stopLossOrderId: orderId("4000003") };
    const app = await placing({ kind: "done", result: { ...result, order } });
    const { body } = await app.post(ORDERS, buyOne);
    expect(body.bracket).toEqual({ takeProfitOrderId: null, stopLossOrderId: "4000003" });
  });

  test("an ioc order that found nothing is a 201 that says canceled", async () => {
    const { result } = filled;
    const { avgPx: _, ...order } = { ...result.order, ordStatus: "CANCELED", cumQty: 0 } as const;
    const app = await placing({ kind: "done", result: { ...result, order } });
    const { status, body } = await app.post(ORDERS, { ...buyOne, timeInForce: "ioc" });
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: "canceled", filledQty: 0, averagePrice: null });
  });

  test.each([
    [{ kind: "denied", code: "LIMIT_EXCEEDED", reason: "too large" }, 422, "LIMIT_EXCEEDED"],
    [{ kind: "denied", code: "ACCOUNT_INACTIVE", reason: "x" }, 403, "ACCOUNT_INACTIVE"],
    [{ kind: "denied", code: "VALIDATION_FAILED", reason: "x" }, 400, "VALIDATION_FAILED"],
    [{ kind: "denied", code: "UNAUTHORIZED", reason: "revoked" }, 401, "UNAUTHORIZED"],
    [{ kind: "rejected", reason: "Risk limit" }, 502, "BROKER_ORDER_REJECTED"],
    [{ kind: "notSent", reason: "down" }, 503, "BROKER_UNAVAILABLE"],
    [{ kind: "lost", reason: "not found" }, 503, "BROKER_UNAVAILABLE"],
    [{ kind: "expired", reason: "late" }, 503, "INTENT_EXPIRED"],
    [{ kind: "withdrawn", reason: "late" }, 503, "INTENT_EXPIRED"],
    [{ kind: "overtaken", reason: "flattened" }, 409, "OVERTAKEN_BY_EXIT"],
    [{ kind: "unknown", reason: "timeout" }, 500, "OUTCOME_UNKNOWN"],
  ] satisfies [Outcome, number, string][])("%j has its own code", async (outcome, status, code) => {
    const app = await placing(outcome);
    const reply = await app.post(ORDERS, buyOne);
    expect(reply.status).toBe(status);
    expect(reply.body.error).toMatchObject({ code, intentId: "01J8ZK3V7M" });
    expect(app.seen).toContainEqual({
      name: "requestFinished",
      value: expect.objectContaining({
        route: "/v1/accounts/{id}/orders",
        method: "POST",
        status,
        errorCode: code,
        accountId: "paper-1",
        userId: "u_1",
      }),
    });
  });

  test("the broker's reason and the specification's words are passed on", async () => {
    const rejected = await (
      await placing({ kind: "rejected", reason: "Risk limit" })
    ).post(ORDERS, buyOne);
    expect(rejected.body.error.message).toContain("Risk limit");
    const denied = { kind: "denied", code: "ACCOUNT_INACTIVE", reason: "x" } as const;
    const inactive = await (await placing(denied)).post(ORDERS, buyOne);
    expect(inactive.body.error.message).toBe("Account is inactive");
  });
});

describe("Idempotency-Key", () => {
  test.each([filled, { kind: "rejected", reason: "no" }] satisfies Outcome[])(
    "a replay of %j is the first answer to the byte, and says so",
    async (outcome) => {
      let replayed = false;
      const app = await startApp({
        gateway: { placeOrder: async () => settled(outcome, undefined, replayed) },
      });
      const headers = { "idempotency-key": "order-1" };
      const first = await app.post(ORDERS, buyOne, headers);
      replayed = true;
      const second = await app.post(ORDERS, buyOne, headers);
      expect(second.text).toBe(first.text);
      expect(second.status).toBe(first.status);
      expect(first.headers.get("idempotency-replayed")).toBeNull();
      expect(second.headers.get("idempotency-replayed")).toBe("true");
    },
  );

  test("the key may be quoted, and the order of the body's fields does not matter", async () => {
    const app = await placing(filled);
    await app.post(ORDERS, buyOne, { "idempotency-key": "a-1" });
    await app.post(
      ORDERS,
      { qty: 1, action: "buy", symbol: "ES1!" },
      { "idempotency-key": '"a-1"' },
    );
    await app.post(ORDERS, { ...buyOne, qty: 2 }, { "idempotency-key": "a-1" });
    const [first, second, third] = app.calls.map(({ args }) => args[3]) as {
      key: string;
      fingerprint: string;
    }[];
    expect(first?.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(second).toEqual(first);
    expect(third?.key).toBe("a-1");
    expect(third?.fingerprint).not.toBe(first?.fingerprint);
  });

  test.each(["", '""', "a b", '"open', "x".repeat(256), "é"])("%j is refused", async (key) => {
    const app = await placing(filled);
    const { status, body } = await app.post(ORDERS, buyOne, { "idempotency-key": key });
    expect(status).toBe(400);
    expect(body.error.details[0].path).toBe("Idempotency-Key");
    expect(app.calls).toEqual([]);
  });
});

describe("DELETE an order", () => {
  const ORDER = `${ORDERS}/4000002`;
  const intent = { kind: "CANCEL", orderId: orderId("4000002") } as const;
  const canceling = (outcome: Outcome) =>
    startApp({ gateway: { cancelOrder: async () => settled(outcome, intent) } });

  test("names the leg that was placed again", async () => {
    const replacedLeg = { role: "STOP_LOSS", orderId: orderId("4000004") } as const;
    const result = { ...intent, replacedLeg };
    const app = await canceling({ kind: "done", result });
    const { status, body } = await app.send("DELETE", ORDER);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      orderId: "4000002",
      status: "canceled",
      replacedLeg: { role: "stopLoss", orderId: "4000004" },
    });
  });

  test("the broker's refusal is a 409", async () => {
    const app = await canceling({ kind: "rejected", reason: "already filled" });
    const { status, body } = await app.send("DELETE", ORDER);
    expect([status, body.error.code]).toEqual([409, "CANCEL_REJECTED"]);
  });

  test("a body is ignored", async () => {
    const app = await canceling({ kind: "done", result: intent });
    expect((await app.send("DELETE", ORDER, "not json")).status).toBe(200);
  });
});

test("a use case's own error is answered as it is", async () => {
  const app = await startApp({
    gateway: { placeOrder: () => Promise.reject(errors.unknownSymbol("ZZZ", "no such root")) },
  });
  const { status, body } = await app.post(ORDERS, { ...buyOne, symbol: "ZZZ" });
  expect([status, body.error.code]).toEqual([400, "UNKNOWN_SYMBOL"]);
  expect(body.error.message).toContain("ZZZ");
});
