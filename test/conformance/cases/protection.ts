import { describe, expect, test } from "vitest";
import { legIdOf } from "../../../src/domain/ids.ts";
import type { ProtectionOrder } from "../../../src/domain/order.ts";
import { accepted, px, REFUSED, type Trader } from "../broker-under-test.ts";
import { type Given, holdWithPair, legsOf, placePair } from "./given.ts";

/** Two exits for 2 contracts of a long position, each under an identifier of its own. */
function exits(trader: Trader, other: Partial<ProtectionOrder> = {}): ProtectionOrder {
  return {
    contract: trader.broker.contract,
    side: "SELL",
    orderQty: 2,
    takeProfit: { clOrdId: trader.newId(), price: px(1_010) },
    stopLoss: { clOrdId: trader.newId(), stopPx: px(980) },
    ...other,
  };
}

function submit(trader: Trader, order: ProtectionOrder) {
  return trader.adapter.submitProtection(trader.broker.account, order);
}

async function hold(trader: Trader): Promise<void> {
  await trader.place({ orderQty: 2 });
  await trader.waitForPosition(2);
}

/** Protection of what is held, where the broker links the exits. */
export function protectionCases(given: Given): void {
  describe.sequential("protection of what is held", () => {
    takenCases(given);
    stateCases(given);
    refusedCases(given);
  });
}

function takenCases(given: Given): void {
  test("50 the exits are live at once, linked, and found by our identifiers", async () => {
    const trader = given();
    await hold(trader);
    const order = exits(trader);
    const { target, stop } = legsOf(accepted(await submit(trader, order)));
    const live = { ordStatus: "NEW", leavesQty: 2, side: "SELL" };
    expect(await trader.workingOrder(target)).toMatchObject({
      ...live,
      role: "TAKE_PROFIT",
      price: 1_010,
      linkedOrderId: stop,
    });
    expect(await trader.workingOrder(stop)).toMatchObject({
      ...live,
      role: "STOP_LOSS",
      stopPx: 980,
      linkedOrderId: target,
    });
    for (const [leg, id] of [
      [order.takeProfit, target],
      [order.stopLoss, stop],
    ] as const) {
      const clOrdId = leg?.clOrdId ?? trader.newId();
      const found = await trader.adapter.findOrder(trader.broker.account, clOrdId);
      expect(found?.orderId).toBe(id);
    }
  });

  test.each([
    ["the stop", 979],
    ["the target", 1_010],
  ])("51 the fill of one exit ends the other one: %s", async (_, bid) => {
    const trader = given();
    await holdWithPair(trader);
    await trader.market(bid, bid + 1);
    await trader.waitForPosition(0);
    await trader.waitForWorking();
    await trader.market(bid < 1_000 ? 1_010 : 979, bid < 1_000 ? 1_011 : 980);
    expect(await trader.netQty()).toBe(0);
  });

  test("500 a short position is protected the other way round", async () => {
    const trader = given();
    const { target, stop } = await holdWithPair(trader, "SELL");
    expect(await trader.workingOrder(target)).toMatchObject({ side: "BUY", price: 989 });
    await trader.market(1_019, 1_020);
    await trader.waitForReport(stop, "TRADE");
    await trader.waitForPosition(0);
    await trader.waitForWorking();
  });

  test("501 the part fill of one exit shrinks the other one", async () => {
    const trader = given();
    const { target, stop } = await holdWithPair(trader);
    await trader.market(1_010, 1_011, 3);
    await trader.waitForPosition(1);
    expect(await trader.workingOrder(target)).toMatchObject({ cumQty: 3, leavesQty: 1 });
    expect(await trader.workingOrder(stop)).toMatchObject({ leavesQty: 1 });
  });

  test.each(["takeProfit", "stopLoss"] as const)("502 one exit stands alone: %s", async (leg) => {
    const trader = given();
    await hold(trader);
    const other = leg === "takeProfit" ? "stopLoss" : "takeProfit";
    const { [other]: _, ...order } = exits(trader);
    const taken = accepted(await submit(trader, order));
    const [only, ...rest] = await trader.working();
    expect(rest).toEqual([]);
    expect(only).toMatchObject({ orderId: taken.orderId, leavesQty: 2 });
    expect(only?.linkedOrderId).toBeUndefined();
    const { takeProfitOrderId, stopLossOrderId } = taken;
    const named = leg === "takeProfit" ? [only?.orderId, undefined] : [undefined, only?.orderId];
    expect([takeProfitOrderId, stopLossOrderId]).toEqual(named);
  });
}

/** The broker does not hold a protection against the position: looking is the gateway's part. */
function stateCases(given: Given): void {
  test("510 of a flat contract it is taken, and opens a position when it fills", async () => {
    const trader = given();
    legsOf(accepted(await submit(trader, exits(trader))));
    expect(await trader.netQty()).toBe(0);
    await trader.market(979, 980);
    await trader.waitForPosition(-2);
    await trader.waitForWorking();
  });

  test("511 for more than is held it is taken, and turns the position when it fills", async () => {
    const trader = given();
    await hold(trader);
    accepted(await submit(trader, exits(trader, { orderQty: 5 })));
    await trader.market(979, 980);
    await trader.waitForPosition(-3);
    expect(await trader.working()).toEqual([]);
  });

  test("512 beside exits that work it replaces nothing, and each pair is one of its own", async () => {
    const trader = given();
    const first = await holdWithPair(trader);
    const stopLoss = { clOrdId: trader.newId(), stopPx: px(990) };
    const second = legsOf(accepted(await submit(trader, exits(trader, { stopLoss }))));
    await trader.waitForWorking(first.target, first.stop, second.target, second.stop);
    await trader.market(989, 990);
    await trader.waitForPosition(2);
    await trader.waitForWorking(first.target, first.stop);
    expect(await trader.workingOrder(first.stop)).toMatchObject({ leavesQty: 4 });
  });

  test("513 a target through the market closes at once, and its stop is not left behind", async () => {
    const trader = given();
    await hold(trader);
    const takeProfit = { clOrdId: trader.newId(), price: px(990) };
    const outcome = await submit(trader, exits(trader, { takeProfit }));
    expect(["accepted", "rejected"]).toContain(outcome.kind);
    // Refusing it is as good: what may not be is a half of the two.
    await trader.waitForPosition(outcome.kind === "accepted" ? 0 : 2);
    await trader.waitForWorking();
  });
}

function refusedCases(given: Given): void {
  test.each<[string, (trader: Trader) => Partial<ProtectionOrder>]>([
    ["a stop on the wrong side", (t) => ({ stopLoss: { clOrdId: t.newId(), stopPx: px(1_005) } })],
    ["exits that are crossed", (t) => ({ takeProfit: { clOrdId: t.newId(), price: px(970) } })],
    ["a quantity of nothing", () => ({ orderQty: 0 })],
    ["an unknown contract", (t) => ({ contract: t.broker.unknownContract })],
  ])("520 it is refused as a whole: %s", async (_, wrong) => {
    const trader = given();
    await hold(trader);
    expect(await submit(trader, exits(trader, wrong(trader)))).toEqual(REFUSED);
    expect(await trader.working()).toEqual([]);
    expect(await trader.netQty()).toBe(2);
  });

  test("521 without any exit it is refused", async () => {
    const trader = given();
    const { takeProfit: _target, stopLoss: _stop, ...nothing } = exits(trader);
    expect(await submit(trader, nothing)).toEqual(REFUSED);
  });

  test("522 an identifier that was used refuses both exits, or makes two more", async () => {
    const trader = given();
    const { refusesDuplicates } = trader.adapter.capabilities;
    await hold(trader);
    const first = exits(trader);
    const { target, stop } = legsOf(accepted(await submit(trader, first)));
    const stopLoss = { ...exits(trader).stopLoss, clOrdId: trader.newId(), stopPx: px(980) };
    const again = await submit(trader, { ...first, stopLoss });
    expect(again.kind).toBe(refusesDuplicates ? "rejected" : "accepted");
    const more = again.kind === "accepted" ? Object.values(legsOf(again)) : [];
    await trader.waitForWorking(target, stop, ...more);
  });
}

/** Where the broker links nothing, the gateway places two plain orders. */
export function plainPairCases(given: Given): void {
  describe.sequential("protection of what is held, where the broker links no orders", () => {
    test("530 a pair is refused, and nothing of it is placed", async () => {
      const trader = given();
      await hold(trader);
      const order = exits(trader);
      expect(await submit(trader, order)).toEqual(REFUSED);
      expect(await trader.working()).toEqual([]);
      const { clOrdId } = order.stopLoss ?? { clOrdId: trader.newId() };
      expect(await trader.adapter.findOrder(trader.broker.account, clOrdId)).toBeUndefined();
    });

    test("531 plain orders are known as legs by their identifiers, and only those", async () => {
      const trader = given();
      const { target, stop } = await holdWithPair(trader);
      const { orderId: plain } = await trader.limit("BUY", 985);
      const roles = async () =>
        Object.fromEntries((await trader.working()).map(({ orderId, role }) => [orderId, role]));
      expect(await roles()).toEqual({
        [target]: "TAKE_PROFIT",
        [stop]: "STOP_LOSS",
        [plain]: "ORDER",
      });
      expect((await trader.waitForReport(stop, "NEW")).order.role).toBe("STOP_LOSS");
      for (const order of await trader.working()) expect(order.linkedOrderId).toBeUndefined();
    });

    test("532 an order that ended is known as a leg too", async () => {
      const trader = given();
      const clOrdId = legIdOf(trader.newId(), "STOP_LOSS");
      const stop = { clOrdId, ordType: "STOP", side: "SELL", stopPx: px(980) } as const;
      const { orderId } = await trader.place(stop);
      await trader.cancel(orderId);
      const found = await trader.adapter.findOrder(trader.broker.account, clOrdId);
      expect(found).toMatchObject({ ordStatus: "CANCELED", role: "STOP_LOSS" });
    });

    test("533 the fill of one leaves the other one working: ending it is the gateway's part", async () => {
      const trader = given();
      const { target, stop } = await holdWithPair(trader);
      await trader.market(979, 980);
      await trader.waitForReport(stop, "TRADE");
      await trader.waitForPosition(0);
      await trader.waitForWorking(target);
      expect(await trader.workingOrder(target)).toMatchObject({ leavesQty: 4 });
      await trader.market(1_010, 1_011);
      await trader.waitForPosition(-4);
    });

    test("534 the part fill of one leaves the quantity of the other one", async () => {
      const trader = given();
      await trader.place({ side: "SELL", orderQty: 2 });
      await trader.waitForPosition(-2);
      const { target, stop } = await placePair(trader, { side: "BUY", orderQty: 2 });
      await trader.market(988, 989, 1);
      await trader.waitForPosition(-1);
      expect(await trader.workingOrder(target)).toMatchObject({ leavesQty: 1 });
      expect(await trader.workingOrder(stop)).toMatchObject({ leavesQty: 2 });
    });
  });
}
