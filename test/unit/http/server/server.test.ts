import { describe, expect, test } from "vitest";
import { errors } from "../../../../src/errors.ts";
import { HANGS_AFTER_MS } from "../../../support/wait.ts";
import {
  admitted,
  apiKey,
  filled,
  rawExchange,
  settled,
  startApp,
  validator,
} from "../http-kit.ts";

const ORDERS = "/v1/accounts/paper-1/orders";
const ORDER = JSON.stringify({ symbol: "ES1!", action: "buy", qty: 1 });

function head(path: string, headers: Record<string, string | number> = {}, method = "POST") {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${path} HTTP/1.1`, "Host: x", ...lines].join("\r\n");
}

const order = (extra: Record<string, string | number> = {}) =>
  head(ORDERS, { "X-API-Key": "good", "Content-Type": "application/json", ...extra });

/** So that a test of slow clients is not one. */
const HASTY = { headersMs: 500, requestMs: 1_000 };

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function expectError(reply: { status: number; head: string; body: string }, code: string) {
  expect(reply.head.toLowerCase()).toContain("content-type: application/json");
  expect(reply.head.toLowerCase()).toContain("x-request-id: ");
  const body: unknown = JSON.parse(reply.body);
  expect(validator("#/components/schemas/Error")(body)).toBe(true);
  expect(body).toMatchObject({ error: { code } });
}

describe("connections that misbehave", () => {
  test("slow headers, a slow body and a body nobody waits for all end in time", async () => {
    const app = await startApp({ patience: HASTY });
    // Each sends no more: only the server's own times end these exchanges.
    const [headers, body, refused] = await Promise.all([
      rawExchange(app.port, [head("/healthz")]),
      rawExchange(app.port, [`${order({ "Content-Length": 50 })}\r\n\r\n{`]),
      rawExchange(app.port, [`${head(ORDERS, { "Content-Length": 50 })}\r\n\r\n{`]),
    ]);
    expect(headers.status).toBe(408);
    expectError(headers, "REQUEST_TIMEOUT");
    expect(body.status).toBe(408);
    expectError(body, "REQUEST_TIMEOUT");
    expect(body.head).toContain("Connection: close");
    expect(refused.status).toBe(401);
    expect(app.calls).toEqual([]);
    expect(app.seen).toContainEqual({
      name: "requestFinished",
      value: expect.objectContaining({ route: "/v1/accounts/{id}/orders", status: 408 }) as unknown,
    });
  });

  test.each([
    ["no HTTP at all", "hello\r\n\r\n"],
    ["a method that is none", "FETCH / HTTP/1.1\r\n\r\n"],
    ["a header without a colon", "GET / HTTP/1.1\r\nHost x\r\n\r\n"],
    ["two lengths", `${order({ "Content-Length": 5 })}\r\nContent-Length: 6\r\n\r\nabcdef`],
    [
      "length and chunks",
      `${order({ "Content-Length": 5, "Transfer-Encoding": "chunked" })}\r\n\r\n0\r\n\r\n`,
    ],
    ["huge headers", `${order({ "X-Big": "x".repeat(20_000) })}\r\n\r\n`],
    ["a malformed chunk", `${order({ "Transfer-Encoding": "chunked" })}\r\n\r\nzz\r\nabc\r\n`],
  ])("%s is a 400 in JSON", async (_, text) => {
    const app = await startApp();
    const reply = await rawExchange(app.port, [text]);
    expect(reply.status).toBe(400);
    expectError(reply, "VALIDATION_FAILED");
    expect(app.calls).toEqual([]);
  });

  test("a chunk that turns malformed while the body is read is a 400", async () => {
    const app = await startApp();
    const start = `${order({ "Transfer-Encoding": "chunked" })}\r\n\r\n1\r\n{\r\n`;
    const reply = await rawExchange(app.port, [start, "zz\r\n"], 100);
    expect(reply.status).toBe(400);
    expectError(reply, "VALIDATION_FAILED");
  });

  test("a body that broke while the key was looked up is not waited for", async () => {
    const app = await startApp({
      admitKey: async () => {
        await pause(200);
        return admitted(apiKey());
      },
    });
    const start = `${order({ "Transfer-Encoding": "chunked" })}\r\n\r\n1\r\n{\r\n`;
    const reply = await rawExchange(app.port, [start, "zz\r\n"], 50);
    expect(reply.status).toBe(400);
    expectError(reply, "VALIDATION_FAILED");
  });

  test.each([
    ["in one segment", 0],
    ["later", 200],
  ])(
    "rubbish behind an order, %s, is not answered in the order's place",
    async (_when, pauseMs) => {
      const app = await startApp({
        gateway: {
          placeOrder: async () => {
            await pause(500);
            return settled(filled);
          },
        },
      });
      const request = `${order({ "Content-Length": ORDER.length })}\r\n\r\n${ORDER}`;
      const rubbish = "rubbish\r\n\r\n";
      const chunks = pauseMs === 0 ? [request + rubbish] : [request, rubbish];
      const reply = await rawExchange(app.port, chunks, pauseMs);
      expect(reply.status).toBe(201);
      expect(reply.body).toContain("4000001");
    },
  );

  test("an order that came in whole is placed, whatever comes behind it", async () => {
    const app = await startApp({
      admitKey: async () => {
        await pause(200);
        return admitted(apiKey());
      },
      gateway: { placeOrder: async () => settled(filled) },
      patience: HASTY,
    });
    const request = `${order({ "Content-Length": ORDER.length })}\r\n\r\n${ORDER}`;
    const second = `${order({ "Content-Length": 50 })}\r\n\r\n{`;
    const reply = await rawExchange(app.port, [request, "rubbish\r\n\r\n"], 50);
    expect(reply.status).toBe(201);
    const pipelined = await rawExchange(app.port, [request + request, second], 50);
    expect(pipelined.received.match(/HTTP\/1.1 \d+/g)).toEqual([
      "HTTP/1.1 201",
      "HTTP/1.1 201",
      "HTTP/1.1 408",
    ]);
  });

  test("a client that goes away in the middle of its body leaves nothing behind", async () => {
    let isAdmitted = false;
    const app = await startApp({
      admitKey: async () => {
        isAdmitted = true;
        return admitted(apiKey());
      },
    });
    const { connect } = await import("node:net");
    const socket = connect(app.port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(`${order({ "Content-Length": 50 })}\r\n\r\n{`);
    await expect.poll(() => isAdmitted).toBe(true);
    socket.destroy();
    await expect.poll(() => app.seen.map(({ name }) => name)).toContain("requestFinished");
    expect(app.calls).toEqual([]);
  });

  test("an oversized body is answered at once, and its connection serves on", async () => {
    const app = await startApp();
    const big = `${order({ "Content-Length": 100_000 })}\r\n\r\n${"x".repeat(50_000)}`;
    const next = `${"x".repeat(50_000)}${head("/healthz", { Connection: "close" }, "GET")}\r\n\r\n`;
    const { received } = await rawExchange(app.port, [big, next], 50);
    expect(received.match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 400", "HTTP/1.1 200"]);
  });

  test("a request without a Host, and an Expect we do not know, are served", async () => {
    const app = await startApp();
    const bare = await rawExchange(app.port, [
      "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n",
    ]);
    expect(bare.status).toBe(200);
    const expecting = head("/healthz", { Expect: "tea", Connection: "close" }, "GET");
    expect((await rawExchange(app.port, [`${expecting}\r\n\r\n`])).status).toBe(200);
  });
});

describe("stopping", () => {
  test("lets what runs finish, and closes connections that have nothing to do", async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const app = await startApp({
      gateway: {
        placeOrder: async () => {
          await gate;
          return settled(filled);
        },
      },
    });
    await app.get("/healthz");
    const running = app.post(ORDERS, ORDER);
    await expect.poll(() => app.calls.length).toBe(1);
    const stopped = app.app.stop({ deadlineMs: HANGS_AFTER_MS });
    await expect(fetch(`${app.url}/healthz`)).rejects.toThrow("fetch failed");
    release();
    const { status, headers } = await running;
    expect([status, headers.get("connection")]).toEqual([201, "close"]);
    await stopped;
  });

  test("cuts off what is left at the deadline", async () => {
    const app = await startApp({ gateway: { listAccounts: () => new Promise(() => undefined) } });
    const running = app.get("/v1/accounts").then(String, String);
    await expect.poll(() => app.calls.length).toBe(1);
    // Its use case never ends: only the deadline ends the stop.
    await app.app.stop({ deadlineMs: 100 });
    expect(await running).toContain("fetch failed");
  });

  test("a port that is taken is an error", async () => {
    const { port } = await startApp();
    const other = await startApp();
    await other.app.stop({ deadlineMs: 0 });
    const { createHttpApp } = await import("../../../../src/http/http-app.ts");
    const second = createHttpApp(other.deps);
    await expect(second.start({ host: "127.0.0.1", port })).rejects.toThrow("EADDRINUSE");
  });
});

test("an answer for a client that is gone is no crash", async () => {
  let release = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  const app = await startApp({
    gateway: {
      listAccounts: async () => {
        await gate;
        throw errors.notFound("account");
      },
    },
  });
  const abort = new AbortController();
  const running = fetch(`${app.url}/v1/accounts`, {
    headers: { "x-api-key": "good" },
    signal: abort.signal,
  }).then(String, String);
  await expect.poll(() => app.calls.length).toBe(1);
  abort.abort();
  expect(await running).toContain("AbortError");
  release();
  await expect.poll(() => app.seen.map(({ name }) => name)).toContain("requestFinished");
  expect((await app.get("/healthz")).status).toBe(200);
});
