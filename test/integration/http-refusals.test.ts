// The goal: whoever may not do a thing, or names what is not there, is told so, and nothing happens.
// The method: ask every endpoint of the whole gateway with every kind of wrong credentials and ids.
import { beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { type ApiClient, call } from "../support/http-client.ts";

let gateway: TestGateway;
let readOnly: ApiClient;
let tradeOnly: ApiClient;

beforeAll(async () => {
  gateway = await startGateway();
  readOnly = (await gateway.createKey("read")).api;
  tradeOnly = (await gateway.createKey("trade")).api;
  return gateway.stop;
});

const ORDER = { symbol: "ES1!", action: "buy", qty: 1 };

type Endpoint = [method: string, path: string, scope: "read" | "trade", body?: object];

/** Every endpoint that asks for a key: method, path, the scope it needs, and a body that is right. */
const ENDPOINTS: readonly Endpoint[] = [
  ["GET", "/v1/accounts", "read"],
  ["GET", "/v1/user", "read"],
  ["GET", "/v1/kill-switch", "read"],
  ["PUT", "/v1/kill-switch", "trade", { active: false }],
  ["GET", "/v1/webhooks", "read"],
  ["POST", "/v1/webhooks", "trade", { accountId: "paper-1" }],
  ["GET", "/v1/accounts/paper-1/positions", "read"],
  ["DELETE", "/v1/accounts/paper-1/positions", "trade"],
  ["GET", "/v1/accounts/paper-1/orders", "read"],
  ["POST", "/v1/accounts/paper-1/orders", "trade", ORDER],
  ["DELETE", "/v1/accounts/paper-1/orders/1", "trade"],
  ["GET", "/v1/accounts/paper-1/working-orders", "read"],
  ["POST", "/v1/accounts/paper-1/protect", "trade", { stopLoss: { ticks: 10 } }],
  ["GET", "/v1/accounts/paper-1/limits", "read"],
  ["PUT", "/v1/accounts/paper-1/limits", "trade", { maxOrderQty: 50 }],
  ["GET", "/v1/accounts/paper-1/intents", "read"],
  ["GET", "/v1/accounts/paper-1/intents/i1", "read"],
  ["GET", "/v1/webhooks/hook_1", "read"],
  ["PATCH", "/v1/webhooks/hook_1", "trade", { name: "New" }],
  ["DELETE", "/v1/webhooks/hook_1", "trade"],
];

async function ask(method: string, path: string, key: string | undefined, body?: object) {
  return await call(gateway.url, method, path, {
    headers: key === undefined ? {} : { "x-api-key": key },
    ...(body !== undefined && { body }),
  });
}

/** Nothing was written for any account and nothing reached the broker. */
async function expectNothingDone(): Promise<void> {
  expect(await gateway.redis.keys("gw:{paper-*}:intent:*")).toEqual([]);
  for (const account of ["paper-1", "paper-2"]) {
    expect(await gateway.broker.positions(account)).toEqual({});
    expect(await gateway.broker.working(account)).toEqual([]);
  }
}

describe.each(ENDPOINTS)("%s %s", (method, path, scope, body) => {
  test.each([
    ["without a key", undefined],
    ["with an empty key", ""],
    ["with a key that nobody has", `gwk_${"A".repeat(43)}`],
    ["with what can be no key", "' OR 1=1 --"],
  ])("%s is a 401", async (_, key) => {
    const reply = await ask(method, path, key, body);
    expect([reply.status, reply.body.error.code]).toEqual([401, "UNAUTHORIZED"]);
    expect(reply.headers.get("www-authenticate")).toBe('ApiKey header="X-API-Key"');
    expect(reply.body.error.requestId).toBe(reply.headers.get("x-request-id"));
  });

  test(`needs the scope ${scope}`, async () => {
    const wrong = await gateway.createKey(scope === "read" ? "trade" : "read");
    const reply = await ask(method, path, wrong.secret, body);
    expect([reply.status, reply.body.error.code]).toEqual([403, "INSUFFICIENT_SCOPE"]);
    expect(reply.body.error.message).toContain(scope);
    await expectNothingDone();
  });
});

test.each(ENDPOINTS.filter(([, path]) => path.includes("paper-1")))(
  "%s %s of an account that is nobody's is a 404",
  async (method, path, _, body) => {
    for (const id of ["paper-3", "other-1", "a%20b", "x".repeat(65)]) {
      const reply = await ask(method, path.replace("paper-1", id), gateway.key, body);
      expect([reply.status, reply.body.error.code]).toEqual([404, "NOT_FOUND"]);
    }
    await expectNothingDone();
  },
);

test.each([
  ["GET", "/v1/accounts/paper-1/intents/i1", undefined],
  ["GET", "/v1/webhooks/hook_1", undefined],
  ["PATCH", "/v1/webhooks/hook_1", { name: "New" }],
  ["DELETE", "/v1/webhooks/hook_1", undefined],
  ["POST", "/v1/webhooks", { accountId: "paper-3" }],
  ["PUT", "/v1/kill-switch", { active: true, accountId: "paper-3" }],
  ["GET", "/v1/nothing", undefined],
  ["GET", "/v2/accounts", undefined],
  ["GET", "/nothing", undefined],
])("%s %s names nothing that there is: 404", async (method, path, body) => {
  const reply = await ask(method, path, gateway.key, body);
  expect([reply.status, reply.body.error.code]).toEqual([404, "NOT_FOUND"]);
  expect((await gateway.api.get("/v1/kill-switch")).body.accounts).toEqual([]);
});

test.each([
  ["PUT", "/v1/accounts", "GET"],
  ["DELETE", "/v1/accounts/paper-1/protect", "POST"],
  ["PATCH", "/v1/accounts/paper-1/orders", "GET"],
  ["POST", "/v1/user", "GET"],
  ["POST", "/healthz", "GET"],
  ["GET", "/hooks/token", "POST"],
])("%s %s is a method that the path does not have: 405", async (method, path, allowed) => {
  const reply = await ask(method, path, gateway.key);
  expect([reply.status, reply.body.error.code]).toEqual([405, "METHOD_NOT_ALLOWED"]);
  expect(reply.headers.get("allow")).toContain(allowed);
});

test("each scope opens its own half only", async () => {
  expect((await readOnly.get("/v1/accounts")).status).toBe(200);
  expect((await tradeOnly.get("/v1/accounts")).status).toBe(403);
  expect((await tradeOnly.delete("/v1/accounts/paper-2/positions")).status).toBe(200);
  expect((await readOnly.delete("/v1/accounts/paper-2/positions")).status).toBe(403);
});

test("a protection without a position, or with one of several unnamed, is refused", async () => {
  const path = "/v1/accounts/paper-1/protect";
  const none = await gateway.api.post(path, { stopLoss: { ticks: 10 } });
  expect([none.status, none.body.error.code]).toEqual([409, "NO_POSITION"]);

  await gateway.api.post("/v1/accounts/paper-1/orders", ORDER);
  const other = await gateway.api.post(path, { symbol: "MNQ1!", stopLoss: { ticks: 10 } });
  expect([other.status, other.body.error.code]).toEqual([409, "NO_POSITION"]);

  await gateway.api.post("/v1/accounts/paper-1/orders", { ...ORDER, symbol: "MNQ" });
  const unnamed = await gateway.api.post(path, { stopLoss: { ticks: 10 } });
  expect([unnamed.status, unnamed.body.error.details[0].path]).toEqual([400, "symbol"]);
  expect(await gateway.broker.working("paper-1")).toEqual([]);
});

test("an account's id is logged once it is known whose it is", async () => {
  const path = "/v1/accounts/hunter2-short-secret/positions";
  expect((await ask("GET", path, undefined)).status).toBe(401);
  expect(gateway.log.join("")).not.toContain("hunter2-short-secret");
});

test("a webhook's token opens nothing of the API, and a key is no token", async () => {
  const token = gateway.webhook.split("/").at(-1) ?? "";
  expect((await ask("GET", "/v1/accounts", token)).status).toBe(401);
  expect((await call(gateway.url, "POST", `/hooks/${gateway.key}`, { body: ORDER })).status).toBe(
    404,
  );
});
