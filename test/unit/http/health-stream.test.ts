import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { ConnectionStatus, ConnectionWhy } from "../../../src/domain/connection-status.ts";
import { accountId, connectionId, credentialId, userId } from "../../../src/domain/ids.ts";
import { errors } from "../../../src/errors.ts";
import { EventStream } from "../../../src/http/stream/event-stream.ts";
import { HealthAudience } from "../../../src/http/stream/health-audience.ts";
import { HealthHub, type HealthHubDeps } from "../../../src/http/stream/health-hub.ts";
import type { Gateway } from "../../../src/trading/gateway.ts";
import { EVERYTHING, openStream, type StreamClient } from "../../support/stream-client.ts";
import { waitUntil } from "../../support/wait.ts";
import { admitted, apiKey, startApp } from "./http-kit.ts";

const STREAM = "/v1/connection-health/stream";

type Hear = Parameters<Gateway["watchConnections"]>[1];
type HearChange = Parameters<Gateway["watchChanges"]>[1];

/** Connections that a test moves by hand; the last letter of a key names its user. */
function byHand() {
  const watches = new Map<string, Hear>();
  const changeWatches = new Map<string, HearChange>();
  const counts = { began: 0, ended: 0 };
  const revoked = new Set<string>();
  const statuses: Record<string, ConnectionStatus> = { sim: "CONNECTED" };
  return {
    revoked,
    counts,
    set: (connection: string, status: ConnectionStatus, user = "u_a", why?: ConnectionWhy) => {
      statuses[connection] = status;
      watches.get(user)?.(connectionId(connection), status, why);
    },
    change: (...[account, what]: Parameters<HearChange>) =>
      changeWatches.get("u_a")?.(account, what),
    script: {
      admitKey: async (secret: string) =>
        admitted({
          ...apiKey(["read"]),
          id: credentialId(secret),
          userId: userId(`u_${secret.at(-1)}`),
        }),
      gateway: {
        watchConnections: async ({ userId: user }, hear) => {
          counts.began += 1;
          watches.set(user, hear);
          for (const [id, status] of Object.entries(statuses)) hear(connectionId(id), status);
          return () => {
            counts.ended += 1;
            watches.delete(user);
          };
        },
        watchChanges: async ({ userId: user }, hear) => {
          counts.began += 1;
          changeWatches.set(user, hear);
          return () => {
            counts.ended += 1;
            changeWatches.delete(user);
          };
        },
        findRevokedKeys: async (keys) => keys.filter((key) => revoked.has(key)),
      } satisfies Partial<Gateway>,
    },
  };
}

async function start(options: Parameters<typeof startApp>[0] = {}) {
  const hand = byHand();
  const app = await startApp({ ...hand.script, ...options });
  const open = async (key = "key_a", headers?: Record<string, string>, path?: string) => {
    const client = await openStream(app.url, key, headers, path);
    onTestFinished(client.close);
    return client;
  };
  const openCount = () => app.seen.findLast(({ name }) => name === "streamsOpen")?.value;
  return { hand, app, open, openCount };
}

/** A server that leaves its answers to the test. */
async function startResponses() {
  const waiting: ServerResponse[] = [];
  const server = createServer((_, response) => {
    response.writeHead(200).flushHeaders();
    waiting.push(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, waiting };
}

/** One stream of a hub whose clocks the test sets. */
async function followHub(settings: Pick<HealthHubDeps, "now" | "elapsed" | "streams">) {
  const { gateway } = byHand().script;
  const observer = { streamsOpen: () => undefined, streamDropped: () => undefined };
  const people = { findEndedSessions: async () => [] };
  const hub = new HealthHub({ gateway, people, observer, ...settings });
  onTestFinished(() => hub.close());
  const { url, waiting } = await startResponses();
  const client = await openStream(url, "any");
  onTestFinished(client.close);
  const [response] = waiting;
  if (response === undefined) throw new Error("Nobody has asked");
  const join = await hub.open({
    userId: userId("u_a"),
    credentialId: credentialId("key_a"),
    scopes: ["read"],
    receivedAt: 0,
    requestId: "one",
  });
  join(new EventStream(response));
  await client.untilStatuses(["CONNECTED"], "sim");
  return client;
}

describe("changes", () => {
  const paper = (name: number) => accountId(`paper-${name}`);
  const changesOf = (client: StreamClient) =>
    client.items().flatMap(({ changes }) => (changes === undefined ? [] : [changes]));

  test("are told to who asks for them, together when they come together", async () => {
    const { hand, open } = await start();
    const health = await open();
    const all = await open("key_a", undefined, EVERYTHING);
    await all.untilStatuses(["CONNECTED"], "sim");
    hand.change(paper(1), ["orders"]);
    hand.change(paper(1), ["orders", "positions"]);
    hand.change(undefined, ["overview"]);
    await all.untilChanged(null, "overview");
    expect(changesOf(all)).toEqual([
      [
        { accountId: "paper-1", what: ["orders", "positions"] },
        { accountId: null, what: ["overview"] },
      ],
    ]);
    hand.set("sim", "RECONNECTING");
    await all.untilStatuses(["CONNECTED", "RECONNECTING"], "sim");
    await health.untilStatuses(["CONNECTED", "RECONNECTING"], "sim");
    expect(changesOf(health)).toEqual([]);
  });

  test("however many there are, one item a second is told", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const audience = new HealthAudience(() => Date.now());
    const sent: string[] = [];
    const stream: Partial<EventStream> = { send: (items) => void sent.push(String(items)) };
    audience.add(stream as EventStream, "everything");
    for (let name = 0; name < 10; name += 1) {
      audience.hearChange(paper(name), ["orders"]);
      vi.advanceTimersByTime(20);
    }
    vi.advanceTimersByTime(10_000);
    const items = sent.filter((text) => text.includes('"changed"'));
    const [first = 0, second = 0] = items.map((text) => Number(/"ts":(\d+)/.exec(text)?.[1]));
    expect(items).toHaveLength(2);
    expect(items[1]).toContain("paper-9");
    expect(second - first).toBe(1_000);
  });

  test("of many accounts at once it is told that any may have changed", async () => {
    const { hand, open } = await start();
    const client = await open("key_a", undefined, EVERYTHING);
    await client.untilStatuses(["CONNECTED"], "sim");
    for (let name = 0; name < 1_000; name += 1) hand.change(paper(name), ["orders"]);
    await client.untilChanged(null, "orders");
    expect(changesOf(client)).toEqual([[{ accountId: null, what: ["orders"] }]]);
  });

  test("are watched for as long as somebody hears them", async () => {
    const { hand, open } = await start();
    const client = await open("key_a", undefined, EVERYTHING);
    await client.untilStatuses(["CONNECTED"], "sim");
    expect(hand.counts).toEqual({ began: 2, ended: 0 });
    client.close();
    await waitUntil("nobody watches", () => hand.counts.ended === 2);
  });

  test("a request that may have changed something is told of, also where it failed", async () => {
    const app = await startApp({
      gateway: {
        readKillSwitch: async () => ({ active: false, accounts: [] }),
        cancelOrder: async () => {
          throw errors.notFound("order");
        },
      },
    });
    const told = () =>
      app.seen.filter(({ name }) => name === "tellChange").map(({ value }) => value);
    await app.get("/v1/kill-switch");
    await app.send("DELETE", "/v1/accounts/paper-1/orders/1");
    expect(told()).toEqual([]);
    await app.send("DELETE", "/v1/accounts/paper-1/positions");
    await app.send("PUT", "/v1/kill-switch", { active: true });
    expect(told()).toEqual([{ accountId: "paper-1" }, { userId: "u_1" }]);
  });
});

describe("items", () => {
  test("a snapshot comes first, then each change once", async () => {
    const { hand, open } = await start();
    const client = await open();
    await client.untilStatuses(["CONNECTED"], "sim");
    hand.set("sim", "CONNECTED");
    hand.set("sim", "RECONNECTING");
    hand.set("sim", "RECONNECTING");
    hand.set("sim", "CONNECTED");
    await client.untilStatuses(["CONNECTED", "RECONNECTING", "CONNECTED"], "sim");
    expect(client.items().map(({ type }) => type)).toEqual(["snapshot", "status", "status"]);
    const fields = /^data: \{"type":"\w+","connectionId":"sim","status":"\w+","ts":\d{13}\}$/;
    const lines = client
      .text()
      .split("\n")
      .filter((line) => line.startsWith("data"));
    expect(lines.filter((line) => !fields.test(line))).toEqual([]);
    expect(client.text()).toMatch(/^retry: 3000\n\ndata: /);
  });

  test("a connection that appears later comes with a snapshot", async () => {
    const { hand, open } = await start();
    const client = await open();
    await client.untilStatuses(["CONNECTED"], "sim");
    hand.set("new", "CONNECTING");
    hand.set("new", "CONNECTED");
    await client.untilStatuses(["CONNECTING", "CONNECTED"], "new");
    const ofNew = client.items().filter((item) => item.connectionId === "new");
    expect(ofNew.map(({ type }) => type)).toEqual(["snapshot", "status"]);
  });

  test("one that joins in the turn of a change is not told of it twice", async () => {
    const audience = new HealthAudience(() => 1);
    const sim = connectionId("sim");
    const { url, waiting } = await startResponses();
    const [first, second] = [await openStream(url, "any"), await openStream(url, "any")];
    onTestFinished(first.close);
    onTestFinished(second.close);

    const [one, other] = waiting.map((response) => new EventStream(response));
    audience.hear(sim, "CONNECTED");
    if (one !== undefined) audience.add(one, "health");
    audience.hear(sim, "RECONNECTING");
    if (other !== undefined) audience.add(other, "health");
    await first.untilStatuses(["CONNECTED", "RECONNECTING"], "sim");
    audience.hear(sim, "CONNECTED");
    await first.untilStatuses(["CONNECTED", "RECONNECTING", "CONNECTED"], "sim");
    await second.untilStatuses(["RECONNECTING", "CONNECTED"], "sim");
    expect(second.statuses("sim")).toHaveLength(2);
  });

  test("a change of the reason alone is told, with when the next login is tried", async () => {
    const audience = new HealthAudience(() => 1);
    const sim = connectionId("sim");
    const { url, waiting } = await startResponses();
    const client = await openStream(url, "any");
    onTestFinished(client.close);
    audience.hear(sim, "RECONNECTING", { reason: "Cut off", retryAt: 1_000 });
    for (const response of waiting) audience.add(new EventStream(response), "health");
    audience.hear(sim, "RECONNECTING", { reason: "Cut off", retryAt: 1_000 });
    audience.hear(sim, "RECONNECTING", { reason: "Cut off", retryAt: 61_000 });
    audience.hear(sim, "CONNECTED");
    await waitUntil("three items", () => client.items().length === 3);
    const told = { connectionId: "sim", status: "RECONNECTING", reason: "Cut off", ts: 1 };
    expect(client.items()).toEqual([
      { type: "snapshot", ...told, retryAt: "1970-01-01T00:00:01.000Z" },
      { type: "status", ...told, retryAt: "1970-01-01T00:01:01.000Z" },
      { type: "status", connectionId: "sim", status: "CONNECTED", ts: 1 },
    ]);
  });

  test("a heartbeat comes in time, and carries its time only", async () => {
    const { open } = await start({ streams: { heartbeatMs: 60 } });
    const client = await open();
    await waitUntil("three heartbeats", () => client.items().length >= 4);
    const [, ...beats] = client.items();
    expect(beats.map((item) => Object.keys(item))).toEqual(beats.map(() => ["type", "ts"]));
    expect(new Set(beats.map(({ type }) => type))).toEqual(new Set(["heartbeat"]));
  });

  test("a wall clock that is set back keeps no heartbeat back", async () => {
    let setBackMs = 0;
    const now = () => Date.now() - setBackMs;
    const client = await followHub({ streams: { heartbeatMs: 60 }, now });
    setBackMs = 3_600_000;
    const atMost = now() + setBackMs / 2;
    await waitUntil("it tells the new time", () => (client.items().at(-1)?.ts ?? 0) < atMost);
    expect(client.items().at(-1)?.type).toBe("heartbeat");
  });

  test("a heartbeat is due early enough that a late timer keeps the 15 s", async () => {
    let ms = 0;
    const client = await followHub({ elapsed: () => ms });
    ms = 14_000;
    await waitUntil("an item comes", () => client.items().length > 1);
    expect(client.items().map(({ type }) => type)).toEqual(["snapshot", "heartbeat"]);
  });

  test("what belongs to another user is not told", async () => {
    const { hand, open } = await start();
    const [one, other] = [await open("key_a"), await open("key_b")];
    await other.untilStatuses(["CONNECTED"], "sim");
    hand.set("secret", "CONNECTED", "u_b");
    await other.untilStatuses(["CONNECTED"], "secret");
    hand.set("sim", "RECONNECTING", "u_a");
    await one.untilStatuses(["CONNECTED", "RECONNECTING"], "sim");
    expect(one.text()).not.toContain("secret");
    expect(other.statuses("sim")).toEqual(["CONNECTED"]);
  });

  test("a thousand changes in one turn do not drop a client that reads", async () => {
    const { hand, app, open } = await start();
    const client = await open();
    await client.untilStatuses(["CONNECTED"], "sim");
    for (let n = 0; n < 2_000; n += 1) hand.set(`sim-${n}`, "RECONNECTING");
    await client.untilStatuses(["RECONNECTING"], "sim-1999");
    expect(client.items()).toHaveLength(2_001);
    expect(app.seen.map(({ name }) => name)).not.toContain("streamDropped");
  });
});

describe("the answer", () => {
  test("has the headers that keep it open and unchanged on its way", async () => {
    const { open } = await start();
    const { status, headers } = await open();
    expect([status, headers["content-type"], headers["cache-control"]]).toEqual([
      200,
      "text/event-stream; charset=utf-8",
      "no-cache, no-transform",
    ]);
    expect(headers["x-accel-buffering"]).toBe("no");
    expect(headers["x-ratelimit-remaining"]).toBe("119");
  });

  test.each([
    {},
    { accept: "*/*" },
    { accept: "text/*" },
    { accept: "application/json, */*;q=0.1" },
  ])("%j is served", async (headers) => {
    const { open } = await start();
    expect((await open("key_a", headers)).status).toBe(200);
  });

  test.each(["application/json", "text/html", "text/event-stream;q=0"])(
    "Accept: %s is a 406",
    async (accept) => {
      const { app, hand } = await start();
      const { status, body } = await app.get(STREAM, { accept });
      expect([status, body.error.code]).toEqual([406, "NOT_ACCEPTABLE"]);
      expect(hand.counts.began).toBe(0);
    },
  );

  test("HEAD tells the headers and opens nothing", async () => {
    const { app, hand } = await start();
    const { status, headers } = await app.send("HEAD", STREAM);
    expect([status, headers.get("content-type")]).toEqual([
      200,
      "text/event-stream; charset=utf-8",
    ]);
    expect(hand.counts.began).toBe(0);
  });

  test("is refused without a key, without the scope, and with a parameter", async () => {
    const app = await startApp({
      admitKey: async (secret) =>
        secret === "none" ? { kind: "unknown" } : admitted(apiKey([secret as "read"])),
    });
    const ask = async (key: string, query = "") =>
      await app.get(`${STREAM}${query}`, { "x-api-key": key });
    expect((await app.request("GET", STREAM)).status).toBe(401);
    expect((await ask("none")).status).toBe(401);
    expect((await ask("trade")).body.error.code).toBe("INSUFFICIENT_SCOPE");
    expect((await ask("read", "?since=1")).body.error.code).toBe("VALIDATION_FAILED");
    expect(app.calls).toEqual([]);
  });
});

describe("limits", () => {
  test("a key has so many streams and no more, until one is closed", async () => {
    const { app, open, openCount } = await start({ streams: { mostPerKey: 2 } });
    const [first] = [await open(), await open()];
    const { status, body } = await app.get(STREAM, { "x-api-key": "key_a" });
    expect([status, body.error.code, body.error.retry]).toEqual([429, "TOO_MANY_STREAMS", "safe"]);
    expect((await open("other_a")).status).toBe(200);
    first.close();
    await waitUntil("its place is free", () => openCount() === 2);
    expect((await open()).status).toBe(200);
  });

  test("so has the process, whatever the keys", async () => {
    const { app, open } = await start({ streams: { mostInAll: 2 } });
    await open("key_a");
    await open("key_b");
    const { status, body } = await app.get(STREAM, { "x-api-key": "key_c" });
    expect([status, body.error.code]).toEqual([429, "TOO_MANY_STREAMS"]);
  });

  test("a refusal by the store leaves no place taken", async () => {
    const hand = byHand();
    let isAway = true;
    const { app, open } = await start({
      ...hand.script,
      streams: { mostPerKey: 1 },
      gateway: {
        ...hand.script.gateway,
        watchConnections: async (caller, hear) => {
          if (isAway) throw errors.storeUnavailable(new Error("away"));
          return await hand.script.gateway.watchConnections(caller, hear);
        },
      },
    });
    for (let n = 0; n < 3; n += 1) {
      expect((await app.get(STREAM, { "x-api-key": "key_a" })).status).toBe(503);
    }
    isAway = false;
    expect((await open()).status).toBe(200);
  });

  test("one watch serves all streams of a user, and ends with the last one", async () => {
    const { hand, open, openCount } = await start();
    const clients = await Promise.all(Array.from({ length: 10 }, () => open()));
    expect(hand.counts).toEqual({ began: 1, ended: 0 });
    await waitUntil("all are open", () => openCount() === 10);
    clients.forEach((client) => client.close());
    await waitUntil("none is open", () => openCount() === 0);
    await waitUntil("the watch ended", () => hand.counts.ended === 1);
    await (await open()).untilStatuses(["CONNECTED"], "sim");
    expect(hand.counts).toEqual({ began: 2, ended: 1 });
  });

  test("who does not read is dropped and counted; the others hear everything", async () => {
    const { hand, app, open, openCount } = await start();
    const [slow, quick] = [await open(), await open()];
    await slow.untilStatuses(["CONNECTED"], "sim");
    slow.pause();
    let changes = 0;
    // The system's own buffers take a few MB before anything waits in ours.
    const why = { reason: "x".repeat(10_000) };
    await waitUntil("the slow one is dropped", () => {
      for (let n = 0; n < 50; n += 1) {
        const status = (changes += 1) % 2 === 0 ? "CONNECTED" : "RECONNECTING";
        hand.set("sim", status, "u_a", why);
      }
      return app.seen.some(({ name }) => name === "streamDropped");
    });
    expect(openCount()).toBe(1);
    // A heartbeat may be among them.
    const heard = () => quick.statuses("sim").length;
    await waitUntil("the quick one has heard all", () => heard() === changes + 1);
    slow.resume();
    await waitUntil("the slow one sees its end", () => slow.end() !== undefined);
    expect(slow.end()).toBe("cut");
    expect(quick.end()).toBeUndefined();
  });
});

describe("the end", () => {
  test("a revoked key ends its own streams", async () => {
    const { hand, open } = await start();
    const [dead, alive] = [await open("dead_a"), await open("alive_a")];
    await alive.untilStatuses(["CONNECTED"], "sim");
    hand.revoked.add("dead_a");
    await waitUntil("its stream ends", () => dead.end() === "ended");
    expect(alive.end()).toBeUndefined();
  });

  test("keys that cannot be looked up end nothing, until they can", async () => {
    const hand = byHand();
    let isAway = true;
    let looks = 0;
    const { open } = await start({
      ...hand.script,
      gateway: {
        ...hand.script.gateway,
        findRevokedKeys: async (keys) => {
          looks += 1;
          if (isAway) throw errors.storeUnavailable(new Error("away"));
          return keys;
        },
      },
    });
    const client = await open();
    await waitUntil("it was looked up", () => looks >= 2);
    expect(client.end()).toBeUndefined();
    isAway = false;
    await waitUntil("it ends", () => client.end() === "ended");
  });

  test("a stop ends all in order and at once, those who do not read included", async () => {
    const { hand, app, open } = await start();
    const [client, stuck] = [await open(), await open()];
    await stuck.untilStatuses(["CONNECTED"], "sim");
    stuck.pause();
    for (let n = 0; n < 10_000; n += 1) hand.set(`sim-${n}`, "CONNECTED");
    await client.untilStatuses(["CONNECTED"], "sim-9999");
    // By the deadline everything would be cut: that `client` ends in order shows that it was not.
    await app.app.stop({ deadlineMs: 60_000 });
    await waitUntil("it sees the end", () => client.end() !== undefined);
    expect(client.end()).toBe("ended");
  });

  test("a client that resets its connection is no failure", async () => {
    const { app, openCount } = await start();
    const socket = connect(app.port, "127.0.0.1");
    socket.on("error", () => undefined);
    const lines = [`GET ${STREAM} HTTP/1.1`, "Host: a", "X-API-Key: key_a", "", ""];
    socket.write(lines.join("\r\n"));
    await waitUntil("it is open", () => openCount() === 1);
    socket.resetAndDestroy();
    await waitUntil("it is gone", () => openCount() === 0);
    expect(app.seen.filter(({ name }) => name === "requestFailed")).toEqual([]);
  });

  test("it outlives the time that a client has for its request", async () => {
    const { app, hand, open } = await start({ patience: { headersMs: 100, requestMs: 100 } });
    const client = await open();
    await client.untilStatuses(["CONNECTED"], "sim");
    // A request that is too slow, sent after it and given up: by then the stream would be gone too.
    const late = connect(app.port, "127.0.0.1");
    late.write("GET / HTTP/1.1\r\n");
    await new Promise((resolve) => late.resume().once("close", resolve));
    hand.set("sim", "RECONNECTING");
    await client.untilStatuses(["CONNECTED", "RECONNECTING"], "sim");
    expect(client.end()).toBeUndefined();
  });
});
