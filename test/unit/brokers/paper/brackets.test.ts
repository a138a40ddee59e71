import { describe, expect, test } from "vitest";
import { REASONS } from "../../../../src/brokers/paper/exchange/check-order.ts";
import { clOrdId } from "../../../../src/domain/ids.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { A, createTestExchange, ES } from "./test-exchange.ts";

const bracket = {
  takeProfit: { by: "price", price: ticks(1_010) },
  stopLoss: { by: "price", price: ticks(980) },
} as const;

/** A resting buy of ten at 995 with both legs. */
function createBracket() {
  const market = createTestExchange();
  const { orderId, takeProfitOrderId, stopLossOrderId } = market.limit("BUY", 995, {
    orderQty: 10,
    bracket,
  });
  return {
    ...market,
    entryId: orderId,
    entry: () => market.order(orderId),
    target: () => market.order(takeProfitOrderId),
    stop: () => market.order(stopLossOrderId),
  };
}

describe("a bracket", () => {
  test("its legs carry the entry's identifier and outlive the day", () => {
    const { target, stop } = createBracket();
    expect(target()).toMatchObject({ clOrdId: "C1-TP", timeInForce: "GTC", ordStatus: "HELD" });
    expect(stop()).toMatchObject({ clOrdId: "C1-SL", timeInForce: "GTC", orderQty: 10 });
  });

  test("legs that wait follow a changed entry quantity", () => {
    const { exchange, entryId, target, stop } = createBracket();
    exchange.modifyOrder(A, { orderId: entryId, orderQty: 7 });
    expect([target().orderQty, stop().orderQty]).toEqual([7, 7]);
  });

  test("a leg beyond the market when it comes live trades at once", () => {
    const { place, order, quote } = createTestExchange();
    const outcome = place({
      ordType: "STOP",
      stopPx: ticks(1_010),
      bracket: { stopLoss: { by: "price", price: ticks(1_008) } },
    });
    quote(1_007, 1_010);
    const leg = order(outcome.stopLossOrderId);
    expect(leg).toMatchObject({ ordStatus: "FILLED", filledTicks: 1_007 });
  });

  test("a leg used up while its entry still works waits for more, and is not naked later", () => {
    const { quote, target, stop, entry, netQty } = createBracket();
    quote(994, 995, 4);
    quote(1_010, 1_011, 4);
    expect(netQty()).toBe(0);
    expect(target()).toMatchObject({ ordStatus: "HELD", cumQty: 4, orderQty: 4 });
    expect(stop()).toMatchObject({ ordStatus: "HELD", cumQty: 0, orderQty: 0 });
    quote(994, 995, 5);
    expect(entry().cumQty).toBe(9);
    expect(target()).toMatchObject({ ordStatus: "PARTIALLY_FILLED", cumQty: 4, orderQty: 9 });
    expect(stop()).toMatchObject({ ordStatus: "NEW", cumQty: 0, orderQty: 5 });
    quote(979, 980);
    expect(netQty()).toBe(0);
  });

  test("legs used up end with their entry", () => {
    const { exchange, entryId, quote, target, stop, reports } = createBracket();
    quote(994, 995, 4);
    quote(1_010, 1_011, 4);
    exchange.cancelOrder(A, entryId);
    expect([target().ordStatus, stop().ordStatus]).toEqual(["FILLED", "CANCELED"]);
    expect(exchange.account(A)?.working.size).toBe(0);
    expect(reports.slice(-3).map(({ order }) => order.ordStatus)).toEqual([
      "CANCELED",
      "FILLED",
      "CANCELED",
    ]);
  });

  test("a leg canceled by hand takes the other one with it, and the entry stays", () => {
    const { exchange, target, stop, entry } = createBracket();
    exchange.cancelOrder(A, stop().orderId);
    expect([target().ordStatus, stop().ordStatus]).toEqual(["CANCELED", "CANCELED"]);
    expect(entry().ordStatus).toBe("NEW");
  });

  test("a leg may shrink, but never grow beyond what is filled", () => {
    const { exchange, quote, stop } = createBracket();
    const change = (orderQty: number) =>
      exchange.modifyOrder(A, { orderId: stop().orderId, orderQty });
    expect(change(9)).toEqual({ kind: "rejected", reason: REASONS.legQty });
    quote(994, 995, 4);
    expect(change(5)).toEqual({ kind: "rejected", reason: REASONS.legQty });
    expect(change(3)).toEqual({ kind: "accepted" });
    expect(change(4)).toEqual({ kind: "accepted" });
  });

  test("a leg that waits can be moved", () => {
    const { exchange, quote, stop } = createBracket();
    exchange.modifyOrder(A, { orderId: stop().orderId, stopPx: ticks(985) });
    quote(994, 995);
    quote(985, 986);
    expect(stop()).toMatchObject({ ordStatus: "FILLED", filledTicks: 9_850 });
  });

  test("distances count from the first fill, also when more follow", () => {
    const { place, quote, order } = createTestExchange();
    quote(999, 1_000, 2);
    const outcome = place({
      orderQty: 4,
      bracket: {
        takeProfit: { by: "distance", distance: ticks(20) },
        stopLoss: { by: "distance", distance: ticks(10) },
      },
    });
    quote(1_004, 1_005);
    expect(order(outcome.takeProfitOrderId)).toMatchObject({ price: 1_020, orderQty: 4 });
    expect(order(outcome.stopLossOrderId)).toMatchObject({ stopPx: 990, orderQty: 4 });
  });

  test("a killed entry takes its legs with it", () => {
    const { exchange, place } = createTestExchange();
    place({ timeInForce: "FOK", orderQty: 5_000, bracket });
    expect(exchange.account(A)?.working.size).toBe(0);
  });
});

describe("a protection", () => {
  const protection = {
    contract: ES,
    side: "SELL",
    orderQty: 2,
    takeProfit: { clOrdId: clOrdId("TP"), price: ticks(1_010) },
    stopLoss: { clOrdId: clOrdId("SL"), stopPx: ticks(980) },
  } as const;

  test("is one linked pair, of which a part fill shrinks the other", () => {
    const { exchange, quote, order } = createTestExchange();
    const outcome = exchange.submitProtection(A, protection);
    expect(outcome).toEqual({
      kind: "accepted",
      orderId: "1",
      takeProfitOrderId: "1",
      stopLossOrderId: "2",
    });
    quote(1_010, 1_011, 1);
    expect(order("2")).toMatchObject({ orderQty: 1, linkedOrderId: "1" });
    quote(1_010, 1_011, 1);
    expect(order("2").ordStatus).toBe("CANCELED");
  });

  test("of one exit is that exit alone", () => {
    const { exchange, order } = createTestExchange();
    const { takeProfit: _, ...onlyStop } = protection;
    expect(exchange.submitProtection(A, onlyStop)).toMatchObject({
      orderId: "1",
      stopLossOrderId: "1",
    });
    expect(order("1").linkedOrderId).toBeUndefined();
  });

  test.each([
    [REASONS.noLeg, { takeProfit: undefined, stopLoss: undefined }],
    [REASONS.wrongSide, { stopLoss: { clOrdId: clOrdId("SL"), stopPx: ticks(999) } }],
    [REASONS.legs, { takeProfit: { clOrdId: clOrdId("TP"), price: ticks(980) } }],
    [REASONS.duplicate, { stopLoss: { clOrdId: clOrdId("TP"), stopPx: ticks(980) } }],
    [REASONS.qty, { orderQty: 0 }],
  ])("is refused as a whole: %s", (reason, change) => {
    const { exchange } = createTestExchange();
    const request = { ...protection, ...change } as typeof protection;
    expect(exchange.submitProtection(A, request)).toEqual({ kind: "rejected", reason });
    expect(exchange.account(A)?.working.size).toBe(0);
  });
});
