import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { HANGS_AFTER_MS, waitUntil } from "../../../support/wait.ts";
import { END, HANDSHAKE, TestClient } from "./test-client.ts";

let client: TestClient;

beforeEach(async () => {
  client = await TestClient.start();
  await client.logIn();
});
afterEach(() => client.close());

const refusalOf = async (url: string, headers = {}): Promise<number | undefined> => {
  const hub = client.knock(url, headers);
  await waitUntil("it is turned away", () => hub.refusal !== undefined);
  return hub.refusal;
};

describe("who comes to a hub", () => {
  test("may bring the token in the header alone", async () => {
    const [url = ""] = client.hubUrl("user").split("?");
    const hub = client.knock(url, { authorization: `Bearer ${client.token}` });
    await waitUntil("the hub is open", () => hub.ws.readyState === hub.ws.OPEN);
    hub.send(HANDSHAKE);
    await waitUntil("hands are shaken", () => hub.frames.length > 0);
    expect(hub.frames).toEqual([`{}${END}`]);
  });

  test("is turned away without a good token, or where there is no hub", async () => {
    expect(await refusalOf(client.hubUrl("user", "x"))).toBe(401);
    await client.control({ knob: "expireTokens" });
    expect(await refusalOf(client.hubUrl("market"))).toBe(401);
    await client.logIn();
    const nowhere = client.hubUrl("user").replace("/hubs/user", "/hubs/chat");
    expect(await refusalOf(nowhere)).toBe(404);
  });

  test("is turned away as a fault says, once", async () => {
    await client.control({
      knob: "fault",
      path: "hubs/user",
      fault: { kind: "status", status: 502 },
    });
    expect(await refusalOf(client.hubUrl("user"))).toBe(502);
    await client.connect("user");
  });

  test("may negotiate, unless that is turned off", async () => {
    const negotiate = () =>
      fetch(`${client.url}/hubs/user/negotiate?negotiateVersion=1`, {
        method: "POST",
        headers: { authorization: `Bearer ${client.token}` },
      });
    expect(await (await negotiate()).json()).toMatchObject({
      negotiateVersion: 1,
      availableTransports: [{ transport: "WebSockets" }],
    });
    await client.control({ knob: "set", negotiates: false });
    expect((await negotiate()).status).toBe(404);
    client.token = "x";
    expect((await negotiate()).status).toBe(401);
  });
});

describe("a connection", () => {
  test("that wants another protocol is told so and closed", async () => {
    const hub = client.knock(client.hubUrl("user"));
    await waitUntil("the hub is open", () => hub.ws.readyState === hub.ws.OPEN);
    hub.send(`{"protocol":"messagepack","version":1}${END}`);
    await hub.waitForClose();
    expect(hub.records).toEqual([{ error: "The protocol 'messagepack' is not supported." }]);
  });

  test("may send several records in a frame and one in several", async () => {
    const hub = client.knock(client.hubUrl("user"));
    await waitUntil("the hub is open", () => hub.ws.readyState === hub.ws.OPEN);
    const call = (id: string) =>
      `{"type":1,"invocationId":"${id}","target":"SubscribeAccounts","arguments":[]}${END}`;
    hub.send(`${HANDSHAKE}{"type":6}${END}${call("a")}${call("b").slice(0, 20)}`);
    hub.send(call("b").slice(20));
    await waitUntil("both are answered", () => hub.records.length === 3);
    expect(hub.records.map((record) => record["invocationId"])).toEqual([undefined, "a", "b"]);
  });

  test("is answered a call only where it gives an id", async () => {
    const hub = await client.connect("user");
    hub.send(
      `${JSON.stringify({ type: 1, target: "SubscribeOrders", arguments: [client.account] })}${END}`,
    );
    await hub.settle();
    expect(hub.records.filter(({ type }) => type === 3)).toHaveLength(1);
    await client.place();
    await waitUntil("the order is told", () => hub.toldOf("GatewayUserOrder").length > 0);
  });

  test("that sends what is no record is closed in words", async () => {
    const hub = await client.connect("user");
    hub.send(`{"type":${END}`);
    await hub.waitForClose();
    expect(hub.records.at(-1)).toMatchObject({
      type: 7,
      error: expect.stringContaining("JSON") as string,
    });
  });

  test("is pinged while nothing else is sent", async () => {
    await client.control({ knob: "set", pingMs: 60 });
    const hub = await client.connect("user");
    await waitUntil("two pings have come", () => pings(hub.records) >= 2);
    await client.control({ knob: "set", user: "joe", pingMs: 0 });
    await hub.settle();
    const before = pings(hub.records);
    await client.logIn("jane");
    const other = await client.connect("user");
    await waitUntil("another one is pinged", () => pings(other.records) >= 3);
    expect(pings(hub.records)).toBe(before);
  });

  test("is closed where the client is silent", async () => {
    await client.control({ knob: "set", dropsSilentAfterMs: 80 });
    const hub = await client.connect("market");
    await hub.waitForClose();
    expect(hub.records.at(-1)).toMatchObject({ type: 7, error: "Client timeout" });
  });

  test("outlives its token, or is closed with it", async () => {
    const hub = await client.connect("user");
    await client.control({ knob: "expireTokens" });
    await hub.settle();
    await client.control({ knob: "set", expiredHub: "closed" });
    await hub.waitForClose();
    expect(hub.records.at(-1)).toMatchObject({ type: 7, error: "The token has expired" });
  });

  test("gets records of one turn in one frame", async () => {
    await client.control({ knob: "set", framing: "joined" });
    const hub = await client.listen();
    await client.place({ customTag: "joined" });
    await hub.settle();
    const longest = Math.max(...hub.frames.map((frame) => frame.split(END).length - 1));
    expect(longest).toBeGreaterThan(2);
    expect(hub.toldOf("GatewayUserOrder").length).toBeGreaterThan(1);
  });

  test("gets a record in fragments as one message", async () => {
    await client.control({ knob: "set", framing: "fragmented" });
    const hub = await client.listen();
    await client.place();
    await hub.settle();
    expect(hub.frames.every((frame) => frame.endsWith(END))).toBe(true);
    expect(hub.toldOf("GatewayUserTrade")).toHaveLength(1);
  });
});

describe("a connection ends", () => {
  test("without a word, and nobody gets in for a while", async () => {
    const [user, market] = [await client.connect("user"), await client.connect("market")];
    await client.control({ knob: "closeHubs", user: "joe", hub: "user", gapMs: 60_000 });
    await user.waitForClose();
    expect(user.records).toEqual([{}]);
    expect(market.isClosed).toBe(false);
    expect(await refusalOf(client.hubUrl("user"))).toBe(503);
    await client.logIn("jane");
    await client.connect("user");
  });

  test("and who comes back is told nothing of what was missed, or of the gap", async () => {
    const before = await client.listen();
    await client.control({ knob: "set", user: "joe", gap: "lossy" });
    await client.control({ knob: "closeHubs", user: "joe", gapMs: HANGS_AFTER_MS });
    await before.waitForClose();
    await client.place();
    const after = await client.listen();
    await client.place();
    await after.settle();
    expect(after.told).toEqual([]);
    // The gap that is begun last is the one that counts.
    await client.control({ knob: "closeHubs", user: "joe", gapMs: 1 });
    await waitUntil("the gap is over", async () => {
      const again = await client.listen();
      await client.place();
      await again.settle();
      return again.told.length > 0;
    });
  });

  test("with SignalR's words", async () => {
    const hub = await client.connect("user");
    await client.control({ knob: "closeHubs", user: "joe", error: "Away", allowReconnect: true });
    await hub.waitForClose();
    expect(hub.records.at(-1)).toEqual({ type: 7, error: "Away", allowReconnect: true });
  });

  test("every so often", async () => {
    await client.control({ knob: "set", dropsEveryMs: 120 });
    for (let n = 0; n < 2; n += 1) {
      const hub = await client.connect("user");
      await hub.waitForClose();
      expect(hub.records).toEqual([{}]);
    }
  });

  test("or only seems to be there", async () => {
    await client.control({ knob: "set", pingMs: 50 });
    const hub = await client.listen();
    await client.control({ knob: "halfOpen", user: "joe" });
    const { length } = hub.frames;
    await client.place();
    const other = await client.listen();
    await waitUntil("another one is pinged", () => pings(other.records) > 2);
    expect(hub.frames).toHaveLength(length);
    expect(hub.isClosed).toBe(false);
  });

  test("after the word that the user is logged out", async () => {
    const hub = await client.connect("user");
    await client.control({ knob: "logOut", user: "joe" });
    await waitUntil("it is told", () => hub.told.length > 0);
    expect(hub.told).toEqual([{ target: "GatewayLogout", args: [] }]);
  });
});

describe("a call", () => {
  test("of a method that there is not fails", async () => {
    const hub = await client.connect("market");
    expect(await hub.call("SubscribeAccounts")).toMatchObject({
      error: "Unknown hub method 'SubscribeAccounts'",
    });
  });

  test("fails as it is set to", async () => {
    await client.control({ knob: "set", refusesCalls: ["SubscribeTrades"] });
    const hub = await client.connect("user");
    expect(await hub.call("SubscribeOrders", client.account)).toMatchObject({ result: null });
    expect(await hub.call("SubscribeTrades", client.account)).toMatchObject({
      error: "Failed to invoke 'SubscribeTrades' due to an error on the server.",
    });
    await client.place();
    await waitUntil("the order is told", () => hub.told.length > 0);
    await hub.settle();
    expect(hub.toldOf("GatewayUserTrade")).toEqual([]);
  });

  test("may never be answered, and work", async () => {
    await client.control({ knob: "set", leavesCalls: ["SubscribeOrders"] });
    const hub = await client.connect("user");
    hub.send(
      `{"type":1,"invocationId":"x","target":"SubscribeOrders","arguments":[${client.account}]}${END}`,
    );
    await hub.settle();
    expect(hub.records.some((record) => record["invocationId"] === "x")).toBe(false);
    await client.place();
    await waitUntil("the order is told", () => hub.told.length > 0);
  });

  test("is struck by a fault", async () => {
    const path = "hubs/user/SubscribeAccounts";
    await client.control({ knob: "fault", path, fault: { kind: "drop", isCarriedOut: true } });
    const hub = await client.connect("user");
    hub.send(`{"type":1,"invocationId":"x","target":"SubscribeAccounts","arguments":[]}${END}`);
    await hub.waitForClose();
    expect(hub.records).toEqual([{}]);
  });
});

const pings = (records: readonly Readonly<Record<string, unknown>>[]): number =>
  records.filter(({ type }) => type === 6).length;
