// The goal: processes of one gateway may be started in any order, on folders that do not last.
// The method: a worker and an ingress with nothing in common but a Redis, which comes last or is emptied.
import { mkdtemp } from "node:fs/promises";
import path from "node:path";
import { Redis } from "ioredis";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { loadConfig } from "../../config/index.ts";
import { type App, startApp } from "../../src/app/app.ts";
import { createLogger } from "../../src/observability/logger.ts";
import { type RedisServer, startRedisServer } from "../../src/store/server/redis-server.ts";
import type { Settings } from "../support/gateway.ts";
import { postAlert } from "../support/http-client.ts";
import { evaluationProgram } from "../support/program.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { eventually, waitUntil } from "../support/wait.ts";

let folder: string;
let said: string[];
beforeEach(async () => {
  folder = await temporaryFolder();
  said = [];
});

async function startRedis(): Promise<RedisServer> {
  const binary = process.env["REDIS_SERVER_BIN"];
  const server = await startRedisServer({ dataDir: folder, binary, log: () => undefined });
  onTestFinished(() => server.stop());
  return server;
}

/** On a folder of its own, as a pod has it. */
async function start(
  ROLE: "ingress" | "worker",
  { path: socket }: Pick<RedisServer, "path">,
  settings: Settings = {},
): Promise<App> {
  const config = loadConfig({
    REDIS_URL: `unix:${socket}`,
    DATA_DIR: await mkdtemp(path.join(folder, "pod-")),
    SEALING_KEY: Buffer.alloc(32, 7).toString("base64"),
    ROLE,
    PORT: "0",
    PAPER_FEED: "seeded",
    ...settings,
  });
  const log = createLogger("warn", { write: (line) => said.push(line) });
  const app = await startApp({
    evaluationProgram: evaluationProgram(),
    config,
    log,
    version: "test",
  });
  onTestFinished(async () => void (await app.stop()));
  return app;
}

const readiness = async ({ url }: App) => await fetch(`${url}/readyz`);

test("an ingress that is there before Redis and any worker hands out the first key", async () => {
  const former = await startRedis();
  await former.stop();
  const starting = start("ingress", former);
  await waitUntil("it says so", () => said.join().includes("Redis is not there yet"));
  const redis = await startRedis();
  const worker = await start("worker", redis);
  const ingress = await starting;

  expect(ingress.first?.keySecret).toMatch(/^gwk_/);
  expect((await readiness(ingress)).status).toBe(200);
  const hook = `${ingress.url}/hooks/${ingress.first?.webhookSecret}`;
  const alert = { action: "buy", symbol: "MNQ1!", qty: 1 };
  // The answer comes within the product's time, which may be too short: then a repeat has it.
  const done = { status: 200, body: { outcome: "done" } };
  await eventually(async () => {
    expect(await postAlert(hook, { ...alert, alertId: "one" })).toMatchObject(done);
  });

  // Without a worker it goes on to accept, and says so to a balancer.
  await worker.stop();
  await eventually(async () => {
    const ready = await readiness(ingress);
    expect([ready.status, await ready.json()]).toMatchObject([200, { checks: { broker: false } }]);
  });
  const pending = { status: 202, body: { outcome: "pending" } };
  await eventually(async () => {
    const accepted = await postAlert(hook, { ...alert, qty: 2, alertId: "two" });
    expect(accepted).toMatchObject(pending);
  });
  // What waits for a worker is no reason for more of those that have nothing to do with it.
  const metrics = async (app: App) => await (await fetch(`${app.url}/metrics`)).text();
  const ages = await metrics(ingress);
  expect(ages).toMatch(/^gateway_lane_oldest_intent_seconds [\d.]*[1-9]/m);
  expect(ages).toMatch(/^gateway_worked_oldest_intent_seconds 0$/m);
  const again = await start("worker", redis);
  await waitUntil("nothing waits", async () =>
    (await metrics(again)).includes('gateway_lane_intents{state="waiting"} 0'),
  );
});

test("an emptied store is refused by its id, though no folder remembers it", async () => {
  const server = await startRedis();
  const worker = await start("worker", server);
  const storeId = /"storeId":"([^"]+)"/.exec(said.join())?.[1] ?? "";
  expect(storeId).toMatch(/^[0-9a-f-]{36}$/);
  await worker.stop();
  const named = await start("worker", server, { STORE_ID: storeId });
  await named.stop();
  const redis = new Redis({ path: server.path });
  await redis.flushall();
  redis.disconnect();
  await expect(start("worker", server, { STORE_ID: storeId })).rejects.toThrow(
    "The store is empty",
  );
});
