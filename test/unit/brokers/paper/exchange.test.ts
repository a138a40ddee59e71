import { describe, expect, test } from "vitest";
import { MAX_ORDER_QTY, REASONS } from "../../../../src/brokers/paper/exchange/check-order.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { clOrdId, orderId } from "../../../../src/domain/ids.ts";
import type { NewOrderSingle } from "../../../../src/domain/order.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { A, B, createTestExchange, ES, PRODUCT, WEDNESDAY } from "./test-exchange.ts";

const reasonOf = (outcome: { kind: string; reason?: string }) => outcome.reason ?? outcome.kind;
const HOUR_MS = 3_600_000;

describe("the street", () => {
  test("a buy is filled at the ask and a sell at the bid", () => {
    const { place, order } = createTestExchange();
    expect(order(place().orderId).filledTicks).toBe(1_000);
    expect(order(place({ side: "SELL" }).orderId).filledTicks).toBe(999);
  });

  test("a marketable limit gets the better price of the street", () => {
    const { limit, order } = createTestExchange();
    expect(order(limit("BUY", 1_050).orderId).filledTicks).toBe(1_000);
  });

  test("displayed size is shared by all accounts, best price first and then earliest", () => {
    const { place, quote, order } = createTestExchange();
    const buy = (price: number, account = A) =>
      place({ ordType: "LIMIT", price: ticks(price), orderQty: 4 }, account).orderId;
    const early = buy(990);
    const late = buy(990, B);
    const best = buy(991, B);
    quote(988, 989, 6);
    expect(order(best, B).cumQty).toBe(4);
    expect(order(early).cumQty).toBe(2);
    expect(order(late, B).cumQty).toBe(0);
  });

  test("size that was taken comes back with the next quote only", () => {
    const { quote, place, order } = createTestExchange();
    quote(999, 1_000, 3);
    place({ orderQty: 2 });
    const big = place({ orderQty: 5 }).orderId;
    expect(order(big)).toMatchObject({ cumQty: 1, ordStatus: "PARTIALLY_FILLED" });
    quote(1_001, 1_002, 3);
    expect(order(big)).toMatchObject({ cumQty: 4, filledTicks: 1_000 + 3 * 1_002 });
    quote(1_001, 1_002, 3);
    expect(order(big)).toMatchObject({ cumQty: 5, ordStatus: "FILLED" });
  });

  test("the same quote object again brings no new size", () => {
    const { exchange, place, order } = createTestExchange();
    const same = { bid: ticks(999), ask: ticks(1_000), bidQty: 1, askQty: 1 };
    exchange.setQuote(ES, same);
    const { orderId: id } = place({ orderQty: 2 });
    exchange.setQuote(ES, same);
    expect(order(id).cumQty).toBe(1);
  });

  test("quotes are wanted only while something is live", () => {
    const { place, limit, exchange, interest } = createTestExchange();
    place();
    expect(interest).toEqual([]);
    const { orderId: id } = limit("BUY", 990);
    expect(interest).toEqual([true]);
    exchange.cancelOrder(A, id);
    expect(interest).toEqual([true, false]);
  });

  test("gains are counted in the contract's currency, from the oldest lot on", () => {
    const { place, quote, reports } = createTestExchange();
    place({ orderQty: 1 });
    quote(1_009, 1_010);
    place({ orderQty: 1 });
    quote(1_020, 1_021);
    place({ side: "SELL", orderQty: 2 });
    expect(reports.at(-1)?.fill?.realizedPnl).toBe("375.00");
    expect(reports.flatMap(({ fill }) => fill ?? []).map((fill) => "realizedPnl" in fill)).toEqual([
      false,
      false,
      true,
    ]);
  });

  test("a position that turns around counts its gains anew", () => {
    const { exchange, place } = createTestExchange();
    place({ orderQty: 1 });
    place({ side: "SELL", orderQty: 3 });
    expect(exchange.account(A)?.positions.get(ES)).toMatchObject({ netQty: -2, realizedTicks: 0 });
  });
});

describe("stops", () => {
  test.each([
    ["BUY", 1_005, 1_003, 1_004, 1_005],
    ["SELL", 995, 996, 995, 995],
  ] as const)(
    "a %s stop at %i waits, and then trades at the market",
    (side, stopPx, near, at, px) => {
      const { place, quote, order } = createTestExchange();
      const { orderId: id } = place({ side, ordType: "STOP", stopPx: ticks(stopPx) });
      quote(near, near + 1);
      expect(order(id).cumQty).toBe(0);
      quote(at, at + 1);
      expect(order(id).filledTicks).toBe(px);
    },
  );

  test("a stop-limit that is hit rests at its limit", () => {
    const { place, quote, order } = createTestExchange();
    const prices = { stopPx: ticks(1_005), price: ticks(1_006) };
    const { orderId: id } = place({ ordType: "STOP_LIMIT", ...prices });
    quote(1_009, 1_010);
    expect(order(id)).toMatchObject({ cumQty: 0, isTriggered: true });
    quote(1_000, 1_001);
    expect(order(id).filledTicks).toBe(1_001);
  });

  test("a trailing stop follows the market and never gives way", () => {
    const { place, quote, order } = createTestExchange();
    const { orderId: id } = place({
      side: "SELL",
      ordType: "TRAILING_STOP",
      trailOffset: ticks(10),
    });
    expect(order(id).stopPx).toBe(989);
    quote(1_005, 1_006);
    expect(order(id).stopPx).toBe(995);
    quote(998, 999);
    expect(order(id)).toMatchObject({ stopPx: 995, cumQty: 0 });
    quote(995, 996);
    expect(order(id)).toMatchObject({ ordStatus: "FILLED", filledTicks: 995 });
  });

  test("a trailing stop starts where it is told to", () => {
    const { place, quote, order } = createTestExchange();
    const trail = { ordType: "TRAILING_STOP", trailOffset: ticks(10) } as const;
    const { orderId: id } = place({ ...trail, stopPx: ticks(1_020) });
    quote(1_001, 1_002);
    expect(order(id).stopPx).toBe(1_012);
  });

  test("a changed trail offset starts from the market again", () => {
    const { exchange, place, order } = createTestExchange();
    const trail = { ordType: "TRAILING_STOP", trailOffset: ticks(10) } as const;
    const { orderId: id } = place(trail);
    exchange.modifyOrder(A, { orderId: id, trailOffset: ticks(4) });
    expect(order(id)).toMatchObject({ stopPx: 1_004, trailOffset: 4 });
  });

  test("a smaller trail offset never takes the stop further away", () => {
    const { exchange, place, quote, order } = createTestExchange();
    const trail = { ordType: "TRAILING_STOP", side: "SELL", trailOffset: ticks(20) } as const;
    const { orderId: id } = place(trail);
    quote(1_020, 1_021);
    quote(1_004, 1_005);
    exchange.modifyOrder(A, { orderId: id, trailOffset: ticks(18) });
    expect(order(id)).toMatchObject({ stopPx: 1_000, trailOffset: 18 });
    quote(1_021, 1_022);
    expect(order(id).stopPx).toBe(1_003);
    exchange.modifyOrder(A, { orderId: id, trailOffset: ticks(30) });
    expect(order(id)).toMatchObject({ stopPx: 991, trailOffset: 30 });
  });
});

describe("time in force", () => {
  test("immediate-or-cancel takes what is there", () => {
    const { quote, place, order, interest } = createTestExchange();
    quote(999, 1_000, 2);
    const { orderId: id } = place({ timeInForce: "IOC", orderQty: 5 });
    expect(order(id)).toMatchObject({ ordStatus: "CANCELED", cumQty: 2 });
    expect(interest).toEqual([]);
  });

  test.each([
    [2, "FILLED", 2],
    [3, "CANCELED", 0],
  ])("fill-or-kill of %i with 2 displayed is %s", (orderQty, ordStatus, cumQty) => {
    const { quote, place, order } = createTestExchange();
    quote(999, 1_000, 2);
    const { orderId: id } = place({ timeInForce: "FOK", orderQty });
    expect(order(id)).toMatchObject({ ordStatus, cumQty });
  });

  test("a day order ends with its trade day, good-till-cancel stays", () => {
    const { exchange, limit, order, clock, quote } = createTestExchange();
    const day = limit("BUY", 990, { timeInForce: "DAY" }).orderId;
    const kept = limit("BUY", 990).orderId;
    clock.now = WEDNESDAY + 7 * HOUR_MS - 1;
    exchange.expireOrders();
    expect(order(day).ordStatus).toBe("NEW");
    clock.now += 1;
    quote(980, 981);
    expect(order(day)).toMatchObject({ ordStatus: "EXPIRED", cumQty: 0 });
    expect(order(kept).ordStatus).toBe("FILLED");
  });

  test("a day order that should have ended during a stop of the gateway ends at once", () => {
    const { exchange, limit, clock, order, reports } = createTestExchange();
    const { orderId: id } = limit("BUY", 990, { timeInForce: "DAY" });
    const orders = [{ ...order(id), account: B }];
    exchange.removeAccount(B);
    clock.now += 24 * HOUR_MS;
    exchange.addAccount(B, { lastId: 9, orders, positions: [], fills: [] });
    expect(order(id, B).ordStatus).toBe("EXPIRED");
    expect(reports.at(-1)?.execType).toBe("EXPIRED");
  });
});

describe("refusals", () => {
  const refusals: readonly [string, Partial<NewOrderSingle>][] = [
    [REASONS.unknownContract, { contract: "XXZ2026" as ContractCode }],
    [REASONS.qty, { orderQty: 0 }],
    [REASONS.qty, { orderQty: 1.5 }],
    [REASONS.qty, { orderQty: MAX_ORDER_QTY + 1 }],
    [REASONS.price, { ordType: "LIMIT" }],
    [REASONS.price, { ordType: "LIMIT", price: ticks(0.5) }],
    [REASONS.stopPx, { ordType: "STOP" }],
    [REASONS.trailOffset, { ordType: "TRAILING_STOP" }],
    [REASONS.trailOffset, { ordType: "TRAILING_STOP", trailOffset: ticks(0) }],
    [REASONS.wrongSide, { ordType: "STOP", stopPx: ticks(1_000) }],
    [REASONS.wrongSide, { ordType: "STOP", side: "SELL", stopPx: ticks(999) }],
    [REASONS.timeInForce, { ordType: "STOP", stopPx: ticks(1_005), timeInForce: "IOC" }],
    [REASONS.takeProfitSide, limitWith({ takeProfit: { by: "price", price: ticks(990) } })],
    [REASONS.stopLossSide, limitWith({ stopLoss: { by: "price", price: ticks(990) } })],
    [REASONS.legDistance, { bracket: { stopLoss: { by: "distance", distance: ticks(0) } } }],
    [REASONS.takeProfitSide, { bracket: { takeProfit: { by: "price", price: ticks(1_000) } } }],
    [REASONS.stopLossSide, { bracket: { stopLoss: { by: "price", price: ticks(1_000) } } }],
    [REASONS.stopLossReached, { bracket: { stopLoss: { by: "price", price: ticks(999) } } }],
    [
      REASONS.stopLossReached,
      {
        ordType: "LIMIT",
        price: ticks(1_000),
        bracket: { stopLoss: { by: "price", price: ticks(999) } },
      },
    ],
    [
      REASONS.legs,
      {
        ordType: "TRAILING_STOP",
        trailOffset: ticks(4),
        bracket: {
          takeProfit: { by: "price", price: ticks(990) },
          stopLoss: { by: "price", price: ticks(995) },
        },
      },
    ],
  ];
  test.each(refusals)("%s: %j", (reason, order) => {
    const { submit, exchange } = createTestExchange();
    expect(reasonOf(submit(order))).toBe(reason);
    expect(exchange.account(A)?.working.size).toBe(0);
    expect(exchange.account(A)?.orderOf(clOrdId("C1"))?.ordStatus).toBe("REJECTED");
  });

  test.each<[string, Partial<NewOrderSingle>]>([
    ["of a market order a tick from where they would trade", {}],
    [
      "of a limit that does not trade yet, whatever the market shows",
      { ordType: "LIMIT", price: ticks(990) },
    ],
  ])("legs %s are taken", (_, order) => {
    const { quote, submit } = createTestExchange();
    quote(order.ordType === "LIMIT" ? 980 : 999, 1_000);
    const stop = order.ordType === "LIMIT" ? 985 : 998;
    const takeProfit = { by: "price", price: ticks(1_001) } as const;
    const stopLoss = { by: "price", price: ticks(stop) } as const;
    expect(submit({ ...order, bracket: { takeProfit, stopLoss } }).kind).toBe("accepted");
  });

  test("a price below zero is a price", () => {
    const { quote, limit, order } = createTestExchange();
    quote(-40, -39);
    expect(order(limit("BUY", -39).orderId).filledTicks).toBe(-39);
  });

  test("an identifier that was used is refused, also after a refusal", () => {
    const { submit } = createTestExchange();
    const id = clOrdId("once");
    submit({ clOrdId: id, orderQty: 0 });
    expect(reasonOf(submit({ clOrdId: id }))).toBe(REASONS.duplicate);
    expect(submit({ clOrdId: id }, B).kind).toBe("accepted");
  });

  test("an identifier that a leg would take counts too", () => {
    const { submit } = createTestExchange();
    submit({ clOrdId: clOrdId("X-SL") });
    const bracket = { stopLoss: { by: "price", price: ticks(990) } } as const;
    expect(reasonOf(submit({ clOrdId: clOrdId("X"), bracket }))).toBe(REASONS.duplicate);
    const other = { takeProfit: { by: "price", price: ticks(1_010) } } as const;
    expect(submit({ clOrdId: clOrdId("X"), bracket: other }).kind).toBe("accepted");
  });

  test("without a quote nothing is taken", () => {
    const { submit } = createTestExchange({ isQuoted: false });
    expect(reasonOf(submit())).toBe(REASONS.noQuote);
  });

  test("an expired contract takes no orders, ends its orders and is settled in cash", () => {
    let isOver = false;
    const product = () => ({ ...PRODUCT, isExpired: () => isOver });
    const { exchange, submit, place, limit, order, netQty } = createTestExchange({ product });
    place({ orderQty: 2 });
    const { orderId: id } = limit("BUY", 990);
    isOver = true;
    expect(reasonOf(submit())).toBe(REASONS.expiredContract);
    exchange.expireContracts();
    expect(order(id)).toMatchObject({ ordStatus: "EXPIRED", text: REASONS.expiredContract });
    expect(netQty()).toBe(0);
  });

  test("with session hours a closed market takes only cancels, and fills nothing", () => {
    const hours = {
      timeZone: "America/Chicago",
      parts: [{ opens: "17:00", closes: "16:00" }],
    };
    const market = createTestExchange({
      product: () => ({ ...PRODUCT, hours }),
      sessionHours: true,
    });
    const { exchange, submit, limit, quote, order, clock } = market;
    const first = limit("BUY", 990).orderId;
    const second = limit("BUY", 990).orderId;
    clock.now = WEDNESDAY + 7.5 * HOUR_MS;
    quote(980, 981);
    expect(reasonOf(submit())).toBe(REASONS.closed);
    expect(exchange.modifyOrder(A, { orderId: first, orderQty: 2 }).kind).toBe("rejected");
    expect(exchange.cancelOrder(A, first).kind).toBe("accepted");
    expect(order(second).cumQty).toBe(0);
    clock.now = WEDNESDAY + 8 * HOUR_MS;
    const { orderId: killed } = market.place({ timeInForce: "FOK", orderQty: 1_000 });
    // What waited for the opening goes first, so the new order finds 999 of 1,000.
    expect(order(second).cumQty).toBe(1);
    expect(order(killed)).toMatchObject({ ordStatus: "CANCELED", cumQty: 0 });
  });
});

describe("changes and cancels", () => {
  test("a smaller quantity keeps the place in the queue, a new price loses it", () => {
    const { exchange, limit, quote, order } = createTestExchange();
    const first = limit("BUY", 990, { orderQty: 3 }).orderId;
    const second = limit("BUY", 990, { orderQty: 3 }).orderId;
    exchange.modifyOrder(A, { orderId: first, orderQty: 2 });
    quote(988, 989, 1);
    expect([order(first).cumQty, order(second).cumQty]).toEqual([1, 0]);
    exchange.modifyOrder(A, { orderId: first, price: ticks(990) });
    quote(988, 989, 1);
    expect([order(first).cumQty, order(second).cumQty]).toEqual([1, 1]);
  });

  test("an order changed to a marketable price is filled at once", () => {
    const { exchange, limit, order, reports } = createTestExchange();
    const { orderId: id } = limit("BUY", 990);
    exchange.modifyOrder(A, { orderId: id, price: ticks(1_000) });
    expect(order(id).ordStatus).toBe("FILLED");
    expect(reports.map(({ execType }) => execType)).toEqual(["NEW", "REPLACED", "TRADE"]);
  });

  test.each([
    [REASONS.qtyFilled, { orderQty: 2 }],
    [REASONS.qty, { orderQty: 0 }],
    [REASONS.price, { price: ticks(0.5) }],
    [REASONS.noField, { stopPx: ticks(990) }],
    [REASONS.noField, { trailOffset: ticks(9) }],
  ])("a change is refused: %s", (reason, change) => {
    const { exchange, quote, limit } = createTestExchange();
    const { orderId: id } = limit("BUY", 990, { orderQty: 5 });
    quote(988, 989, 2);
    expect(reasonOf(exchange.modifyOrder(A, { orderId: id, ...change }))).toBe(reason);
  });

  test("an entry is not moved past its own legs", () => {
    const { exchange, limit } = createTestExchange();
    const bracket = {
      takeProfit: { by: "price", price: ticks(994) },
      stopLoss: { by: "price", price: ticks(980) },
    } as const;
    const { orderId: id } = limit("BUY", 990, { bracket });
    const moved = (to: number) => exchange.modifyOrder(A, { orderId: id, price: ticks(to) });
    expect(reasonOf(moved(994))).toBe(REASONS.takeProfitSide);
    expect(reasonOf(moved(980))).toBe(REASONS.stopLossSide);
    expect(moved(993).kind).toBe("accepted");
  });

  test("a stop is not moved through the market", () => {
    const { exchange, place } = createTestExchange();
    const { orderId: id } = place({ ordType: "STOP", stopPx: ticks(1_005) });
    const through = exchange.modifyOrder(A, { orderId: id, stopPx: ticks(1_000) });
    expect(reasonOf(through)).toBe(REASONS.wrongSide);
    expect(exchange.modifyOrder(A, { orderId: id, stopPx: ticks(1_001) }).kind).toBe("accepted");
  });

  test("what has ended is neither changed nor canceled", () => {
    const { exchange, place } = createTestExchange();
    const { orderId: id } = place();
    expect(reasonOf(exchange.cancelOrder(A, id))).toBe(REASONS.tooLate);
    expect(reasonOf(exchange.modifyOrder(A, { orderId: id, orderQty: 2 }))).toBe(REASONS.tooLate);
    expect(reasonOf(exchange.cancelOrder(B, id))).toBe(REASONS.unknownOrder);
    expect(reasonOf(exchange.cancelOrder(A, orderId("99")))).toBe(REASONS.unknownOrder);
  });

  test("closing a position leaves its working orders, as a real exchange does", () => {
    const { exchange, place, limit, order, netQty } = createTestExchange();
    place({ orderQty: 2 });
    const { orderId: exit } = limit("SELL", 1_010, { orderQty: 2 });
    expect(exchange.closePosition(A, ES, clOrdId("X1")).kind).toBe("accepted");
    expect(netQty()).toBe(0);
    expect(order(exit).ordStatus).toBe("NEW");
    expect(reasonOf(exchange.closePosition(A, ES, clOrdId("X2")))).toBe(REASONS.flat);
  });
});
function limitWith(bracket: NewOrderSingle["bracket"]): Partial<NewOrderSingle> {
  return { ordType: "LIMIT", price: ticks(990), ...(bracket && { bracket }) };
}
