import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ESZ6, type Json, TestClient } from "./test-client.ts";

let client: TestClient;

beforeEach(async () => {
  client = await TestClient.start();
  await client.logIn();
  await client.quote(6_850);
});
afterEach(() => client.close());

const held = () => client.list("Position/searchOpen");
const close = (path: "closeContract" | "partialCloseContract", body: Json = {}) =>
  client.refusal(`Position/${path}`, { contractId: ESZ6, ...body });

async function balance(): Promise<unknown> {
  const { accounts } = await client.post("Account/search", { onlyActiveAccounts: true });
  return (accounts as readonly Json[])[0]?.["balance"];
}

describe("a position", () => {
  test("is one row for a contract, at the average of what it was opened with", async () => {
    await client.place();
    await client.quote(6_852);
    await client.place({ size: 2 });
    expect(await held()).toEqual([
      {
        id: expect.any(Number) as number,
        accountId: client.account,
        contractId: ESZ6,
        creationTimestamp: expect.any(String) as string,
        type: 1,
        size: 3,
        averagePrice: 6_851.58333333,
      },
    ]);
    await client.place({ side: 1, size: 5 });
    expect(await held()).toMatchObject([{ type: 2, size: 2, averagePrice: 6_852 }]);
  });

  test("is closed as a whole, without a word of the order", async () => {
    await client.place({ size: 3 });
    expect(await close("closeContract")).toEqual([0, null]);
    expect(await held()).toEqual([]);
    const orders = await client.list("Order/search");
    expect(orders.at(-1)).toMatchObject({ customTag: null, type: 2, side: 1, size: 3, status: 2 });
  });

  test("is closed in part", async () => {
    await client.place({ size: 3, side: 1 });
    expect(await close("partialCloseContract", { size: 2 })).toEqual([0, null]);
    expect(await held()).toMatchObject([{ type: 2, size: 1 }]);
  });

  test("moves without a trade where a test says so, and the hub says it", async () => {
    await client.place({ size: 3 });
    const hub = await client.listen();
    const trades = await client.list("Trade/search");
    const moved = { knob: "movePosition", account: client.account, contract: ESZ6 } as const;
    await client.control({ ...moved, by: -1, at: 27_400 });
    await hub.settle();
    expect(await held()).toMatchObject([{ type: 1, size: 2 }]);
    expect(hub.toldOf("GatewayUserPosition")).toMatchObject([{ data: { size: 2 } }]);
    expect(await client.list("Trade/search")).toEqual(trades);
  });

  test("is not closed where there is none, or not so much, by the codes of each call", async () => {
    expect((await close("closeContract"))[0]).toBe(2);
    expect((await close("closeContract", { contractId: "CON.F.US.XX.Z26" }))[0]).toBe(3);
    await client.place({ size: 3 });
    for (const size of [0, 4]) expect((await close("partialCloseContract", { size }))[0]).toBe(5);
    await client.control({ knob: "account", account: client.account, canTrade: false });
    expect((await close("closeContract"))[0]).toBe(8);
    expect((await close("partialCloseContract", { size: 1 }))[0]).toBe(9);
    const noSize = { accountId: client.account, contractId: ESZ6 };
    expect((await client.request("Position/partialCloseContract", noSize)).status).toBe(400);
    expect(await held()).toMatchObject([{ size: 3 }]);
  });
});

describe("trades", () => {
  test("say what they cost, and what they won where they closed something", async () => {
    await client.control({ knob: "set", feePerSide: "1.40" });
    const { orderId } = await client.place({ size: 2 });
    await client.quote(6_855);
    const { orderId: exit } = await client.place({ side: 1 });
    const trades = await client.list("Trade/search");
    expect(trades[0]).toEqual({
      id: expect.any(Number) as number,
      accountId: client.account,
      contractId: ESZ6,
      creationTimestamp: expect.any(String) as string,
      price: 6_850.25,
      profitAndLoss: null,
      fees: 2.8,
      side: 0,
      size: 2,
      voided: false,
      orderId,
    });
    expect(trades[1]).toMatchObject({ profitAndLoss: 237.5, fees: 1.4, side: 1, orderId: exit });
    expect(await balance()).toBe(50_233.3);
  });

  test("are taken back, told again as voided, and money comes by hand", async () => {
    await client.place();
    const hub = await client.listen();
    const [trade] = await client.list("Trade/search");
    await client.control({ knob: "voidTrade", trade: Number(trade?.["id"]) });
    await client.control({ knob: "balance", account: "joe-1", by: -1_000.5 });
    await hub.settle();
    expect(await client.list("Trade/search")).toMatchObject([{ voided: true }]);
    expect(hub.toldOf("GatewayUserTrade")).toMatchObject([{ data: { voided: true } }]);
    expect(hub.toldOf("GatewayUserPosition")).toMatchObject([{ action: 2, data: { size: 0 } }]);
    expect(await client.list("Position/searchOpen")).toEqual([]);
    expect(hub.toldOf("GatewayUserAccount")).toMatchObject([
      { data: { balance: 50_000 } },
      { data: { balance: 48_999.5 } },
    ]);
    expect(await balance()).toBe(48_999.5);
  });

  test("are those of a span, and of each fill of an order", async () => {
    const thin = (bid: number) =>
      client.control({ knob: "quote", contract: "ESZ6", bid, ask: bid + 1, bidQty: 1, askQty: 1 });
    await client.place({ type: 1, limitPrice: 6_840, size: 2 });
    await thin(4 * 6_839);
    await thin(4 * 6_838);
    const trades = await client.list("Trade/search");
    expect(trades.map(({ price, size }) => [price, size])).toEqual([
      [6_839.25, 1],
      [6_838.25, 1],
    ]);
    const later = { startTimestamp: new Date(Date.now() + 60_000).toISOString() };
    expect(await client.list("Trade/search", later)).toEqual([]);
  });
});
