// The goal: while the gateway starts, callers are told to come again, and a taken port stops it first.
// The method: start it on a Redis that says nothing yet, and on a port that somebody has.
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { EarlyListener } from "../../src/http/server/early-listener.ts";
import { HttpServer } from "../../src/http/server/server.ts";
import { startGateway } from "../support/gateway.ts";
import { call } from "../support/http-client.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { waitUntil } from "../support/wait.ts";

const HOST = "127.0.0.1";
const OBSERVER = {
  requestFinished: () => undefined,
  requestFailed: () => undefined,
  changeMade: () => undefined,
  authFailed: () => undefined,
  rateLimited: () => undefined,
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, HOST);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

test("whoever comes while it starts is asked to come again", async () => {
  const silent = createServer(() => undefined);
  const socket = path.join(await temporaryFolder(), "redis.sock");
  silent.listen(socket);
  await once(silent, "listening");
  onTestFinished(() => void silent.close());
  const port = await freePort();
  const start = startGateway({ settings: { PORT: String(port), REDIS_URL: `unix:${socket}` } });
  const ended = start.then(
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

  expect(await ended).toBe("given up");
  await expect(call(url, "GET", "/healthz")).rejects.toThrow("fetch failed");
}, 60_000);

test.each([
  ["PORT", {}],
  ["OPERATIONS_PORT", {}],
  ["PORT", { ROLE: "worker" }],
])(
  "%s that somebody has stops the start before a broker hears of it %o",
  async (name, role) => {
    const holder = createServer().listen(0, HOST);
    await once(holder, "listening");
    onTestFinished(() => void holder.close());
    const { port } = holder.address() as AddressInfo;
    const gateway = await startGateway();
    onTestFinished(gateway.stop);
    await gateway.halt();
    const before = gateway.log.length;
    await expect(gateway.restart({ ...role, [name]: String(port) })).rejects.toMatchObject({
      code: "EADDRINUSE",
    });
    expect(gateway.log.slice(before).join("\n")).not.toContain("Connection owned");
  },
  60_000,
);

test("nobody is turned away while the gateway takes the socket over", async () => {
  const listener = new EarlyListener();
  await listener.start({ host: HOST, port: 0 });
  const { port } = listener;
  const server = new HttpServer({
    handler: (_, response) => void response.writeHead(204).end(),
    observer: OBSERVER,
    newRequestId: () => "r1",
  });
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
