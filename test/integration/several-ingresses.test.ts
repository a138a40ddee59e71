// The goal: behind any balancer it does not matter which ingress is asked: what one did holds at every other.
// The method: one worker and three ingresses on one Redis, with nothing else in common, asked in turn.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { loadConfig } from "../../config/index.ts";
import type { App } from "../../src/app/app.ts";
import { startRedisServer } from "../../src/store/server/redis-server.ts";
import { ConsoleClient } from "../support/console-client.ts";
import { giveEveryScope } from "../support/every-scope.ts";
import { apiClient, postAlert } from "../support/http-client.ts";
import { made } from "../support/wait.ts";
import { startTestApp } from "../support/start-ready.ts";
import { EVERYTHING, openStream } from "../support/stream-client.ts";

const BUY = { action: "buy", symbol: "MNQ1!", qty: 1 };
const PASSWORD = "correct horse battery";

let ingresses: readonly App[];
let key: string;
let cookie: string | undefined;
let turn = 0;

beforeAll(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "gateway-ingresses-"));
  const binary = process.env["REDIS_SERVER_BIN"];
  const server = await startRedisServer({ dataDir: folder, binary, log: () => undefined });
  const running: App[] = [];
  for (const ROLE of ["worker", "ingress", "ingress", "ingress"]) {
    const DATA_DIR = path.join(folder, `pod-${running.length}`);
    await mkdir(DATA_DIR);
    const config = loadConfig({
      REDIS_URL: `unix:${server.path}`,
      DATA_DIR,
      ROLE,
      PORT: "0",
      SEALING_KEY: Buffer.alloc(32, 7).toString("base64"),
      PAPER_ACCOUNTS: "1-9",
      PAPER_FEED: "seeded",
      LOG_LEVEL: "error",
    });
    const app = await startTestApp(config, (line) => void process.stdout.write(line), {});
    running.push(app);
    if (app.first !== undefined) {
      key = app.first.keySecret;
      await giveEveryScope(config, key);
    }
  }
  ingresses = running.slice(1);
  const owner = new ConsoleClient(next());
  await owner.setUp(ingresses[0]?.setUpLink ?? "", "owner", PASSWORD);
  ({ cookie } = owner);
  return async () => {
    for (const app of running.toReversed()) await app.stop();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
});

/** As a balancer does. */
function next(): string {
  turn += 1;
  return ingresses[turn % ingresses.length]?.url ?? "";
}

const api = (secret = key) => apiClient(next(), secret);

async function newWebhook(accountId: string) {
  const body = await made(() => api().post("/v1/webhooks", { accountId }));
  const { pathname } = new URL(body.url as string);
  return {
    id: String(body.id),
    send: async (alert: object) => await postAlert(`${next()}${pathname}`, alert),
  };
}

/** The page of somebody who signed in at another one. */
function person(): ConsoleClient {
  const client = new ConsoleClient(next());
  client.cookie = cookie;
  return client;
}

async function newKey() {
  const asked = { name: "test", scopes: ["read", "trade"] };
  const { body } = await person().ask("POST", "/v1/keys", asked);
  return { id: String(body.id), secret: String(body.key) };
}

test("a key works and ends everywhere at once", async () => {
  const { id, secret } = await newKey();
  for (const _ of ingresses) expect((await api(secret).get("/v1/accounts")).status).toBe(200);
  expect((await person().ask("DELETE", `/v1/keys/${id}`)).status).toBe(204);
  for (const _ of ingresses) expect((await api(secret).get("/v1/accounts")).status).toBe(401);
});

test("a key's requests are counted together", async () => {
  const { secret } = await newKey();
  const statuses: number[] = [];
  for (let count = 0; count < 123; count += 1) {
    statuses.push((await api(secret).get("/v1/accounts")).status);
  }
  expect(statuses.indexOf(429)).toBe(120);
  expect(statuses.slice(120)).toEqual([429, 429, 429]);
});

test("an alert that comes to all of them at once is one order", async () => {
  const { send } = await newWebhook("paper-2");
  const alert = { ...BUY, alertId: "one" };
  const replies = await Promise.all(Array.from({ length: 9 }, async () => await send(alert)));
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  expect(new Set(replies.map(({ body }) => body.orderId)).size).toBe(1);
  expect(replies.filter(({ body }) => body.duplicate !== true)).toHaveLength(1);
});

test("an Idempotency-Key holds at every other one", async () => {
  const order = { symbol: "MNQ1!", action: "buy", qty: 1, type: "market" };
  const place = async () =>
    await api().post("/v1/accounts/paper-3/orders", order, { "idempotency-key": "one" });
  const [first, ...others] = [await place(), await place(), await place()];
  expect(first.status).toBe(201);
  for (const { status, body, headers } of others) {
    expect([status, body.orderId]).toEqual([201, first.body.orderId]);
    expect(headers.get("idempotency-replayed")).toBe("true");
  }
});

test("a webhook that was paused, edited or deleted at one is so at every other", async () => {
  const { id, send } = await newWebhook("paper-4");
  for (const at of [1, 2, 3]) expect((await send({ ...BUY, comment: `${at}` })).status).toBe(200);
  await api().patch(`/v1/webhooks/${id}`, { paused: true });
  for (const at of [4, 5, 6]) expect((await send({ ...BUY, comment: `${at}` })).status).toBe(403);
  await api().patch(`/v1/webhooks/${id}`, { paused: false });
  for (const at of [7, 8, 9]) expect((await send({ ...BUY, comment: `${at}` })).status).toBe(200);
  await api().delete(`/v1/webhooks/${id}`);
  for (const at of [1, 2, 3]) expect((await send({ ...BUY, comment: `${at}` })).status).toBe(404);
});

test("the kill switch and limits hold at every other one", async () => {
  const { send } = await newWebhook("paper-5");
  const limits = { maxOrderQty: 2 };
  expect((await api().put("/v1/accounts/paper-5/limits", limits)).status).toBe(200);
  for (const at of [1, 2, 3]) {
    const { status, body } = await send({ ...BUY, qty: 3, comment: `${at}` });
    expect([status, body.error.code]).toEqual([422, "LIMIT_EXCEEDED"]);
  }
  await api().put("/v1/kill-switch", { active: true, accountId: "paper-5" });
  for (const at of [4, 5, 6]) {
    const { status, body } = await send({ ...BUY, comment: `${at}` });
    expect([status, body.error.code]).toEqual([422, "KILL_SWITCH_ON"]);
  }
});

test("a stream at one tells what was done at another", async () => {
  const streams = await Promise.all(
    ingresses.map(async ({ url }) => await openStream(url, key, undefined, EVERYTHING)),
  );
  const { send } = await newWebhook("paper-6");
  expect((await send(BUY)).status).toBe(200);
  for (const stream of streams) await stream.untilChanged("paper-6", "orders");
  for (const stream of streams) stream.close();
});

test("who signs out at one is signed out at every other", async () => {
  const [one, two, three] = [person(), person(), person()];
  one.cookie = undefined;
  expect((await one.signIn("owner", PASSWORD)).status).toBe(200);
  two.cookie = one.cookie;
  three.cookie = one.cookie;
  expect((await two.ask("GET", "/v1/accounts")).status).toBe(200);
  expect((await two.ask("DELETE", "/v1/session")).status).toBe(204);
  expect((await three.ask("GET", "/v1/accounts")).status).toBe(401);
});

test("wrong passwords are counted together", async () => {
  const statuses: number[] = [];
  for (let count = 0; count < 7; count += 1) {
    const { status } = await new ConsoleClient(next()).signIn("nobody", "wrong wrong wrong");
    statuses.push(status);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
});

test("guards and locks that were set at one hold at every other", async () => {
  const path = "/v1/accounts/paper-9/guards";
  const order = { symbol: "MNQ1!", action: "buy", qty: 1 };
  const buy = async () => await api().post("/v1/accounts/paper-9/orders", order);
  const rule = { id: "value", kind: "orderValue", mode: "on", lock: "soft" };
  expect((await api().put(path, { rules: [{ ...rule, max: 1 }] })).status).toBe(200);
  for (const _ of ingresses) {
    const { status, body } = await buy();
    expect([status, body.error.code]).toEqual([422, "GUARD_REFUSED"]);
  }
  const locked = await api().post(`${path}/lock`, { reason: "Enough" });
  for (const _ of ingresses) {
    expect((await api().get(path)).body.lock.id).toBe(locked.body.lock.id);
    const { status, body } = await buy();
    expect([status, body.error.code]).toEqual([422, "LOCKED"]);
  }
  const unlocked = await person().ask("POST", `${path}/unlock`, { reason: "Go on" });
  expect([unlocked.status, unlocked.body.lock]).toEqual([200, null]);
  expect((await api().put(path, { rules: [] })).status).toBe(200);
  for (const _ of ingresses) expect((await buy()).status).toBe(201);
});
