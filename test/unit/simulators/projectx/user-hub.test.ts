import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { waitUntil } from "../../../support/wait.ts";
import { END, type Json, TestClient } from "./test-client.ts";

let client: TestClient;

beforeEach(async () => {
  client = await TestClient.start();
  await client.logIn();
  await client.quote(6_850);
});
afterEach(() => client.close());

const ORDER = "GatewayUserOrder";
const TRADE = "GatewayUserTrade";
const POSITION = "GatewayUserPosition";
const dataOf = (payload: Json | undefined): Json => payload?.["data"] as Json;

describe("the user hub", () => {
  test("tells an order's life, its trade, the position and the account, wrapped", async () => {
    const hub = await client.listen();
    const { orderId } = await client.place({ customTag: "one" });
    await hub.settle();
    const orders = hub.toldOf(ORDER);
    expect(orders.map(({ action }) => action)).toEqual([0, ...orders.slice(1).map(() => 1)]);
    expect(dataOf(orders[0])).toMatchObject({ id: orderId, status: 6, customTag: "one" });
    expect(dataOf(orders.at(-1))).toMatchObject({ id: orderId, status: 2, fillVolume: 1 });
    expect(hub.toldOf(TRADE)).toEqual([
      {
        action: 0,
        data: expect.objectContaining({ orderId, price: 6_850.25, commissions: 0 }) as Json,
      },
    ]);
    expect(hub.toldOf(POSITION)).toMatchObject([{ action: 0, data: { type: 1, size: 1 } }]);
    expect(hub.toldOf("GatewayUserAccount").length).toBeGreaterThan(0);
  });

  test("ends a position by action 2 with nothing in it", async () => {
    const hub = await client.listen();
    await client.place();
    await client.place({ side: 1 });
    await hub.settle();
    expect(hub.toldOf(POSITION).at(-1)).toMatchObject({ action: 2, data: { type: 0, size: 0 } });
  });

  test("tells each connection only what it has subscribed to", async () => {
    const [trades, all] = [await client.connect("user"), await client.listen()];
    await trades.call("SubscribeTrades", client.account);
    await all.call("UnsubscribeTrades", client.account);
    await client.place();
    await Promise.all([trades.settle(), all.settle()]);
    expect(new Set(trades.told.map(({ target }) => target))).toEqual(new Set([TRADE]));
    expect(all.toldOf(TRADE)).toEqual([]);
    expect(all.toldOf(ORDER).length).toBeGreaterThan(0);
  });

  test("tells nobody of accounts that are another's", async () => {
    const { account } = client;
    await client.logIn("jane");
    const hub = await client.connect("user");
    expect(await hub.call("SubscribeOrders", account)).toMatchObject({
      error: "Failed to invoke 'SubscribeOrders' due to an error on the server.",
    });
    expect(await hub.call("SubscribeOrders")).toMatchObject({
      error: "Invocation provides 0 argument(s) but target expects 1.",
    });
    expect(await hub.call("SubscribeOrders", client.account, 2)).toHaveProperty("error");
    expect(await hub.call("SubscribeOrders", String(client.account))).toHaveProperty("error");
  });

  test("says nothing of what is there already, unless it is set to", async () => {
    await client.place();
    await client.place({ type: 1, limitPrice: 6_800 });
    const before = await client.listen();
    await before.settle();
    expect(before.told).toEqual([]);
    await client.control({ knob: "set", tellsOnSubscribe: true });
    const hub = await client.listen();
    await hub.settle();
    expect(hub.toldOf("GatewayUserAccount")).toHaveLength(2);
    expect(hub.toldOf(ORDER)).toMatchObject([{ action: 0, data: { status: 1 } }]);
    expect(hub.toldOf(POSITION)).toMatchObject([{ action: 0, data: { size: 1 } }]);
  });
});

describe("payloads", () => {
  test("come bare", async () => {
    await client.control({ knob: "set", payload: "bare" });
    const hub = await client.listen();
    const { orderId } = await client.place();
    await hub.settle();
    expect(hub.toldOf(ORDER)[0]).toMatchObject({ id: orderId });
    expect(hub.toldOf(TRADE)[0]).toMatchObject({ orderId });
  });

  test("come bare for positions and trades alone", async () => {
    await client.control({ knob: "set", payload: "mixed" });
    const hub = await client.listen();
    const { orderId } = await client.place();
    await hub.settle();
    expect(dataOf(hub.toldOf(ORDER)[0])).toMatchObject({ id: orderId });
    expect(hub.toldOf(TRADE)[0]).toMatchObject({ orderId });
    expect(hub.toldOf(POSITION)[0]).toMatchObject({ size: 1 });
  });

  test("have their ids as text", async () => {
    await client.control({ knob: "set", ids: "text" });
    const hub = await client.listen();
    const { orderId } = await client.place();
    await hub.settle();
    const text = { orderId: String(orderId), accountId: String(client.account) };
    expect(dataOf(hub.toldOf(TRADE)[0])).toMatchObject(text);
    expect(dataOf(hub.toldOf(ORDER)[0])).toMatchObject({ id: String(orderId), size: 1 });
  });

  test("have other words for a status", async () => {
    await client.control({ knob: "set", callsStatus: { 6: 99, 2: "Filled" } });
    const hub = await client.listen();
    await client.place();
    await hub.settle();
    const statuses = hub.toldOf(ORDER).map((payload) => dataOf(payload)["status"]);
    expect(statuses[0]).toBe(99);
    expect(statuses.at(-1)).toBe("Filled");
  });

  test("end a position by a change", async () => {
    await client.control({ knob: "set", positionEnd: "changed" });
    const hub = await client.listen();
    await client.place();
    await client.place({ side: 1 });
    await hub.settle();
    expect(hub.toldOf(POSITION).at(-1)).toMatchObject({ action: 1, data: { type: 0, size: 0 } });
  });

  test.each(["noJson", "nothing", "null", "text", "noId"] as const)(
    "come after one that cannot be read: %s",
    async (unreadable) => {
      await client.control({ knob: "set", unreadable });
      const hub = await client.listen();
      const { orderId } = await client.place();
      await hub.settle();
      const readable = hub.told.filter(({ args: [payload] }) => isEntity(payload));
      expect(readable.length).toBeGreaterThan(2);
      const calls = hub.frames.filter((frame) => frame.includes('"target":"Gateway'));
      expect(calls).toHaveLength(2 * readable.length);
      expect(readable.map(({ args: [payload] }) => dataOf(payload as Json))).toContainEqual(
        expect.objectContaining({ orderId }),
      );
    },
  );

  test("are whatever a hand sends", async () => {
    const hub = await client.connect("user");
    await client.control({ knob: "hubEvent", user: "joe", target: ORDER, payload: { a: 1 } });
    await client.control({ knob: "hubText", hub: "user", text: `what?${END}` });
    await hub.settle();
    expect(hub.told).toEqual([{ target: ORDER, args: [{ a: 1 }] }]);
    expect(hub.frames).toContain(`what?${END}`);
  });
});

describe("events", () => {
  test("are lost, the next of them and of a kind", async () => {
    const hub = await client.listen();
    await client.control({ knob: "loseEvents", user: "joe", count: 1, kind: "trade" });
    await client.place();
    await client.place();
    await hub.settle();
    expect(hub.toldOf(TRADE)).toHaveLength(1);
    expect(hub.toldOf(POSITION)).toHaveLength(2);
    const { length } = hub.told;
    await client.control({ knob: "loseEvents", user: "joe", count: 1_000 });
    await client.place();
    await hub.settle();
    expect(hub.told).toHaveLength(length);
  });

  test("of some kinds are never told", async () => {
    await client.control({ knob: "set", losesEvents: ["order"] });
    const hub = await client.listen();
    await client.place();
    await hub.settle();
    expect(hub.toldOf(ORDER)).toEqual([]);
    expect(hub.toldOf(TRADE)).toHaveLength(1);
  });

  test("come twice", async () => {
    await client.control({ knob: "set", repeatsEvents: true });
    const hub = await client.listen();
    await client.place();
    await hub.settle();
    const [first, second, ...others] = hub.toldOf(TRADE);
    expect(second).toEqual(first);
    expect(others).toEqual([]);
  });

  test("come backwards", async () => {
    await client.control({ knob: "set", reversesEvents: true });
    const hub = await client.listen();
    await client.place();
    await hub.settle();
    const statuses = hub.toldOf(ORDER).map((payload) => dataOf(payload)["status"]);
    expect([statuses[0], statuses.at(-1)]).toEqual([2, 6]);
    expect(hub.told.findIndex(({ target }) => target === POSITION)).toBeLessThan(
      hub.told.findIndex(({ target }) => target === TRADE),
    );
  });

  test("come late, one kind later than others", async () => {
    await client.control({ knob: "set", eventDelayMs: 30, kindDelayMs: { order: 120 } });
    const hub = await client.listen();
    const from = performance.now();
    await client.place();
    await waitUntil("the trade is told", () => hub.toldOf(TRADE).length > 0);
    // A lower bound: a busy machine may only see it later.
    expect(performance.now() - from).toBeGreaterThan(25);
    const isFilled = () => dataOf(hub.toldOf(ORDER).at(-1))?.["status"] === 2;
    await waitUntil("the order is filled", isFilled);
    const targets = hub.told.map(({ target }) => target);
    expect(targets.indexOf(TRADE)).toBeLessThan(targets.indexOf(ORDER));
    expect(dataOf(hub.toldOf(ORDER)[0])).toMatchObject({ status: 6 });
  });

  test("never overtake each other within their kind, when a delay ends", async () => {
    await client.control({ knob: "set", eventDelayMs: 150 });
    const hub = await client.listen();
    await client.place({ customTag: "early" });
    await client.control({ knob: "set", eventDelayMs: 0 });
    await client.place({ customTag: "late" });
    await waitUntil("both have traded", () => hub.toldOf(TRADE).length === 2);
    await hub.settle();
    const tags = hub.toldOf(ORDER).map((payload) => dataOf(payload)["customTag"]);
    expect(tags.lastIndexOf("early")).toBeLessThan(tags.indexOf("late"));
  });

  test("come after the answer to the command", async () => {
    await client.control({ knob: "set", events: "afterAnswer" });
    const hub = await client.listen();
    await client.place();
    await hub.settle();
    const wire = await client.wire();
    const answered = wire.find(({ dir, path }) => dir === "out" && path === "Order/place");
    const told = wire.find(({ dir, text }) => dir === "out" && text.includes(ORDER));
    expect(Number(answered?.seq)).toBeLessThan(Number(told?.seq));
  });

  test("have the trade before its order", async () => {
    await client.control({ knob: "set", tradeFirst: true });
    const hub = await client.listen();
    await client.place();
    await hub.settle();
    const filledAt = hub.told.findIndex(
      ({ target, args }) => target === ORDER && dataOf(args[0] as Json)["status"] === 2,
    );
    expect(hub.told.findIndex(({ target }) => target === TRADE)).toBeLessThan(filledAt);
  });

  test("of a lost answer are not told", async () => {
    const hub = await client.listen();
    await client.control({ knob: "loseNextAnswer", user: "joe", isCarriedOut: true });
    await expect(client.place()).rejects.toThrow("fetch failed");
    await hub.waitForClose();
    expect(hub.told).toEqual([]);
    const { positions } = await client.post("Position/searchOpen", { accountId: client.account });
    expect(positions).toHaveLength(1);
  });
});

const isEntity = (payload: unknown): boolean =>
  typeof payload === "object" &&
  payload !== null &&
  "data" in payload &&
  (dataOf(payload as Json)["id"] ?? undefined) !== undefined;
