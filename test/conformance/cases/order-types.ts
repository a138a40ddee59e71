import { describe, expect, test } from "vitest";
import type { NewOrderSingle } from "../../../src/domain/order.ts";
import { px, REFUSED } from "../broker-under-test.ts";
import { type Given, isLacked } from "./given.ts";

const RESTING: readonly Partial<NewOrderSingle>[] = [
  { ordType: "LIMIT", price: px(990) },
  { ordType: "STOP", stopPx: px(1_005) },
  { ordType: "STOP_LIMIT", stopPx: px(1_005), price: px(1_007) },
  { ordType: "TRAILING_STOP", trailOffset: px(8), stopPx: px(1_008) },
];

const DAYS = ["DAY", "GTC"] as const;
const AT_ONCE = ["IOC", "FOK"] as const;

/** A name for a table's row. */
function each<Time extends string>(
  orders: readonly Partial<NewOrderSingle>[],
  times: readonly Time[],
) {
  return orders.flatMap((order) =>
    times.map((timeInForce) => ({ name: `${order.ordType} ${timeInForce}`, order, timeInForce })),
  );
}

/** Every type with every time in force, and the types' own rules. */
export function orderTypeCases(given: Given): void {
  describe.sequential("types of orders", () => {
    timeCases(given);
    stopCases(given);
    refusalCases(given);
  });
}

function timeCases(given: Given): void {
  test.each([...DAYS, ...AT_ONCE])("100 a market order is filled at once: %s", async (time) => {
    const trader = given();
    const asked = { side: "SELL", orderQty: 2, timeInForce: time } as const;
    if (await isLacked(trader, asked)) return;
    const { orderId } = await trader.place(asked);
    await trader.waitForPosition(-2);
    const { order, fill } = await trader.waitForReport(orderId, "TRADE");
    expect(order).toMatchObject({
      ordType: "MARKET",
      timeInForce: trader.toldTime(time),
      ordStatus: "FILLED",
    });
    expect(fill?.lastPx).toBe(999);
  });

  test.each(each(RESTING, DAYS))("101 an order rests with all that it said: $name", async (row) => {
    const trader = given();
    const asked = { ...row.order, timeInForce: row.timeInForce, orderQty: 3 };
    if (await isLacked(trader, asked)) return;
    const { orderId } = await trader.place(asked);
    const timeInForce = trader.toldTime(row.timeInForce);
    const resting = {
      ...asked,
      timeInForce,
      ordStatus: "NEW",
      side: "BUY",
      leavesQty: 3,
      role: "ORDER",
    };
    expect(await trader.workingOrder(orderId)).toMatchObject(resting);
    expect(await trader.netQty()).toBe(0);
  });

  test.each(AT_ONCE)("102 a limit order out of reach ends at once: %s", async (timeInForce) => {
    const trader = given();
    const asked = { ordType: "LIMIT", price: px(990), timeInForce } as const;
    if (await isLacked(trader, asked)) return;
    const { orderId } = await trader.place(asked);
    const { order } = await trader.waitForReport(orderId, "CANCELED");
    expect(order).toMatchObject({ cumQty: 0, leavesQty: 0, timeInForce });
    expect(await trader.working()).toEqual([]);
    expect(await trader.netQty()).toBe(0);
  });

  test.each(each(RESTING.slice(1), AT_ONCE))(
    "103 a stop waits or is refused: $name",
    async (row) => {
      const trader = given();
      expect(await trader.submit({ ...row.order, timeInForce: row.timeInForce })).toEqual(REFUSED);
      expect(await trader.working()).toEqual([]);
    },
  );

  test.each([
    ["IOC", 4],
    ["FOK", 0],
  ] as const)("104 a market order for more than is shown: %s", async (timeInForce, filled) => {
    const trader = given();
    await trader.market(999, 1_000, 4);
    if (await isLacked(trader, { timeInForce, orderQty: 5 })) return;
    const { orderId } = await trader.place({ timeInForce, orderQty: 5 });
    const { order } = await trader.waitForReport(orderId, "CANCELED");
    expect(order).toMatchObject({ cumQty: filled, leavesQty: 0 });
    await trader.waitForPosition(filled);
  });

  test("105 the rest of a market order goes on with the next quote", async () => {
    const trader = given();
    await trader.market(999, 1_000, 4);
    const { orderId } = await trader.place({ orderQty: 5 });
    await trader.waitForPosition(4);
    expect(await trader.workingOrder(orderId)).toMatchObject({ cumQty: 4, leavesQty: 1 });
    await trader.market(1_002, 1_003);
    await trader.waitForPosition(5);
    const parts = trader.reportsOf(orderId).flatMap(({ fill }) => fill?.lastPx ?? []);
    expect(parts).toEqual([1_000, 1_003]);
  });

  test("106 a limit order through the market gets the market's price", async () => {
    const trader = given();
    const { orderId } = await trader.limit("SELL", 950);
    expect((await trader.waitForReport(orderId, "TRADE")).fill?.lastPx).toBe(999);
  });
}

function stopCases(given: Given): void {
  const stopLimit = { ordType: "STOP_LIMIT", stopPx: px(1_005), price: px(1_007) } as const;

  test("110 a stop-limit that triggers inside its limit is filled", async () => {
    const trader = given();
    if (await isLacked(trader, stopLimit)) return;
    const { orderId } = await trader.place(stopLimit);
    await trader.market(1_003, 1_004);
    expect(await trader.netQty()).toBe(0);
    await trader.market(1_005, 1_006);
    await trader.waitForPosition(1);
    expect((await trader.waitForReport(orderId, "TRADE")).fill?.lastPx).toBe(1_006);
  });

  test("111 a stop-limit that the market jumps over rests at its limit", async () => {
    const trader = given();
    if (await isLacked(trader, stopLimit)) return;
    const { orderId } = await trader.place(stopLimit);
    await trader.market(1_010, 1_011);
    expect(await trader.workingOrder(orderId)).toMatchObject({ leavesQty: 1, price: 1_007 });
    expect(await trader.netQty()).toBe(0);
    // Triggered it is a limit order: it is filled below its stop too.
    await trader.market(1_000, 1_001);
    await trader.waitForPosition(1);
    expect((await trader.waitForReport(orderId, "TRADE")).fill?.lastPx).toBe(1_001);
  });

  test("112 a stop that the market jumps over gets the market's price", async () => {
    const trader = given();
    const { orderId } = await trader.place({ side: "SELL", ordType: "STOP", stopPx: px(990) });
    await trader.market(970, 971);
    await trader.waitForPosition(-1);
    expect((await trader.waitForReport(orderId, "TRADE")).fill?.lastPx).toBe(970);
  });

  test.each([
    ["SELL", 1_010, 1_002, 994],
    ["BUY", 980, 989, 1_005],
  ] as const)(
    "113 a trailing stop follows the market, never gives way, and triggers: %s",
    async (side, best, back, start) => {
      const trader = given();
      const trailing = { side, ordType: "TRAILING_STOP", trailOffset: px(5) } as const;
      if (await isLacked(trader, { ...trailing, stopPx: px(start) })) return;
      const { orderId } = await trader.place({ ...trailing, stopPx: px(start) });
      const stopPx = async () => (await trader.workingOrder(orderId))?.stopPx;
      const away = side === "SELL" ? -5 : 5;
      // Both sides of the market at the same price: the one it looks at is not in question.
      const move = (price: number) => trader.market(price, price);
      expect(await stopPx()).toBe(start);
      await move(best);
      expect(await stopPx()).toBe(best + away);
      await move(best + away - Math.sign(away));
      expect(await stopPx()).toBe(best + away);
      expect(await trader.netQty()).toBe(0);
      await move(back);
      await trader.waitForPosition(side === "SELL" ? -1 : 1);
      expect((await trader.waitForReport(orderId, "TRADE")).fill?.lastPx).toBe(back);
    },
  );

  test("114 a trailing stop may say where it starts", async () => {
    const trader = given();
    const trailing = { ordType: "TRAILING_STOP", trailOffset: px(5), stopPx: px(980) } as const;
    const start = { ...trailing, side: "SELL" } as const;
    if (await isLacked(trader, start)) return;
    const { orderId } = await trader.place(start);
    expect(await trader.workingOrder(orderId)).toMatchObject({ stopPx: 980, trailOffset: 5 });
  });

  test("115 a trailing stop that names no start begins at the market, or is refused", async () => {
    const trader = given();
    const trailing = { side: "SELL", ordType: "TRAILING_STOP", trailOffset: px(5) } as const;
    const { kind } = await trader.submit(trailing);
    const { trailsFromMarket } = trader.adapter.capabilities;
    expect(kind).toBe(trailsFromMarket ? "accepted" : "rejected");
    expect(await trader.working()).toMatchObject(trailsFromMarket ? [{ stopPx: 994 }] : []);
  });
}

function refusalCases(given: Given): void {
  test.each([0, -1, 1.5, 1_000_000_000])("120 a quantity is refused: %s", async (orderQty) => {
    const trader = given();
    expect(await trader.submit({ orderQty })).toEqual(REFUSED);
    expect(await trader.netQty()).toBe(0);
  });

  test.each<[string, Partial<NewOrderSingle>]>([
    ["a limit order without its limit", { ordType: "LIMIT" }],
    ["a stop without its stop price", { ordType: "STOP" }],
    ["a stop-limit without its limit", { ordType: "STOP_LIMIT", stopPx: px(1_005) }],
    ["a stop-limit without its stop price", { ordType: "STOP_LIMIT", price: px(1_005) }],
    ["a trailing stop without a distance", { ordType: "TRAILING_STOP" }],
    [
      "a trailing stop with a distance of nothing",
      { ordType: "TRAILING_STOP", trailOffset: px(0) },
    ],
    ["a limit between two ticks", { ordType: "LIMIT", price: px(990.5) }],
  ])("121 an order that lacks something is refused: %s", async (_, order) => {
    const trader = given();
    expect(await trader.submit(order)).toEqual(REFUSED);
    expect(await trader.working()).toEqual([]);
  });

  test.each(RESTING.slice(1, 3))(
    "122 a sell stop above the market is refused: $ordType",
    async (o) => {
      expect(await given().submit({ ...o, side: "SELL" })).toEqual(REFUSED);
    },
  );

  test("123 outside the session orders are refused, and nothing is left", async () => {
    const trader = given();
    const { closedContract: contract, setMarket, account } = trader.broker;
    await setMarket(contract, { bid: 999, ask: 1_000 });
    const clOrdId = trader.newId();
    expect(await trader.submit({ contract, clOrdId })).toEqual(REFUSED);
    const limit = { ordType: "LIMIT", price: px(990), timeInForce: "GTC" } as const;
    expect(await trader.submit({ contract, ...limit })).toEqual(REFUSED);
    const stopLoss = { clOrdId: trader.newId(), stopPx: px(980) };
    const exits = { contract, side: "SELL", orderQty: 1, stopLoss } as const;
    expect(await trader.adapter.submitProtection(account, exits)).toEqual(REFUSED);
    expect(await trader.working()).toEqual([]);
    expect(await trader.adapter.findOrder(account, clOrdId)).toMatchObject({
      ordStatus: "REJECTED",
      leavesQty: 0,
    });
  });
}
