import { describe, expect, test } from "vitest";
import { orderId } from "../../../src/domain/ids.ts";
import type { NewOrderSingle, OrderChange } from "../../../src/domain/order.ts";
import { px, REFUSED } from "../broker-under-test.ts";
import { ENDED } from "./cancel.ts";
import { type Given, isLacked, othersOrder } from "./given.ts";

const LIMIT = { ordType: "LIMIT", price: px(990) } as const;
const STOP = { ordType: "STOP", stopPx: px(1_005) } as const;
const STOP_LIMIT = { ordType: "STOP_LIMIT", stopPx: px(1_005), price: px(1_007) } as const;
const TRAILING = { ordType: "TRAILING_STOP", trailOffset: px(8), stopPx: px(1_008) } as const;

type Change = Omit<OrderChange, "orderId">;
type Row = [name: string, order: Partial<NewOrderSingle>, change: Change];

/** A change against an order in each of its states; 18 and 19 are the first cases. */
export function modifyCases(given: Given): void {
  describe.sequential("changing by state", () => {
    acceptedChanges(given);
    refusedChanges(given);
    fillingChanges(given);
  });
}

function acceptedChanges(given: Given): void {
  test.each<Row>([
    ["a limit's price", LIMIT, { price: px(985) }],
    ["a limit's quantity", LIMIT, { orderQty: 3 }],
    ["a stop's price", STOP, { stopPx: px(1_010) }],
    ["a stop-limit's limit", STOP_LIMIT, { price: px(1_009) }],
    ["both prices of a stop-limit", STOP_LIMIT, { stopPx: px(1_008), price: px(1_010) }],
    ["a trailing stop's distance", TRAILING, { trailOffset: px(12) }],
    ["a trailing stop's quantity", TRAILING, { orderQty: 1 }],
  ])("800 what is changed is changed, and nothing else: %s", async (_, order, change) => {
    const trader = given();
    if (await isLacked(trader, order)) return;
    const { orderId: id } = await trader.place({ ...order, orderQty: 2 });
    const before = await trader.workingOrder(id);
    expect(await trader.modify({ orderId: id, ...change })).toEqual({ kind: "accepted" });
    await trader.waitForReport(id, "REPLACED");
    const { transactTimeAt: _at, ...after } = (await trader.workingOrder(id)) ?? {};
    const leavesQty = change.orderQty ?? 2;
    const moved = change.trailOffset === undefined ? {} : { stopPx: 1_012 };
    const { transactTimeAt: _before, ...asIt } = before ?? {};
    expect(after).toEqual({ ...asIt, leavesQty, ...moved, ...change });
    expect(await trader.netQty()).toBe(0);
  });

  test("801 the quantity of an order filled in part counts what is filled", async () => {
    const trader = given();
    await trader.market(999, 1_000, 4);
    const { orderId: id } = await trader.limit("BUY", 1_000, { orderQty: 10 });
    await trader.waitForPosition(4);
    expect(await trader.modify({ orderId: id, orderQty: 6 })).toEqual({ kind: "accepted" });
    const changed = { ordStatus: "PARTIALLY_FILLED", orderQty: 6, cumQty: 4, leavesQty: 2 };
    expect(await trader.workingOrder(id)).toMatchObject(changed);
    await trader.market(999, 1_000);
    await trader.waitForPosition(6);
    await trader.waitForWorking();
  });
}

function refusedChanges(given: Given): void {
  test.each([3, 4])(
    "810 a quantity at or below what is filled is refused: %i",
    async (orderQty) => {
      const trader = given();
      await trader.market(999, 1_000, 4);
      const { orderId: id } = await trader.limit("BUY", 1_000, { orderQty: 10 });
      await trader.waitForPosition(4);
      expect(await trader.modify({ orderId: id, orderQty })).toEqual(REFUSED);
      expect(await trader.workingOrder(id)).toMatchObject({ orderQty: 10, leavesQty: 6 });
    },
  );

  test.each<Row>([
    ["a quantity of nothing", LIMIT, { orderQty: 0 }],
    ["a quantity beyond all bounds", LIMIT, { orderQty: 1_000_000_000 }],
    ["a limit's stop price", LIMIT, { stopPx: px(1_005) }],
    ["a stop's limit", STOP, { price: px(1_005) }],
    ["a distance that does not trail", STOP, { trailOffset: px(5) }],
    ["a stop on the wrong side", STOP, { stopPx: px(995) }],
    ["a good price with a bad quantity", LIMIT, { price: px(985), orderQty: -1 }],
  ])("811 a change that makes no sense changes nothing: %s", async (_, order, change) => {
    const trader = given();
    const { orderId: id } = await trader.place({ ...order, orderQty: 2 });
    const before = await trader.working();
    expect(await trader.modify({ orderId: id, ...change })).toEqual(REFUSED);
    expect(await trader.working()).toEqual(before);
    expect(trader.reportsOf(id).map(({ execType }) => execType)).toEqual(["NEW"]);
  });

  test.each(ENDED)("812 an order that has ended is not changed: %s", async (_, make) => {
    const trader = given();
    const id = await make(trader);
    const told = trader.reportsOf(id);
    expect(await trader.modify({ orderId: id, price: px(985) })).toEqual(REFUSED);
    expect(await trader.modify({ orderId: id, orderQty: 5 })).toEqual(REFUSED);
    expect(await trader.working()).toEqual([]);
    expect(trader.reportsOf(id)).toEqual(told);
  });

  test("813 an order of another account, and one of nobody, are not known", async () => {
    const trader = given();
    const { adapter, broker } = trader;
    const id = await othersOrder(trader);
    const before = await adapter.workingOrders(broker.otherAccount);
    expect(await trader.modify({ orderId: id, price: px(985) })).toEqual(REFUSED);
    expect(await trader.modify({ orderId: orderId("999999999"), orderQty: 5 })).toEqual(REFUSED);
    expect(await adapter.workingOrders(broker.otherAccount)).toEqual(before);
  });

  test("814 a stop that has triggered has no stop price any more", async () => {
    const trader = given();
    if (await isLacked(trader, STOP_LIMIT)) return;
    const { orderId: id } = await trader.place({ ...STOP_LIMIT, price: px(1_006) });
    await trader.market(1_010, 1_011);
    expect(await trader.modify({ orderId: id, stopPx: px(1_020) })).toEqual(REFUSED);
    expect(await trader.modify({ orderId: id, price: px(1_008) })).toEqual({ kind: "accepted" });
    expect(await trader.workingOrder(id)).toMatchObject({ price: 1_008, leavesQty: 1 });
  });
}

function fillingChanges(given: Given): void {
  test("820 a price through the market fills at once, at the market's price", async () => {
    const trader = given();
    const { orderId: id } = await trader.limit("BUY", 990, { orderQty: 2 });
    expect(await trader.modify({ orderId: id, price: px(1_010) })).toEqual({ kind: "accepted" });
    await trader.waitForPosition(2);
    const { fill, order } = await trader.waitForReport(id, "TRADE");
    expect(fill?.lastPx).toBe(1_000);
    expect(order).toMatchObject({ ordStatus: "FILLED", price: 1_010 });
    const types = trader.reportsOf(id).map(({ execType }) => execType);
    expect(types).toEqual(["NEW", "REPLACED", "TRADE"]);
  });

  test("821 a price that is moved away is not filled where it was", async () => {
    const trader = given();
    const { orderId: id } = await trader.limit("BUY", 995);
    expect(await trader.modify({ orderId: id, price: px(985) })).toEqual({ kind: "accepted" });
    await trader.market(989, 990);
    expect(await trader.netQty()).toBe(0);
    await trader.market(984, 985);
    await trader.waitForPosition(1);
  });
}
