// The goal: a program written against the generated types gets what they promise.
// The method: openapi-fetch with the types that the build writes, against the whole gateway on paper.
import createClient from "openapi-fetch";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { paths } from "../../src/console/api/schema.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { call, postAlert } from "../support/http-client.ts";

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const client = (key = gateway.key) =>
  createClient<paths>({ baseUrl: gateway.url, headers: { "X-API-Key": key } });

test("an order is placed, read and cancelled", async () => {
  const { GET, POST, DELETE } = client();
  const { data: list } = await GET("/v1/accounts");
  const id = list?.accounts[0]?.id ?? "";
  expect(id).toBe("paper-1");

  const placed = await POST("/v1/accounts/{id}/orders", {
    params: { path: { id }, header: { "Idempotency-Key": "first" } },
    body: { symbol: "ES1!", action: "buy", qty: 1, type: "limit", limitPrice: 100 },
  });
  expect(placed.response.status).toBe(201);
  const orderId = placed.data?.orderId ?? "";

  const working = await GET("/v1/accounts/{id}/working-orders", { params: { path: { id } } });
  expect(working.data?.orders.map((order) => order.orderId)).toEqual([orderId]);

  const path = { id, orderId };
  const canceled = await DELETE("/v1/accounts/{id}/orders/{orderId}", { params: { path } });
  expect(canceled.error).toBeUndefined();
});

test("a refusal says by its code what is wrong, and what to do next", async () => {
  const { POST } = client();
  const { data, error, response } = await POST("/v1/accounts/{id}/orders", {
    params: { path: { id: "paper-1" } },
    body: { symbol: "NOSUCH", action: "buy", qty: 1 },
  });
  expect(data).toBeUndefined();
  expect(response.status).toBe(400);
  expect(error?.error.code).toBe("UNKNOWN_SYMBOL");
  expect(error?.error.retry).toBe("never");

  const stranger = await client("gwk_nobody").GET("/v1/overview");
  expect(stranger.error?.error.code).toBe("UNAUTHORIZED");
});

test("a webhook is created, used and listed", async () => {
  const { GET, POST } = client();
  const { data: created } = await POST("/v1/webhooks", {
    body: { accountId: "paper-1", name: "Breakout" },
  });
  expect((await postAlert(created?.url ?? "", { action: "flatten" })).status).toBe(200);
  const { data: list } = await GET("/v1/webhooks");
  const found = list?.webhooks.find(({ id }) => id === created?.id);
  expect(found?.name).toBe("Breakout");
});

test("the brokers say what a connection to them asks for", async () => {
  const { data } = await client().GET("/v1/brokers");
  const tradovate = data?.brokers.find(({ broker }) => broker === "tradovate");
  expect(tradovate).toMatchObject({ label: "Tradovate", environments: ["demo", "live"] });
  const fields = new Map(tradovate?.fields.map((field) => [field.name, field]));
  expect(fields.get("password")).toMatchObject({ secret: true, required: true, type: "text" });
  expect(fields.get("appVersion")).toMatchObject({ required: false, default: "1.0" });
  expect(fields.has("environment")).toBe(false);
});

test("what the document says of the overview is what it answers", async () => {
  const { data } = await client().GET("/v1/overview");
  expect(data?.alerts.minutes).toHaveLength(60);
  const answer = await call(gateway.url, "GET", "/v1/overview");
  expect(answer.status).toBe(401);
});
