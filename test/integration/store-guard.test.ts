// The goal: a store that is not the one we knew, or got less safe, is never taken for it.
// The method: a Redis of one's own is emptied, exchanged, loosened and copied under a running gateway.
import { cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { StoreGuard } from "../../src/store/trust/store-guard.ts";
import type { Standing } from "../../src/store/trust/who-is-master.ts";
import { STORE_FORMAT } from "../../src/store/trust/store-identity.ts";
import { startRedisServer, type RedisServer } from "../../src/store/server/redis-server.ts";
import { openCorner } from "../unit/store/open-redis.ts";
import { frontMonth, startGateway, type TestGateway } from "../support/gateway.ts";
import { call, type Reply } from "../support/http-client.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startTestRedis } from "../support/test-redis.ts";
import { waitUntil } from "../support/wait.ts";
import { freePort } from "../support/free-port.ts";

const BUY = { action: "buy", symbol: "ES1!", qty: 1 };
const ES = frontMonth("ES");

let folder: string;
let server: RedisServer;
let gateway: TestGateway;
let admin: Redis;
/** How the stop of the gateway went. */
let halting: Promise<string> | undefined;

const startServer = async (): Promise<RedisServer> =>
  await startRedisServer({
    dataDir: folder,
    binary: process.env["REDIS_SERVER_BIN"],
    log: () => undefined,
  });

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "gateway-guard-"));
  server = await startServer();
  gateway = await startGateway({ settings: { REDIS_URL: `unix:${server.path}` } });
  admin = new Redis({
    path: server.path,
    retryStrategy: () => 20,
    maxRetriesPerRequest: null,
  });
  admin.on("error", () => undefined);
});
afterAll(async () => {
  admin.disconnect();
  await gateway.stop();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const ready = async (): Promise<Reply> => await call(gateway.url, "GET", "/readyz");
const untilReady = async () =>
  await waitUntil("it is ready", async () => (await ready()).status === 200);
const untilRefused = async (reason: RegExp) =>
  await waitUntil("it is refused", async () =>
    reason.test((await ready()).body.reasons?.[0] ?? ""),
  );
const metric = async (name: string) =>
  new RegExp(`^${name} (\\d+)$`, "m").exec((await call(gateway.url, "GET", "/metrics")).text)?.[1];
const held = async () => (await gateway.broker.positions("paper-1"))[ES.code] ?? 0;

let orders = 0;
async function buys(): Promise<Reply> {
  orders += 1;
  return await gateway.alert({ ...BUY, alertId: `order-${orders}` });
}

/** What alerts and calls are answered until the store is noticed to be another one, and a while on. */
async function answersUntil(done: () => Promise<boolean>): Promise<Set<string>> {
  const answers = new Set<string>();
  for (let after = 0; after < 5;) {
    const replies = await Promise.all([buys(), gateway.api.get("/v1/accounts")]);
    for (const { status, body } of replies) answers.add(`${status} ${body.error?.retry ?? ""}`);
    after += (await done()) ? 1 : 0;
    // A pause between two looks: it takes seconds until the store is looked at.
    await sleep(25);
  }
  return answers;
}

const isRefused = async () => (await ready()).body.reasons !== undefined;

describe.sequential("a running gateway", () => {
  test("knows its store by an identity, which a restart keeps", async () => {
    const { id, format } = JSON.parse((await admin.get(gateway.keys.storeIdentity)) ?? "");
    expect([typeof id, format]).toEqual(["string", STORE_FORMAT]);
    expect(await metric("gateway_store_known")).toBe("1");
    expect((await buys()).status).toBe(200);
  });

  test("stands still while every write is not on the disk before it is answered", async () => {
    const before = await held();
    await admin.config("SET", "appendfsync", "everysec");
    await untilRefused(/appendfsync is everysec/);
    const refused = await buys();
    expect([refused.status, refused.body.error.retry]).toEqual([503, "safe"]);
    expect(await metric("gateway_store_known")).toBe("0");
    expect(await metric("gateway_redis_durable")).toBe("0");
    expect(gateway.log.join("\n")).toMatch(
      /appendfsync is everysec[^\n]*"msg":"The store is refused/,
    );

    await admin.config("SET", "appendfsync", "always");
    await untilReady();
    expect((await buys()).status).toBe(200);
    expect(await held()).toBe(before + 1);
  });

  test("says that a replica came, and goes on", async () => {
    const port = await freePort(2);
    await admin.config("SET", "port", port);
    const replica = await startTestRedis(await temporaryFolder());
    const control = new Redis({ path: replica.server.path });
    onTestFinished(() => control.disconnect());
    await control.config("SET", "port", port + 1);
    await control.call("REPLICAOF", "127.0.0.1", port);
    await waitUntil(
      "the replica is told",
      async () => (await metric("gateway_redis_durable")) === "0",
    );
    expect(gateway.log.join("\n")).toMatch(/1 replica[^\n]*"msg":"Redis may lose orders"/);
    const { body } = await gateway.api.get("/v1/overview");
    expect(body.troubles).toContainEqual(expect.objectContaining({ kind: "store" }));
    expect((await buys()).status).toBe(200);

    await expect(startGateway({ settings: { REDIS_URL: `unix:${server.path}` } })).rejects.toThrow(
      /It has 1 replica, and writes without them: .*Set min-replicas-to-write 1/,
    );

    await control.call("REPLICAOF", "NO", "ONE");
    await expect(
      startGateway({ settings: { REDIS_URL: `unix:${replica.server.path}` } }),
    ).rejects.toThrow(/It was another one's replica/);
    await waitUntil("it is gone", async () => (await metric("gateway_redis_durable")) === "1");
    await admin.config("SET", "port", "0");
  });

  test("is never served by a Redis that came back empty, until the data are back", async () => {
    const before = await held();
    const kept = path.join(await temporaryFolder(), "kept");
    const data = path.join(folder, "redis/appendonlydir");
    await server.stop();
    await cp(data, kept, { recursive: true });
    for (const name of await readdir(path.dirname(data))) {
      await rm(path.join(path.dirname(data), name), { recursive: true });
    }
    server = await startServer();
    expect([...(await answersUntil(isRefused))]).toEqual(["503 safe"]);
    expect((await ready()).body.reasons[0]).toMatch(/^The store is empty, and it was not before/);
    expect(gateway.log.join("\n")).toMatch(/is empty[^\n]*"msg":"The store is refused/);
    expect(await admin.dbsize()).toBe(0);

    await server.stop();
    await rm(data, { recursive: true });
    await cp(kept, data, { recursive: true });
    server = await startServer();
    await untilReady();
    // One alert, so that it is one order even if an answer is lost on a busy machine.
    const again = { ...BUY, alertId: "the data are back" };
    await waitUntil("orders fill", async () => (await gateway.alert(again)).status === 200);
    expect(await held()).toBe(before + 1);
  });

  test("stands still on a store that was set back to an earlier form", async () => {
    const { storeIdentity } = gateway.keys;
    const identity = (await admin.get(storeIdentity)) ?? "";
    const stranger = `${gateway.url}/hooks/gwh_${"A".repeat(43)}`;
    await untilReady();
    const former = { ...JSON.parse(identity), format: STORE_FORMAT - 1 };
    await admin.set(storeIdentity, JSON.stringify(former));
    // Its token may be known where an earlier form has it.
    expect((await fetch(stranger, { method: "POST", body: "{}" })).status).toBe(503);
    await untilRefused(/set back to an earlier form/);
    await admin.set(storeIdentity, identity);
    await untilReady();
  });

  test("does not say that a secret is unknown to a store that was emptied", async () => {
    const stranger = `${gateway.url}/hooks/gwh_${"A".repeat(43)}`;
    await admin.flushall();
    expect([...(await answersUntil(isRefused))]).toEqual(["503 safe"]);
    expect((await fetch(stranger, { method: "POST", body: "{}" })).status).not.toBe(200);
    // Its lanes wait for the store, and are left behind: it takes the whole time of a stop.
    halting = gateway.halt().then(
      () => "in order",
      (error: unknown) => String(error),
    );
  });
});

test("data that are gone are no first start: nothing new is handed out", async () => {
  const own = await startGateway();
  onTestFinished(own.stop);
  const { id } = JSON.parse((await own.redis.get(own.keys.storeIdentity)) ?? "");
  await own.halt();
  await rm(path.join(own.dataDir, "redis"), { recursive: true });
  await expect(own.restart()).rejects.toThrow(
    /The store is empty[^]*restore[^]*To begin anew on purpose/i,
  );

  await writeFile(
    path.join(own.dataDir, "store.json"),
    JSON.stringify({ id, format: STORE_FORMAT }),
  );
  await expect(own.restart()).rejects.toThrow(/The store is empty/);
  await rm(path.join(own.dataDir, "store.json"));
  await own.restart();
  expect((await own.redis.get(own.keys.storeIdentity)) ?? "").not.toContain(id);
});

test("a store in a form of a newer gateway is refused at the start", async () => {
  const own = await startGateway();
  onTestFinished(own.stop);
  const newer = { id: "newer", format: STORE_FORMAT + 1 };
  await own.redis.set(own.keys.storeIdentity, JSON.stringify(newer));
  await own.halt().catch(() => undefined);
  await expect(own.restart()).rejects.toThrow(/written by a newer gateway/);
});

test("connections are made anew where Sentinels have replaced the master, and only there", async () => {
  // They are asked every few seconds: all three at the same time.
  const standings = ["replaced", "master", "unknown"] as const;
  const made = await Promise.all(
    standings.map(async (standing) => {
      const { corner, guard, asked } = await openGuard(standing);
      const disconnected: unknown[] = [];
      guard.guard({ disconnect: (reconnect) => void disconnected.push(reconnect) });
      await guard.open(undefined);
      await waitUntil("they were asked", () => asked.length > 0);
      if (standing === "replaced") await waitUntil("they end", () => disconnected.length > 0);
      guard.close();
      await corner.close();
      return disconnected[0];
    }),
  );
  expect(made).toEqual([true, undefined, undefined]);
});

test("a gateway whose store was emptied under it does not end in order, nor start on it", async () => {
  expect(await halting).toContain("Did not end in order");
  await expect(gateway.restart()).rejects.toThrow(/The store is empty, and it was not before/);
});

async function openGuard(standing: Standing) {
  const corner = await openCorner();
  const asked: string[] = [];
  const guard = new StoreGuard({
    redis: await corner.open("request"),
    keys: corner.keys,
    alarms: { raise: () => undefined, clear: () => undefined },
    standing: async (runId) => {
      asked.push(runId);
      return await Promise.resolve(standing);
    },
  });
  return { corner, guard, asked };
}
