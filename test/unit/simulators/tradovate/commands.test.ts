import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Json, TestClient } from "./test-client.ts";

let client: TestClient;

beforeEach(async () => {
  client = await TestClient.start();
  await client.quote(6_850);
  await client.logIn();
});
afterEach(() => client.close());

const limit = (order: Json = {}) =>
  client.place({ orderType: "Limit", price: 6_840, timeInForce: "GTC", ...order });

async function newestVersion(orderId: unknown): Promise<Json | undefined> {
  const versions = await client.get(`orderVersion/deps?masterid=${String(orderId)}`);
  return (versions as unknown as readonly Json[]).at(-1);
}

describe("an order", () => {
  test("keeps its price on a version and its identifier on a command", async () => {
    const { orderId } = await limit({ clOrdId: "mine", text: "note", customTag50: "desk" });
    expect(await newestVersion(orderId)).toEqual({
      id: orderId,
      orderId,
      orderQty: 1,
      orderType: "Limit",
      price: 6_840,
      timeInForce: "GTC",
      text: "note",
    });
    expect(await client.entity("command", orderId)).toMatchObject({
      clOrdId: "mine",
      customTag50: "desk",
      isAutomated: true,
    });
  });

  test("of the same identifier is a second order", async () => {
    const [first, second] = [await limit({ clOrdId: "same" }), await limit({ clOrdId: "same" })];
    expect(first["orderId"]).not.toBe(second["orderId"]);
    expect(await client.list("order")).toHaveLength(2);
  });

  test.each([
    ["accountSpec", { accountSpec: undefined, accountId: undefined }],
    ["action", { action: undefined }],
    ["action", { action: "BUY" }],
    ["symbol", { symbol: undefined }],
    ["orderQty", { orderQty: undefined }],
    ["orderQty", { orderQty: "1" }],
    ["orderType", { orderType: undefined }],
    ["price", { price: "6840" }],
    ["timeInForce", { timeInForce: "DAY" }],
  ])("without a good %s is malformed", async (_, order) => {
    const body = client.order({ orderType: "Limit", price: 6_840, ...order });
    expect((await client.request("POST", "order/placeorder", body)).status).toBe(400);
    expect(await client.list("order")).toEqual([]);
  });

  test.each([
    ["price off tick", { price: 6_840.1 }, "Invalid price increment"],
    ["no price", { price: undefined }, "Price is required"],
    ["a date to be good till", { timeInForce: "GTD" }, "GTD is not supported"],
    ["a symbol that does not exist", { symbol: "E6H9" }, "Access is denied"],
  ])("with %s fails inside 200", async (_, order, failureText) => {
    expect(await limit(order)).toMatchObject({ failureText });
  });

  test("that is to be touched rests as what it is, and fills there", async () => {
    const { orderId } = await limit({ orderType: "MIT", price: undefined, stopPrice: 6_845 });
    expect(await newestVersion(orderId)).toMatchObject({ orderType: "MIT", stopPrice: 6_845 });
    await client.quote(6_844.75);
    expect(await client.list("fill")).toMatchObject([{ orderId, price: 6_845 }]);
  });

  test.each([
    ["no contracts", { orderQty: 0 }],
    ["a part of one", { orderQty: 1.5 }],
    ["an identifier that is too long", { clOrdId: "x".repeat(65) }],
  ])("with %s is a violation", async (_, order) => {
    expect(await limit(order)).toHaveProperty("violations");
  });

  test("may have fields that nobody knows, and an account by name alone", async () => {
    expect(await limit({ accountId: undefined, extra: 1 })).toHaveProperty("orderId");
    const foreign = await client.request(
      "POST",
      "order/placeorder",
      client.order({ accountId: 1 }),
    );
    expect(foreign).toEqual({ status: 401, text: "Access is denied" });
  });

  test.each([{ stopPrice: 6_860 }, { price: 6_860 }])(
    "to stop takes its trigger as %j",
    async (px) => {
      const { orderId } = await client.place({ orderType: "Stop", ...px });
      expect(await newestVersion(orderId)).toMatchObject({ orderType: "Stop", stopPrice: 6_860 });
      await client.quote(6_860);
      expect(await client.statusOf(orderId)).toBe("Filled");
    },
  );

  test("may trail the market", async () => {
    const trailing = { action: "Sell", orderType: "TrailingStop", pegDifference: -5 };
    const { failureReason } = await client.place(trailing);
    expect(failureReason).toBe("InvalidPrice");
    const { orderId } = await client.place({ ...trailing, stopPrice: 6_845 });
    expect(await newestVersion(orderId)).toMatchObject({ id: orderId, stopPrice: 6_845 });
    await client.quote(6_870);
    expect(await newestVersion(orderId)).toMatchObject({ id: orderId, stopPrice: 6_865 });
    const closer = {
      orderId,
      orderQty: 1,
      orderType: "TrailingStop",
      stopPrice: 6_865,
      pegDifference: -4,
    };
    const { commandId } = await client.post("order/modifyorder", closer);
    expect(await newestVersion(orderId)).toMatchObject({ id: commandId, stopPrice: 6_866 });
    await client.quote(6_866);
    expect(await client.statusOf(orderId)).toBe("Filled");
  });

  test("that is to be filled at once or not at all ends without a cancel", async () => {
    await client.quote(6_850, 6_850.25, 1);
    const { orderId } = await limit({ price: 6_850.25, timeInForce: "FOK", orderQty: 5 });
    expect(await client.statusOf(orderId)).toBe("Canceled");
    expect(await client.list("command")).toHaveLength(1);
  });

  test("for the day ends with it, legs too", async () => {
    const { orderId } = await client.placeOso({ timeInForce: "GTC" });
    await client.quote(6_839.75, 6_840);
    const day = await limit({ timeInForce: "Day", price: 6_800 });
    const kept = await limit({ timeInForce: "GTC", price: 6_800 });
    await client.control({ knob: "advance", ms: 2 * 86_400_000 });
    await client.logIn();
    const legs = [Number(orderId) + 3, Number(orderId) + 5];
    for (const id of [...legs, day["orderId"]]) expect(await client.statusOf(id)).toBe("Expired");
    expect(await client.statusOf(kept["orderId"])).toBe("Working");
  });

  test("is only looked at by a dry run", async () => {
    expect(await client.post("order/dryrun", client.order())).toEqual({});
    expect(await client.list("order")).toEqual([]);
    const { status } = await client.request("GET", "order/placeorder");
    expect(status).toBe(404);
  });
});

describe("a change", () => {
  const change = (orderId: unknown, values: Json) =>
    client.post("order/modifyorder", { orderId, orderQty: 1, orderType: "Limit", ...values });

  test("makes a new version under the command's number", async () => {
    const { orderId } = await limit();
    const { commandId } = await change(orderId, { price: 6_841, orderQty: 3, clOrdId: "change" });
    expect(await newestVersion(orderId)).toMatchObject({
      id: commandId,
      price: 6_841,
      orderQty: 3,
      timeInForce: "GTC",
    });
    expect(await client.entity("command", commandId)).toMatchObject({ clOrdId: "change", orderId });
  });

  test.each([
    ["no price", { price: undefined }],
    ["a price off tick", { price: 6_840.1 }],
    ["another type", { orderType: "Stop", stopPrice: 6_860 }],
  ])("with %s fails and changes nothing", async (_, values) => {
    const { orderId } = await limit();
    expect(await change(orderId, { price: 6_841, ...values })).toHaveProperty("failureReason");
    expect(await newestVersion(orderId)).toMatchObject({ id: orderId, price: 6_840 });
  });

  test("of a leg that waits keeps it waiting", async () => {
    const { orderId } = await client.placeOso();
    const target = Number(orderId) + 3;
    await change(target, { price: 6_862 });
    expect(await client.statusOf(target)).toBe("Suspended");
    expect(await newestVersion(target)).toMatchObject({ price: 6_862 });
    await client.quote(6_839.75, 6_840);
    await client.quote(6_861);
    expect(await client.statusOf(target)).toBe("Working");
  });

  test("is refused on an account that may not trade", async () => {
    const { orderId } = await limit();
    await client.control({ knob: "active", account: "joe-1", isActive: false });
    expect(await change(orderId, { price: 6_841 })).toMatchObject({
      failureReason: "TradingLocked",
    });
  });

  test("of an order that is not there is a 404", async () => {
    const body = { orderId: 1, orderQty: 1, orderType: "Limit", price: 1 };
    expect((await client.request("POST", "order/modifyorder", body)).status).toBe(404);
  });
});

describe("a liquidation", () => {
  const liquidate = async (extra: Json = {}) => {
    const { id } = await client.get("contract/find?name=ESZ6");
    const body = { accountId: client.accountId, contractId: id, admin: false, ...extra };
    return await client.request("POST", "order/liquidateposition", body);
  };

  test("cancels what works in the contract and closes what is held", async () => {
    await client.place({ orderQty: 3 });
    const here = await limit();
    const there = await limit({ symbol: "NQZ6", price: 25_000 });
    const { status, text } = await liquidate();
    expect(status).toBe(200);
    const { orderId } = JSON.parse(text) as Json;
    expect(await client.statusOf(orderId)).toBe("Filled");
    expect(await client.statusOf(here["orderId"])).toBe("Canceled");
    expect(await client.statusOf(there["orderId"])).toBe("Working");
    expect(await client.list("position")).toMatchObject([{ netPos: 0, bought: 3, sold: 3 }]);
  });

  test("of nothing is a failure, or says nothing", async () => {
    expect(JSON.parse((await liquidate()).text)).toHaveProperty("failureReason");
    await client.control({ knob: "set", liquidateWhenFlat: "empty" });
    expect((await liquidate()).text).toBe("{}");
  });

  test("with a Tag 50 is not found, unless that is turned off", async () => {
    await client.place();
    expect((await liquidate({ customTag50: "x" })).status).toBe(404);
    await client.control({ knob: "set", liquidateRefusesTag50: false });
    expect((await liquidate({ customTag50: "x" })).status).toBe(200);
  });

  test("of several positions closes them all", async () => {
    await client.place();
    await client.place({ symbol: "NQZ6" });
    const positions = (await client.list("position")).map(({ id }) => id);
    expect(await client.post("order/liquidatepositions", { positions })).toEqual({ ok: true });
    expect((await client.list("position")).map(({ netPos }) => netPos)).toEqual([0, 0]);
  });
});

test("a page in a browser may ask", async () => {
  const answer = await fetch(`${client.url}/order/list`, { method: "OPTIONS" });
  expect(answer.status).toBe(204);
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
});

test("a pair that is no limit and stop of one side is not supported", async () => {
  const placed = await client.post("order/placeoco", {
    ...client.order({ orderType: "Limit", price: 6_840 }),
    other: { action: "Sell", orderType: "Stop", stopPrice: 6_830 },
  });
  expect(placed).toMatchObject({ failureReason: "Unsupported" });
  const oso = await client.placeOso({
    bracket2: { action: "Sell", orderType: "Limit", price: 6_870 },
  });
  expect(oso).toMatchObject({ failureReason: "Unsupported" });
});

test("one leg of a pair ends the other by its fill", async () => {
  await client.place();
  const { orderId, ocoId } = await client.post("order/placeoco", {
    ...client.order({ action: "Sell", orderType: "Stop", stopPrice: 6_830, clOrdId: "s" }),
    other: { action: "Sell", orderType: "Limit", price: 6_870, clOrdId: "t" },
  });
  await client.quote(6_870);
  expect([await client.statusOf(orderId), await client.statusOf(ocoId)]).toEqual([
    "Canceled",
    "Filled",
  ]);
  expect(await client.netPos()).toBe(0);
});
