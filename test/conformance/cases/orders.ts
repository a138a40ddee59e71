import { describe, expect, test } from "vitest";
import { orderId } from "../../../src/domain/ids.ts";
import { waitUntil } from "../../support/wait.ts";
import { px } from "../broker-under-test.ts";
import { type Given, isLacked } from "./given.ts";

export function orderCases(given: Given): void {
  describe.sequential("orders", () => {
    test("10 a market order is reported as new and then as filled, and can be looked up", async () => {
      const trader = given();
      const id = trader.newId();
      const { orderId: order } = await trader.place({ clOrdId: id, orderQty: 3 });
      await trader.waitForPosition(3);
      const trade = await trader.waitForReport(order, "TRADE");
      expect(trader.reportsOf(order).map(({ execType }) => execType)).toEqual(["NEW", "TRADE"]);
      expect(trade.order).toMatchObject({ ordStatus: "FILLED", cumQty: 3, leavesQty: 0 });
      expect(trade.fill).toMatchObject({ orderId: order, lastQty: 3, lastPx: 1_000, side: "BUY" });
      const found = await trader.adapter.findOrder(trader.broker.account, id);
      expect(found).toMatchObject({ orderId: order, clOrdId: id, ordStatus: "FILLED" });
    });

    test("11 a limit order rests until the market comes, and is never filled beyond it", async () => {
      const trader = given();
      const { orderId: order } = await trader.limit("BUY", 995);
      expect(await trader.workingOrder(order)).toMatchObject({
        ordStatus: "NEW",
        ordType: "LIMIT",
        price: 995,
        orderQty: 1,
        cumQty: 0,
        leavesQty: 1,
      });
      await trader.market(995, 996);
      expect(await trader.netQty()).toBe(0);
      await trader.market(993, 994);
      await trader.waitForPosition(1);
      const { fill } = await trader.waitForReport(order, "TRADE");
      expect(fill?.lastPx).toBeLessThanOrEqual(995);
      expect(await trader.workingOrder(order)).toBeUndefined();
    });

    test("12 a stop order waits for its price", async () => {
      const trader = given();
      const { orderId: order } = await trader.place({ ordType: "STOP", stopPx: px(1_005) });
      await trader.market(1_002, 1_003);
      expect(await trader.workingOrder(order)).toMatchObject({ ordType: "STOP", stopPx: 1_005 });
      await trader.market(1_005, 1_006);
      await trader.waitForPosition(1);
    });

    test("13 a stop order is rejected on the wrong side of the market", async () => {
      const outcome = await given().submit({ ordType: "STOP", stopPx: px(990) });
      expect(outcome).toEqual({ kind: "rejected", reason: expect.stringMatching(/\w/) });
    });

    test("14 an order too big for the displayed size is filled in parts", async () => {
      const trader = given();
      await trader.market(999, 1_000, 4);
      const { orderId: order } = await trader.limit("BUY", 1_000, { orderQty: 10 });
      await trader.waitForPosition(4);
      expect(await trader.workingOrder(order)).toMatchObject({
        ordStatus: "PARTIALLY_FILLED",
        cumQty: 4,
        leavesQty: 6,
        avgPx: { numerator: 4_000, denominator: 4 },
      });
      await trader.market(999, 1_000, 10);
      await trader.waitForPosition(10);
    });

    test("15 immediate-or-cancel leaves nothing behind", async () => {
      const trader = given();
      await trader.market(999, 1_000, 4);
      const limit = { ordType: "LIMIT", price: px(1_000) } as const;
      const ioc = { ...limit, timeInForce: "IOC", orderQty: 10 } as const;
      if (await isLacked(trader, ioc)) return;
      const { orderId: order } = await trader.place(ioc);
      await trader.waitForPosition(4);
      await trader.waitForReport(order, "CANCELED");
      expect(await trader.working()).toEqual([]);
    });

    test("16 fill-or-kill is filled in full or not at all", async () => {
      const trader = given();
      await trader.market(999, 1_000, 4);
      const fok = { ordType: "LIMIT", price: px(1_000), timeInForce: "FOK" } as const;
      if (await isLacked(trader, fok)) return;
      await trader.submit({ ...fok, orderQty: 5 });
      expect(await trader.working()).toEqual([]);
      expect(await trader.netQty()).toBe(0);
      await trader.submit({ ...fok, orderQty: 4 });
      await trader.waitForPosition(4);
    });

    test("17 a canceled order works no more, and cannot be canceled again", async () => {
      const trader = given();
      const { account } = trader.broker;
      const { orderId: order } = await trader.limit("BUY", 990);
      expect(await trader.adapter.cancelOrder(account, order)).toEqual({ kind: "accepted" });
      expect(await trader.workingOrder(order)).toBeUndefined();
      const { order: after } = await trader.waitForReport(order, "CANCELED");
      expect(after).toMatchObject({ ordStatus: "CANCELED", leavesQty: 0 });
      expect((await trader.adapter.cancelOrder(account, order)).kind).toBe("rejected");
    });

    test("18 canceling or changing an order the broker does not know is a rejection", async () => {
      const { adapter, broker } = given();
      const none = orderId("999999999");
      const change = { orderId: none, price: px(990) };
      expect((await adapter.cancelOrder(broker.account, none)).kind).toBe("rejected");
      expect((await adapter.modifyOrder(broker.account, change)).kind).toBe("rejected");
    });

    test("19 an order that is changed has its new values, and keeps the others", async () => {
      const trader = given();
      const { orderId: order } = await trader.limit("BUY", 990, { orderQty: 2 });
      const change = { orderId: order, price: px(992), orderQty: 5 };
      const outcome = await trader.adapter.modifyOrder(trader.broker.account, change);
      expect(outcome).toEqual({ kind: "accepted" });
      const [working, ...others] = await trader.working();
      expect(working).toMatchObject({ price: 992, orderQty: 5, leavesQty: 5, side: "BUY" });
      expect(others).toEqual([]);
    });

    test("20 an unknown contract is a rejection with the broker's words", async () => {
      const trader = given();
      const outcome = await trader.submit({ contract: trader.broker.unknownContract });
      expect(outcome).toEqual({ kind: "rejected", reason: expect.stringMatching(/\w/) });
      expect(await trader.working()).toEqual([]);
    });

    test("21 an identifier is refused a second time, or makes a second order", async () => {
      const trader = given();
      const { refusesDuplicates } = trader.adapter.capabilities;
      const clOrdId = trader.newId();
      await trader.place({ clOrdId });
      const second = await trader.submit({ clOrdId });
      expect(second.kind).toBe(refusesDuplicates ? "rejected" : "accepted");
      await trader.waitForPosition(refusesDuplicates ? 1 : 2);
      const fills = await trader.adapter.fills(trader.broker.account, 0);
      expect(fills.map((fill) => fill.clOrdId)).toEqual(fills.map(() => clOrdId));
    });

    test("22 an identifier that was never used finds nothing", async () => {
      const trader = given();
      const { adapter, broker } = trader;
      expect(await adapter.findOrder(broker.account, trader.newId())).toBeUndefined();
    });

    test("23 who unsubscribed hears nothing more", async () => {
      const trader = given();
      let heard = 0;
      const unsubscribe = trader.adapter.onReport(() => (heard += 1));
      await trader.place();
      await waitUntil("a report came", () => heard > 0);
      await trader.waitForPosition(1);
      unsubscribe();
      const before = heard;
      await trader.place();
      await trader.waitForPosition(2);
      expect(heard).toBe(before);
    });
  });
}
