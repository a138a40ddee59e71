// The goal: while the gateway starts, callers are told to come again, and a taken port stops it first.
// The method: start it on a Redis that says nothing yet, and on a port that somebody has.
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { chmod, rm, writeFile } from "node:fs/promises";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { loadConfig } from "../../config/index.ts";
import { startApp } from "../../src/app/app.ts";
import { createLogger } from "../../src/observability/logger.ts";
import { EarlyListener, type StartProgress } from "../../src/http/server/early-listener.ts";
import { HttpServer } from "../../src/http/server/server.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { call, postAlert } from "../support/http-client.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startTestRedis } from "../support/test-redis.ts";
import { findRedisBinary } from "../../src/store/server/redis-binary.ts";
import { waitUntil } from "../support/wait.ts";
import { freePort } from "../support/free-port.ts";

const HOST = "127.0.0.1";
const OBSERVER = {
  requestFinished: () => undefined,
  requestFailed: () => undefined,
  changeMade: () => undefined,
  authFailed: () => undefined,
  rateLimited: () => undefined,
};

test("whoever comes while it starts is asked to come again", async () => {
  const silent = createServer(() => undefined);
  const socket = path.join(await temporaryFolder(), "redis.sock");
  silent.listen(socket);
  await once(silent, "listening");
  onTestFinished(() => void silent.close());
  const port = await freePort();
  const giveUp = new AbortController();
  const config = loadConfig({
    PORT: String(port),
    REDIS_URL: `unix:${socket}`,
    DATA_DIR: await temporaryFolder(),
  });
  const log = createLogger("error", { write: () => undefined });
  const { signal } = giveUp;
  const ended = startApp({ config, log, version: "test", signal }).then(
    () => "started",
    () => "given up",
  );

  const url = `http://${HOST}:${port}`;
  await waitUntil("it listens", async () =>
    call(url, "GET", "/healthz").then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
  const alert = await call(url, "POST", "/hooks/gwh_any", { body: "{}" });
  expect([alert.status, alert.body.error.code, alert.body.error.retry]).toEqual([
    503,
    "STORE_UNAVAILABLE",
    "safe",
  ]);
  expect(alert.headers.get("retry-after")).toBe("1");
  const ready = await call(url, "GET", "/readyz");
  expect([ready.status, ready.body.ready]).toEqual([503, false]);
  expect((await call(url, "GET", "/v1/accounts")).status).toBe(503);

  // It waits for as long as it is let.
  giveUp.abort(new Error("The start was given up"));
  expect(await ended).toBe("given up");
  await expect(call(url, "GET", "/healthz")).rejects.toThrow("fetch failed");
});

const refusal = { code: "STORE_UNAVAILABLE", retry: "safe", details: [] };

async function listens(url: string): Promise<void> {
  await waitUntil("it listens", async () =>
    call(url, "GET", "/healthz").then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
}

test("an alert that is refused while Redis reads its data is placed when it comes again", async () => {
  const folder = await temporaryFolder();
  const held = path.join(folder, "held");
  const { file } = await findRedisBinary(process.env["REDIS_SERVER_BIN"]);
  const slow = path.join(folder, "redis-server");
  await writeFile(
    slow,
    `#!/bin/bash\n[ "$1" = --version ] || while [ -e ${held} ]; do sleep 0.05; done\nexec -a redis-server ${file} "$@"\n`,
  );
  await chmod(slow, 0o755);
  const port = await freePort();
  const gateway = await startGateway({ settings: { PORT: String(port) } });
  onTestFinished(gateway.stop);
  const { url, webhook } = gateway;
  await gateway.halt();
  await writeFile(held, "");
  vi.stubEnv("REDIS_SERVER_BIN", slow);
  onTestFinished(() => void vi.unstubAllEnvs());
  const restart = gateway.restart();
  await listens(url);

  const buy = { action: "buy", symbol: "ES1!", qty: 1, alertId: "once" };
  const early = await postAlert(webhook, buy);
  expect([early.status, early.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(early.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(early.body.error).toMatchObject(refusal);
  expect(early.headers.get("x-request-id")).toBe(early.body.error.requestId);
  const ready = await call(url, "GET", "/readyz");
  expect([ready.status, ready.body.reasons]).toEqual([
    503,
    ["The gateway starts its Redis, which reads its data"],
  ]);
  expect((await call(url, "GET", "/metrics")).status).toBe(503);

  await rm(held);
  await restart;
  expect((await call(url, "GET", "/readyz")).status).toBe(200);
  expect((await postAlert(webhook, buy)).body).toMatchObject({ status: "filled" });
  expect((await gateway.api.get("/v1/alerts")).body.alerts).toHaveLength(1);
  expect((await gateway.broker.filled("paper-1")).orders).toBe(1);
  expect(gateway.log.join("\n")).toContain("Callers were asked to come again");
});

test("a start goes on by itself when the Redis of REDIS_URL comes", async () => {
  const folder = await temporaryFolder();
  const socket = path.join(folder, "redis/redis.sock");
  const port = await freePort();
  const start = startGateway({ settings: { PORT: String(port), REDIS_URL: `unix:${socket}` } });
  const url = `http://${HOST}:${port}`;
  await listens(url);
  expect((await call(url, "GET", "/readyz")).status).toBe(503);

  await startTestRedis(folder);
  const gateway = await start;
  onTestFinished(gateway.stop);
  expect((await call(url, "GET", "/readyz")).status).toBe(200);
});

test.each([
  ["GET", "/v1/accounts"],
  ["POST", "/v1/accounts/paper-1/orders"],
  ["DELETE", "/v1/accounts/paper-1/positions"],
  ["OPTIONS", "/hooks/gwh_any"],
  ["GET", "/console/"],
  ["GET", "/metrics"],
  ["POST", "/healthz"],
  ["HEAD", "/v1/accounts"],
])("while it starts, %s %s is asked to come again", async (method, where) => {
  const url = await startEarly();
  const headers = { "x-request-id": "mine" };
  const answer = await call(url, method, where, { headers });
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(answer.headers.get("x-request-id")).toBe("mine");
  const error: unknown = expect.objectContaining({ ...refusal, requestId: "mine" });
  expect(answer.body).toEqual(method === "HEAD" ? undefined : { error });
});

test.each([
  ["GET", '{"status":"ok"}'],
  ["HEAD", ""],
])("while it starts, %s /healthz says that it runs", async (method, text) => {
  const answer = await call(await startEarly(), method, "/healthz?by=probe");
  expect([answer.status, answer.text]).toEqual([200, text]);
});

test("while it starts, metrics are shown as soon as there are any", async () => {
  const metrics = async () => "gateway_up 1\n";
  const answer = await call(await startEarly({ metrics }), "GET", "/metrics");
  expect([answer.status, answer.text]).toEqual([200, "gateway_up 1\n"]);
});

test("while it starts, a large body is read before it is refused", async () => {
  const body = "x".repeat(4_000_000);
  expect((await call(await startEarly(), "POST", "/hooks/gwh_any", { body })).status).toBe(503);
});

test("while it starts, who asks before sending a body is answered without it", async () => {
  const { port } = new URL(await startEarly());
  const asking = connect(Number(port), HOST);
  asking.write("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
  // Told to go on, it would send what nobody reads any more.
  expect(await text(asking)).toMatch(/^HTTP\/1.1 503 /);
});

async function startEarly(progress: Partial<StartProgress> = {}): Promise<string> {
  const listener = new EarlyListener({ waitsFor: "It starts", ...progress });
  await listener.start({ host: HOST, port: 0 });
  onTestFinished(() => listener.stop());
  return `http://${HOST}:${listener.port}`;
}

describe("a port that somebody has", () => {
  let gateway: TestGateway;
  let port: string;
  beforeAll(async () => {
    gateway = await startGateway();
    await gateway.halt();
    const holder = createServer().listen(0, HOST);
    await once(holder, "listening");
    port = String((holder.address() as AddressInfo).port);
    return async () => {
      holder.close();
      await gateway.stop();
    };
  });

  // A setting stays for the next start, so the last one names the other port.
  test.each([
    ["PORT", { ROLE: "all" }],
    ["PORT", { ROLE: "worker" }],
    ["OPERATIONS_PORT", { ROLE: "all", PORT: "0" }],
  ])("as %s stops the start before a broker hears of it %o", async (name, settings) => {
    const before = gateway.log.length;
    await expect(gateway.restart({ ...settings, [name]: port })).rejects.toMatchObject({
      code: "EADDRINUSE",
    });
    expect(gateway.log.slice(before).join("\n")).not.toContain("Connection owned");
  });
});

test("nobody is turned away while the gateway takes the socket over", async () => {
  const listener = new EarlyListener({ waitsFor: "nothing" });
  await listener.start({ host: HOST, port: 0 });
  const { port } = listener;
  const server = createLater();
  const knock = async () => (await call(`http://${HOST}:${port}`, "GET", "/v1/accounts")).status;
  const knocks = async () => await Promise.all(Array.from({ length: 100 }, knock));
  const [before, taken, after] = await Promise.all([knocks(), server.start(listener), knocks()]);
  expect(taken).toEqual({ port });
  expect((await call(`http://${HOST}:${port}`, "GET", "/")).status).toBe(204);
  const answers = [...before, ...after];
  expect(answers.filter((status) => status !== 503 && status !== 204)).toEqual([]);
  await server.stop({ deadlineMs: 1_000 });
  await listener.stop();
  await expect(call(`http://${HOST}:${port}`, "GET", "/")).rejects.toThrow("fetch failed");
});

test("a body that breaks off after the gateway took the socket over is answered too", async () => {
  const listener = new EarlyListener({ waitsFor: "nothing" });
  await listener.start({ host: HOST, port: 0 });
  const sender = connect(listener.port, HOST);
  await once(sender, "connect");
  sender.write("POST /hooks/gwh_any HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n");
  expect((await call(`http://${HOST}:${listener.port}`, "GET", "/healthz")).status).toBe(200);
  const server = createLater();
  await server.start(listener);

  sender.write("no chunk\r\n");

  expect(await text(sender)).toMatch(/^HTTP\/1.1 503 [^]*"STORE_UNAVAILABLE"/);
  await server.stop({ deadlineMs: 60_000 });
});

function createLater(): HttpServer {
  return new HttpServer({
    handler: (_, response) => void response.writeHead(204).end(),
    observer: OBSERVER,
    newRequestId: () => "r1",
  });
}
