import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Settings } from "../../../simulators/projectx/settings.ts";
import { ESZ6, type Json, type RawHub, TestClient } from "./test-client.ts";

// What the hub tells of all this is held against the captures in recorded-bracket.test.ts.

let client: TestClient;

beforeEach(async () => {
  client = await TestClient.start();
  await client.logIn();
  await client.quote(6_850);
});
afterEach(() => client.close());

const [STOP_LOSS, TAKE_PROFIT] = [
  { ticks: -40, type: 4 },
  { ticks: 60, type: 1 },
];
const OPEN = 1;

const set = (settings: Partial<Settings>) => client.control({ knob: "set", ...settings });

const bracket = (order: Json = {}): Promise<Json> =>
  client.place({
    customTag: "b",
    stopLossBracket: STOP_LOSS,
    takeProfitBracket: TAKE_PROFIT,
    ...order,
  });

/** The bid and the ask at a price, with so many contracts on each side. */
const thin = (bid: number, qty: number) =>
  client.control({ knob: "quote", contract: "ESZ6", bid, ask: bid + 1, bidQty: qty, askQty: qty });

/** Ticks of a price. */
const at = (points: number) => points * 4;

/** What works, as `b-SL 1 of 2 at 6840`. */
async function working(): Promise<readonly string[]> {
  const orders = await client.list("Order/searchOpen");
  return orders.map(({ customTag, size, fillVolume, limitPrice, stopPrice }) =>
    [
      String(customTag),
      String(Number(size) - Number(fillVolume)),
      "at",
      String(limitPrice ?? stopPrice),
    ].join(" "),
  );
}

const byTag = async (tag: string): Promise<Json | undefined> =>
  (await client.list("Order/search")).find(({ customTag }) => customTag === tag);

/** How an order was told by its tag, event by event. */
const statusesOf = (hub: RawHub, tag: string) =>
  hub
    .toldOf("GatewayUserOrder")
    .map(({ data }) => data as Json)
    .filter(({ customTag }) => customTag === tag)
    .map(({ status }) => status);

describe("children", () => {
  test("are at their distances from the fill, on either side", async () => {
    await bracket();
    expect(await working()).toEqual(["b-SL 1 at 6840.25", "b-TP 1 at 6865.25"]);
    await bracket({
      customTag: "s",
      side: 1,
      stopLossBracket: { ticks: 40, type: 4 },
      takeProfitBracket: { ticks: -60, type: 1 },
    });
    expect((await working()).slice(2)).toEqual(["s-SL 1 at 6860", "s-TP 1 at 6835"]);
  });

  test("may be one alone, and have no tag where their entry has none", async () => {
    await client.place({ stopLossBracket: STOP_LOSS });
    await client.place({ takeProfitBracket: TAKE_PROFIT, customTag: "t" });
    expect(await working()).toEqual(["null 1 at 6840.25", "t-TP 1 at 6865.25"]);
  });

  test("are nowhere in REST while they wait, whatever is asked for", async () => {
    const { orderId } = await bracket({ type: 1, limitPrice: 6_840 });
    const [entry, stop, target] = [0, 1, 2].map((n) => Number(orderId) + n);
    const { account } = client;
    for (const path of ["Order/search", "Order/searchOpen"]) {
      expect((await client.list(path)).map(({ id }) => id)).toEqual([entry]);
    }
    const filter = { accountId: account, statuses: [1, 6, 7, 8] };
    const query = () => client.list("Order/v2/query", { filter });
    expect((await query()).map(({ id }) => id)).toEqual([entry]);
    for (const id of [stop, target]) {
      expect(await client.refusal("Order/searchById", { orderId: id })).toEqual([
        1,
        "Order not found",
      ]);
    }
    await set({ queryShowsSuspended: true });
    expect((await query()).map(({ id, status }) => [id, status])).toEqual([
      [entry, 1],
      [stop, 8],
      [target, 8],
    ]);
    await client.quote(6_839.75);
    expect(await working()).toEqual(["b-SL 1 at 6830", "b-TP 1 at 6855"]);
  });

  test("end with an entry that is never filled, and one by one when they wait", async () => {
    const hub = await client.listen();
    const { orderId } = await bracket({ type: 1, limitPrice: 6_840 });
    const stop = Number(orderId) + 1;
    expect(await client.refusal("Order/cancel", { orderId: stop })).toEqual([0, null]);
    await client.refusal("Order/cancel", { orderId });
    await hub.settle();
    expect([statusesOf(hub, "b-SL"), statusesOf(hub, "b-TP")]).toEqual([
      [8, 3],
      [8, 3],
    ]);
    expect(await working()).toEqual([]);
  });

  test("end by each other's fill", async () => {
    await bracket();
    await client.quote(6_840.25);
    expect(await byTag("b-SL")).toMatchObject({ status: 2, filledPrice: 6_840.25 });
    expect(await byTag("b-TP")).toMatchObject({ status: 3 });
    expect(await client.list("Position/searchOpen")).toEqual([]);
  });

  test("outlive their position when it is closed, and open another one", async () => {
    await bracket();
    const closed = { accountId: client.account, contractId: ESZ6 };
    await client.post("Position/closeContract", closed);
    expect(await working()).toHaveLength(2);
    await client.quote(6_865.25);
    expect(await client.list("Position/searchOpen")).toMatchObject([{ type: 2, size: 1 }]);
  });

  test("may be told late, or not at all", async () => {
    const hub = await client.listen();
    await set({ tellsChildren: "live" });
    await bracket({ customTag: "late" });
    await set({ tellsChildren: "never" });
    await bracket({ customTag: "never" });
    await hub.settle();
    expect([statusesOf(hub, "late-SL"), statusesOf(hub, "never-SL")]).toEqual([[OPEN], []]);
  });
});

describe("children of an entry that fills in parts", () => {
  /** One of three is filled, then the rest. */
  async function fillInParts(): Promise<readonly (readonly string[])[]> {
    await bracket({ type: 1, limitPrice: 6_840, size: 3 });
    await thin(at(6_839), 1);
    const first = await working();
    await thin(at(6_838), 10);
    return [first, await working()];
  }

  test("grow with each fill", async () => {
    expect(await fillInParts()).toEqual([
      ["b 2 at 6840", "b-SL 1 at 6829.25", "b-TP 1 at 6854.25"],
      ["b-SL 3 at 6829.25", "b-TP 3 at 6854.25"],
    ]);
  });

  test("stay as the first fill made them", async () => {
    await set({ childrenOn: "firstFill" });
    expect(await fillInParts()).toEqual([
      ["b 2 at 6840", "b-SL 1 at 6829.25", "b-TP 1 at 6854.25"],
      ["b-SL 1 at 6829.25", "b-TP 1 at 6854.25"],
    ]);
  });

  test("wait for the last fill", async () => {
    await set({ childrenOn: "fullFill" });
    const [first, last] = await fillInParts();
    expect(first).toEqual(["b 2 at 6840"]);
    expect(last).toHaveLength(2);
    expect(last?.[0]).toMatch(/^b-SL 3 /);
  });
});

describe("of two children", () => {
  const partOfTarget = async () => {
    await bracket({ size: 3 });
    await thin(at(6_865.25), 1);
  };

  test("a part fill of one makes the other smaller", async () => {
    await partOfTarget();
    expect(await working()).toEqual(["b-SL 2 at 6840.25", "b-TP 2 at 6865.25"]);
  });

  test("a part fill of one leaves the other as it is, until all of it is filled", async () => {
    await set({ siblingOnPartFill: "stays" });
    await partOfTarget();
    expect(await working()).toEqual(["b-SL 3 at 6840.25", "b-TP 2 at 6865.25"]);
    await client.quote(6_866);
    expect(await working()).toEqual([]);
  });

  test.each([
    ["stays", ["b-TP 1 at 6865.25"]],
    ["ends", []],
  ] as const)("a cancel of one lets the other one be: %s", async (siblingOnCancel, left) => {
    await set({ siblingOnCancel });
    const { orderId } = await bracket();
    await client.refusal("Order/cancel", { orderId: Number(orderId) + 1 });
    expect(await working()).toEqual(left);
  });

  test("a change of one leaves the other, and its size may not be changed", async () => {
    const { orderId } = await bracket({ size: 2 });
    const stop = { orderId: Number(orderId) + 1 };
    expect(await client.refusal("Order/modify", { ...stop, stopPrice: 6_845 })).toEqual([0, null]);
    expect(await client.refusal("Order/modify", { ...stop, size: 1 })).toEqual([0, null]);
    expect(await working()).toEqual(["b-SL 1 at 6845", "b-TP 2 at 6865.25"]);
    await set({ modifyChildSize: "refused" });
    expect((await client.refusal("Order/modify", { ...stop, size: 2 }))[0]).toBe(3);
  });

  test.each([
    ["works", [0, null], 6_835],
    ["passedOver", [0, null], 6_830],
    ["refused", [2, "Order not found"], 6_830],
  ] as const)("a change while they wait %s", async (modifySuspended, answer, price) => {
    await set({ modifySuspended });
    const { orderId } = await bracket({ type: 1, limitPrice: 6_840 });
    const change = { orderId: Number(orderId) + 1, stopPrice: 6_835 };
    expect(await client.refusal("Order/modify", change)).toEqual(answer);
    await client.quote(6_839.75);
    expect((await working())[0]).toBe(`b-SL 1 at ${price}`);
  });

  test.each([
    ["keepsChildren", 2],
    ["endsChildren", 0],
  ] as const)("an exit of a part %s", async (partialExit, left) => {
    await set({ partialExit });
    await bracket({ size: 3 });
    await client.place({ side: 1 });
    expect(await client.list("Position/searchOpen")).toMatchObject([{ size: 2 }]);
    expect(await working()).toHaveLength(left);
  });
});

describe("an order that takes its time", () => {
  test("is pending first, and in no list, and then it is as any other", async () => {
    await set({ placeTakesMs: 60_000 });
    const hub = await client.listen();
    const { orderId } = await bracket();
    expect(await client.list("Order/search")).toEqual([]);
    expect(await client.list("Order/searchOpen")).toEqual([]);
    expect(await client.refusal("Order/searchById", { orderId })).toEqual([0, null]);
    await set({ searchShowsPending: true });
    expect(await client.list("Order/search")).toMatchObject([{ id: orderId, status: 6 }]);
    await client.control({ knob: "advance", ms: 60_000 });
    await hub.settle();
    expect([statusesOf(hub, "b"), statusesOf(hub, "b-SL")]).toEqual([
      [6, 2],
      [8, 1],
    ]);
    expect(await working()).toEqual(["b-SL 1 at 6840.25", "b-TP 1 at 6865.25"]);
  });

  test("may be canceled or refused before it is anything", async () => {
    await set({ placeTakesMs: 60_000 });
    const hub = await client.listen();
    const { orderId } = await bracket();
    expect((await client.refusal("Order/modify", { orderId, size: 2 }))[0]).toBe(3);
    expect(await client.refusal("Order/cancel", { orderId })).toEqual([0, null]);
    await bracket({ customTag: "stop", type: 4, stopPrice: 6_860 });
    await client.quote(6_870);
    await client.control({ knob: "advance", ms: 60_000 });
    await hub.settle();
    expect(statusesOf(hub, "stop-TP")).toEqual([8, 3]);
    expect([statusesOf(hub, "b"), statusesOf(hub, "b-SL")]).toEqual([
      [6, 3],
      [8, 3],
    ]);
    expect(statusesOf(hub, "stop")).toEqual([6, 5]);
    expect(await client.list("Position/searchOpen")).toEqual([]);
  });
});

test("the broker itself closes an account, its children too, and locks it", async () => {
  await bracket({ size: 2 });
  await client.control({ knob: "liquidate", account: client.account, locks: true });
  expect(await working()).toEqual([]);
  expect(await client.list("Position/searchOpen")).toEqual([]);
  expect(await client.place()).toMatchObject({ errorCode: 10 });
});
