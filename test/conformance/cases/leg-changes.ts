import { describe, expect, test } from "vitest";
import { atPrice, px, REFUSED, type Trader } from "../broker-under-test.ts";
import { type Bracketed, type Given, legsOf } from "./given.ts";

/** Cancels and changes of a bracket's legs, while they wait and once they are live. */
export function legChangeCases(given: Given): void {
  /** An entry for 4 at 995 that has not been filled, with legs at 1,010 and 980. */
  async function rest(trader: Trader): Promise<Bracketed> {
    const bracket = { takeProfit: atPrice(1_010), stopLoss: atPrice(980) };
    const taken = await trader.limit("BUY", 995, { orderQty: 4, bracket });
    return { entry: taken.orderId, ...legsOf(taken) };
  }

  async function hold(trader: Trader): Promise<Bracketed> {
    const orders = await rest(trader);
    await trader.market(994, 995);
    await trader.waitForPosition(4);
    return orders;
  }

  describe.sequential("canceling a leg", () => {
    test("710 a leg that waits is canceled, its entry goes on, and the fill brings no more of it", async () => {
      const trader = given();
      const { entry, target, stop } = await rest(trader);
      const { cancelEndsLinkedLeg } = trader.adapter.capabilities;
      const left = cancelEndsLinkedLeg ? [] : [stop];
      expect(await trader.cancel(target)).toEqual({ kind: "accepted" });
      await trader.waitForReport(target, "CANCELED");
      await trader.waitForWorking(entry, ...left);
      await trader.market(994, 995);
      await trader.waitForPosition(4);
      await trader.waitForWorking(...left);
      const live = (await trader.workingOrder(stop))?.leavesQty ?? 0;
      expect(live).toBe(cancelEndsLinkedLeg ? 0 : 4);
    });

    test("711 an entry that is canceled without a fill takes its legs along, each told once", async () => {
      const trader = given();
      const { entry, target, stop } = await rest(trader);
      expect(await trader.cancel(entry)).toEqual({ kind: "accepted" });
      for (const id of [entry, target, stop]) {
        const { order } = await trader.waitForReport(id, "CANCELED");
        expect(order).toMatchObject({ cumQty: 0, leavesQty: 0 });
        expect(await trader.cancel(id)).toEqual(REFUSED);
      }
      expect(await trader.working()).toEqual([]);
    });
  });

  describe.sequential("changing a leg", () => {
    test("830 the level of a leg that waits holds once it is live", async () => {
      const trader = given();
      const { target, stop } = await rest(trader);
      const accepted = { kind: "accepted" };
      expect(await trader.modify({ orderId: target, price: px(1_020) })).toEqual(accepted);
      expect(await trader.modify({ orderId: stop, stopPx: px(970) })).toEqual(accepted);
      const waits = { ordStatus: "HELD", cumQty: 0 };
      expect(await trader.workingOrder(target)).toMatchObject({ ...waits, price: 1_020 });
      expect(await trader.workingOrder(stop)).toMatchObject({ ...waits, stopPx: 970 });
      await trader.market(994, 995);
      await trader.waitForPosition(4);
      await trader.market(1_015, 1_016);
      expect(await trader.netQty()).toBe(4);
      await trader.market(1_020, 1_021);
      await trader.waitForPosition(0);
    });

    test("831 the level of a live leg moves, and the pair stays one", async () => {
      const trader = given();
      const { linksLegs } = trader;
      const { target, stop } = await hold(trader);
      expect(await trader.modify({ orderId: stop, stopPx: px(990) })).toEqual({ kind: "accepted" });
      const moved = { ordStatus: "NEW", stopPx: 990, leavesQty: 4, role: "STOP_LOSS" };
      expect(await trader.workingOrder(stop)).toMatchObject(moved);
      expect(await trader.workingOrder(target)).toMatchObject({ price: 1_010, leavesQty: 4 });
      await trader.market(989, 990);
      await trader.waitForPosition(0);
      await trader.waitForWorking(...(linksLegs ? [] : [target]));
    });

    test("832 a stop is not moved through the market, and stays where it was", async () => {
      const trader = given();
      const { target, stop } = await hold(trader);
      expect(await trader.modify({ orderId: stop, stopPx: px(1_005) })).toEqual(REFUSED);
      expect(await trader.workingOrder(stop)).toMatchObject({ stopPx: 980, leavesQty: 4 });
      await trader.waitForWorking(target, stop);
      expect(await trader.netQty()).toBe(4);
    });

    test("833 a target that is moved through the market closes at once", async () => {
      const trader = given();
      const { linksLegs } = trader;
      const { target, stop } = await hold(trader);
      expect(await trader.modify({ orderId: target, price: px(990) })).toEqual({
        kind: "accepted",
      });
      await trader.waitForPosition(0);
      expect((await trader.waitForReport(target, "TRADE")).fill?.lastPx).toBe(994);
      await trader.waitForWorking(...(linksLegs ? [] : [stop]));
    });

    test("834 a leg never comes to more than its entry has filled", async () => {
      const trader = given();
      const { target, stop } = await rest(trader);
      expect(await trader.modify({ orderId: stop, orderQty: 9 })).toEqual(REFUSED);
      await trader.market(994, 995, 2);
      await trader.waitForPosition(2);
      expect(await trader.modify({ orderId: stop, orderQty: 3 })).toEqual(REFUSED);
      expect(await trader.modify({ orderId: target, orderQty: 3 })).toEqual(REFUSED);
      expect(await trader.workingOrder(stop)).toMatchObject({ orderQty: 2, leavesQty: 2 });
    });

    test("835 a leg that is made smaller leaves the other one as it is", async () => {
      const trader = given();
      const { linksLegs } = trader;
      const { target, stop } = await hold(trader);
      expect(await trader.modify({ orderId: target, orderQty: 1 })).toEqual({ kind: "accepted" });
      expect(await trader.workingOrder(target)).toMatchObject({ leavesQty: 1 });
      expect(await trader.workingOrder(stop)).toMatchObject({ leavesQty: 4 });
      await trader.market(1_010, 1_011);
      await trader.waitForPosition(3);
      // A broker may end the stop over it or leave it for the rest; never for more than is held.
      const left = (await trader.workingOrder(stop))?.leavesQty ?? 0;
      expect(left).toBeLessThanOrEqual(linksLegs ? 3 : 4);
    });

    test("836 the legs of an entry that waits follow its quantity", async () => {
      const trader = given();
      const { entry, target, stop } = await rest(trader);
      expect(await trader.modify({ orderId: entry, orderQty: 7 })).toEqual({ kind: "accepted" });
      expect(await trader.workingOrder(stop)).toMatchObject({ ordStatus: "HELD", orderQty: 7 });
      await trader.market(994, 995);
      await trader.waitForPosition(7);
      expect(await trader.workingOrder(target)).toMatchObject({ leavesQty: 7 });
      expect(await trader.workingOrder(stop)).toMatchObject({ leavesQty: 7 });
    });
  });
}
