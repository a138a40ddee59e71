// The goal: each fault of the proxy happens as it says, and without one not a byte is changed.
// The method: real TCP, WebSocket and Redis connections through it; what both ends saw is compared.
import { once } from "node:events";
import { connect } from "node:net";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { connectRedis } from "../../src/store/redis/connect.ts";
import { redisTarget } from "../../src/store/redis/redis-target.ts";
import {
  anyFrame,
  FRAME_TYPES,
  UPGRADE_REQUEST,
  UPGRADE_RESPONSE,
  upgradeThenEcho,
} from "../faults/any-frames.ts";
import { websocketFrames } from "../faults/frame-faults.ts";
import { type FaultProxyOptions, startFaultProxy } from "../faults/proxy.ts";
import { connectPeer, recordPeer, startRecordingServer } from "../faults/recording-server.ts";
import { seededRandom } from "../faults/seeded-random.ts";
import type { Direction, TcpFault } from "../faults/tcp-faults.ts";
import { serialiseFrame } from "../faults/websocket-frames.ts";
import { openWebSocketPair } from "../faults/websocket-pair.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { waitUntil } from "../support/wait.ts";

async function openProxy(options: FaultProxyOptions) {
  const proxy = await startFaultProxy(options);
  onTestFinished(proxy.stop);
  return proxy;
}

/** A client, the proxy, and the server's end of the client's connection. */
async function openEcho() {
  const server = await startRecordingServer();
  const proxy = await openProxy({ target: server });
  const join = async () => {
    const client = await connectPeer(proxy);
    const index = server.peers.length;
    await waitUntil("the target is reached", () => server.peers.length > index);
    const peer = server.peers[index];
    if (peer === undefined) throw new Error("The target was not reached");
    return { client, peer };
  };
  return { server, proxy, join, ...(await join()) };
}

/** A reset may already be there when the client learns that it is connected. */
async function untilRefused(proxy: { readonly port: number }): Promise<void> {
  const { events } = recordPeer(connect(proxy.port, "127.0.0.1"));
  await waitUntil("it is closed", () => events.includes("close"));
  expect(events[0]).toBe("ECONNRESET");
}

const DIRECTIONS: readonly Direction[] = ["toTarget", "toClient"];

describe("TCP", () => {
  test("what it holds back is on its way when the fault is removed", async () => {
    const { proxy, client, peer } = await openEcho();
    const hold = proxy.add({ kind: "latency", ms: Infinity, direction: "toClient" });
    client.socket.write("held");
    await waitUntil("the answer is held", () => hold.hits === 1);
    expect([peer.text, client.text]).toEqual(["held", ""]);

    hold.remove();
    await waitUntil("the answer comes", () => client.text === "held");
  });

  test.each(DIRECTIONS)("latency with jitter %s delays and keeps the order", async (direction) => {
    const { proxy, client } = await openEcho();
    const late = proxy.add({ kind: "latency", ms: 100, jitterMs: 100, seed: 7, direction });
    const startedAt = performance.now();
    let sent = "";
    for (let number = 0; number < 20; number++) {
      client.socket.write(`${number},`);
      sent += `${number},`;
      await new Promise(setImmediate);
    }
    await waitUntil("all came back", () => client.text.length >= sent.length);
    expect(client.text).toBe(sent);
    expect(late.hits).toBeGreaterThan(0);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(100);
  });

  test.each<TcpFault>([
    { kind: "bandwidth", bytesPerSecond: 20_000, direction: "toTarget" },
    { kind: "slice", bytes: 500, delayMs: 20, direction: "toTarget" },
  ])("$kind lets bytes trickle", async (fault) => {
    const { proxy, client, peer } = await openEcho();
    const trickle = proxy.add(fault);
    const sent = "0123456789".repeat(500);
    const startedAt = performance.now();
    client.socket.write(sent);
    await waitUntil("all came back", () => client.text.length >= sent.length);
    expect(client.text).toBe(sent);
    expect(trickle.hits).toBeGreaterThanOrEqual(9);
    expect(peer.chunks.length).toBeGreaterThan(1);
    // The pauses add up to 250 and 180 ms.
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(180);
  });

  test("a half-open connection swallows bytes and closes, and never comes back", async () => {
    const { proxy, client, peer, join } = await openEcho();
    const hole = proxy.add({ kind: "halfOpen", direction: "toTarget" });
    client.socket.write("lost");
    await waitUntil("it is swallowed", () => hole.hits > 0);
    peer.socket.write("heard");
    await waitUntil("the other direction works", () => client.text === "heard");

    hole.remove();
    client.socket.end("lost too");
    const second = await join();
    second.client.socket.write("fresh");
    await waitUntil("a new connection works", () => second.client.text === "fresh");
    expect([peer.text, peer.events]).toEqual(["", []]);
  });

  test("a half-open connection swallows a close alone", async () => {
    const { proxy, client, peer } = await openEcho();
    const hole = proxy.add({ kind: "halfOpen", direction: "toTarget" });
    client.socket.end();
    await waitUntil("it is swallowed", () => hole.hits === 1);
    peer.socket.write("anyone there?");
    await waitUntil("the other direction works", () => client.text === "anyone there?");
    expect(peer.events).toEqual([]);
  });

  test("resetBefore: the bytes do not arrive", async () => {
    const { proxy, client, peer, join } = await openEcho();
    const cut = proxy.add({ kind: "resetBefore", matches: (bytes) => bytes.includes("order") });
    client.socket.write("hello");
    await waitUntil("what does not match passes", () => client.text === "hello");
    client.socket.write("order");
    await waitUntil("both ends are closed", () =>
      [client, peer].every(({ events }) => events.includes("close")),
    );
    expect([client.events[0], peer.events[0]]).toEqual(["ECONNRESET", "ECONNRESET"]);
    expect([peer.text, cut.hits]).toEqual(["hello", 1]);

    const again = await join();
    again.client.socket.write("order");
    await waitUntil("it strikes once", () => again.client.text === "order");
  });

  test("resetAfter: the bytes arrive, their answer does not", async () => {
    const { proxy, client, peer } = await openEcho();
    const cut = proxy.add({ kind: "resetAfter" });
    client.socket.write("order");
    await waitUntil("both ends are closed", () =>
      [client, peer].every(({ events }) => events.includes("close")),
    );
    expect([client.events[0], client.text]).toEqual(["ECONNRESET", ""]);
    expect([peer.text, cut.hits]).toEqual(["order", 1]);
  });

  test("slowClose: the target hears of the close later", async () => {
    const { proxy, client, peer } = await openEcho();
    const slow = proxy.add({ kind: "slowClose", ms: Infinity, direction: "toTarget" });
    client.socket.end("last words");
    await waitUntil("the close is held", () => slow.hits === 1);
    await waitUntil("the bytes are not", () => peer.text === "last words");
    expect(peer.events).toEqual([]);

    slow.remove();
    await waitUntil("the close comes", () => peer.events.includes("close"));
    await waitUntil("nothing is open", () => proxy.connections === 0);
  });

  test("refuse: new connections are reset, the one that stands works", async () => {
    const { proxy, client } = await openEcho();
    const refusal = proxy.add({ kind: "refuse" });
    await untilRefused(proxy);
    client.socket.write("still here");
    await waitUntil("the first one works", () => client.text === "still here");
    expect([refusal.hits, proxy.accepted, proxy.connections]).toEqual([1, 2, 1]);
  });

  test.each(DIRECTIONS)("limit %s: so many bytes arrive, not one more", async (direction) => {
    const { proxy, client, peer } = await openEcho();
    const limit = proxy.add({ kind: "limit", bytes: 7, direction });
    client.socket.write("01234");
    await waitUntil("the first bytes pass", () => client.text === "01234");
    client.socket.write("56789");
    await waitUntil("both ends are closed", () =>
      [client, peer].every(({ events }) => events.includes("close")),
    );
    expect((direction === "toTarget" ? peer : client).text).toBe("0123456");
    expect(limit.hits).toBe(1);
  });

  test("down cuts and refuses until it is cleared", async () => {
    const { proxy, client, peer, join } = await openEcho();
    proxy.add({ kind: "down" });
    await waitUntil("both ends are closed", () =>
      [client, peer].every(({ events }) => events.includes("close")),
    );
    await untilRefused(proxy);

    proxy.clear();
    const again = await join();
    again.client.socket.write("back");
    await waitUntil("it works again", () => again.client.text === "back");
    expect([proxy.accepted, proxy.connections]).toEqual([3, 1]);
  });

  test("cutAll resets both ends, and connections are welcome again", async () => {
    const { proxy, client, peer, join } = await openEcho();
    proxy.cutAll();
    await waitUntil("both ends are closed", () =>
      [client, peer].every(({ events }) => events.includes("close")),
    );
    expect([client.events[0], peer.events[0]]).toEqual(["ECONNRESET", "ECONNRESET"]);
    await join();
  });

  test("a target that is away resets the client", async () => {
    const server = await startRecordingServer();
    const gone = await openProxy({ target: server });
    await gone.stop();
    const proxy = await openProxy({ target: { host: "127.0.0.1", port: gone.port } });
    await untilRefused(proxy);
    await waitUntil("nothing is open", () => proxy.connections === 0);
    expect(proxy.accepted).toBe(1);
  });

  test("stop ends what is held, half open or trickling", async () => {
    const { proxy, client, peer, join } = await openEcho();
    proxy.add({ kind: "bandwidth", bytesPerSecond: 1 });
    client.socket.write("0123456789");
    const second = await join();
    const hold = proxy.add({ kind: "latency", ms: Infinity });
    second.client.socket.write("held");
    await waitUntil("it is held", () => hold.hits > 0);
    const third = await join();
    const hole = proxy.add({ kind: "halfOpen" });
    hold.remove();
    third.client.socket.end("lost");
    await waitUntil("it is swallowed", () => hole.hits > 0);

    await proxy.stop();
    expect(proxy.connections).toBe(0);
    await waitUntil("every end is closed", () =>
      [client, peer, second.peer, third.peer].every(({ events }) => events.includes("close")),
    );
    await expect(connectPeer(proxy)).rejects.toThrow("ECONNREFUSED");
  });

  test("a slow reader slows the sender, and gets every byte", async () => {
    const { client, peer } = await openEcho();
    peer.socket.pause();
    const sent = Buffer.alloc(24 * 1024 * 1024, "x");
    for (const chunk of inChunks(sent, [65_536])) client.socket.write(chunk);
    // Without a bound on the way everything would leave the client by and by.
    let before = -1;
    let unchanged = 0;
    await waitUntil("nothing moves any more", () => {
      const now = client.socket.writableLength;
      unchanged = now === before ? unchanged + 1 : 0;
      before = now;
      return unchanged >= 10;
    });
    expect(before).toBeGreaterThan(0);
    peer.socket.resume();
    const count = () => client.chunks.reduce((sum, { length }) => sum + length, 0);
    await waitUntil("all came back", () => count() >= sent.length);
    expect(Buffer.concat(client.chunks).equals(sent)).toBe(true);
  });

  test.each<TcpFault>([
    { kind: "slice", bytes: 0, delayMs: 1 },
    { kind: "bandwidth", bytesPerSecond: 0 },
    { kind: "latency", ms: Number.NaN },
  ])("numbers that make no sense are refused: $kind", async (fault) => {
    const { proxy } = await openEcho();
    expect(() => proxy.add(fault)).toThrow(RangeError);
  });
});

describe("without a fault", () => {
  const parts = fc.array(fc.uint8Array({ maxLength: 3_000 }), { maxLength: 8 });

  /** Writes the pieces, each on its own turn, then ends, and reads until the other end has closed. */
  async function exchange(port: number, pieces: readonly Uint8Array[]): Promise<Buffer> {
    const socket = connect({ host: "127.0.0.1", port, noDelay: true, allowHalfOpen: true });
    const chunks: Buffer[] = [];
    socket.on("data", (bytes: Buffer) => void chunks.push(bytes));
    const ended = once(socket, "end");
    for (const piece of pieces) {
      socket.write(piece);
      await new Promise(setImmediate);
    }
    socket.end();
    await ended;
    return Buffer.concat(chunks);
  }

  test("any bytes pass unchanged, with and without the layer for frames", async () => {
    const target = await startRecordingServer();
    const proxies = [
      await openProxy({ target }),
      await openProxy({ target, frames: websocketFrames() }),
    ];
    await fc.assert(
      fc.asyncProperty(parts, async (pieces) => {
        const got = await Promise.all(proxies.map(({ port }) => exchange(port, pieces)));
        for (const bytes of got) expect(bytes.equals(Buffer.concat(pieces))).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  test("any frames in any chunks pass unchanged, and each is seen", async () => {
    const target = await startRecordingServer(upgradeThenEcho());
    const frames = websocketFrames();
    let offered = 0;
    frames.add({ kind: "drop", types: FRAME_TYPES, where: () => (offered++, false) });
    const { port } = await openProxy({ target, frames });
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyFrame, { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 70_000 }), { minLength: 1, maxLength: 6 }),
        async (sent, cuts) => {
          offered = 0;
          const stream = Buffer.concat([
            Buffer.from(UPGRADE_REQUEST),
            ...sent.map(({ bytes }) => bytes),
          ]);
          const got = await exchange(port, inChunks(stream, cuts));
          const expected = Buffer.concat([
            Buffer.from(UPGRADE_RESPONSE),
            stream.subarray(UPGRADE_REQUEST.length),
          ]);
          expect(got.equals(expected)).toBe(true);
          expect(offered).toBe(2 * sent.filter(({ canBeChosen }) => canBeChosen).length);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("half a frame passes when the connection ends", async () => {
    const target = await startRecordingServer(upgradeThenEcho());
    const { port } = await openProxy({ target, frames: websocketFrames() });
    const half = serialiseFrame({ type: "text", payload: Buffer.from("0123456789") }).subarray(
      0,
      6,
    );
    const got = await exchange(port, [Buffer.from(UPGRADE_REQUEST), half]);
    expect(got.equals(Buffer.concat([Buffer.from(UPGRADE_RESPONSE), half]))).toBe(true);
  });

  test("chance is the same for the same seed", () => {
    const draw = (seed: number) => Array.from({ length: 50 }, seededRandom(seed));
    expect(draw(3)).toEqual(draw(3));
    expect(draw(3)).not.toEqual(draw(4));
    expect(draw(3).every((number) => number >= 0 && number < 1)).toBe(true);
  });
});

describe("WebSocket", () => {
  test("messages of every size of header pass, and pings", async () => {
    const { client, heard, answers, say } = await openWebSocketPair();
    const texts = [
      "",
      "a",
      "b".repeat(125),
      "c".repeat(126),
      "d".repeat(65_535),
      "e".repeat(65_536),
    ];
    say(...texts);
    await waitUntil("all are answered", () => answers.length === texts.length);
    expect([heard, answers]).toEqual([texts, texts.map((text) => `ack:${text}`)]);
    const ponged = once(client, "pong");
    client.ping("there?");
    expect(String((await ponged)[0])).toBe("there?");
  });

  test("drop takes the next n that match, in one direction", async () => {
    const { frames, heard, answers, say, untilAnswered } = await openWebSocketPair();
    const toTarget = frames.add({ kind: "drop", where: (text) => text === "a", times: 2 });
    const toClient = frames.add({
      kind: "drop",
      where: (text, direction) => direction === "toClient" && text === "ack:b",
    });
    say("a", "b", "a", "a", "end");
    await untilAnswered("end");
    expect(heard).toEqual(["b", "a", "end"]);
    expect(answers).toEqual(["ack:a", "ack:end"]);
    expect([toTarget.hits, toClient.hits]).toEqual([2, 1]);
  });

  test("double", async () => {
    const { frames, heard, say, untilAnswered } = await openWebSocketPair();
    frames.add({ kind: "double", where: (text) => text === "a" });
    say("a", "b", "a", "end");
    await untilAnswered("end");
    expect(heard).toEqual(["a", "a", "b", "a", "end"]);
  });

  test("reorder swaps with the next one", async () => {
    const { frames, heard, say, untilAnswered } = await openWebSocketPair();
    frames.add({ kind: "reorder", where: (text) => text.startsWith("a"), times: 2 });
    say("a1", "a2", "b", "a3", "c", "d", "end");
    await untilAnswered("end");
    expect(heard).toEqual(["a2", "a1", "b", "c", "a3", "d", "end"]);
  });

  test.each([
    ["after a while", { withinMs: 50 }],
    ["before the connection closes", { withinMs: 1_000_000 }],
  ])("reorder delivers what nothing overtakes %s", async (_, { withinMs }) => {
    const { frames, client, heard, say } = await openWebSocketPair();
    const swap = frames.add({ kind: "reorder", withinMs });
    say("alone");
    await waitUntil("it is held", () => swap.hits === 1);
    if (withinMs > 50) client.close();
    await waitUntil("it arrives", () => heard.length === 1);
    expect(heard).toEqual(["alone"]);
  });

  test("delay holds one while others overtake it", async () => {
    const { proxy, frames, heard, say, untilAnswered } = await openWebSocketPair();
    frames.add({ kind: "delay", ms: Infinity, where: (text) => text === "a" });
    frames.add({ kind: "delay", ms: 50, where: (text) => text === "b" });
    say("a", "b", "c");
    await untilAnswered("b");
    expect(heard).toEqual(["c", "b"]);
    proxy.clear();
    await untilAnswered("a");
  });

  test.each(["seeded", "at the start"])(
    "corrupt flips bytes %s, in both directions",
    async (at) => {
      const { frames, heard, answers, say, untilAnswered } = await openWebSocketPair();
      const places = at === "seeded" ? {} : { places: [0] };
      const text = "0".repeat(40);
      const changed = [
        frames.add({ kind: "corrupt", where: (one) => one === text, bytes: 3, seed: 5, ...places }),
        frames.add({ kind: "corrupt", where: (one) => one === "ack:b", bytes: 3, ...places }),
      ];
      say(text, "b", "end");
      await untilAnswered("end");
      const ones = at === "seeded" ? 3 : 1;
      expect(heard[0]).toMatch(/^[01]{40}$/);
      expect(heard[0]?.replaceAll("0", "")).toBe("1".repeat(ones));
      expect(answers[1]).toHaveLength("ack:b".length);
      expect(answers[1]).not.toBe("ack:b");
      expect(changed.map(({ hits }) => hits)).toEqual([1, 1]);
    },
  );

  test("bytes that are no text end the connection as the protocol says", async () => {
    const { frames, closes, say } = await openWebSocketPair();
    frames.add({ kind: "corrupt", places: [0], xor: 0x80 });
    say("text");
    await waitUntil("both are closed", () => closes.length === 2);
    expect(closes).toContain("client 1007");
  });

  test.each(["resetBefore", "resetAfter"] as const)("%s one frame", async (kind) => {
    const { frames, heard, answers, closes, say } = await openWebSocketPair();
    frames.add({ kind, where: (text) => text === "order" });
    say("hello", "order", "never");
    await waitUntil("both are closed", () =>
      ["client 1006", "server 1006"].every((close) => closes.includes(close)),
    );
    expect(heard).toEqual(kind === "resetBefore" ? ["hello"] : ["hello", "order"]);
    expect(answers).not.toContain("ack:order");
  });

  test("control frames are chosen only when they are named", async () => {
    const { frames, client, say, untilAnswered } = await openWebSocketPair();
    const data = frames.add({ kind: "drop", direction: "toTarget" });
    client.ping("one");
    expect(String((await once(client, "pong"))[0])).toBe("one");
    const pongs = frames.add({ kind: "drop", types: ["pong"] });
    client.ping("two");
    client.ping("three");
    expect(String((await once(client, "pong"))[0])).toBe("three");
    say("dropped", "end");
    await untilAnswered("end");
    expect([data.hits, pongs.hits]).toEqual([1, 1]);
  });

  test("a message in fragments is left as it is, and nothing held comes between them", async () => {
    const { frames, client, heard, untilAnswered } = await openWebSocketPair();
    const hold = frames.add({ kind: "delay", ms: Infinity, where: (text) => text === "held" });
    const where = (text: string) => text.includes("part");
    const all = frames.add({ kind: "drop", direction: "toTarget", where });
    client.send("held");
    client.send("part 1, ", { fin: false });
    const ponged = once(client, "pong");
    client.ping();
    await ponged;
    hold.remove();
    client.send("part 2", { fin: true });
    await untilAnswered("held");
    expect(heard).toEqual(["part 1, part 2", "held"]);
    expect(all.hits).toBe(0);
  });

  test("what is no WebSocket passes", async () => {
    const target = await startRecordingServer((_, socket) => {
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
    });
    const proxy = await openProxy({ target, frames: websocketFrames() });
    const response = await fetch(proxy.url("http"));
    expect(await response.text()).toBe("ok");
  });
});

describe.each(["TCP", "a Unix socket"])("Redis behind %s", (kind) => {
  async function openRedis() {
    const given = redisTarget(inject("redisUrl"));
    const folder = await temporaryFolder();
    const target =
      "path" in given
        ? given
        : { host: new URL(given.url).hostname, port: Number(new URL(given.url).port || 6379) };
    const listen = kind === "TCP" ? {} : { listen: { path: path.join(folder, "proxy.sock") } };
    const proxy = await openProxy({ target, ...listen });
    const direct = connectRedis(given, "worker");
    const client = connectRedis(redisTarget(proxy.url("redis")), "request");
    onTestFinished(() => {
      client.disconnect();
      direct.disconnect();
    });
    const key = `test-fault-proxy:${path.basename(folder)}`;
    await direct.set(key, 0, "EX", 60);
    const untilReady = () => waitUntil("the client is ready", () => client.status === "ready");
    await untilReady();
    return { proxy, direct, client, key, untilReady };
  }

  test("resetAfter: the client hears an error, and Redis did it", async () => {
    const { proxy, direct, client, key } = await openRedis();
    const cut = proxy.add({ kind: "resetAfter", matches: (bytes) => bytes.includes(key) });
    await expect(client.incr(key)).rejects.toThrow("max retries");
    expect(cut.hits).toBe(1);
    await waitUntil("it is done", async () => (await direct.get(key)) === "1");
  });

  test("resetBefore: the client hears the same error, and Redis did nothing", async () => {
    const { proxy, client, key, untilReady } = await openRedis();
    const cut = proxy.add({ kind: "resetBefore", matches: (bytes) => bytes.includes(key) });
    await expect(client.incr(key)).rejects.toThrow("max retries");
    expect(cut.hits).toBe(1);
    await untilReady();
    expect(await client.incr(key)).toBe(1);
  });

  test("an answer that is held: the client gives up, and Redis did it", async () => {
    const { proxy, direct, client, key } = await openRedis();
    const hold = proxy.add({ kind: "latency", ms: Infinity, direction: "toClient" });
    await expect(client.incr(key)).rejects.toThrow("timed out");
    expect(hold.hits).toBeGreaterThan(0);
    expect(await direct.get(key)).toBe("1");
  });

  test("down: the client comes back by itself afterwards", async () => {
    const { proxy, client, key, untilReady } = await openRedis();
    const outage = proxy.add({ kind: "down" });
    await waitUntil("it has tried in vain", () => outage.hits > 1);
    expect(client.status).not.toBe("ready");
    outage.remove();
    await untilReady();
    expect(await client.incr(key)).toBe(1);
  });
});

/** Cuts the bytes into pieces of these lengths, over and over. */
function inChunks(bytes: Buffer, lengths: readonly number[]): readonly Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = lengths[chunks.length % lengths.length] ?? 1;
    chunks.push(bytes.subarray(at, at + length));
    at += length;
  }
  return chunks;
}
