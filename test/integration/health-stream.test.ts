// The goal: whoever follows the connection-health stream knows how the broker connections stand.
// The method: real streams over HTTP, while sessions are cut, keys revoked, Redis frozen.
import { Redis } from "ioredis";
import { expect, onTestFinished, test } from "vitest";
import { loadConfig } from "../../config/index.ts";
import { startApp } from "../../src/app/app.ts";
import type { ConnectionStatus } from "../../src/domain/connection-status.ts";
import { connectionId, userId } from "../../src/domain/ids.ts";
import { createLogger } from "../../src/observability/logger.ts";
import { createRedisConnectionLeases } from "../../src/store/connections/redis-connection-leases.ts";
import { createRedisConnectionRecords } from "../../src/store/connections/redis-connection-records.ts";
import { createRedisCredentialStore } from "../../src/store/people/redis-credential-store.ts";
import { createExchangeAdapter } from "../simulators/exchange/adapter.ts";
import { startExchangeSimulator } from "../simulators/exchange/start.ts";
import { startGateway, type Settings, type TestGateway } from "../support/gateway.ts";
import { call } from "../support/http-client.ts";
import { EVERYTHING, openStream, type StreamClient } from "../support/stream-client.ts";
import { startReady } from "../support/start-ready.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startTestRedis } from "../support/test-redis.ts";
import { waitUntil } from "../support/wait.ts";

const STREAM = "/v1/connection-health/stream";
const LOST_AND_BACK = ["CONNECTED", "RECONNECTING", "CONNECTED"];

async function started(settings: Settings = {}): Promise<TestGateway> {
  const gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1", ...settings } });
  onTestFinished(gateway.stop);
  return gateway;
}

async function follow(url: string, key: string, path?: string): Promise<StreamClient> {
  const client = await openStream(url, key, undefined, path);
  onTestFinished(client.close);
  return client;
}

/** What a metric of one process says, its labels left out. */
async function metric(url: string, name: string): Promise<number> {
  const { text } = await call(url, "GET", "/metrics");
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
}

test("it asks for a living key with the read scope", async () => {
  const gateway = await started();
  const { api } = await gateway.createKey("trade");
  expect((await api.get(STREAM)).body.error.code).toBe("INSUFFICIENT_SCOPE");
  expect((await call(gateway.url, "GET", STREAM)).status).toBe(401);

  const { id, secret } = await gateway.createKey("read");
  const [dead, alive] = [
    await follow(gateway.url, secret),
    await follow(`${gateway.url}/api`, gateway.key),
  ];
  await dead.untilStatuses(["CONNECTED"]);
  const credentials = createRedisCredentialStore(gateway);
  const [owner] = await credentials.users();
  expect(await metric(gateway.url, "gateway_sse_clients")).toBe(2);
  const key = (await credentials.keys(userId(owner?.userId ?? ""))).find((one) => one.id === id);
  if (key === undefined) throw new Error("The key is not listed");
  await credentials.revokeKey(key.userId, key.id);
  await waitUntil("its stream ends", () => dead.end() === "ended");
  expect(alive.end()).toBeUndefined();
  await expect.poll(() => metric(gateway.url, "gateway_sse_clients")).toBe(1);
  expect((await openStream(gateway.url, secret)).status).toBe(401);
});

test("nothing crosses users, and what appears later comes with a snapshot", async () => {
  const gateway = await started();
  const { redis, keys } = gateway;
  const other = userId("user_other");
  const credentials = createRedisCredentialStore({ redis, keys });
  const { secret } = await credentials.createKey({
    userId: other,
    name: "other",
    scopes: ["read"],
  });
  const [mine, theirs] = [
    await follow(gateway.url, gateway.key),
    await follow(gateway.url, secret),
  ];
  await mine.untilStatuses(["CONNECTED"]);

  // A connection in another process: it is described, and its lease says how it stands.
  const elsewhere = connectionId("elsewhere");
  const leases = createRedisConnectionLeases({ redis, keys, processId: "another-process" });
  const facts = { userId: other, broker: "other", environment: "demo" } as const;
  await createRedisConnectionRecords({ redis, keys }).describe(elsewhere, facts);
  let status: ConnectionStatus = "CONNECTED";
  const say = async () => void (await leases.takeOrRenew(elsewhere, status));
  const renewing = setInterval(() => void say().catch(() => undefined), 500);
  onTestFinished(() => clearInterval(renewing));
  await say();
  await leases.announce(elsewhere);
  await theirs.untilStatuses(["CONNECTED"], "elsewhere");
  status = "AUTH_EXPIRED";
  await say();
  await leases.announce(elsewhere);
  await theirs.untilStatuses(["CONNECTED", "AUTH_EXPIRED"], "elsewhere");
  expect(theirs.items().map(({ type }) => type)).toEqual(["snapshot", "status"]);
  // Its owner falls silent, and its lease ends by itself.
  clearInterval(renewing);
  await theirs.untilStatuses(["CONNECTED", "AUTH_EXPIRED", "DISCONNECTED"], "elsewhere");

  gateway.paper.breakSession(new Error("The link was cut"));
  await mine.untilStatuses(LOST_AND_BACK);
  expect(theirs.text()).not.toContain('"paper"');
  expect(mine.text()).not.toContain("elsewhere");
});

test("what another process changes is told, to whom it belongs", async () => {
  const { server } = await startTestRedis(await temporaryFolder());
  const shared = { REDIS_URL: `unix:${server.path}` };
  const worker = await started({ ...shared, ROLE: "worker" });
  const ingress = await started({ ...shared, ROLE: "ingress" });
  const redis = new Redis({ path: server.path });
  onTestFinished(() => redis.disconnect());
  const credentials = createRedisCredentialStore({ redis, keys: ingress.keys });
  const stranger = { userId: userId("user_other"), name: "other", scopes: ["read"] as const };
  const { secret } = await credentials.createKey(stranger);
  const [mine, theirs] = [
    await follow(ingress.url, ingress.key, EVERYTHING),
    await follow(ingress.url, secret, EVERYTHING),
  ];
  await mine.untilStatuses(["CONNECTED"]);

  expect((await ingress.alert({ action: "buy", symbol: "ES1!", qty: 1 })).status).toBe(200);
  await mine.untilChanged("paper-1", "positions", "orders", "alerts", "overview");
  const seen = mine.items().length;
  expect((await ingress.alert("nonsense")).status).toBe(400);
  await waitUntil("the refused one is told", () =>
    mine
      .items()
      .slice(seen)
      .some(({ changes }) => changes?.some(({ what }) => what.includes("alerts"))),
  );
  await ingress.api.put("/v1/kill-switch", { active: true });
  await mine.untilChanged(null, "overview");
  expect(theirs.items().filter(({ type }) => type === "changed")).toEqual([]);
  expect(worker.log.join("")).not.toContain("was lost between processes");

  // What was told while nobody could hear it is not known: anything may have changed.
  await redis.call("CLIENT", "KILL", "TYPE", "pubsub");
  await mine.untilChanged(null, "positions", "orders", "alerts", "overview");
});

test("while Redis is away the stream goes on, and tells what is known here", async () => {
  const gateway = await started();
  const client = await follow(gateway.url, gateway.key);
  await client.untilStatuses(["CONNECTED"]);
  const pid = await gateway.redisPid();
  process.kill(pid, "SIGSTOP");
  try {
    gateway.paper.breakSession(new Error("The link was cut"));
    await client.untilStatuses(["CONNECTED", "RECONNECTING"]);
  } finally {
    process.kill(pid, "SIGCONT");
  }
  await waitUntil("it is connected again", () => client.statuses().at(-1) === "CONNECTED");
  const told = client.statuses();
  expect(told.filter((status, index) => status === told[index - 1])).toEqual([]);
  expect(client.end()).toBeUndefined();
});

test("a stop in order ends the streams at once", async () => {
  const gateway = await started();
  const client = await follow(gateway.url, gateway.key);
  await client.untilStatuses(["CONNECTED"]);
  await gateway.halt();
  await waitUntil("its end is seen", () => client.end() !== undefined);
  // At the deadline it would have been cut.
  expect(client.end()).toBe("ended");
  expect(client.statuses()).toEqual(["CONNECTED"]);
});

test("a real session over a socket that is cut is told too", async () => {
  const exchange = await startExchangeSimulator();
  onTestFinished(exchange.stop);
  const sim = connectionId("sim");
  const { url } = exchange;
  const binary = process.env["REDIS_SERVER_BIN"];
  const config = loadConfig({
    PORT: "0",
    DATA_DIR: await temporaryFolder(),
    ...(binary !== undefined && { REDIS_SERVER_BIN: binary }),
  });
  const options: Parameters<typeof startApp>[0] = {
    config,
    log: createLogger("error", { write: () => undefined }),
    version: "test",
    connections: async () => [
      {
        connectionId: sim,
        open: ({ isOwned: isHeld }) =>
          createExchangeAdapter({ connectionId: sim, url, accounts: 1, beforeWrite: isHeld }),
      },
    ],
  };
  const app = await startReady(config, async () => await startApp(options));
  onTestFinished(async () => void (await app.stop()));
  const client = await follow(app.url, app.first?.keySecret ?? "");
  await client.untilStatuses(["CONNECTED"], "sim");
  await exchange.control({ knob: "closeSessions", connection: sim });
  await client.untilStatuses(LOST_AND_BACK, "sim");
  expect(client.statuses("sim")).toEqual(LOST_AND_BACK);
});
