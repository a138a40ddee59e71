// The goal: a session whose questions are not answered is over, however many heartbeats come.
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocketServer } from "ws";
import { SOCKET_TIMING, TradovateSocket } from "../../../../src/brokers/tradovate/socket.ts";

const WITHIN_MS = 1_000;
const QUESTION = { endpoint: "account/list" };
const COMMAND = { endpoint: "order/placeorder", body: {} };

/** A broker that sends heartbeats, and answers requests to these endpoints only. */
async function answering(...endpoints: readonly string[]) {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  server.on("connection", (peer) => {
    peer.send("o");
    const beat = setInterval(() => peer.send("h"), 20);
    peer.on("close", () => clearInterval(beat));
    peer.on("message", (data) => {
      const [endpoint = "", id = ""] = (data as Buffer).toString("utf8").split("\n");
      if (endpoints.includes(endpoint)) peer.send(`a[{"s":200,"i":${id},"d":[]}]`);
    });
  });
  const socket = new TradovateSocket({
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    timing: { ...SOCKET_TIMING, answerWithinMs: WITHIN_MS },
    elapsed: () => performance.now(),
  });
  onTestFinished(async () => {
    await socket.close();
    server.close();
  });
  await socket.opened;
  const end = socket.broken.catch((cause: unknown) => cause);
  return { socket, end };
}

const UNKNOWN = { kind: "unknown", reason: "No answer in time" };

describe("a socket that only sends heartbeats", () => {
  test("ends with a question that is not answered in time", async () => {
    const { socket, end } = await answering();
    expect(await socket.request(QUESTION, { isNeeded: true })).toEqual(UNKNOWN);
    expect(await end).toMatchObject({ message: "Tradovate did not answer account/list in time" });
  });

  test("ends with a command that is not answered in time, whose outcome is unknown", async () => {
    const { socket, end } = await answering();
    expect(await socket.request(COMMAND)).toEqual(UNKNOWN);
    expect(await end).toMatchObject({ name: "UnansweredError" });
  });

  test("has been heard, and has said nothing since its last answer", async () => {
    const { socket } = await answering("account/list");
    expect(socket.spokeAt).toBeUndefined();
    expect((await socket.request(QUESTION)).kind).toBe("answered");
    const spokeAt = socket.spokeAt ?? 0;
    await socket.request(COMMAND);
    expect(socket.spokeAt).toBe(spokeAt);
    expect(socket.heardAt).toBeGreaterThan(spokeAt);
  });
});

describe("a socket that answers other requests", () => {
  test("goes on after a command without an answer: only that outcome is unknown", async () => {
    const { socket } = await answering("account/list");
    const command = socket.request(COMMAND);
    await socket.request(QUESTION, { isNeeded: true });
    expect(await command).toEqual(UNKNOWN);
    expect((await socket.request(QUESTION, { isNeeded: true })).kind).toBe("answered");
  });

  test("ends all the same with a needed question that is not answered", async () => {
    const { socket, end } = await answering("contract/item");
    const question = socket.request(QUESTION, { isNeeded: true });
    expect((await socket.request({ endpoint: "contract/item" })).kind).toBe("answered");
    expect(await question).toEqual(UNKNOWN);
    expect(await end).toMatchObject({ name: "UnansweredError" });
  });
});
