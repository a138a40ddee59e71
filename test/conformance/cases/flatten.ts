import { describe, expect, test } from "vitest";
import { accepted, REFUSED } from "../broker-under-test.ts";
import { type Given, holdWithPair } from "./given.ts";

/** `closePosition`: what is held of one contract, and nothing else. 33 and 34 are its first cases. */
export function flattenCases(given: Given): void {
  describe.sequential("closing a position", () => {
    test("300 a short position is bought back exactly", async () => {
      const trader = given();
      await trader.place({ side: "SELL", orderQty: 3 });
      await trader.waitForPosition(-3);
      const { orderId } = accepted(await trader.closeOut());
      await trader.waitForPosition(0);
      const { fill } = await trader.waitForReport(orderId, "TRADE");
      expect(fill).toMatchObject({ side: "BUY", lastQty: 3, lastPx: 1_000 });
    });

    test("301 the closing order is found by our identifier", async () => {
      const trader = given();
      await trader.place({ orderQty: 2 });
      await trader.waitForPosition(2);
      const id = trader.newId();
      const { orderId } = accepted(await trader.closeOut(id));
      await trader.waitForPosition(0);
      const found = await trader.adapter.findOrder(trader.broker.account, id);
      expect(found).toMatchObject({ orderId, clOrdId: id, ordStatus: "FILLED", side: "SELL" });
    });

    test("302 a resting entry is no position, and stays", async () => {
      const trader = given();
      const { orderId } = await trader.limit("BUY", 990);
      expect(await trader.closeOut()).toEqual(REFUSED);
      await trader.waitForWorking(orderId);
    });

    test("303 legs and entries go on working: ending them is the gateway's part", async () => {
      const trader = given();
      const { target, stop } = await holdWithPair(trader);
      const { orderId: entry } = await trader.limit("BUY", 990);
      accepted(await trader.closeOut());
      await trader.waitForPosition(0);
      await trader.waitForWorking(target, stop, entry);
      expect(await trader.workingOrder(stop)).toMatchObject({ ordStatus: "NEW", leavesQty: 4 });
    });

    test("304 a second close with the same identifier changes nothing", async () => {
      const trader = given();
      await trader.place({ orderQty: 3 });
      await trader.waitForPosition(3);
      const id = trader.newId();
      accepted(await trader.closeOut(id));
      await trader.waitForPosition(0);
      expect(await trader.closeOut(id)).toEqual(REFUSED);
      expect(await trader.netQty()).toBe(0);
      expect(await trader.working()).toEqual([]);
    });

    test("305 more than is shown is closed in parts, and never beyond flat", async () => {
      const trader = given();
      await trader.place({ orderQty: 5 });
      await trader.waitForPosition(5);
      await trader.market(999, 1_000, 2);
      const { orderId } = accepted(await trader.closeOut());
      await trader.waitForPosition(3);
      expect(await trader.workingOrder(orderId)).toMatchObject({ cumQty: 2, leavesQty: 3 });
      await trader.market(998, 999, 10);
      await trader.waitForPosition(0);
      await trader.waitForWorking();
    });

    test("306 other contracts and other accounts are left alone", async () => {
      const trader = given();
      const { adapter, broker } = trader;
      const { account, otherAccount, contract, otherContract } = broker;
      await trader.place({ orderQty: 2 });
      await trader.place({ contract: otherContract });
      accepted(await adapter.submitOrder(otherAccount, trader.order()));
      accepted(await trader.closeOut());
      await trader.waitForPosition(0);
      const left = await adapter.positions(account);
      expect(left).toMatchObject([{ contract: otherContract, netQty: 1 }]);
      expect(await adapter.positions(otherAccount)).toMatchObject([{ contract, netQty: 1 }]);
    });

    test("307 an account that may not trade may not close either", async () => {
      const trader = given();
      await trader.place();
      await trader.waitForPosition(1);
      await trader.broker.setActive(trader.broker.account, false);
      expect(await trader.closeOut()).toEqual(REFUSED);
      expect(await trader.netQty()).toBe(1);
    });
  });
}
