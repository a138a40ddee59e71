import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { waitUntil } from "../../../support/wait.ts";
import { TestClient, TestSocket } from "./test-client.ts";

let client: TestClient;

beforeEach(async () => {
  client = await TestClient.start();
  await client.logIn();
});
afterEach(() => client.close());

describe("authorize", () => {
  test("may come after `o`, with id 0", async () => {
    const socket = await client.connect();
    await waitUntil("the socket is open", () => socket.frames.includes("o"));
    socket.send(`authorize\n0\n\n${client.token}`);
    expect(await socket.answerOf(0)).toEqual({ s: 200, i: 0 });
    expect(socket.frames).toEqual(["o", 'a[{"s":200,"i":0}]']);
  });

  test("may come where `o` never does", async () => {
    await client.control({ knob: "set", sendsOpen: false });
    const socket = await client.connect();
    socket.send(`authorize\n1\n\n${client.token}`);
    expect((await socket.answerOf(1)).s).toBe(200);
    expect(socket.frames).not.toContain("o");
  });

  test("may have its token in quotes, unless that is turned off", async () => {
    const socket = await client.connect();
    socket.send(`authorize\n1\n\n"${client.token}"`);
    expect((await socket.answerOf(1)).s).toBe(200);
    await client.control({ knob: "set", takesQuotedToken: false });
    socket.send(`authorize\n2\n\n"${client.token}"`);
    expect((await socket.answerOf(2)).s).toBe(401);
  });

  test("takes the market data token too", async () => {
    const socket = await client.connect();
    socket.send(`authorize\n1\n\n${client.mdToken}`);
    expect((await socket.answerOf(1)).s).toBe(200);
  });

  test("with a token that nobody gave out is refused", async () => {
    const socket = await client.connect();
    socket.send("authorize\n1\n\nx");
    expect(await socket.answerOf(1)).toEqual({ s: 401, i: 1, d: "Access is denied" });
    expect((await socket.ask("account/list")).s).toBe(401);
  });

  test("must come in time", async () => {
    await client.control({ knob: "set", authoriseWithinMs: 1 });
    const socket = await client.connect();
    await socket.waitForClose();
    expect(socket.messages).toEqual([]);
  });
});

describe("a request", () => {
  test("has the answer that REST has", async () => {
    const socket = await client.sync();
    const { d } = await socket.ask("contract/find", "", "name=ESZ6");
    expect(d).toEqual(await client.get("contract/find?name=ESZ6"));
    const body = JSON.stringify(client.order(), null, 2);
    expect(await socket.ask("order/placeOrder", body)).toMatchObject({
      s: 200,
      d: { orderId: expect.any(Number) },
    });
  });

  test("of an endpoint that is not there is a 404, and one without sense a 400", async () => {
    const socket = await client.sync();
    expect((await socket.ask("quote/subscribe")).s).toBe(404);
    expect((await socket.ask("order/placeorder", "{")).s).toBe(400);
    socket.send("nonsense");
    expect((await socket.answerOf(0)).s).toBe(400);
  });
});

describe("a sync", () => {
  const COLLECTIONS =
    "users userProperties properties accounts accountRiskStatuses marginSnapshots " +
    "userAccountAutoLiqs cashBalances currencies positions fillPairs orders contracts " +
    "contractMaturities products exchanges spreadDefinitions commands commandReports " +
    "executionReports orderVersions fills fillFees orderStrategies orderStrategyLinks " +
    "userPlugins annualReviews userReadStatuses userPromoCodes contractGroups orderStrategyTypes";

  test("has all collections in the captured order, empty ones too", async () => {
    await client.place();
    const socket = await client.sync();
    const { d } = await socket.ask("user/syncrequest", { users: [client.userId] });
    const snapshot = d as Readonly<Record<string, readonly { name?: string }[]>>;
    expect(Object.keys(snapshot)).toEqual(COLLECTIONS.split(" "));
    expect(snapshot["contracts"]?.map(({ name }) => name)).toEqual(["ESZ6"]);
    expect(snapshot["products"]?.map(({ name }) => name)).toEqual(["ES"]);
    expect(snapshot["userPlugins"]).toMatchObject([{ pluginName: "apiAccess" }]);
    expect(snapshot["orders"]).toHaveLength(1);
    expect(snapshot["annualReviews"]).toEqual([]);
  });

  test("comes before any event, and events are its accounts' only", async () => {
    const socket = await client.connect();
    socket.send(`authorize\n1\n\n${client.token}`);
    await socket.answerOf(1);
    await client.place();
    await socket.settle();
    expect(socket.props).toEqual([]);
    await socket.ask("user/syncrequest", { accounts: [client.accountId + 1] });
    await client.place();
    await socket.settle();
    expect(socket.props).toEqual([]);
    await client.place({ accountId: client.accountId + 1 });
    await socket.settle();
    expect(socket.props.length).toBeGreaterThan(0);
  });

  test("that is answered late misses nothing, and nothing comes before it", async () => {
    const socket = await client.connect();
    socket.send(`authorize\n1\n\n${client.token}`);
    await socket.answerOf(1);
    const answerDelay = { ms: 200, endpoints: ["user/syncrequest"] };
    await client.control({ knob: "set", answerDelay });
    socket.send('user/syncrequest\n2\n\n{"users":[]}');
    await socket.settle();
    await client.place();
    const { d } = await socket.answerOf(2);
    expect(d).toMatchObject({ orders: [] });
    const kinds = socket.messages.map(({ i, e }) => (i === 2 ? "snapshot" : e));
    expect(kinds.indexOf("snapshot")).toBeLessThan(kinds.indexOf("props"));
    expect(socket.props[0]).toMatchObject({ entityType: "order", eventType: "Created" });
  });

  test("may be for some entities only, next to the two that are always there", async () => {
    const socket = await client.sync();
    const { d } = await socket.ask("user/syncrequest", { entityTypes: ["order", "position"] });
    expect(Object.keys(d as object)).toEqual(["users", "positions", "orders", "contractGroups"]);
  });

  test("shows a user nothing of another's", async () => {
    await client.place();
    await client.logIn("ann");
    const socket = await client.sync();
    const { d } = await socket.ask("user/syncrequest", { users: [client.userId] });
    expect(d).toMatchObject({ orders: [], commands: [], accounts: [{ name: "ann-1" }, {}] });
    expect(await client.list("order")).toEqual([]);
  });
});

describe("the line", () => {
  test("beats when it is idle, and not when that is turned off", async () => {
    await client.control({ knob: "set", heartbeatMs: 20 });
    const socket = await client.sync();
    await waitUntil("the socket beats", () => socket.frames.includes("h"));
    await client.control({ knob: "set", heartbeatMs: 0 });
    await socket.settle();
    const beats = socket.frames.filter((frame) => frame === "h").length;
    await socket.settle();
    expect(socket.frames.filter((frame) => frame === "h")).toHaveLength(beats);
  });

  test("drops a client that falls silent, and keeps one that beats", async () => {
    await client.control({ knob: "set", dropsSilentAfterMs: 300 });
    const [silent, alive] = [await client.sync(), await client.sync()];
    const beat = setInterval(() => alive.send("[]"), 50);
    await silent.waitForClose();
    clearInterval(beat);
    expect(alive.isClosed).toBe(false);
  });

  test("carries several messages in a frame where it is told to", async () => {
    await client.control({ knob: "set", batchesFrames: true });
    const socket = await client.sync();
    await client.place();
    await socket.settle();
    const lists = socket.frames
      .filter((frame) => frame.startsWith("a"))
      .map((frame) => JSON.parse(frame.slice(1)) as readonly object[]);
    expect(Math.max(...lists.map(({ length }) => length))).toBeGreaterThan(5);
  });

  test.each(["Maintenance", "ConnectionQuotaReached", "IPQuotaReached"] as const)(
    "says %s, then closes",
    async (reasonCode) => {
      const socket = await client.sync();
      await client.control({ knob: "shutdown", reasonCode, reason: "words" });
      await socket.waitForClose();
      expect(socket.messages.at(-1)).toEqual({ e: "shutdown", d: { reasonCode, reason: "words" } });
      expect(socket.frames.at(-1)).toBe('c[3000,"words"]');
    },
  );

  test("may fall silent while TCP stays up", async () => {
    const socket = await client.sync();
    await client.control({ knob: "halfOpen", user: "joe" });
    const frames = socket.frames.length;
    socket.send("order/list\n9\n\n");
    await client.place();
    const other = await client.sync();
    await other.settle();
    expect(socket.frames).toHaveLength(frames);
    expect(socket.isClosed).toBe(false);
  });

  test("may answer nothing, and go on with its heartbeat", async () => {
    await client.control({ knob: "set", heartbeatMs: 20 });
    const socket = await client.sync();
    await client.control({ knob: "halfOpen", user: "joe", beats: true });
    const said = socket.messages.length;
    const frames = socket.frames.length;
    socket.send("order/list\n9\n\n");
    await client.place();
    await waitUntil("heartbeats go on", () => socket.frames.length > frames + 2);
    expect(socket.messages).toHaveLength(said);
  });

  test("may leave some requests without an answer, and what they ask for undone", async () => {
    const socket = await client.sync();
    const silence = { via: "socket", endpoints: ["order/placeorder"] } as const;
    await client.control({ knob: "set", silence });
    socket.send(`order/placeorder\n9\n\n${JSON.stringify(client.order())}`);
    expect((await socket.ask("order/list")).d).toEqual([]);
    expect(socket.messages.filter(({ i }) => i === 9)).toEqual([]);
  });

  test("is cut without a word", async () => {
    const socket = await client.sync();
    await client.control({ knob: "closeSockets", user: "joe" });
    await socket.waitForClose();
    expect(socket.messages.filter(({ e }) => e === "shutdown")).toEqual([]);
  });

  test("is shut for maintenance, and REST with it", async () => {
    const socket = await client.sync();
    await client.control({ knob: "set", maintenance: true });
    await socket.waitForClose();
    expect((await client.request("GET", "account/list")).status).toBe(503);
    const refused = new TestSocket(client.wsUrl);
    await refused.waitForClose();
    await client.control({ knob: "set", maintenance: false });
    await client.sync();
  });
});

describe("a socket whose token has expired", () => {
  const expire = () => client.control({ knob: "expireTokens", user: "joe" });

  test("is refused what it asks", async () => {
    const socket = await client.sync();
    await expire();
    expect(await socket.ask("account/list")).toMatchObject({ s: 401, d: "Expired Access Token" });
  });

  test("goes on with a token that was renewed elsewhere", async () => {
    const socket = await client.sync();
    await client.control({ knob: "advance", ms: 80 * 60_000 });
    await client.get("auth/renewaccesstoken");
    await client.control({ knob: "advance", ms: 80 * 60_000 });
    expect((await socket.ask("account/list")).s).toBe(200);
  });

  test("may be cut, or go on", async () => {
    await client.control({ knob: "set", expiredSocket: "keep" });
    const socket = await client.sync();
    await expire();
    expect((await socket.ask("account/list")).s).toBe(200);
    await client.control({ knob: "set", expiredSocket: "cut" });
    await expire();
    await socket.waitForClose();
  });
});
