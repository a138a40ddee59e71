import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { waitUntil } from "../../../support/wait.ts";
import { ESZ6, type Json, TestClient } from "./test-client.ts";

let client: TestClient;

beforeEach(async () => {
  client = await TestClient.start();
  await client.logIn();
  await client.quote(6_850);
});
afterEach(() => client.close());

const LIMIT = { type: 1, limitPrice: 6_840 };
const STOP_LOSS = { ticks: -40, type: 4 };

const placed = (order: Json = {}) =>
  client.refusal("Order/place", { contractId: ESZ6, type: 2, side: 0, size: 1, ...order });

async function byId(orderId: unknown): Promise<Json | undefined> {
  const { order } = await client.post("Order/searchById", { accountId: client.account, orderId });
  return order as Json | undefined;
}

const byTag = async (tag: string): Promise<Json | undefined> =>
  (await client.list("Order/search")).find(({ customTag }) => customTag === tag);

describe("an order", () => {
  test("at the market is filled at once", async () => {
    const { orderId, ...answer } = await client.place({ customTag: "a", size: 2 });
    expect(answer).toEqual({ success: true, errorCode: 0, errorMessage: null });
    expect(await byId(orderId)).toEqual({
      id: orderId,
      accountId: client.account,
      contractId: ESZ6,
      symbolId: "F.US.EP",
      creationTimestamp: expect.stringMatching(/^\d{4}-.*\.\d{6}\+00:00$/) as string,
      updateTimestamp: expect.any(String) as string,
      status: 2,
      type: 2,
      side: 0,
      size: 2,
      limitPrice: null,
      stopPrice: null,
      fillVolume: 2,
      filledPrice: 6_850.25,
      customTag: "a",
    });
  });

  test("with a limit or a stop rests until the market is there", async () => {
    const { orderId: limit } = await client.place(LIMIT);
    const { orderId: stop } = await client.place({ type: 4, stopPrice: 6_860, customTag: "" });
    expect(await byId(limit)).toMatchObject({ status: 1, limitPrice: 6_840, stopPrice: null });
    expect(await byId(stop)).toMatchObject({ status: 1, stopPrice: 6_860, customTag: null });
    await client.quote(6_860);
    expect(await byId(stop)).toMatchObject({ status: 2, filledPrice: 6_860.25 });
    await client.quote(6_839.75);
    expect(await byId(limit)).toMatchObject({ status: 2, filledPrice: 6_840 });
  });

  test("that joins a side of the market rests at its price", async () => {
    const { orderId } = await client.place({ type: 6 });
    expect(await byId(orderId)).toMatchObject({ type: 6, status: 1, limitPrice: 6_850 });
    const { orderId: offer } = await client.place({ type: 7, side: 1 });
    expect(await byId(offer)).toMatchObject({ type: 7, status: 1, limitPrice: 6_850.25 });
  });

  test("that trails is as far behind as `trailPrice` says, one way or the other", async () => {
    const sell = { type: 5, side: 1 };
    const { orderId } = await client.place({ ...sell, trailPrice: 5 });
    expect(await byId(orderId)).toMatchObject({ type: 5, stopPrice: 6_845 });
    await client.control({ knob: "set", trailPriceIs: "price" });
    const { orderId: other } = await client.place({ ...sell, trailPrice: 6_840 });
    expect(await byId(other)).toMatchObject({ type: 5, stopPrice: 6_840 });
    expect(await placed(sell)).toEqual([2, "Invalid trail price"]);
    expect(await placed({ ...sell, trailPrice: 6_851 })).toEqual([2, "Invalid trail price"]);
    const change = { accountId: client.account, orderId: other, trailPrice: 6_848 };
    expect(await client.post("Order/modify", change)).toMatchObject({ success: true });
    const hub = await client.listen();
    await client.quote(6_849);
    await client.quote(6_847);
    await hub.settle();
    const told = hub.toldOf("GatewayUserOrder").map(({ data }) => data as Json);
    expect(told.at(-1)).toMatchObject({ id: other, status: 2, trailDistance: 8, trailPrice: 2 });
  });

  test("of a day ends with it where orders last no longer", async () => {
    await client.control({ knob: "set", ordersLast: "day" });
    const { orderId } = await client.place({ ...LIMIT, stopLossBracket: STOP_LOSS });
    const hub = await client.listen();
    await client.control({ knob: "advance", ms: 26 * 3_600_000 });
    await hub.settle();
    const told = hub.toldOf("GatewayUserOrder").map(({ data }) => data as Json);
    expect(told.map(({ id, status }) => [id, status])).toEqual([
      [orderId, 4],
      [Number(orderId) + 1, 3],
    ]);
  });

  test("may be linked with another one, where that is heeded", async () => {
    await client.control({ knob: "set", linkedOrderId: "links" });
    const { orderId: stop } = await client.place({ type: 4, side: 1, stopPrice: 6_840 });
    const target = { type: 1, side: 1, limitPrice: 6_860, linkedOrderId: stop };
    await client.place(target);
    await client.quote(6_860);
    expect(await byId(stop)).toMatchObject({ status: 3 });
    await client.control({ knob: "set", linkedOrderId: "passedOver" });
    const { orderId: other } = await client.place({ type: 4, side: 1, stopPrice: 6_840 });
    await client.place({ ...target, limitPrice: 6_870, linkedOrderId: other });
    await client.quote(6_870);
    expect(await byId(other)).toMatchObject({ status: 1 });
  });
});

describe("an order is refused", () => {
  test.each<readonly [what: string, code: number, words: string, order: Json]>([
    ["a contract", 8, "Contract not found", { contractId: "CON.F.US.ES.Z26" }],
    ["stop-limit, which cannot be placed", 2, "Invalid order type", { ...LIMIT, type: 3 }],
    ["an unknown type", 2, "Invalid order type", { type: 9 }],
    ["a side", 2, "Invalid order side", { side: 2 }],
    ["a size", 2, "Invalid order size", { size: 0 }],
    ["a limit without its price", 2, "Invalid price", { type: 1 }],
    ["a price between two ticks", 2, "Invalid price", { type: 1, limitPrice: 6_840.1 }],
    ["a stop without its price", 2, "Invalid stop price", { type: 4 }],
    ["a stop that is passed", 2, "Invalid stop price", { type: 4, stopPrice: 6_840 }],
    ["a market that is closed", 5, "Market is closed", { contractId: "CON.F.US.RTY.Z26" }],
  ])("over %s", async (_, code, words, order) => {
    expect(await placed(order)).toEqual([code, words]);
  });

  test.each<readonly [words: string, order: Json]>([
    [
      "Invalid stop loss ticks (40). Ticks should be less than zero when longing.",
      { stopLossBracket: { ticks: 40, type: 4 } },
    ],
    [
      "Invalid take profit ticks (30). Ticks should be less than zero when going short.",
      { side: 1, takeProfitBracket: { ticks: 30, type: 1 } },
    ],
    [
      "Invalid stop loss ticks (-3). Stop loss tick value should be at least 4 ticks.",
      { stopLossBracket: { ticks: -3, type: 4 } },
    ],
    ["Invalid stop loss type (Limit)", { stopLossBracket: { ticks: -40, type: 1 } }],
    ["Invalid take profit type (Stop)", { takeProfitBracket: { ticks: 40, type: 4 } }],
  ])("over its exits, is kept all the same, and has used its tag up: %s", async (words, order) => {
    expect(await placed({ ...order, customTag: "exits" })).toEqual([2, words]);
    expect(await byTag("exits")).toMatchObject({ status: 5, fillVolume: 0 });
    expect(await placed({ customTag: "exits" })).toEqual([
      2,
      "Specified custom tag is already in use",
    ]);
    expect(await client.list("Position/searchOpen")).toEqual([]);
  });

  test("over brackets of positions, once the account has those", async () => {
    await client.control({ knob: "set", bracketMode: "positionBrackets" });
    const order = { customTag: "auto", stopLossBracket: STOP_LOSS };
    const words =
      "Brackets cannot be used with Position Brackets. You must enable Auto OCO Brackets.";
    expect(await placed(order)).toEqual([2, words]);
    expect(await byTag("auto")).toMatchObject({ status: 5 });
    await client.control({ knob: "set", refusedEntry: "works" });
    const named = await client.place({ ...order, customTag: "stands" });
    expect(named).toMatchObject({ success: false, errorCode: 2, errorMessage: words });
    expect(await byTag("stands")).toMatchObject({ status: 2, id: named["orderId"] });
    expect(await placed({ customTag: "plain" })).toEqual([0, null]);
  });

  test("over a tag that any order of the account ever had, of children too", async () => {
    const used = [2, "Specified custom tag is already in use"];
    await client.place({ customTag: "one", stopLossBracket: STOP_LOSS });
    expect(await placed({ customTag: "one" })).toEqual(used);
    expect(await placed({ customTag: "one-SL" })).toEqual(used);
    expect(await placed({ customTag: "one-TP" })).toEqual([0, null]);
    const { orderId } = await client.place({ ...LIMIT, customTag: "two" });
    await client.post("Order/cancel", { accountId: client.account, orderId });
    expect(await placed({ customTag: "two" })).toEqual(used);
    expect(await placed({ customTag: "three", type: 4, stopPrice: 6_840 })).toEqual([
      2,
      "Invalid stop price",
    ]);
    expect(await placed({ customTag: "three" })).toEqual(used);
    // Another account has tags of its own.
    await client.logIn("jane");
    expect(await placed({ customTag: "one" })).toEqual([0, null]);
  });

  test("where the account may not trade, though it may cancel", async () => {
    const { orderId } = await client.place(LIMIT);
    await client.control({ knob: "account", account: client.account, canTrade: false });
    expect((await placed())[0]).toBe(10);
    expect((await client.refusal("Order/modify", { orderId, limitPrice: 6_841 }))[0]).toBe(6);
    expect(await client.refusal("Order/cancel", { orderId })).toEqual([0, null]);
  });

  test.each<readonly [what: string, order: Json]>([
    ["no account", { accountId: undefined }],
    ["an account in words", { accountId: "460001" }],
    ["no contract", { contractId: null }],
    ["a size in words", { size: "1" }],
    ["half a contract", { size: 1.5 }],
    ["a price in words", { type: 1, limitPrice: "6840" }],
    ["exits without ticks", { stopLossBracket: { type: 4 } }],
    ["exits that are a list", { stopLossBracket: [] }],
    ["a tag that is a number", { customTag: 7 }],
  ])("as malformed: %s", async (_, order) => {
    const whole = { accountId: client.account, contractId: ESZ6, type: 2, side: 0, size: 1 };
    expect((await client.request("Order/place", { ...whole, ...order })).status).toBe(400);
    expect(await client.list("Order/search")).toEqual([]);
  });

  test("a moment later, by the hub's word alone", async () => {
    const hub = await client.listen();
    await client.control({ knob: "fault", fault: { kind: "rejectLater" } });
    const { orderId } = await client.place({ customTag: "late", stopLossBracket: STOP_LOSS });
    await waitUntil("it is refused", () => hub.toldOf("GatewayUserOrder").length === 2);
    const told = hub.toldOf("GatewayUserOrder").map(({ data }) => data as Json);
    expect(told.map(({ id, status }) => [id, status])).toEqual([
      [orderId, 6],
      [orderId, 5],
    ]);
    expect(await byId(orderId)).toMatchObject({ status: 5 });
  });
});

describe("a change", () => {
  test("of price and size is answered without the order", async () => {
    const { orderId } = await client.place(LIMIT);
    const change = { accountId: client.account, orderId, limitPrice: 6_841, size: 3 };
    expect(await client.post("Order/modify", change)).toEqual({
      success: true,
      errorCode: 0,
      errorMessage: null,
    });
    expect(await byId(orderId)).toMatchObject({ limitPrice: 6_841, size: 3 });
  });

  test("is refused where there is no such order, or price", async () => {
    const { orderId } = await client.place(LIMIT);
    expect((await client.refusal("Order/modify", { orderId: 1, size: 2 }))[0]).toBe(2);
    expect(await client.refusal("Order/modify", { orderId, limitPrice: 0.1 })).toEqual([
      3,
      "Invalid price",
    ]);
    await client.post("Order/cancel", { accountId: client.account, orderId });
    expect((await client.refusal("Order/modify", { orderId, limitPrice: 6_841 }))[0]).toBe(3);
    expect((await client.request("Order/modify", { accountId: client.account })).status).toBe(400);
  });
});

describe("a cancel", () => {
  test("ends an order that works, once", async () => {
    const { orderId } = await client.place(LIMIT);
    expect(await client.refusal("Order/cancel", { orderId })).toEqual([0, null]);
    expect(await byId(orderId)).toMatchObject({ status: 3 });
    expect((await client.refusal("Order/cancel", { orderId }))[0]).toBe(3);
    expect((await client.refusal("Order/cancel", { orderId: 1 }))[0]).toBe(2);
  });

  test("is refused on an account that follows others, unless it is by hand", async () => {
    const { orderId } = await client.place(LIMIT);
    await client.control({ knob: "set", cancels: "none" });
    expect((await client.refusal("Order/cancel", { orderId }))[0]).toBe(6);
    expect(await byId(orderId)).toMatchObject({ status: 1 });
    const { account } = client;
    await client.control({ knob: "cancelOrder", account, orderId: Number(orderId) });
    expect(await byId(orderId)).toMatchObject({ status: 3 });
  });

  test.each([
    ["simulated", 6],
    ["all", 0],
  ] as const)("of a live account, with cancels %s, has code %i", async (cancels, code) => {
    const { orderId } = await client.place(LIMIT);
    const { account } = client;
    await client.control({ knob: "account", account, simulated: false });
    await client.control({ knob: "set", cancels });
    expect((await client.refusal("Order/cancel", { orderId }))[0]).toBe(code);
  });

  test("may take its time, in which the order can be filled", async () => {
    await client.control({ knob: "set", cancelTakesMs: 60_000 });
    const hub = await client.listen();
    const { orderId: canceled } = await client.place({ ...LIMIT, limitPrice: 6_800 });
    const { orderId: filled } = await client.place(LIMIT);
    for (const orderId of [canceled, filled]) {
      expect(await client.refusal("Order/cancel", { orderId })).toEqual([0, null]);
    }
    expect((await client.refusal("Order/cancel", { orderId: filled }))[0]).toBe(4);
    expect(await byId(canceled)).toMatchObject({ status: 7 });
    expect(await client.list("Order/searchOpen")).toEqual([]);
    await client.quote(6_839.75);
    expect(await byId(filled)).toMatchObject({ status: 2 });
    const statuses = (id: unknown) =>
      hub
        .toldOf("GatewayUserOrder")
        .map(({ data }) => data as Json)
        .filter((data) => data["id"] === id)
        .map(({ status }) => status);
    await client.control({ knob: "advance", ms: 60_000 });
    await hub.settle();
    expect([statuses(canceled), statuses(filled)]).toEqual([
      [6, 1, 7, 3],
      [6, 1, 7, 2],
    ]);
  });
});

describe("an order by hand", () => {
  test("is told as any other, without a tag", async () => {
    const hub = await client.listen();
    const order = { contractId: ESZ6, type: 1, side: 0, size: 1, limitPrice: 6_840 };
    const placedByHand = await client.control({
      knob: "placeOrder",
      account: client.account,
      order,
    });
    await hub.settle();
    const [, open] = hub.toldOf("GatewayUserOrder").map(({ data }) => data as Json);
    expect(open).toMatchObject({ id: placedByHand["orderId"], status: 1 });
    expect(open).not.toHaveProperty("customTag");
  });
});
