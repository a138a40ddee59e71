import { describe, expect, test } from "vitest";
import type { OrderReport } from "../../../src/domain/order.ts";
import { waitUntil } from "../../support/wait.ts";
import { atPrice, type Trader } from "../broker-under-test.ts";
import { type Bracketed, type Given, legsOf } from "./given.ts";

/** What fills do to an entry and its legs, step by step. */
export function bracketFillCases(given: Given): void {
  /** An entry for 10 at 995 that has not been filled, with legs at 1,010 and 980. */
  async function rest(trader: Trader): Promise<Bracketed> {
    const bracket = { takeProfit: atPrice(1_010), stopLoss: atPrice(980) };
    const taken = await trader.limit("BUY", 995, { orderQty: 10, bracket });
    return { entry: taken.orderId, ...legsOf(taken) };
  }

  /** The street sells so many at the entry's price. */
  async function fill(trader: Trader, qty: number, held: number): Promise<void> {
    await trader.market(994, 995, qty);
    await trader.waitForPosition(held);
  }

  const leaves = async (trader: Trader, ...orders: readonly string[]) =>
    Promise.all(orders.map(async (id) => (await trader.workingOrder(id))?.leavesQty));

  /** Both exits at their levels, for so many. */
  const waitForOtherLegs = (trader: Trader, qty: number): Promise<void> =>
    waitUntil(`both legs work for ${qty}`, async () => {
      const legs = (await trader.working()).filter(({ role }) => role !== "ORDER");
      const isRight = ({ price, stopPx, leavesQty }: OrderReport) =>
        leavesQty === qty && (price === 1_010 || stopPx === 980);
      return legs.length === 2 && legs.every(isRight);
    });

  describe.sequential("fills of an entry and its legs", () => {
    test("404 an entry filled in three parts has legs for what is filled after each", async () => {
      const trader = given();
      const { entry, target, stop } = await rest(trader);
      for (const [part, held] of [
        [2, 2],
        [3, 5],
        [5, 10],
      ] as const) {
        await fill(trader, part, held);
        expect(await leaves(trader, target, stop)).toEqual([held, held]);
      }
      await trader.waitForWorking(target, stop);
      const parts = trader.reportsOf(entry).flatMap((report) => report.fill?.lastQty ?? []);
      expect(parts).toEqual([2, 3, 5]);
    });

    test("405 a leg that fills in part while its entry works grows on with it", async () => {
      const trader = given();
      const { linksLegs } = trader;
      const { target, stop } = await rest(trader);
      await fill(trader, 4, 4);
      await trader.market(1_010, 1_011, 1);
      await trader.waitForPosition(3);
      expect(await leaves(trader, target, stop)).toEqual([3, linksLegs ? 3 : 4]);
      await fill(trader, 6, 9);
      expect(await leaves(trader, target, stop)).toEqual([9, linksLegs ? 9 : 10]);
    });

    test("406 legs that are used up while their entry works come back with its next fill", async () => {
      const trader = given();
      const { linksLegs } = trader;
      const { entry, target, stop } = await rest(trader);
      await fill(trader, 4, 4);
      await trader.market(1_010, 1_011);
      await trader.waitForPosition(0);
      if (!trader.reusesLegs) {
        await trader.waitForWorking(entry);
        await fill(trader, 6, 6);
        await waitForOtherLegs(trader, 6);
        return;
      }
      await trader.waitForWorking(entry, target, stop);
      expect(await leaves(trader, target, stop)).toEqual([0, linksLegs ? 0 : 4]);
      await fill(trader, 6, 6);
      expect(await leaves(trader, target, stop)).toEqual([6, linksLegs ? 6 : 10]);
    });

    test("411 a stop that was used up waits for its price again when it comes back", async () => {
      const trader = given();
      const { stop } = await rest(trader);
      await fill(trader, 4, 4);
      await trader.market(979, 1_000);
      await trader.waitForPosition(0);
      await fill(trader, 6, 6);
      if (!trader.reusesLegs) {
        await waitForOtherLegs(trader, 6);
        return;
      }
      expect(await trader.workingOrder(stop)).toMatchObject({ stopPx: 980, leavesQty: 6 });
      expect(await trader.netQty()).toBe(6);
    });

    test("407 when the entry ends, legs that are used up end too", async () => {
      const trader = given();
      const { linksLegs } = trader;
      const { entry, target, stop } = await rest(trader);
      await fill(trader, 4, 4);
      await trader.market(1_010, 1_011);
      await trader.waitForPosition(0);
      expect(await trader.cancel(entry)).toEqual({ kind: "accepted" });
      await trader.waitForWorking(...(linksLegs ? [] : [stop]));
      expect(trader.lastSeen(target)).toMatchObject({ ordStatus: "FILLED", cumQty: 4 });
    });

    test("408 a market that gaps over both legs fills only one of a linked pair", async () => {
      const trader = given();
      const { linksLegs } = trader;
      const { target, stop } = await rest(trader);
      await fill(trader, 10, 10);
      await Promise.all([trader.market(1_015, 1_016), trader.market(970, 971)]);
      await trader.waitForPosition(linksLegs ? 0 : -10);
      await trader.waitForWorking();
      const filled = [target, stop].filter((id) => trader.lastSeen(id)?.ordStatus === "FILLED");
      expect(filled).toHaveLength(linksLegs ? 1 : 2);
    });

    test("409 a market that gaps over entry and stop fills both, and the target is not left live", async () => {
      const trader = given();
      const { linksLegs } = trader;
      const { entry, target, stop } = await rest(trader);
      await trader.market(970, 971);
      if (!trader.triggersPassedLegs) {
        // The entry got a better price than its stop, and the broker's stop is below that.
        await trader.waitForPosition(10);
        await trader.waitForWorking(target, stop);
        const stopPx = async () => (await trader.workingOrder(stop))?.stopPx ?? Infinity;
        await waitUntil("the stop is below the fill", async () => (await stopPx()) < 971);
        return;
      }
      await trader.waitForReport(stop, "TRADE");
      await trader.waitForPosition(0);
      expect(trader.lastSeen(entry)).toMatchObject({ ordStatus: "FILLED" });
      expect(trader.lastSeen(stop)?.avgPx).toEqual({ numerator: 9_700, denominator: 10 });
      await trader.waitForWorking(...(linksLegs ? [] : [target]));
    });

    test("410 a stop that fills in part leaves a linked target for the rest only", async () => {
      const trader = given();
      const { linksLegs } = trader;
      const { target, stop } = await rest(trader);
      await fill(trader, 10, 10);
      await trader.market(980, 981, 6);
      await trader.waitForPosition(4);
      expect(await leaves(trader, target, stop)).toEqual([linksLegs ? 4 : 10, 4]);
    });
  });
}
