// The goal: a caller never waits on a dead Redis, and nothing it gave up is sent a second time.
// The method: kill, freeze and restart a real server under both roles' connections.
import { once } from "node:events";
import { chmod, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import path from "node:path";
import { connect as connectTls, createServer as createTlsServer } from "node:tls";
import type { Redis } from "ioredis";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  type ConnectOptions,
  connectRedis,
  type RedisRole,
  untilRedisReady,
} from "../../src/store/redis/connect.ts";
import { redisTarget } from "../../src/store/redis/redis-target.ts";
import { giveUp } from "../../src/store/redis/notice-silence.ts";
import { findRedisBinary, SERVER_NAME } from "../../src/store/server/redis-binary.ts";
import { startRedisWithSentinels } from "../support/redis-fleet.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startTestRedis } from "../support/test-redis.ts";
import { HANGS_AFTER_MS, waitUntil } from "../support/wait.ts";
import { readLongHash } from "../../src/store/redis/limit-waiting.ts";

async function connected(
  socket: string,
  role: RedisRole,
  options: ConnectOptions = {},
): Promise<Redis> {
  const redis = connectRedis({ path: socket }, role, options);
  onTestFinished(() => redis.disconnect());
  await untilRedisReady(redis, HANGS_AFTER_MS);
  return redis;
}

async function timed<Value>(work: () => Promise<Value>) {
  const start = performance.now();
  const outcome = await work().then(
    (value) => ({ value }),
    (error: Error) => ({ error: error.name, message: error.message }),
  );
  return { ...outcome, ms: performance.now() - start };
}

test.each([
  ["redis://:secret@127.0.0.1:6380/2", { url: "redis://:secret@127.0.0.1:6380/2" }],
  ["rediss://redis.example.com", { url: "rediss://redis.example.com" }],
  [
    "rediss://me:s%40y@10.0.0.1:7001,10.0.0.2,[::1]:7003",
    {
      url: "rediss://me:s%40y@10.0.0.1:7001,10.0.0.2,[::1]:7003",
      tls: true,
      username: "me",
      password: "s@y",
      nodes: [
        { host: "10.0.0.1", port: 7001 },
        { host: "10.0.0.2", port: 6379 },
        { host: "::1", port: 7003 },
      ],
    },
  ],
  [
    "redis://a:1,redis://b:2/",
    {
      url: "redis://a:1,redis://b:2/",
      tls: false,
      nodes: [
        { host: "a", port: 1 },
        { host: "b", port: 2 },
      ],
    },
  ],
  [
    "redis+sentinel://:pw@s1,s2:5000/orders?sentinel_password=p2",
    {
      url: "redis+sentinel://:pw@s1,s2:5000/orders?sentinel_password=p2",
      tls: false,
      password: "pw",
      name: "orders",
      sentinelPassword: "p2",
      sentinels: [
        { host: "s1", port: 26_379 },
        { host: "s2", port: 5000 },
      ],
    },
  ],
  ["unix:/run/redis.sock", { path: "/run/redis.sock" }],
  ["unix:///run/redis.sock", { path: "/run/redis.sock" }],
  ["/run/redis.sock", { path: "/run/redis.sock" }],
])("reads %s", (url, expected) => {
  expect(redisTarget(url)).toEqual(expected);
});

describe("a request connection", () => {
  test("fails at once while Redis is down, and works again within moments", async () => {
    const { server, signal, exits } = await startTestRedis(await temporaryFolder());
    const errors: Error[] = [];
    const onError = (error: Error) => errors.push(error);
    const redis = await connected(server.path, "request", { onError });

    // At the moment of the loss, before anything can run again: a refusal then needs no waiting.
    const down = until(redis, "close").then(async () => {
      const late = new Promise((resolve) => void setTimeout(resolve, 900, "late"));
      return await Promise.race([redis.get("key").catch((error: Error) => error), late]);
    });
    signal("SIGKILL");
    expect(await down).toBeInstanceOf(Error);
    await waitUntil("the server is gone", () => exits.length === 1);

    await waitUntil("it runs again", () => server.pid !== undefined);
    const back = performance.now();
    await waitUntil("commands work", () => redis.set("key", "1").then(Boolean, () => false));
    expect(performance.now() - back).toBeLessThan(15_000);
    expect(errors.length).toBeLessThanOrEqual(1);
  });

  test("never sends a command again that was in flight when the connection dropped", async () => {
    const { server } = await startTestRedis(await temporaryFolder());
    const patient = { commandTimeoutMs: HANGS_AFTER_MS };
    const redis = await connected(server.path, "request", patient);
    const admin = await connected(server.path, "request", patient);
    const id = await redis.client("ID");

    // A blocked command is in flight for as long as nobody pushes.
    const inFlight = timed(() => redis.blpop("list", 60));
    await waitUntil("it is blocked", async () =>
      (await admin.info("clients")).includes("blocked_clients:1"),
    );
    await admin.client("KILL", "ID", id);

    expect(await inFlight).toMatchObject({ error: "MaxRetriesPerRequestError" });
    await untilRedisReady(redis, HANGS_AFTER_MS);
    expect(await redis.ping()).toBe("PONG");
    expect(await admin.info("clients")).toContain("blocked_clients:0");
  });

  test("gives a frozen Redis one second; what it gave up may still be carried out", async () => {
    const { server, signal } = await startTestRedis(await temporaryFolder());
    const redis = await connected(server.path, "request");

    signal("SIGSTOP");
    const long = readLongHash(redis, "hash");
    const late = await timed(() => redis.set("late", "1"));
    signal("SIGCONT");

    expect(late).toMatchObject({ message: "Command timed out" });
    expect(late.ms).toBeGreaterThan(900);
    expect(late.ms).toBeLessThan(15_000);
    expect(await redis.get("late")).toBe("1");
    expect(await long).toEqual({});
  });
});

test("what was answered while this process stood still is not called unanswered", async () => {
  const { server } = await startTestRedis(await temporaryFolder());
  const redis = await connected(server.path, "request");
  const asked = redis.set("key", "1");
  await new Promise((resolve) => void setImmediate(resolve));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200);
  expect(await asked).toBe("OK");
  // Nor what could not be sent until then.
  const next = redis.get("key");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200);
  expect(await next).toBe("1");
});

/** Whatever fails meanwhile. */
const until = async (redis: Redis, event: "connecting" | "close" | "end") =>
  await new Promise<void>((resolve) => void redis.once(event, () => resolve()));

test.each(["request", "worker"] as const)(
  "a %s connection that is given up while it is being made is made again",
  async (role) => {
    const { server } = await startTestRedis(await temporaryFolder());
    const redis = await connected(server.path, role);
    redis.disconnect(true);
    await until(redis, "connecting");
    redis.disconnect(true);
    await untilRedisReady(redis, HANGS_AFTER_MS);
    expect(await redis.ping()).toBe("PONG");
    redis.disconnect(true);
    await until(redis, "connecting");
    redis.disconnect();
    await until(redis, "end");
  },
);

test("a connection that Sentinels end while their master is being asked for is made again", async () => {
  const fleet = await startRedisWithSentinels(await temporaryFolder());
  onTestFinished(fleet.stop);
  const redis = connectRedis(redisTarget(fleet.url), "worker") as Redis;
  onTestFinished(() => redis.disconnect());
  await untilRedisReady(redis, HANGS_AFTER_MS);
  redis.disconnect(true);
  await until(redis, "connecting");
  // As their word of a failover does, which comes when the connection is gone already.
  redis.disconnect(true);
  expect(await redis.ping()).toBe("PONG");
});

test("a worker connection's commands wait for Redis to come back", async () => {
  const { server, signal } = await startTestRedis(await temporaryFolder());
  const redis = await connected(server.path, "worker");

  signal("SIGKILL");
  expect(await redis.set("key", "1")).toBe("OK");
});

test("a server that reads its data for a while is waited for, and its progress told", async () => {
  const folder = await temporaryFolder();
  const first = await startTestRedis(folder);
  const filling = (await connected(first.server.path, "request")).pipeline();
  for (let n = 0; n < 4_096; n += 1) filling.set(`key-${n}`, n);
  await filling.exec();
  await first.server.stop();

  const errors: Error[] = [];
  const early = connectRedis({ path: first.server.path }, "request", {
    onError: (error) => errors.push(error),
  });
  onTestFinished(() => early.disconnect());
  const { lines } = await startTestRedis(folder, await slowReader(folder));
  await untilRedisReady(early, HANGS_AFTER_MS);

  expect(await early.dbsize()).toBe(4_096);
  expect(lines.join("\n")).toMatch(/Redis is reading its data, [\d.]+ % done/);
});

/** A server program that takes about a millisecond for each key it reads. */
async function slowReader(folder: string): Promise<string> {
  const { file } = await findRedisBinary(process.env["REDIS_SERVER_BIN"]);
  const program = path.join(folder, "slow-redis");
  await writeFile(
    program,
    `#!/bin/bash\nexec -a ${SERVER_NAME} $(command -v ${file}) "$@" --key-load-delay 1000\n`,
  );
  await chmod(program, 0o755);
  return program;
}

test("without any Redis the wait ends at its deadline with the reason", async () => {
  const redis = connectRedis({ path: "/nonexistent/redis.sock" }, "request");
  onTestFinished(() => redis.disconnect());
  await expect(untilRedisReady(redis, 2_000)).rejects.toThrow("ENOENT");
});

/** A key both ends know is all it takes: only the sockets matter here. */
const SHARED_KEY = {
  ciphers: "PSK-AES128-GCM-SHA256",
  maxVersion: "TLSv1.2",
} as const;
const PSK = Buffer.alloc(16, 1);

test.each(["tcp", "unix", "tls"])(
  "giving up closes a connection at once (%s), also one that was ended",
  async (kind) => {
    const peer = (socket: Socket) => void socket.on("error", () => undefined);
    const server =
      kind === "tls"
        ? createTlsServer({ ...SHARED_KEY, pskCallback: () => PSK }, peer)
        : createServer(peer);
    const socket = path.join(await temporaryFolder(), "socket");
    server.listen(kind === "unix" ? socket : 0);
    await once(server, "listening");
    onTestFinished(() => void server.close());

    const standing = await dial(server.address(), kind === "tls");
    const ended = await dial(server.address(), kind === "tls");
    const closed = Promise.all([once(standing, "close"), once(ended, "close")]);
    giveUp(standing);
    ended.end();
    giveUp(ended);
    await closed;
    expect([standing.destroyed, ended.destroyed]).toEqual([true, true]);
  },
);

async function dial(address: AddressInfo | string | null, isTls: boolean): Promise<Socket> {
  const at = typeof address === "string" ? { path: address } : { port: address?.port ?? 0 };
  const key = () => ({ psk: PSK, identity: "test" });
  const trust = () => undefined;
  const stream = isTls
    ? connectTls({ ...SHARED_KEY, ...at, pskCallback: key, checkServerIdentity: trust })
    : connect(at);
  await once(stream, isTls ? "secureConnect" : "connect");
  return stream;
}
