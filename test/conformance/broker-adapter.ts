import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { orderId } from "../../src/domain/ids.ts";
import { BrokerReadError } from "../../src/trading/ports.ts";
import { waitUntil } from "../support/wait.ts";
import { atDistance, atPrice, type BrokerUnderTest, px, Trader } from "./broker-under-test.ts";

/**
 * What every adapter promises, numbered so that an exception can name what it gives up. A new
 * broker passes this before it is merged. Prices are ticks around 1,000.
 */
export function brokerAdapterConformance(
  name: string,
  create: () => Promise<BrokerUnderTest>,
): void {
  describe(`${name} conforms to BrokerAdapter`, () => {
    let trader: Trader;
    beforeEach(async () => {
      trader = new Trader(await create());
      await trader.connect();
      await trader.market(999, 1_000);
      const { otherContract, setMarket } = trader.broker;
      await setMarket(otherContract, { bid: 999, ask: 1_000, bidQty: 1_000, askQty: 1_000 });
    });
    afterEach(() => trader.close());

    sessionCases(() => trader);
    orderCases(() => trader);
    positionCases(() => trader);
    bracketCases(() => trader);
    protectionCases(() => trader);
    durabilityCases(() => trader);
  });
}

type Given = () => Trader;

function sessionCases(given: Given): void {
  describe("sessions and accounts", () => {
    test("01 outside a session commands answer notSent and reads throw", async () => {
      const trader = given();
      const { account, contract } = trader.broker;
      await trader.disconnect();
      const outcomes = [
        await trader.submit(),
        await trader.adapter.cancelOrder(account, orderId("1")),
        await trader.adapter.modifyOrder(account, { orderId: orderId("1"), orderQty: 2 }),
        await trader.adapter.closePosition(account, contract, trader.newId()),
      ];
      expect(outcomes.map(({ kind }) => kind)).toEqual(outcomes.map(() => "notSent"));
      await expect(trader.adapter.accounts()).rejects.toBeInstanceOf(BrokerReadError);
      await expect(trader.working()).rejects.toBeInstanceOf(BrokerReadError);
      await expect(trader.adapter.positions(account)).rejects.toBeInstanceOf(BrokerReadError);
      await expect(trader.adapter.fills(account, 0)).rejects.toBeInstanceOf(BrokerReadError);
    });

    test("02 a session whose signal is aborted already ends at once and is never ready", async () => {
      const trader = given();
      await trader.disconnect();
      let isReady = false;
      const onReady = () => (isReady = true);
      await trader.adapter.runSession({ signal: AbortSignal.abort(), onReady });
      expect(isReady).toBe(false);
    });

    test("03 a session that breaks rejects, and the next one works", async () => {
      const trader = given();
      await trader.broker.breakSession();
      expect(await trader.broken()).toBeInstanceOf(Error);
      expect((await trader.submit()).kind).toBe("notSent");
      await trader.connect();
      await trader.market(999, 1_000);
      expect((await trader.submit()).kind).toBe("accepted");
    });

    test("04 the accounts are named and may trade", async () => {
      const { adapter, broker } = given();
      const accounts = await adapter.accounts();
      const ids = accounts.map(({ accountId }) => accountId);
      expect(ids).toEqual(expect.arrayContaining([broker.account, broker.otherAccount]));
      expect(new Set(ids).size).toBe(ids.length);
      for (const { accountId, name, currency } of accounts) {
        expect(accountId).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
        expect(name).not.toBe("");
        expect(currency).toMatch(/^[A-Z]{3}$/);
      }
    });

    test("05 an account that may not trade says so, and its orders are rejected", async () => {
      const trader = given();
      const { account, setActive } = trader.broker;
      await setActive(account, false);
      const own = (await trader.adapter.accounts()).find((a) => a.accountId === account);
      expect(own?.active ?? false).toBe(false);
      expect((await trader.submit()).kind).toBe("rejected");
      await setActive(account, true);
      expect((await trader.submit()).kind).toBe("accepted");
    });

    test("06 what one account does is not seen on another", async () => {
      const trader = given();
      await trader.place();
      await trader.limit("BUY", 990);
      await trader.waitForPosition(1);
      const { otherAccount } = trader.broker;
      expect(await trader.adapter.positions(otherAccount)).toEqual([]);
      expect(await trader.adapter.workingOrders(otherAccount)).toEqual([]);
      expect(trader.reports.every(({ account }) => account === trader.broker.account)).toBe(true);
    });
  });
}

function orderCases(given: Given): void {
  describe("orders", () => {
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
      const ioc = { timeInForce: "IOC", orderQty: 10 } as const;
      const { orderId: order } = await trader.limit("BUY", 1_000, ioc);
      await trader.waitForPosition(4);
      await trader.waitForReport(order, "CANCELED");
      expect(await trader.working()).toEqual([]);
    });

    test("16 fill-or-kill is filled in full or not at all", async () => {
      const trader = given();
      await trader.market(999, 1_000, 4);
      await trader.submit({ ordType: "LIMIT", price: px(1_000), timeInForce: "FOK", orderQty: 5 });
      expect(await trader.working()).toEqual([]);
      expect(await trader.netQty()).toBe(0);
      await trader.submit({ ordType: "LIMIT", price: px(1_000), timeInForce: "FOK", orderQty: 4 });
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

    test("21 an identifier is refused a second time, where the broker promises that", async () => {
      const trader = given();
      if (!trader.adapter.capabilities.refusesDuplicates) return;
      const clOrdId = trader.newId();
      await trader.place({ clOrdId });
      expect((await trader.submit({ clOrdId })).kind).toBe("rejected");
      await trader.waitForPosition(1);
      expect(await trader.adapter.fills(trader.broker.account, 0)).toHaveLength(1);
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

function positionCases(given: Given): void {
  describe("positions and fills", () => {
    test("30 a position is the sum of its fills, with their average price", async () => {
      const trader = given();
      await trader.place({ orderQty: 2 });
      await trader.market(1_002, 1_003);
      await trader.place({ orderQty: 1 });
      await trader.waitForPosition(3);
      const [position] = await trader.adapter.positions(trader.broker.account);
      const { numerator = 0, denominator = 1 } = position?.avgPx ?? {};
      expect(numerator * 3).toBe(3_003 * denominator);
      await trader.place({ side: "SELL", orderQty: 5 });
      await trader.waitForPosition(-2);
    });

    test("31 a flat contract is not reported", async () => {
      const trader = given();
      await trader.place();
      await trader.place({ side: "SELL" });
      await trader.waitForPosition(0);
      expect(await trader.adapter.positions(trader.broker.account)).toEqual([]);
    });

    test("32 every fill is reported once, and is listed with the same number", async () => {
      const trader = given();
      await trader.place({ orderQty: 2 });
      await trader.place({ side: "SELL", orderQty: 1 });
      await trader.waitForPosition(1);
      const fills = await trader.adapter.fills(trader.broker.account, 0);
      const listed = fills.map(({ execId }) => execId);
      const reported = () => trader.reports.flatMap(({ report }) => report.fill?.execId ?? []);
      await waitUntil("all fills are reported", () => reported().length === listed.length);
      expect(reported()).toEqual(listed);
      expect(new Set(listed).size).toBe(listed.length);
      const [, closing] = fills;
      expect(await trader.adapter.fills(trader.broker.account, Number.MAX_SAFE_INTEGER)).toEqual(
        [],
      );
      expect(closing?.transactTimeAt).toBeGreaterThanOrEqual(fills[0]?.transactTimeAt ?? Infinity);
    });

    test("33 closing a position sells exactly what is held", async () => {
      const trader = given();
      const { account, contract } = trader.broker;
      await trader.place({ orderQty: 3 });
      await trader.waitForPosition(3);
      const outcome = await trader.adapter.closePosition(account, contract, trader.newId());
      expect(outcome.kind).toBe("accepted");
      await trader.waitForPosition(0);
    });

    test("34 closing what is flat is a rejection", async () => {
      const trader = given();
      const { account, contract } = trader.broker;
      const outcome = await trader.adapter.closePosition(account, contract, trader.newId());
      expect(outcome.kind).toBe("rejected");
    });
  });
}

function bracketCases(given: Given): void {
  const bracket = { takeProfit: atPrice(1_010), stopLoss: atPrice(980) };
  /** An entry at 995 that has not been filled, and the legs' ids. */
  const restingEntry = (trader: Trader, orderQty = 4) =>
    trader.limit("BUY", 995, { orderQty, bracket });

  describe("brackets, where the broker has them", () => {
    beforeEach(({ skip }) => skip(!given().adapter.capabilities.nativeBracket));

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
      const live = { ordStatus: "NEW", orderQty: 1, leavesQty: 1 };
      await trader.waitForReport(legs.orderId, "TRADE");
      expect(await trader.workingOrder(legs.takeProfitOrderId)).toMatchObject(live);
      expect(await trader.workingOrder(legs.stopLossOrderId)).toMatchObject(live);
      await trader.market(994, 995, 3);
      await trader.waitForPosition(4);
      const target = await trader.workingOrder(legs.takeProfitOrderId);
      expect(target).toMatchObject({
        orderQty: 4,
        price: 1_010,
        linkedOrderId: legs.stopLossOrderId,
      });
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

    test("44 the fill of one leg ends the other one", async () => {
      const trader = given();
      await restingEntry(trader);
      await trader.market(994, 995);
      await trader.waitForPosition(4);
      await trader.market(1_010, 1_011);
      await trader.waitForPosition(0);
      await waitUntil("the stop is gone", async () => (await trader.working()).length === 0);
      await trader.market(979, 980);
      expect(await trader.netQty()).toBe(0);
    });

    test("45 the part fill of one leg shrinks the other one", async () => {
      const trader = given();
      const legs = await restingEntry(trader);
      await trader.market(994, 995);
      await trader.waitForPosition(4);
      await trader.market(1_010, 1_011, 3);
      await trader.waitForPosition(1);
      expect(await trader.workingOrder(legs.stopLossOrderId)).toMatchObject({ leavesQty: 1 });
      await trader.market(979, 980);
      await trader.waitForPosition(0);
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
      const legs = await trader.place({ side: "SELL", bracket: distances });
      await trader.waitForPosition(-1);
      const target = await trader.workingOrder(legs.takeProfitOrderId);
      expect(target).toMatchObject({ side: "BUY", price: 987 });
      expect(await trader.workingOrder(legs.stopLossOrderId)).toMatchObject({ stopPx: 1_006 });
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
  });
}

function protectionCases(given: Given): void {
  async function protect(trader: Trader) {
    const { account, contract } = trader.broker;
    await trader.place({ orderQty: 2 });
    await trader.waitForPosition(2);
    return trader.adapter.submitProtection(account, {
      contract,
      side: "SELL",
      orderQty: 2,
      takeProfit: { clOrdId: trader.newId(), price: px(1_010) },
      stopLoss: { clOrdId: trader.newId(), stopPx: px(980) },
    });
  }

  describe("protection of what is held", () => {
    test("50 the exits are live at once, linked, and found by our identifiers", async () => {
      const trader = given();
      const outcome = await protect(trader);
      expect(outcome).toMatchObject({ kind: "accepted" });
      const [target, stop] = await trader.working();
      expect(target).toMatchObject({ role: "TAKE_PROFIT", price: 1_010, leavesQty: 2 });
      expect(stop).toMatchObject({ role: "STOP_LOSS", stopPx: 980, leavesQty: 2 });
      const { clOrdId = trader.newId() } = stop ?? {};
      const found = await trader.adapter.findOrder(trader.broker.account, clOrdId);
      expect(found?.orderId).toBe(stop?.orderId);
    });

    test("51 the fill of one exit ends the other one, where the broker links them", async () => {
      const trader = given();
      if (!trader.adapter.capabilities.nativeOco) return;
      await protect(trader);
      await trader.market(979, 980);
      await trader.waitForPosition(0);
      await waitUntil("both are gone", async () => (await trader.working()).length === 0);
      expect(await trader.netQty()).toBe(0);
    });
  });
}

function durabilityCases(given: Given): void {
  describe("breaks and restarts", () => {
    test("60 orders, positions and fills are the same after a restart", async () => {
      const trader = given();
      const { account } = trader.broker;
      await trader.place({ orderQty: 2 });
      await trader.limit("SELL", 1_020);
      await trader.limit("SELL", 1_025);
      await trader.waitForPosition(2);
      const orders = await trader.working();
      const positions = await trader.adapter.positions(account);
      const fills = await trader.adapter.fills(account, 0);
      await trader.restart();
      expect(await trader.working()).toEqual(orders);
      expect(await trader.adapter.positions(account)).toEqual(positions);
      expect(await trader.adapter.fills(account, 0)).toEqual(fills);
    });

    test("61 what rests at the broker goes on after a restart, and its fill is reported", async () => {
      const trader = given();
      const { orderId: order } = await trader.limit("SELL", 1_020);
      await trader.restart();
      await trader.market(1_020, 1_021);
      await trader.waitForPosition(-1);
      const { fill } = await trader.waitForReport(order, "TRADE");
      expect(fill?.lastPx).toBe(1_020);
    });

    test("62 an answer that is lost after the order was taken is unknown, and can be found", async () => {
      const trader = given();
      const id = trader.newId();
      await trader.broker.loseNextAnswer(true);
      expect((await trader.submit({ clOrdId: id })).kind).toBe("unknown");
      await reconnect(trader);
      const found = await trader.adapter.findOrder(trader.broker.account, id);
      expect(found).toMatchObject({ clOrdId: id });
      await trader.waitForPosition(1);
    });

    test("63 an order that was lost on the way leaves nothing, and its identifier is free", async () => {
      const trader = given();
      const id = trader.newId();
      await trader.broker.loseNextAnswer(false);
      expect((await trader.submit({ clOrdId: id })).kind).toBe("unknown");
      await reconnect(trader);
      expect(await trader.adapter.findOrder(trader.broker.account, id)).toBeUndefined();
      expect(await trader.netQty()).toBe(0);
      await trader.place({ clOrdId: id });
      await trader.waitForPosition(1);
    });

    test("64 numbers of orders and fills are never given twice", async () => {
      const trader = given();
      const ids: string[] = [];
      for (let round = 0; round < 3; round += 1) {
        ids.push((await trader.place()).orderId);
        await trader.waitForPosition(round + 1);
        await trader.restart();
        await trader.market(999, 1_000);
      }
      const fills = await trader.adapter.fills(trader.broker.account, 0);
      expect(new Set(ids).size).toBe(3);
      expect(new Set(fills.map(({ execId }) => execId)).size).toBe(3);
    });
  });
}

/** A lost answer may break the session or not; either way there is one again after this. */
async function reconnect(trader: Trader): Promise<void> {
  await trader.disconnect().catch(() => undefined);
  await trader.connect();
  await trader.market(999, 1_000);
}
