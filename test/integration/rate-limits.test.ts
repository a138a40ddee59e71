// The goal: a key and a webhook get their 120 requests a minute exactly, and are told when to go on.
// The method: send more than that to the whole gateway at once and count the answers.
import { beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { call, postAlert } from "../support/http-client.ts";
import { waitUntil } from "../support/wait.ts";

const buy = { symbol: "ES1!", action: "buy", qty: 1 };

let gateway: TestGateway;

beforeAll(async () => {
  const asSpecified = { RATE_LIMIT_PER_MINUTE: "", WEBHOOK_RATE_LIMIT_PER_MINUTE: "" };
  // A lane of 120 orders is long on a busy machine, and none of them is to expire.
  const patient = { ENTRY_MAX_AGE_SECONDS: "600" };
  const held = { PAPER_ACCOUNTS: "1-5", DEFAULT_MAX_POSITION_QTY: "1000" };
  gateway = await startGateway({ settings: { ...held, ...asSpecified, ...patient } });
  return gateway.stop;
});

test("a key has exactly 120 requests in a minute", async () => {
  const { api } = await gateway.createKey("read");
  const replies = await Promise.all(Array.from({ length: 130 }, () => api.get("/v1/user")));
  const admitted = replies.filter(({ status }) => status === 200);
  const refused = replies.filter(({ status }) => status === 429);
  expect([admitted.length, refused.length]).toEqual([120, 10]);

  const remaining = admitted.map(({ headers }) => Number(headers.get("x-ratelimit-remaining")));
  expect(remaining.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 120 }, (_, n) => n));
  for (const { headers } of replies) {
    expect(headers.get("ratelimit-policy")).toBe('"default";q=120;w=60');
    expect(headers.get("ratelimit")).toMatch(/^"default";r=\d+;t=\d+$/);
    expect(headers.get("x-ratelimit-limit")).toBe("120");
  }
  for (const { headers, body } of refused) {
    const seconds = Number(headers.get("retry-after"));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(headers.get("x-ratelimit-reset")).toBe(String(seconds));
    expect([body.error.code, body.error.retry]).toEqual(["RATE_LIMITED", "safe"]);
  }
});

test("refusals count too, and other keys have their own minute", async () => {
  const { api } = await gateway.createKey("read");
  const refused = await Promise.all(
    Array.from({ length: 120 }, (_, n) =>
      n % 2 === 0
        ? api.delete("/v1/accounts/paper-1/positions")
        : api.get("/v1/accounts/nobody/positions"),
    ),
  );
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([403, 404]));
  expect((await api.get("/v1/user")).status).toBe(429);
  expect((await gateway.api.get("/v1/user")).status).toBe(200);
});

test("an order over the limit is not placed", async () => {
  const { api } = await gateway.createKey("trade");
  const path = "/v1/accounts/paper-2/orders";
  const order = { symbol: "ES1!", action: "buy", qty: 1, type: "limit", limitPrice: 6000 };
  const replies = await Promise.all(Array.from({ length: 125 }, () => api.post(path, order)));

  const placed = replies.filter(({ status }) => status === 201);
  expect(placed.length).toBeLessThanOrEqual(120);
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(5);
  // On a busy machine some were sent and not answered in time.
  const unsure = replies.filter(({ status }) => status === 500);
  const { length } = await gateway.broker.working("paper-2");
  expect(length).toBeGreaterThanOrEqual(placed.length);
  expect(length).toBeLessThanOrEqual(placed.length + unsure.length);
});

test("a webhook has exactly 120 alerts in a minute, apart from every key", async () => {
  const { url } = await gateway.createWebhook("paper-3");
  const alert = { action: "sell", symbol: "ES1!", qty: 1, type: "limit", limitPrice: 9000 };
  const replies = await Promise.all(
    Array.from({ length: 125 }, (_, n) => postAlert(url, { ...alert, comment: `alert ${n}` })),
  );
  const limited = replies.filter(({ status }) => status === 429);

  expect(limited).toHaveLength(5);
  for (const { headers, body } of limited) {
    expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(body.error.code).toBe("RATE_LIMITED");
  }
  // On a busy machine some are answered before they are done.
  const accepted = replies.filter(({ status }) => status === 200 || status === 202);
  await waitUntil(
    "all are placed",
    async () => (await gateway.broker.working("paper-3")).length === accepted.length,
  );
});

test("what needs no key has no limit", async () => {
  const replies = await Promise.all(
    Array.from({ length: 150 }, () => call(gateway.url, "GET", "/healthz")),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
});

test("whoever has read too often can still leave, protect and stop, and nothing else", async () => {
  const { api } = await gateway.createKey("read", "trade");
  const account = "/v1/accounts/paper-4";
  expect((await api.post(`${account}/orders`, { ...buy, qty: 2 })).status).toBe(201);
  const entry = { ...buy, type: "limit", limitPrice: 6000 };
  const { orderId } = (await api.post(`${account}/orders`, entry)).body;
  await Promise.all(Array.from({ length: 130 }, () => api.get("/v1/user")));

  const stop = { stopLoss: { ticks: 40 } };
  expect((await api.post(`${account}/protect`, stop)).status).toBe(200);
  const gone = await api.delete(`${account}/orders/${orderId}`);
  expect([gone.status, gone.headers.get("x-ratelimit-remaining")]).toEqual([200, "0"]);
  expect((await api.delete(`${account}/positions`)).status).toBe(200);
  const switched = { accountId: "paper-4", active: true };
  expect((await api.put("/v1/kill-switch", switched)).status).toBe(200);
  expect(await gateway.broker.positions("paper-4")).toEqual({});

  const refused = await Promise.all([
    api.put("/v1/kill-switch", { ...switched, active: false }),
    api.put("/v1/kill-switch", {}),
    api.post(`${account}/orders`, buy),
    api.get(`${account}/positions`),
  ]);
  expect(refused.map(({ status }) => status)).toEqual([429, 429, 429, 429]);
});

test("a webhook that was flooded with entries still closes", async () => {
  const { url } = await gateway.createWebhook("paper-5");
  const alert = { action: "sell", symbol: "ES1!", qty: 1, type: "limit", limitPrice: 9000 };
  expect((await postAlert(url, { action: "buy", symbol: "ES1!", qty: 1 })).status).toBe(200);
  await Promise.all(
    Array.from({ length: 125 }, (_, n) => postAlert(url, { ...alert, comment: `alert ${n}` })),
  );

  expect((await postAlert(url, { action: "buy", symbol: "ES1!", qty: 1 })).status).toBe(429);
  expect((await postAlert(url, "neither one nor the other")).status).toBe(429);
  // Of one message with both, its sender sends nothing again: the exit goes.
  const protect = { action: "protect", symbol: "ES1!", stopLoss: { ticks: 40 } };
  const mixed = await postAlert(url, [{ action: "buy", symbol: "ES1!", qty: 1 }, protect]);
  expect(mixed.status).toBe(207);
  const [entry, exit] = mixed.body.alerts;
  expect([entry.httpStatus, entry.error.code]).toEqual([429, "RATE_LIMITED"]);
  expect([200, 202]).toContain(exit.httpStatus);
  expect([200, 202]).toContain((await postAlert(url, { action: "close" })).status);
  await waitUntil(
    "the position is closed",
    async () => Object.keys(await gateway.broker.positions("paper-5")).length === 0,
  );
});
