// The goal: bad input gets an answer of ours that names what is wrong, and never leaves anything behind.
// The method: send it to the whole gateway over HTTP and look into Redis and the paper broker after each.
import { once } from "node:events";
import { connect } from "node:net";
import { text as readText } from "node:stream/consumers";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { call, type Reply } from "../support/http-client.ts";

const ORDERS = "/v1/accounts/paper-1/orders";
const buyOne = { symbol: "ES1!", action: "buy", qty: 1 };

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
  return gateway.stop;
});

afterEach(async () => await expectNothingLeft());

async function expectNothingLeft(): Promise<void> {
  const { redis, broker } = gateway;
  const patterns = [
    "gw:{paper-*}:intent:*",
    "gw:{paper-*}:idempotency:*",
    "gw:lane:*:wait",
    "gw:lane:*:active",
  ];
  const found = await Promise.all(patterns.map(async (pattern) => await redis.keys(pattern)));
  expect(found.flat()).toEqual([]);
  expect(await broker.filled("paper-1")).toEqual({ qty: 0, orders: 0 });
  expect(await broker.working("paper-1")).toEqual([]);
}

/** Our error and nothing else: JSON, with a code, no stack, no file of ours. */
function expectOurs({ headers, text, body, status }: Reply): void {
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(body.error).toMatchObject({
    code: expect.stringMatching(/^[A-Z_]+$/),
    message: expect.any(String),
    details: expect.any(Array),
    retry: status === 408 || status === 429 || status === 503 ? "safe" : "never",
    requestId: headers.get("x-request-id"),
  });
  expect(text).not.toMatch(/<html|\.ts\b|\.js\b|node:|at [\w.]+ \(/i);
}

async function refused(body: object | string | Uint8Array, path = ORDERS) {
  const reply = await call(gateway.url, "POST", path, {
    body,
    headers: { "x-api-key": gateway.key, "idempotency-key": "bad" },
  });
  expectOurs(reply);
  expect([reply.status, reply.body.error.code]).toEqual([400, "VALIDATION_FAILED"]);
  const details: { path: string; message: string }[] = reply.body.error.details;
  expect(details.length).toBeGreaterThan(0);
  return Object.fromEntries(details.map((one) => [one.path, one.message]));
}

describe("on /v1", () => {
  test.each([
    ["nothing", "", "body", /empty/],
    ["broken JSON", '{"symbol":"ES1!",', "body", /not valid JSON/],
    ["a form", "symbol=ES1!&action=buy&qty=1", "body", /not valid JSON/],
    ["a list", "[]", "body", /object/],
    ["a word", "null", "body", /object/],
    ["bytes that are no text", Uint8Array.from([0x7b, 0xff, 0x7d]), "body", /UTF-8/],
    ["too large a body", { ...buyOne, symbol: "x".repeat(70_000) }, "body", /64 KiB/],
    ["too deep a body", `{"bracket":${"[".repeat(20_000)}`, "body", /deeper/],
    ["a field given twice", '{"symbol":"ES","action":"buy","qty":1,"qty":2}', "qty", /once/],
    ["an unknown field", { ...buyOne, lots: 1 }, "lots", /known field/],
    ["an unknown field in a leg", leg({ ticks: 4, trail: 1 }), "bracket.stopLoss.trail", /known/],
    ["a prototype", '{"__proto__":{},"symbol":"ES","action":"buy","qty":1}', "__proto__", /known/],
    ["a number as text", { ...buyOne, qty: "1" }, "qty", /not text/],
    ["a price as text", limit("6000"), "limitPrice", /not text/],
    ["NaN", '{"symbol":"ES1!","action":"buy","qty":NaN}', "body", /NaN/],
    ["Infinity", '{"symbol":"ES1!","action":"buy","qty":1e999}', "qty", /large/],
    ["a price between two ticks", limit(6000.1), "limitPrice", /tick size 0.25/],
    ["a leg between two ticks", leg({ price: 6000.1 }), "bracket.stopLoss.price", /tick size/],
    ["no price where one is needed", { ...buyOne, type: "limit" }, "limitPrice", /needed/],
    ["a price where none belongs", { ...buyOne, limitPrice: 6000 }, "limitPrice", /no meaning/],
    ["a leg with two levels", leg({ ticks: 4, price: 6000 }), "bracket.stopLoss", /exactly one/],
    ["an empty bracket", { ...buyOne, bracket: {} }, "bracket", /at least one/],
    ["quantity 0", { ...buyOne, qty: 0 }, "qty", /at least 1/],
    ["quantity -1", { ...buyOne, qty: -1 }, "qty", /at least 1/],
    ["quantity 1.5", { ...buyOne, qty: 1.5 }, "qty", /whole/],
    ["quantity 1e9", { ...buyOne, qty: 1e9 }, "qty", /at most/],
    ["no quantity", { symbol: "ES1!", action: "buy" }, "qty", /needed/],
    ["an unknown action", { ...buyOne, action: "flatten" }, "action", /buy, sell/],
    ["an unknown type", { ...buyOne, type: "MARKET" }, "type", /market/],
  ])("%s is a 400 at its place", async (_, body, path, message) => {
    expect(await refused(body)).toMatchObject({ [path]: expect.stringMatching(message) });
  });

  test("every problem is named at once", async () => {
    const body = { action: "hold", qty: "1", type: 5, timeInForce: "never", extra: true };
    expect(Object.keys(await refused(body)).toSorted()).toEqual(
      ["action", "extra", "qty", "symbol", "timeInForce", "type"].toSorted(),
    );
  });

  test.each([
    ["/v1/accounts/paper-1/protect", { takeProfit: { ticks: 0 } }, "takeProfit.ticks"],
    ["/v1/accounts/paper-1/protect", { symbol: "ES" }, "body"],
    ["/v1/webhooks", { accountId: 7 }, "accountId"],
    ["/v1/webhooks", { accountId: "paper-1", paused: true }, "paused"],
  ])("%s takes no %j", async (path, body, where) => {
    expect(Object.keys(await refused(body, path))).toContain(where);
  });

  test.each([
    ["GET", "/v1/accounts/paper-1/orders?limit=0", "limit"],
    ["GET", "/v1/accounts/paper-1/orders?limit=ten", "limit"],
    ["GET", "/v1/accounts/paper-1/orders?page=2", "page"],
    ["GET", "/v1/accounts/paper-1/intents?state=all", "state"],
    ["DELETE", "/v1/accounts/paper-1/positions?symbol=ES&symbol=NQ", "symbol"],
  ])("%s %s is a 400 too", async (method, path, where) => {
    const reply = await call(gateway.url, method, path, { headers: { "x-api-key": gateway.key } });
    expectOurs(reply);
    expect([reply.status, reply.body.error.details[0].path]).toEqual([400, where]);
  });

  test("another content type, or none, is a 415", async () => {
    for (const type of ["text/plain", "application/xml", "application/json; charset=latin1"]) {
      const headers = { "x-api-key": gateway.key, "content-type": type };
      const reply = await call(gateway.url, "POST", ORDERS, { body: buyOne, headers });
      expectOurs(reply);
      expect([reply.status, reply.body.error.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
    }
  });

  test("paths of every kind get an answer of ours", async () => {
    for (const path of [
      "/%",
      "/v1/accounts/%zz/orders",
      "/v1//accounts",
      "/../etc/passwd",
      "/v1?a",
    ]) {
      const reply = await call(gateway.url, "GET", path, { headers: { "x-api-key": gateway.key } });
      expectOurs(reply);
      expect([400, 404]).toContain(reply.status);
    }
  });
});

describe("on a webhook", () => {
  test.each([
    ["nothing", "", "body", /empty/],
    ["broken JSON", '{"action":', "body", /not valid JSON/],
    ["a list of something else", "[1]", "0", /object/],
    ["an empty list", "[]", "body", /empty/],
    [
      "two forms in one",
      'action=buy;{"symbol":"ES1!"}',
      "body",
      /name=value, at line 1, column 12/,
    ],
    ["too large a body", `{"comment":"${"x".repeat(70_000)}"}`, "body", /64 KiB/],
    ["too deep a body", `{"comment":${"[".repeat(20_000)}`, "body", /deeper/],
    ["a field given twice", '{"action":"buy","action":"sell"}', "action", /once/],
    ["an unknown action", { action: "hold" }, "action", /one of/],
    ["an order without a symbol", { action: "buy", qty: 1 }, "symbol", /needed/],
    ["an order without a quantity", { action: "buy", symbol: "ES1!" }, "qty", /needed/],
    ["quantity 0", { ...buyOne, qty: 0 }, "qty", /1 to 10000/],
    ["quantity 1.5 as text", { ...buyOne, qty: "1.5" }, "qty", /whole/],
    ["a price between two ticks", limit("6000.1"), "limitPrice", /tick size/],
  ])("%s is a 400 at its place", async (_, alert, path, message) => {
    const reply = await gateway.alert(alert);
    expectOurs(reply);
    expect([reply.status, reply.body.error.code]).toEqual([400, "VALIDATION_FAILED"]);
    expect(reply.body.error.details).toContainEqual({
      path,
      message: expect.stringMatching(message),
    });
  });

  test("a template that was not filled in is a 400 that names what was not", async () => {
    const reply = await gateway.alert({ ...buyOne, qty: "{{qty}}" });
    expectOurs(reply);
    const { code, message } = reply.body.error;
    expect([reply.status, code]).toEqual([400, "UNRESOLVED_PLACEHOLDER"]);
    expect(message).toContain("{{qty}}");
  });

  test("a token that is nobody's is a 404", async () => {
    for (const token of ["x", `gwh_${"A".repeat(43)}`, "%00", "a%2fb"]) {
      const reply = await call(gateway.url, "POST", `/hooks/${token}`, { body: buyOne });
      expectOurs(reply);
      expect([reply.status, reply.body.error.code]).toEqual([404, "NOT_FOUND"]);
    }
  });
});

describe("what is no request", () => {
  const { symbol, action, qty } = buyOne;
  const head = (more: string) => `POST ${ORDERS} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
  const key = () => `X-API-Key: ${gateway.key}\r\nContent-Type: application/json\r\n`;

  test("something else than HTTP is a 400", async () => {
    for (const bytes of ["HELLO\r\n\r\n", "\u0016\u0003\u0001\u0002", "GET / HTTP/9.9\r\n\r\n"]) {
      const answer = await exchange(bytes, true);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toMatch(/"code":"VALIDATION_FAILED"/);
    }
  });

  test("headers that are too large are a 400", async () => {
    const answer = await exchange(head(`X-Large: ${"x".repeat(20_000)}\r\n`), true);
    expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*16 KiB/);
  });

  test.concurrent("headers that never end are a 408", async () => {
    const answer = await exchange(`POST ${ORDERS} HTTP/1.1\r\nHost: x\r\nX-`);
    expect(answer).toMatch(/^HTTP\/1\.1 408 [^]*"code":"REQUEST_TIMEOUT"/);
  });

  test.concurrent("a body that never ends is a 408, and its order is not placed", async () => {
    const body = JSON.stringify({ symbol, action, qty });
    const answer = await exchange(`${head(`${key()}Content-Length: 200\r\n`)}${body}`);
    expect(answer).toMatch(/^HTTP\/1\.1 408 [^]*"code":"REQUEST_TIMEOUT"/);
  });
});

function limit(limitPrice: number | string): object {
  return { ...buyOne, type: "limit", limitPrice };
}

function leg(stopLoss: object): object {
  return { ...buyOne, bracket: { stopLoss } };
}

/** Writes raw bytes and answers what comes back until the gateway hangs up. */
async function exchange(bytes: string, isComplete = false): Promise<string> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  await once(socket, "connect");
  if (isComplete) socket.end(bytes);
  else socket.write(bytes);
  const answer = await readText(socket);
  socket.destroy();
  return answer;
}
