// The goal: a connection that is dead is given up, one that lives is not, and no way in which one ends
// leaves a promise that nobody hears of: main.ts ends the process on those.
// The method: a real server, and between it and us a proxy that swallows or cuts at chosen bytes.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { Redis } from "ioredis";
import { describe, expect, onTestFinished, test } from "vitest";
import { openChannels } from "../../queues/channels.ts";
import { connectRedis, type RedisRole, untilRedisReady } from "../../src/store/redis/connect.ts";
import { startFaultProxy } from "../faults/proxy.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startTestRedis } from "../support/test-redis.ts";
import { HANGS_AFTER_MS, waitUntil } from "../support/wait.ts";

/** Until the watch must have noticed, and a new connection stands. */
const NOTICED_MS = HANGS_AFTER_MS;
/** At so many places of what is said until it listens, it is cut. */
const MOMENTS = 25;
const ROLES = ["request", "worker"] as const satisfies readonly RedisRole[];

function open(url: string, role: RedisRole, errors: Error[] = []): Redis {
  const target = url.startsWith("/") ? { path: url } : { url };
  const redis = connectRedis(target, role, { onError: (error) => errors.push(error) }) as Redis;
  onTestFinished(() => redis.disconnect());
  return redis;
}

async function proxied() {
  const redis = await startTestRedis(await temporaryFolder());
  const proxy = await startFaultProxy({ target: { path: redis.server.path } });
  onTestFinished(() => proxy.stop());
  return { ...redis, proxy, url: proxy.url("redis") };
}

/** Rejections that nobody heard of, from now to the end of the test. */
function unheard(): readonly unknown[] {
  const reasons: unknown[] = [];
  const hear = (reason: unknown) => void reasons.push(reason);
  process.on("unhandledRejection", hear);
  onTestFinished(() => void process.off("unhandledRejection", hear));
  return reasons;
}

const works = (redis: Redis) => redis.ping().then(Boolean, () => false);

describe("a connection on which nothing comes back", () => {
  test.each(ROLES)("is given up, and another one is made (%s)", async (role) => {
    const { proxy, url } = await proxied();
    const errors: Error[] = [];
    const redis = open(url, role, errors);
    await untilRedisReady(redis, HANGS_AFTER_MS);

    const hole = proxy.add({ kind: "halfOpen" });
    redis.set("key", "lost").catch(() => undefined);
    await waitUntil("bytes are swallowed", () => hole.hits > 0);
    hole.remove();
    // What went through it before stays dead; only a new connection can work.
    await waitUntil("commands work again", () => works(redis), NOTICED_MS);
    expect(proxy.accepted).toBe(2);
    expect(errors.map(({ message }) => message)).toEqual([
      "Redis does not answer; the connection is given up",
    ]);
  });

  test.each([
    ["request", "toTarget"],
    ["worker", "toTarget"],
    ["worker", "toClient"],
  ] as const)("is given up before it was ever ready (%s, %s)", async (role, direction) => {
    const { proxy, url } = await proxied();
    const hole = proxy.add({ kind: "halfOpen", direction });
    const redis = open(url, role);
    await waitUntil("the handshake is swallowed", () => hole.hits > 0);
    hole.remove();
    await untilRedisReady(redis, NOTICED_MS);
    expect(await redis.ping()).toBe("PONG");
    expect(proxy.accepted).toBe(2);
  });
});

test("a connection survives that its own process stood still", async () => {
  const { server } = await startTestRedis(await temporaryFolder());
  const all = ROLES.map((role) => open(server.path, role));
  await Promise.all(all.map((redis) => untilRedisReady(redis, HANGS_AFTER_MS)));
  let closes = 0;
  for (const redis of all) redis.on("close", () => (closes += 1));
  const before = await Promise.all(all.map((redis) => redis.client("ID")));

  // Longer than a server may be silent; answers lie unread meanwhile.
  const asked = Promise.allSettled(all.map((redis) => redis.ping()));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_500);
  await asked;

  for (const redis of all) await waitUntil("it works", () => works(redis));
  expect(await Promise.all(all.map((redis) => redis.client("ID")))).toEqual(before);
  expect(closes).toBe(0);
});

test("what the system had not sent yet does not arrive after it was sent anew", async () => {
  const { server } = await startTestRedis(await temporaryFolder());
  const relay = await startRelay(server.path);
  const redis = open(relay.url, "worker");
  await untilRedisReady(redis, HANGS_AFTER_MS);

  relay.isReading = false;
  const [first] = relay.clients as [Socket];
  first.pause();
  // More than one system takes from another while nobody reads, less than it keeps for it.
  const sent = Array.from({ length: 30_000 }, () => redis.incr("counter"));
  const bytes = sent.length * "*2\r\n$4\r\nincr\r\n$7\r\ncounter\r\n".length;
  await waitUntil("it is given up", () => redis.status === "reconnecting", NOTICED_MS);
  // However it ends: what is still on its way may meet a closed end.
  const closed = new Promise((resolve) => first.once("close", resolve));
  first.resume();
  await closed;
  expect(first.bytesRead).toBeLessThan(bytes / 2);

  relay.isReading = true;
  await Promise.all(sent);
});

/** Passes everything on; while it does not read, it takes no new connection either. */
async function startRelay(target: string) {
  const clients: Socket[] = [];
  const relay = { clients, isReading: true, url: "" };
  const server = createServer((client) => {
    clients.push(client);
    client.on("error", () => undefined);
    if (!relay.isReading) {
      client.destroy();
      return;
    }
    const redis = connect(target).on("error", () => undefined);
    onTestFinished(() => void redis.destroy());
    client.pipe(redis).pipe(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  relay.url = `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.close();
    for (const client of clients) client.destroy();
  });
  return relay;
}

describe("a connection that listens", () => {
  test("is given up too, and hears again", async () => {
    const { server, proxy, url } = await proxied();
    const { hears } = await listener(url, server.path);

    const hole = proxy.add({ kind: "halfOpen" });
    await hears.say("lost");
    await waitUntil("it is swallowed", () => hole.hits > 0);
    hole.remove();
    await waitUntil("it listens anew", () => proxy.accepted > 1, NOTICED_MS);
    await hears.again();
    expect(hears.messages).not.toContain("news lost");
  });

  test.each(["toTarget", "toClient"] as const)(
    "hears again, at whatever byte it was cut (%s)",
    async (direction) => {
      const reasons = unheard();
      const { server } = await startTestRedis(await temporaryFolder());
      const cut = async (part: number) => {
        const proxy = await startFaultProxy({ target: { path: server.path } });
        onTestFinished(() => proxy.stop());
        const { redis, hears } = await listener(proxy.url("redis"), server.path);
        const { bytesRead, bytesWritten } = redis.stream;
        const bytes = Math.floor(part * (direction === "toClient" ? bytesRead : bytesWritten));
        const limit = proxy.add({ kind: "limit", bytes, direction });
        proxy.cutAll();
        await waitUntil(`it is cut twice at ${bytes} bytes`, () => limit.hits > 1);
        limit.remove();
        proxy.cutAll();
        await hears.again();
      };
      await Promise.all(Array.from({ length: MOMENTS }, (_, n) => cut(n / MOMENTS)));
      expect(reasons).toEqual([]);
    },
  );

  test.each(["connecting", "connect", "ready"])("can be ended when it is %s", async (moment) => {
    const reasons = unheard();
    const { server, proxy, url } = await proxied();
    const { redis } = await listener(url, server.path);
    let ended = false;
    redis.once("end", () => (ended = true));
    redis.once(moment, () => {
      redis.disconnect();
      proxy.cutAll(); // What was just asked is not answered any more.
    });
    proxy.cutAll();
    await waitUntil("it has ended", () => ended);
    await new Promise((resolve) => void setImmediate(resolve));
    expect(reasons).toEqual([]);
  });
});

async function listener(url: string, direct: string) {
  const redis = open(url, "worker");
  const sender = open(direct, "request");
  await Promise.all([redis, sender].map((one) => untilRedisReady(one, HANGS_AFTER_MS)));
  const channels = openChannels(redis);
  const messages: string[] = [];
  for (const name of ["news", "bell"]) {
    await channels.listen(name, (message) => messages.push(`${name} ${message}`));
  }
  let said = 0;
  const say = async (message: string) => {
    for (const name of ["news", "bell"]) await sender.publish(name, message);
  };
  const again = async () => {
    const message = `${(said += 1)}`;
    await waitUntil("it hears on both channels", async () => {
      await say(message);
      return ["news", "bell"].every((name) => messages.includes(`${name} ${message}`));
    });
  };
  return { redis, hears: { messages, say, again } };
}

test.each(ROLES)(
  "a handshake that a frozen server does not answer is given up, and heard of (%s)",
  async (role) => {
    const reasons = unheard();
    const { server, signal } = await startTestRedis(await temporaryFolder());
    const direct = open(server.path, "request");
    await untilRedisReady(direct, HANGS_AFTER_MS);
    signal("SIGSTOP");
    onTestFinished(() => signal("SIGCONT"));
    const errors: Error[] = [];
    const redis = open(server.path, role, errors);
    await waitUntil("the handshake is given up", () => errors.length > 0, NOTICED_MS);
    signal("SIGCONT");
    await untilRedisReady(redis, NOTICED_MS);
    expect(await redis.ping()).toBe("PONG");
    expect(reasons).toEqual([]);
  },
);
