import { describe, expect, test } from "vitest";
import type { OrderId } from "../../../src/domain/ids.ts";
import { px, REFUSED, type Trader } from "../broker-under-test.ts";
import {
  canceledOrder,
  filledOrder,
  type Given,
  holdWithPair,
  othersOrder,
  refusedOrder,
} from "./given.ts";

/** Orders that cannot be canceled or changed any more, or never could. */
export const ENDED: readonly [string, (trader: Trader) => Promise<OrderId>][] = [
  ["one that is filled", filledOrder],
  ["one that is canceled", canceledOrder],
  ["one that was refused", refusedOrder],
];

/** A cancel against an order in each of its states; 17, 18, 42, 43 and 46 are the first cases. */
export function cancelCases(given: Given): void {
  describe.sequential("canceling by state", () => {
    test("700 only the order that is named is canceled", async () => {
      const trader = given();
      const { orderId: first } = await trader.limit("BUY", 990);
      const { orderId: second } = await trader.limit("BUY", 990);
      expect(await trader.cancel(first)).toEqual({ kind: "accepted" });
      await trader.waitForReport(first, "CANCELED");
      await trader.waitForWorking(second);
      expect(trader.reportsOf(second).map(({ execType }) => execType)).toEqual(["NEW"]);
      await trader.market(988, 989);
      await trader.waitForPosition(1);
    });

    test("701 what an order has filled stays when its rest is canceled", async () => {
      const trader = given();
      await trader.market(999, 1_000, 4);
      const { orderId } = await trader.limit("BUY", 1_000, { orderQty: 10 });
      await trader.waitForPosition(4);
      expect(await trader.cancel(orderId)).toEqual({ kind: "accepted" });
      const { order } = await trader.waitForReport(orderId, "CANCELED");
      expect(order).toMatchObject({ ordStatus: "CANCELED", cumQty: 4, leavesQty: 0 });
      await trader.market(999, 1_000);
      expect(await trader.netQty()).toBe(4);
      expect(await trader.working()).toEqual([]);
    });

    test.each(ENDED)("702 an order that has ended is not canceled: %s", async (_, make) => {
      const trader = given();
      const order = await make(trader);
      const told = trader.reportsOf(order);
      const held = await trader.netQty();
      expect(await trader.cancel(order)).toEqual(REFUSED);
      expect(await trader.netQty()).toBe(held);
      expect(trader.reportsOf(order)).toEqual(told);
    });

    test("703 an order of another account is not known on this one", async () => {
      const trader = given();
      const { adapter, broker } = trader;
      const order = await othersOrder(trader);
      expect(await trader.cancel(order)).toEqual(REFUSED);
      const left = await adapter.workingOrders(broker.otherAccount);
      expect(left.map(({ orderId }) => orderId)).toEqual([order]);
    });

    test.each(["target", "stop"] as const)(
      "704 canceling one exit of a pair leaves the position, and the other one as promised: %s",
      async (leg) => {
        const trader = given();
        const pair = await holdWithPair(trader);
        const other = leg === "target" ? pair.stop : pair.target;
        const { cancelEndsLinkedLeg } = trader.adapter.capabilities;
        expect(await trader.cancel(pair[leg])).toEqual({ kind: "accepted" });
        await trader.waitForReport(pair[leg], "CANCELED");
        if (cancelEndsLinkedLeg) await trader.waitForReport(other, "CANCELED");
        await trader.waitForWorking(...(cancelEndsLinkedLeg ? [] : [other]));
        expect(await trader.netQty()).toBe(4);
      },
    );

    test("705 an exit that was canceled after a part fill leaves the rest of the position", async () => {
      const trader = given();
      const { nativeOco, cancelEndsLinkedLeg } = trader.adapter.capabilities;
      const { target, stop } = await holdWithPair(trader);
      await trader.market(1_010, 1_011, 3);
      await trader.waitForPosition(1);
      expect(await trader.cancel(target)).toEqual({ kind: "accepted" });
      const { order } = await trader.waitForReport(target, "CANCELED");
      expect(order).toMatchObject({ cumQty: 3, leavesQty: 0 });
      await trader.waitForWorking(...(cancelEndsLinkedLeg ? [] : [stop]));
      const left = (await trader.workingOrder(stop))?.leavesQty ?? 0;
      expect(left).toBe(cancelEndsLinkedLeg ? 0 : nativeOco ? 1 : 4);
      expect(await trader.netQty()).toBe(1);
    });

    test("706 a triggered stop that waits for more is canceled like any order", async () => {
      const trader = given();
      const { orderId } = await trader.place({
        side: "SELL",
        ordType: "STOP",
        stopPx: px(990),
        orderQty: 5,
      });
      await trader.market(989, 990, 2);
      await trader.waitForPosition(-2);
      expect(await trader.cancel(orderId)).toEqual({ kind: "accepted" });
      await trader.market(980, 981);
      await trader.waitForReport(orderId, "CANCELED");
      expect(await trader.netQty()).toBe(-2);
    });
  });
}
