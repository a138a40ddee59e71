import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { WEBHOOK_OPTIONS } from "../../../src/domain/declared/webhook-options.ts";
import { errors, GatewayError } from "../../../src/errors.ts";
import { ACCOUNT, filled, routes, settled, startApp } from "./http-kit.ts";
import { ANY_CHARACTER } from "../../support/any-character.ts";

const ORDERS = "/v1/accounts/paper-1/orders";
const buyOne = { symbol: "ES1!", action: "buy", qty: 1 };

async function problemsOf(body: unknown, path = ORDERS) {
  const app = await startApp();
  const reply = await app.post(path, body);
  expect([reply.status, reply.body.error.code]).toEqual([400, "VALIDATION_FAILED"]);
  expect(app.calls).toEqual([]);
  const details = reply.body.error.details as { path: string; message: string }[];
  return Object.fromEntries(details.map(({ path: where, message }) => [where, message]));
}

describe("a body that is no order", () => {
  test.each([
    ["", { body: "is empty" }],
    ["{", { body: "is not valid JSON: it ends too early, at line 1, column 2" }],
    ["{}}", { body: 'is not valid JSON: unexpected "}", at line 1, column 3' }],
    ['{\n"qty": NaN}', { body: 'is not valid JSON: unexpected "NaN", at line 2, column 8' }],
    ["action=buy", { body: 'is not valid JSON: unexpected "action", at line 1, column 1' }],
    ["[]", { body: "must be an object" }],
    ["null", { body: "must be an object" }],
    ["17", { body: "must be an object" }],
    [Buffer.from([0x7b, 0xff, 0x7d]), { body: "is not UTF-8 text" }],
  ])("%j", async (body, expected) => {
    expect(await problemsOf(body)).toEqual(expected);
  });

  test("names everything that is wrong at once", async () => {
    const bracket = { takeProfit: { price: 1, ticks: 2 }, stopLoss: {}, extra: 1 };
    const bad = { action: "hold", qty: "1", type: 5, limitPrice: "5", size: 3, bracket };
    expect(await problemsOf(bad)).toEqual({
      symbol: "is needed",
      action: "must be one of buy, sell",
      qty: "must be a whole number, not text",
      type: "must be one of market, limit, stop, stopLimit, trailingStop",
      limitPrice: "must be a number, not text",
      size: "must be an object",
      "bracket.extra": "is not a known field",
      "bracket.takeProfit": "needs exactly one of price, ticks and offset",
      "bracket.stopLoss": "needs at least one of price, ticks and offset",
    });
  });

  test.each([
    [0, "must be at least 1"],
    [-1, "must be at least 1"],
    [1.5, "must be a whole number"],
    [1e9, "must be at most 10000"],
    [null, "must be a whole number"],
    [true, "must be a whole number"],
  ])("qty %j", async (qty, message) => {
    expect(await problemsOf({ ...buyOne, qty })).toEqual({ qty: message });
  });

  test("a field given twice, a prototype and an overflow are named beside the rest", async () => {
    const text = `{"symbol":"ES","qty":1,"qty":2,"__proto__":{"x":1},"limitPrice":1e999}`;
    expect(await problemsOf(text)).toEqual({
      qty: "is given more than once",
      __proto__: undefined,
      limitPrice: "is too large a number",
      action: "is needed",
      ...JSON.parse('{"__proto__":"is not a known field"}'),
    });
  });

  test("constructor and toString are unknown fields like any other", async () => {
    expect(await problemsOf({ ...buyOne, constructor: 1, toString: 2 })).toMatchObject({
      constructor: "is not a known field",
      toString: "is not a known field",
    });
  });

  test("nesting has a limit", async () => {
    const deep = "[".repeat(40_000);
    const { body } = await problemsOf(`{"bracket":${deep}`);
    expect(body).toMatch(/^is nested deeper than 16 levels/);
  });

  test("a protection needs a leg, a change something to change", async () => {
    expect(await problemsOf({ symbol: "ES" }, "/v1/accounts/paper-1/protect")).toEqual({
      body: "needs at least one of takeProfit, stopLoss and exitPlan",
    });
    const app = await startApp();
    const { body } = await app.send("PATCH", "/v1/webhooks/wh_1", {});
    const names = ["accountId", "groupId", "name", "paused", ...Object.keys(WEBHOOK_OPTIONS)];
    expect(body.error.details).toEqual([
      {
        path: "body",
        message: `needs at least one of ${names.slice(0, -1).join(", ")} and ${names.at(-1)}`,
      },
    ]);
  });

  test("a body of nothing but unknown fields gets an answer of bounded size", async () => {
    const names = Array.from({ length: 5000 }, (_, n) => [`f${n}`, 1]);
    expect(Object.keys(await problemsOf(Object.fromEntries(names))).length).toBe(100);
    const [long = ""] = Object.keys(await problemsOf({ ...buyOne, ["x".repeat(9999)]: 1 }));
    expect(long.length).toBe(65);
  });
});

describe("a body that is not read", () => {
  test.each([
    ["declared", undefined],
    ["in chunks", { "transfer-encoding": "chunked" }],
  ])("more than 64 KiB, %s", async () => {
    const app = await startApp();
    const { status, body } = await app.post(ORDERS, { ...buyOne, symbol: "x".repeat(70_000) });
    expect(status).toBe(400);
    expect(body.error.details[0].message).toContain("64 KiB");
    // The connection has survived it.
    expect((await app.get("/healthz")).status).toBe(200);
  });

  test("a streamed body is cut off at the limit", async () => {
    const app = await startApp();
    const stream = new ReadableStream({
      start(controller) {
        for (let n = 0; n < 100; n += 1) controller.enqueue(Buffer.alloc(1024, "x"));
        controller.close();
      },
    });
    const reply = await app.request("POST", ORDERS, {
      headers: { "x-api-key": "good", "content-type": "application/json" },
      body: stream,
      duplex: "half",
    } as RequestInit);
    expect(reply.status).toBe(400);
    expect(reply.body.error.details[0].message).toContain("64 KiB");
  });

  test("exactly 64 KiB are read", async () => {
    const text = JSON.stringify(buyOne);
    const app = await startApp({ gateway: { placeOrder: async () => settled(filled) } });
    expect((await app.post(ORDERS, text.padEnd(64 * 1024))).status).toBe(201);
    expect((await app.post(ORDERS, text.padEnd(64 * 1024 + 1))).status).toBe(400);
  });

  test("compressed", async () => {
    const app = await startApp();
    const { status, body } = await app.post(ORDERS, "x", { "content-encoding": "gzip" });
    expect([status, body.error.details[0].path]).toEqual([400, "Content-Encoding"]);
  });

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/json; charset=latin1",
  ])("declared as %s", async (type) => {
    const app = await startApp();
    const { status, body } = await app.post(ORDERS, buyOne, { "content-type": type });
    expect([status, body.error.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
    expect(app.calls).toEqual([]);
  });

  test.each(["application/json; charset=utf-8", "Application/JSON"])("%s is JSON", async (type) => {
    const app = await startApp({ gateway: { placeOrder: async () => settled(filled) } });
    expect((await app.post(ORDERS, buyOne, { "content-type": type })).status).toBe(201);
  });
});

describe("query parameters", () => {
  test.each([
    ["limit=0", { limit: "must be at least 1" }],
    ["limit=501", { limit: "must be at most 500" }],
    ["limit=ten", { limit: "must be a whole number, not text" }],
    ["limit=", { limit: "must be a whole number, not text" }],
    ["limit=1&limit=2", { limit: "is given more than once" }],
    [
      "limit=x&page=2&cursor=",
      {
        limit: "must be a whole number, not text",
        page: "is not a known field",
        cursor: "must not be empty",
      },
    ],
    ["__proto__=1", JSON.parse('{"__proto__":"is not a known field"}') as object],
  ])("%s", async (query, expected) => {
    const app = await startApp();
    const { status, body } = await app.get(`${ORDERS}?${query}`);
    expect(status).toBe(400);
    const details = body.error.details as { path: string; message: string }[];
    expect(Object.fromEntries(details.map((d) => [d.path, d.message]))).toEqual(expected);
    expect(app.calls).toEqual([]);
  });

  test("are read as numbers, with their defaults", async () => {
    const app = await startApp({ gateway: { readTrades: async () => ({ items: [] }) } });
    await app.get(`${ORDERS}?limit=7&cursor=abc`);
    await app.get(ORDERS);
    expect(app.calls.map(({ args }) => args[2])).toEqual([
      { limit: 7, cursor: "abc" },
      { limit: 100 },
    ]);
  });

  test("a route without any refuses them all", async () => {
    const app = await startApp();
    expect((await app.get("/v1/accounts?x=1")).status).toBe(400);
  });
});

describe("what fails behind the route", () => {
  test("an unexpected error is a 500 whose details are only the observer's", async () => {
    const app = await startApp();
    const { status, body } = await app.get("/v1/accounts", { "x-request-id": "mine-1" });
    expect([status, body.error.code, body.error.requestId]).toEqual([
      500,
      "INTERNAL_ERROR",
      "mine-1",
    ]);
    const failed = app.seen.find(({ name }) => name === "requestFailed");
    expect(String(failed?.value)).toContain("secret detail");
  });

  test("a store that is down is a 503", async () => {
    const down = async () => Promise.reject(errors.storeUnavailable(new Error("ECONNREFUSED")));
    const app = await startApp({ admitKey: down, gateway: {} });
    const { status, body } = await app.post(ORDERS, buyOne);
    expect([status, body.error.code]).toEqual([503, "STORE_UNAVAILABLE"]);
    expect(body.error.message).not.toContain("ECONNREFUSED");
  });

  test("an account that can be none of ours is not looked up", async () => {
    const app = await startApp();
    const weird = encodeURIComponent("no such/account");
    const { status, body } = await app.get(`/v1/accounts/${weird}/positions`);
    expect([status, body.error.code]).toEqual([404, "NOT_FOUND"]);
    expect((await app.get("/v1/accounts/%E0%A4%A/positions")).status).toBe(404);
    expect((await app.get("/v1/accounts/paper-1/intents/a%20b")).status).toBe(404);
    expect((await app.send("DELETE", `${ORDERS}/%00`)).status).toBe(400);
    expect(app.calls).toEqual([]);
  });

  test("a foreign account answers as one that does not exist", async () => {
    const app = await startApp({
      gateway: { readPositions: () => Promise.reject(errors.notFound("account")) },
    });
    const foreign = await app.get(`/v1/accounts/${ACCOUNT}/positions`, { "x-request-id": "r" });
    const absurd = await app.get(`/v1/accounts/a%20b/positions`, { "x-request-id": "r" });
    expect(foreign.text).toBe(absurd.text);
  });

  test("an error that is thrown with a 502 is answered as one", async () => {
    const refusal = new GatewayError("BROKER_ORDER_REJECTED", "no");
    const app = await startApp({ gateway: { placeOrder: () => Promise.reject(refusal) } });
    expect((await app.post(ORDERS, buyOne)).status).toBe(502);
  });
});

test("no body whatever makes a 5xx, or an answer that is not JSON", async () => {
  const app = await startApp({ gateway: { placeOrder: async () => settled(filled) } });
  const near = fc.record(
    {
      symbol: fc.oneof(fc.constant("ES"), fc.anything()),
      action: fc.oneof(fc.constant("buy"), fc.anything()),
      qty: fc.oneof(fc.integer({ min: -1, max: 20_000 }), fc.double(), fc.anything()),
      type: fc.oneof(fc.constantFrom("limit", "stop"), fc.anything()),
      limitPrice: fc.oneof(fc.double(), fc.anything()),
      bracket: fc.oneof(
        fc.record({ takeProfit: fc.anything(), stopLoss: fc.anything() }),
        fc.anything(),
      ),
    },
    { requiredKeys: [] },
  );
  const bodies = fc.oneof(
    fc.string({ unit: ANY_CHARACTER }),
    fc.uint8Array(),
    fc.json(),
    near.map((value) =>
      JSON.stringify(value, (_, v: unknown) => (typeof v === "bigint" ? String(v) : v)),
    ),
  );
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const { status, text } = await app.post(ORDERS, body);
      expect([text, status === 201 || status === 400]).toEqual([text, true]);
    }),
    { numRuns: 300 },
  );
});

test("a flatten whose body names a symbol closes nothing: the query is what counts", async () => {
  const app = await startApp();
  const headers = { "X-API-Key": "good", "Content-Type": "application/json" };
  const path = `${app.url}/v1/accounts/paper-1/positions`;
  const reply = await fetch(path, { method: "DELETE", headers, body: '{"symbol":"NQ1!"}' });
  expect(reply.status).toBe(400);
  expect(await reply.json()).toMatchObject({ error: { details: [{ path: "body" }] } });
  expect(app.calls).toEqual([]);
});

describe("a number in a query that is not finite", () => {
  const numbers = routes.flatMap((route) => {
    if (route.kind !== "api" || route.query === undefined) return [];
    const path = route.path.replaceAll(/\{\w+\}/g, "paper-1");
    return Object.entries(route.query.properties)
      .filter(([, { type }]) => type === "integer" || type === "number")
      .map(([name]) => ({ name, path }));
  });

  test.each(numbers)("$name of $path", async ({ name, path }) => {
    const app = await startApp();
    for (const value of ["Infinity", "-Infinity", "1e400", "NaN"]) {
      const reply = await app.get(`${path}?${name}=${value}`);
      expect([value, reply.status]).toEqual([value, 400]);
      expect(reply.body.error.details[0].path).toBe(name);
    }
    expect(app.calls).toEqual([]);
  });
});

describe("a body that may be empty", () => {
  const path = "/v1/strategies/st_1/evaluate";

  test("may be absent, with and without a type", async () => {
    const app = await startApp();
    await app.send("POST", path);
    await app.post(path, "");
    expect(app.calls.map(({ name }) => name)).toEqual(["evaluateStrategy", "evaluateStrategy"]);
  });

  test("is refused as ever where it is there and of no type, or of another", async () => {
    const app = await startApp();
    const bytes = Buffer.from("{}");
    const untyped = await app.request("POST", path, {
      headers: { "x-api-key": "good" },
      body: bytes,
    });
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const typed = await app.post(path, "", form);
    expect([untyped.status, typed.status]).toEqual([415, 415]);
    expect(app.calls).toEqual([]);
  });

  test("is not one that is needed, or that sets everything anew", async () => {
    const app = await startApp();
    const follower = "/v1/copy-groups/cg_1/followers/paper-1";
    expect((await app.send("PUT", follower)).status).toBe(415);
    expect((await app.send("PUT", follower, "")).status).toBe(400);
    expect(app.calls).toEqual([]);
    expect((await app.send("POST", ORDERS)).status).toBe(415);
    expect((await app.post(ORDERS, "")).body.error.details).toEqual([
      { path: "body", message: "is empty" },
    ]);
  });
});

test("a long body or type of spaces is refused at once", async () => {
  const app = await startApp();
  const spaces = `${" ".repeat(60_000)}x`;
  const type = `application/json${" ".repeat(15_000)}x`;
  const headers = { "X-API-Key": "good", "Content-Type": "application/json" };
  const path = "/v1/accounts/paper-1/positions";
  await app.request("DELETE", path, { headers, body: "x" });
  const before = process.cpuUsage();
  const flattened = await app.request("DELETE", path, { headers, body: spaces });
  const ordered = await app.post(ORDERS, buyOne, { "content-type": type });
  const { user } = process.cpuUsage(before);
  expect([flattened.status, ordered.status]).toEqual([400, 415]);
  // One took seconds, the other a fifth of one.
  expect(user).toBeLessThan(150_000);
});
