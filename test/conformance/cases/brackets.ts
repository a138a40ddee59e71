import { describe, expect, test } from "vitest";
import { legIdOf, orderId } from "../../../src/domain/ids.ts";
import { opposite } from "../../../src/domain/order.ts";
import { eventually, waitUntil } from "../../support/wait.ts";
import { atDistance, atPrice, px, REFUSED, type Trader } from "../broker-under-test.ts";
import { type Given, legsOf } from "./given.ts";

export function bracketCases(given: Given): void {
  const bracket = { takeProfit: atPrice(1_010), stopLoss: atPrice(980) };
  /** An entry at 995 that has not been filled, and the legs' ids. */
  const restingEntry = (trader: Trader, orderQty = 4) =>
    trader.limit("BUY", 995, { orderQty, bracket });

  describe.sequential("brackets", () => {
    test("40 the legs wait for the entry, and are seen waiting", async () => {
      const trader = given();
      const { orderId: entry, ...legs } = await restingEntry(trader);
      const target = await trader.workingOrder(legs.takeProfitOrderId);
      const stop = await trader.workingOrder(legs.stopLossOrderId);
      expect(target).toMatchObject({ ordStatus: "HELD", role: "TAKE_PROFIT", side: "SELL" });
      expect(stop).toMatchObject({ ordStatus: "HELD", role: "STOP_LOSS", parentOrderId: entry });
      await trader.market(1_010, 1_011);
      expect(await trader.netQty()).toBe(0);
    });

    test("41 the legs are live for what is filled, and grow with it", async () => {
      const trader = given();
      const legs = await restingEntry(trader);
      await trader.market(994, 995, 1);
      await trader.waitForPosition(1);
      // A day's end leaves what is held, and so its exits too.
      const live = { ordStatus: "NEW", orderQty: 1, leavesQty: 1, timeInForce: "GTC" };
      await trader.waitForReport(legs.orderId, "TRADE");
      expect(await trader.workingOrder(legs.takeProfitOrderId)).toMatchObject(live);
      expect(await trader.workingOrder(legs.stopLossOrderId)).toMatchObject(live);
      await trader.market(994, 995, 3);
      await trader.waitForPosition(4);
      const target = await trader.workingOrder(legs.takeProfitOrderId);
      expect(target).toMatchObject({ orderQty: 4, price: 1_010 });
      const { linksLegs } = trader;
      expect(target?.linkedOrderId).toBe(linksLegs ? legs.stopLossOrderId : undefined);
      const stop = await trader.workingOrder(legs.stopLossOrderId);
      expect(stop).toMatchObject({ orderQty: 4, stopPx: 980 });
    });

    test("42 canceling an entry without a fill removes its legs", async () => {
      const trader = given();
      const { orderId: entry } = await restingEntry(trader);
      await trader.adapter.cancelOrder(trader.broker.account, entry);
      await waitUntil("all is gone", async () => (await trader.working()).length === 0);
      expect(await trader.netQty()).toBe(0);
    });

    test("43 canceling an entry filled in part keeps the legs at what is filled", async () => {
      const trader = given();
      const { orderId: entry, ...legs } = await restingEntry(trader);
      await trader.market(994, 995, 1);
      await trader.waitForPosition(1);
      await trader.adapter.cancelOrder(trader.broker.account, entry);
      expect(await trader.workingOrder(legs.takeProfitOrderId)).toMatchObject({ leavesQty: 1 });
      expect(await trader.workingOrder(legs.stopLossOrderId)).toMatchObject({ leavesQty: 1 });
    });

    test("44 the fill of one leg ends the other one, where the broker links them", async () => {
      const trader = given();
      const legs = await restingEntry(trader);
      const { linksLegs } = trader;
      await trader.market(994, 995);
      await trader.waitForPosition(4);
      await trader.market(1_010, 1_011);
      await trader.waitForPosition(0);
      if (linksLegs) await trader.waitForReport(legs.stopLossOrderId, "CANCELED");
      await trader.waitForWorking(...(linksLegs ? [] : [legs.stopLossOrderId]));
      await trader.market(979, 980);
      await trader.waitForPosition(linksLegs ? 0 : -4);
      expect(await trader.working()).toEqual([]);
    });

    test("45 the part fill of one leg shrinks the other one, where it is linked", async () => {
      const trader = given();
      const legs = await restingEntry(trader);
      await trader.market(994, 995);
      await trader.waitForPosition(4);
      await trader.market(1_010, 1_011, 3);
      await trader.waitForPosition(1);
      const left = trader.linksLegs ? 1 : 4;
      expect(await trader.workingOrder(legs.stopLossOrderId)).toMatchObject({ leavesQty: left });
      await trader.market(979, 980);
      await trader.waitForPosition(1 - left);
    });

    test("46 canceling one leg ends the other one exactly where the broker says so", async () => {
      const trader = given();
      const legs = await restingEntry(trader);
      await trader.market(994, 995);
      await trader.waitForPosition(4);
      const target = legs.takeProfitOrderId ?? orderId("");
      await trader.adapter.cancelOrder(trader.broker.account, target);
      const left = trader.adapter.capabilities.cancelEndsLinkedLeg ? 0 : 1;
      await waitUntil(
        `${left} legs are left`,
        async () => (await trader.working()).length === left,
      );
      expect(await trader.netQty()).toBe(4);
    });

    test("47 a leg by distance counts from the entry's first fill", async () => {
      const trader = given();
      const distances = { takeProfit: atDistance(12), stopLoss: atDistance(7) };
      const { taken: legs, isSoon } = await placeTimed(trader, {
        side: "SELL",
        bracket: distances,
      });
      await trader.waitForPosition(-1);
      const look = async () => {
        const target = await trader.workingOrder(legs.takeProfitOrderId);
        expect(target).toMatchObject({ side: "BUY", price: 987 });
        expect(await trader.workingOrder(legs.stopLossOrderId)).toMatchObject({ stopPx: 1_006 });
      };
      await (isSoon ? look() : eventually(look));
    });

    test("48 a leg on the wrong side of the entry's limit is a rejection", async () => {
      const outcome = await given().submit({
        ordType: "LIMIT",
        price: px(995),
        bracket: { takeProfit: atPrice(990) },
      });
      expect(outcome.kind).toBe("rejected");
    });

    test("49 a single leg stands alone", async () => {
      const trader = given();
      const outcome = await trader.place({ bracket: { stopLoss: atPrice(980) } });
      expect(outcome.takeProfitOrderId).toBeUndefined();
      await trader.waitForPosition(1);
      const stop = await trader.workingOrder(outcome.stopLossOrderId);
      expect(stop).toMatchObject({ stopPx: 980, leavesQty: 1 });
      expect(stop?.linkedOrderId).toBeUndefined();
    });

    test("400 a take-profit without a stop stands alone", async () => {
      const trader = given();
      const outcome = await trader.place({ bracket: { takeProfit: atPrice(1_010) } });
      expect(outcome.stopLossOrderId).toBeUndefined();
      await trader.waitForPosition(1);
      await trader.market(1_010, 1_011);
      await trader.waitForPosition(0);
      await trader.waitForWorking();
    });

    test.each([
      ["bought, legs by price", "BUY", atPrice(1_010), atPrice(980), [1_010, 980]],
      ["bought, legs by distance", "BUY", atDistance(10), atDistance(20), [1_010, 980]],
      ["sold, legs by price", "SELL", atPrice(989), atPrice(1_019), [989, 1_019]],
      ["sold, legs by distance", "SELL", atDistance(10), atDistance(20), [989, 1_019]],
      ["one leg by price", "SELL", atDistance(10), atPrice(1_019), [989, 1_019]],
    ] as const)(
      "401 a filled entry has both legs live: %s",
      async (_, side, takeProfit, stopLoss, [price, stopPx]) => {
        const trader = given();
        const { taken, isSoon } = await placeTimed(trader, {
          side,
          orderQty: 3,
          bracket: { takeProfit, stopLoss },
        });
        await trader.waitForPosition(side === "BUY" ? 3 : -3);
        const { target, stop } = legsOf(taken);
        const live = { side: opposite(side), ordStatus: "NEW", leavesQty: 3 };
        const look = async () => {
          expect(await trader.workingOrder(target)).toMatchObject({ ...live, price });
          expect(await trader.workingOrder(stop)).toMatchObject({ ...live, stopPx });
        };
        await (isSoon ? look() : eventually(look));
      },
    );

    test("402 the legs are found by their entry's identifier", async () => {
      const trader = given();
      const clOrdId = trader.newId();
      const { target, stop } = legsOf(await trader.limit("BUY", 995, { clOrdId, bracket }));
      const find = (leg: "TAKE_PROFIT" | "STOP_LOSS") =>
        trader.adapter.findOrder(trader.broker.account, legIdOf(clOrdId, leg));
      expect(await find("TAKE_PROFIT")).toMatchObject({ orderId: target, role: "TAKE_PROFIT" });
      expect(await find("STOP_LOSS")).toMatchObject({ orderId: stop, role: "STOP_LOSS" });
    });

    test.each([
      ["a stop-loss above a bought entry", { stopLoss: atPrice(999) }],
      ["legs that are crossed", { takeProfit: atPrice(980), stopLoss: atPrice(990) }],
      ["a distance of nothing", { stopLoss: atDistance(0) }],
      ["a distance that is negative", { takeProfit: atDistance(-5) }],
    ])("403 an order with impossible legs is refused as a whole: %s", async (_, legs) => {
      const trader = given();
      const order = { ordType: "LIMIT", price: px(995), bracket: legs } as const;
      expect(await trader.submit(order)).toEqual(REFUSED);
      expect(await trader.working()).toEqual([]);
    });
  });
}

/** An adapter that moves legs to where they were asked for answers after 2 s in any case. */
async function placeTimed(trader: Trader, order: Parameters<Trader["place"]>[0]) {
  const startedAt = performance.now();
  const taken = await trader.place(order);
  return { taken, isSoon: performance.now() - startedAt < 2_000 };
}

/** Without legs of its own the broker refuses the whole order: the gateway places exits itself. */
export function noBracketCases(given: Given): void {
  describe.sequential("brackets, where the broker has none", () => {
    test("420 an order with legs is refused as a whole, and one without is taken", async () => {
      const trader = given();
      const bracket = { stopLoss: atPrice(980) };
      expect(await trader.submit({ bracket })).toEqual(REFUSED);
      expect(await trader.submit({ ordType: "LIMIT", price: px(995), bracket })).toEqual(REFUSED);
      expect(await trader.working()).toEqual([]);
      expect(await trader.netQty()).toBe(0);
      await trader.place();
      await trader.waitForPosition(1);
    });
  });
}
