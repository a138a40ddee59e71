import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { type ContractCode, unnamedContract } from "../../../src/domain/contracts/contract.ts";
import { clOrdId, type OrderId, orderId } from "../../../src/domain/ids.ts";
import { type OrderReport, type Side, SIDES, sign } from "../../../src/domain/order.ts";
import {
  adds,
  exitCuts,
  qtyToProtect,
  exposureOf,
  exposuresOf,
  type RiskOrder,
  type AccountSnapshot,
  worstQty,
} from "../../../src/domain/exposure.ts";

const ES = "ESZ2026" as ContractCode;
const NQ = "NQZ2026" as ContractCode;
const MARKET = { ordType: "MARKET", timeInForce: "DAY" } as const;
const LIMIT = { ordType: "LIMIT", timeInForce: "DAY" } as const;
const STOP = { ordType: "STOP", timeInForce: "DAY" } as const;
const IOC = { ordType: "LIMIT", timeInForce: "IOC" } as const;

let lastId = 0;

/** A plain order of ours that rests. */
function working(side: Side, leavesQty: number, change: Partial<OrderReport> = {}): OrderReport {
  lastId += 1;
  return {
    orderId: orderId(`${lastId}`),
    clOrdId: clOrdId(`i${lastId.toString(16).padStart(28, "0")}-1`),
    contract: ES,
    side,
    ...LIMIT,
    ordStatus: "NEW",
    orderQty: leavesQty,
    cumQty: 0,
    leavesQty,
    role: "ORDER",
    transactTimeAt: 0,
    ...change,
  };
}

/** Two legs of one pair. */
function pair(side: Side, leavesQty: number, change: Partial<OrderReport> = {}): OrderReport[] {
  const profit = working(side, leavesQty, { role: "TAKE_PROFIT", ...change });
  const linked = { role: "STOP_LOSS", linkedOrderId: profit.orderId, ...STOP } as const;
  return [profit, working(side, leavesQty, { ...linked, ...change })];
}

const standing = (netQty: number, orders: readonly OrderReport[] = []): AccountSnapshot => ({
  positions: netQty === 0 ? [] : [{ contract: ES, netQty }],
  working: orders,
  opaque: [],
  opaquePositions: [],
});

const reckoned = (netQty: number, orders: readonly OrderReport[] = []) =>
  exposureOf(ES, standing(netQty, orders));

test.each<[string, number, readonly OrderReport[], number]>([
  ["what is held", 2, [working("BUY", 3)], 2],
  ["what is being filled too", 3, [working("BUY", 7, MARKET)], 10],
  ["what is being filled alone", 0, [working("SELL", 7, MARKET)], -7],
  ["all that is held while a part is being closed", 3, [working("SELL", 2, MARKET)], 3],
  ["what is held before it is turned around", 3, [working("SELL", 9, MARKET)], 3],
])("what is to be protected is %s", (_, netQty, orders, expected) => {
  expect(qtyToProtect(ES, standing(netQty, orders))).toBe(expected);
});

test("what is being filled with its own exits needs no others", () => {
  const entry = working("BUY", 7, MARKET);
  const legs = pair("SELL", 3, { parentOrderId: entry.orderId });
  expect(qtyToProtect(ES, standing(3, [entry, ...legs]))).toBe(3);
});

const known = (lowQty: number, highQty: number) => ({ kind: "known", lowQty, highQty });

describe("what is held, what is expected, and what may come of it", () => {
  test.each<[string, number, OrderReport[], number, ReturnType<typeof known>]>([
    ["nothing", 0, [], 0, known(0, 0)],
    ["a position", 2, [], 2, known(2, 2)],
    ["a market order that still fills", 3, [working("BUY", 7, MARKET)], 10, known(10, 10)],
    ["one that ends at once", -1, [working("SELL", 2, IOC)], -3, known(-3, -3)],
    [
      "a stop that has begun to fill",
      1,
      [working("SELL", 1, { ...STOP, cumQty: 1 })],
      0,
      known(0, 0),
    ],
    ["resting entries on both sides", 1, [working("BUY", 2), working("SELL", 4)], 1, known(-3, 3)],
    ["a pair: its larger leg", 2, pair("SELL", 2), 2, known(0, 2)],
    ["a pair and a plain exit", 2, [...pair("SELL", 2), working("SELL", 2)], 2, known(-2, 2)],
    [
      "legs that wait for their entry",
      0,
      [working("BUY", 2), ...pair("SELL", 2, { ordStatus: "HELD" })],
      0,
      known(0, 2),
    ],
    ["an order that has ended", 0, [working("BUY", 2, { ordStatus: "CANCELED" })], 0, known(0, 0)],
    ["another contract", 0, [working("BUY", 2, { contract: NQ })], 0, known(0, 0)],
  ])("%s", (_, netQty, orders, expectedQty, range) => {
    expect(reckoned(netQty, orders)).toMatchObject({ contract: ES, netQty, expectedQty, range });
  });

  test("entries that a person placed as a pair count on each side", () => {
    const byHand = { clOrdId: clOrdId("manual-1"), role: "STOP_LOSS", ...STOP } as const;
    const buy = working("BUY", 3, byHand);
    const sell = working("SELL", 3, { ...byHand, linkedOrderId: buy.orderId });
    expect(reckoned(0, [buy, sell]).range).toEqual(known(-3, 3));
  });

  test("of a pair of which one leg is being filled only what is left of the other counts", () => {
    const [profit, loss] = pair("SELL", 5) as [OrderReport, OrderReport];
    const filling = { ...loss, cumQty: 2, leavesQty: 3 };
    expect(reckoned(3, [{ ...profit, leavesQty: 3 }, filling])).toMatchObject({
      expectedQty: 0,
      range: known(0, 0),
    });
  });

  test("a leg that grows with its entry is not taken for one that is being filled", () => {
    const entry = working("BUY", 5, { cumQty: 5 });
    const stop = { ...STOP, role: "STOP_LOSS", parentOrderId: entry.orderId, cumQty: 3 } as const;
    expect(reckoned(2, [entry, working("SELL", 2, stop)]).expectedQty).toBe(2);
  });

  test.each<[string, Partial<AccountSnapshot>]>([
    [
      "an order without a contract",
      { opaque: [{ orderId: orderId("7"), problem: "No contract" }] },
    ],
    ["an order of its own", { opaque: [{ orderId: orderId("7"), problem: "Odd", contract: ES }] }],
    ["a position without a name", { positions: [{ contract: unnamedContract("7"), netQty: 1 }] }],
    [
      "an order without a name",
      { working: [working("BUY", 1, { contract: unnamedContract("7") })] },
    ],
  ])("%s leaves it without bounds", (_, change) => {
    const reckoning = exposureOf(ES, { ...standing(0), ...change });
    expect(reckoning.range).toMatchObject({ kind: "unclear", doubt: expect.any(String) });
    const order = { ...LIMIT, side: "BUY", orderQty: 1 } as const;
    expect(worstQty(order, reckoning)).toEqual(reckoning.range);
  });

  test("all of an account is reckoned up contract by contract", () => {
    const orders = [working("BUY", 1, { contract: NQ }), working("SELL", 1)];
    const all = exposuresOf(standing(2, orders));
    expect(all.map(({ contract, netQty, range }) => ({ contract, netQty, range }))).toEqual([
      { contract: ES, netQty: 2, range: known(1, 2) },
      { contract: NQ, netQty: 0, range: known(0, 1) },
    ]);
  });
});

const side = fc.constantFrom(...SIDES);
const qty = fc.integer({ min: 1, max: 50 });
const held = fc.integer({ min: -60, max: 60 });
const kind = fc.constantFrom(MARKET, IOC, LIMIT, STOP);
const single = fc
  .record({ on: side, leavesQty: qty, of: kind })
  .map(({ on, leavesQty, of }) => [working(on, leavesQty, of)]);
const legs = fc
  .record({ on: side, leavesQty: qty })
  .map(({ on, leavesQty }) => pair(on, leavesQty));
const orders = fc.array(fc.oneof(single, legs), { maxLength: 5 }).map((lists) => lists.flat());

/** Fills one order wholly, as a broker would: its pair's other leg goes with it. */
function fill(netQty: number, all: readonly OrderReport[], one: OrderReport) {
  const isGone = (other: OrderReport) =>
    other === one || other.linkedOrderId === one.orderId || one.linkedOrderId === other.orderId;
  return {
    netQty: netQty + sign(one.side) * one.leavesQty,
    left: all.filter((other) => !isGone(other)),
  };
}

describe("for whatever is held and works", () => {
  test("no order of fills leaves the range, and its ends are reached", () => {
    fc.assert(
      fc.property(held, orders, fc.array(fc.nat()), (netQty, all, picks) => {
        const { range, expectedQty } = reckoned(netQty, all);
        if (range.kind !== "known") throw new Error("all of it is understood");
        expect(range.lowQty).toBeLessThanOrEqual(expectedQty);
        expect(range.highQty).toBeGreaterThanOrEqual(expectedQty);
        // Whatever ends at once has filled.
        let now = { netQty, left: all };
        for (const one of all) {
          if (one.ordType === "MARKET" || one.timeInForce === "IOC") {
            now = fill(now.netQty, now.left, one);
          }
        }
        expect(now.netQty).toBe(expectedQty);
        for (const pick of picks) {
          const one = now.left[pick % Math.max(1, now.left.length)];
          if (one === undefined) break;
          now = fill(now.netQty, now.left, one);
          expect(now.netQty).toBeGreaterThanOrEqual(range.lowQty);
          expect(now.netQty).toBeLessThanOrEqual(range.highQty);
        }
        for (const [on, end] of [
          ["BUY", range.highQty],
          ["SELL", range.lowQty],
        ] as const) {
          let most = { netQty: expectedQty, left: all.filter((one) => one.side === on) };
          most.left = most.left.filter(
            (one) => one.ordType !== "MARKET" && one.timeInForce !== "IOC",
          );
          while (most.left[0] !== undefined) most = fill(most.netQty, most.left, most.left[0]);
          expect(most.netQty).toBe(end);
        }
      }),
    );
  });

  test("the worst position is never smaller than what the order leads to", () => {
    fc.assert(
      fc.property(kind, side, qty, held, orders, (of, on, orderQty, netQty, all) => {
        const reckoning = reckoned(netQty, all);
        const worst = worstQty({ ...of, side: on, orderQty }, reckoning);
        const alone = (reckoning.expectedQty + sign(on) * orderQty) * sign(on);
        expect(worst).toEqual({ kind: "known", qty: expect.any(Number) });
        expect(worst.kind === "known" && worst.qty >= Math.max(0, alone)).toBe(true);
      }),
    );
  });

  test("buying and selling are mirror images", () => {
    const mirror = (one: OrderReport) => ({
      ...one,
      side: one.side === "BUY" ? ("SELL" as const) : ("BUY" as const),
    });
    fc.assert(
      fc.property(kind, qty, held, orders, (of, orderQty, netQty, all) => {
        const here = reckoned(netQty, all);
        const there = reckoned(-netQty, all.map(mirror));
        expect(there.expectedQty).toBe(0 - here.expectedQty);
        expect(adds({ ...of, side: "BUY", orderQty }, here)).toBe(
          adds({ ...of, side: "SELL", orderQty }, there),
        );
        expect(worstQty({ ...of, side: "BUY", orderQty }, here)).toEqual(
          worstQty({ ...of, side: "SELL", orderQty }, there),
        );
        const cuts = exitCuts(here).map(({ order, leavesQty }) => [order.orderId, leavesQty]);
        const mirrored = exitCuts(there).map(({ order, leavesQty }) => [order.orderId, leavesQty]);
        expect(new Map(mirrored as [OrderId, number][])).toEqual(
          new Map(cuts as [OrderId, number][]),
        );
      }),
    );
  });

  test("what the cuts leave of plain orders can all fill, and never opens, grows or turns", () => {
    const resting = fc.record({ on: side, leavesQty: qty, of: fc.constantFrom(LIMIT, STOP) });
    fc.assert(
      fc.property(held, fc.array(resting, { maxLength: 6 }), (netQty, drawn) => {
        const all = drawn.map(({ on, leavesQty, of }) => working(on, leavesQty, of));
        const cuts = exitCuts(reckoned(netQty, all));
        const leaves = (one: OrderReport) =>
          cuts.find(({ order }) => order === one)?.leavesQty ?? one.leavesQty;
        const after = all.reduce((net, one) => net + sign(one.side) * leaves(one), netQty);
        expect(Math.abs(after)).toBeLessThanOrEqual(Math.abs(netQty));
        expect(after * netQty).toBeGreaterThanOrEqual(0);
        for (const { order, leavesQty } of cuts) expect(leavesQty).toBeLessThan(order.leavesQty);
      }),
    );
  });
});

describe("whether an order adds, and the worst position on its side", () => {
  const judge = (order: RiskOrder, netQty: number, all: readonly OrderReport[] = []) => {
    const reckoning = reckoned(netQty, all);
    const worst = worstQty(order, reckoning);
    return [adds(order, reckoning), worst.kind === "known" ? worst.qty : worst];
  };

  test.each<[held: number, Side, qty: number, adds: boolean, worst: number]>([
    [0, "BUY", 1, true, 1],
    [0, "SELL", 1, true, 1],
    [2, "BUY", 1, true, 3],
    [-2, "SELL", 1, true, 3],
    [2, "SELL", 1, false, 0],
    [2, "SELL", 2, false, 0],
    [2, "SELL", 3, true, 1],
    [-2, "BUY", 2, false, 0],
    [-2, "BUY", 5, true, 3],
  ])("holding %i, %s %i: adds %s, at worst %i", (netQty, on, orderQty, isAdding, worst) => {
    expect(judge({ ...MARKET, side: on, orderQty }, netQty)).toEqual([isAdding, worst]);
  });

  test("it is no exit of what may end unfilled, nor of what an exit is closing", () => {
    const sold = [working("SELL", 7, { ...MARKET, cumQty: 3 })];
    expect(judge({ ...MARKET, side: "SELL", orderQty: 7 }, 7, sold)).toEqual([true, 7]);
    const bought = [working("BUY", 7, { ...MARKET, cumQty: 3 })];
    expect(judge({ ...MARKET, side: "SELL", orderQty: 10 }, 3, bought)).toEqual([true, 7]);
    expect(judge({ ...MARKET, side: "SELL", orderQty: 3 }, 3, bought)).toEqual([false, 0]);
  });

  test("what still fills on the other side may fill last", () => {
    const stop = working("SELL", 4, { ...STOP, role: "STOP_LOSS", cumQty: 1 });
    expect(judge({ ...MARKET, side: "BUY", orderQty: 5 }, 4, [stop])).toEqual([true, 9]);
    const close = working("BUY", 2, { ...MARKET, cumQty: 1 });
    expect(judge({ ...MARKET, side: "SELL", orderQty: 3 }, -2, [close])).toEqual([true, 5]);
  });

  test("a leg on its side may fill first, and the order after it", () => {
    const stop = working("BUY", 5, { ...STOP, role: "STOP_LOSS" });
    expect(judge({ ...LIMIT, side: "BUY", orderQty: 10 }, -5, [stop])).toEqual([true, 10]);
  });

  test("our legs of the position that it turns around at once are cut right after it", () => {
    const bracket = pair("SELL", 2);
    expect(judge({ ...MARKET, side: "SELL", orderQty: 4 }, 2, bracket)).toEqual([true, 2]);
    expect(judge({ ...LIMIT, side: "SELL", orderQty: 4 }, 2, bracket)).toEqual([true, 4]);
    const byHand = bracket.map((leg) => ({ ...leg, clOrdId: clOrdId("manual") }));
    expect(judge({ ...MARKET, side: "SELL", orderQty: 4 }, 2, byHand)).toEqual([true, 4]);
  });

  test("an order with a bracket adds: its legs are orders too", () => {
    expect(judge({ ...MARKET, side: "SELL", orderQty: 1, bracket: {} }, 5)).toEqual([true, 0]);
  });

  test("an exit that ends at once is one whatever rests", () => {
    const rests = (all: readonly OrderReport[]) =>
      all.filter(({ ordType, timeInForce }) => ordType !== "MARKET" && timeInForce !== "IOC");
    fc.assert(
      fc.property(
        fc.constantFrom(MARKET, IOC),
        side,
        qty,
        held,
        orders,
        (of, on, orderQty, net, all) => {
          const order = { ...of, side: on, orderQty };
          expect(adds(order, reckoned(net, rests(all)))).toBe(adds(order, reckoned(net)));
        },
      ),
    );
  });

  test("orders that rest and do not add can all fill, and never grow or turn the position", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(side, qty), { maxLength: 10 }), held, (asked, netQty) => {
        const all: OrderReport[] = [];
        for (const [on, orderQty] of asked) {
          const isAdding = adds({ ...LIMIT, side: on, orderQty }, reckoned(netQty, all));
          if (!isAdding) all.push(working(on, orderQty));
        }
        const after = all.reduce((net, one) => net + sign(one.side) * one.leavesQty, netQty);
        expect(Math.abs(after)).toBeLessThanOrEqual(Math.abs(netQty));
        expect(after * netQty).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe("what is to be taken from plain orders", () => {
  const cuts = (netQty: number, all: readonly OrderReport[]) =>
    exitCuts(reckoned(netQty, all)).map(({ order, leavesQty }) => [order, leavesQty]);

  test("all of entries, and of exits what they have beyond the position, the oldest being kept", () => {
    const [grows, first, second] = [working("BUY", 1), working("SELL", 1), working("SELL", 3)];
    const leg = working("SELL", 9, { role: "STOP_LOSS" });
    expect(cuts(2, [grows, first, second, leg])).toEqual([
      [grows, 0],
      [second, 1],
    ]);
    expect(cuts(0, [grows, first])).toHaveLength(2);
  });

  test.each(["STOP", "TRAILING_STOP", "STOP_LIMIT"] as const)(
    "of rivals a %s stays, however young it is",
    (ordType) => {
      const [limit, stop] = [working("SELL", 2), working("SELL", 2, { ordType })];
      expect(cuts(2, [limit, stop])).toEqual([[limit, 0]]);
    },
  );

  test("a stop that is larger than the position protects what is held", () => {
    const stop = working("SELL", 5, STOP);
    expect(cuts(2, [stop])).toEqual([[stop, 2]]);
  });

  test("what is being filled leaves the stop where it is until it has", () => {
    const [closing, stop] = [working("SELL", 2, MARKET), working("SELL", 2, STOP)];
    expect(cuts(2, [closing, stop])).toEqual([]);
    const entering = working("BUY", 3, MARKET);
    const whole = working("SELL", 5, STOP);
    expect(cuts(2, [entering, whole])).toEqual([[entering, 0]]);
  });

  test("an order that is being filled ends wholly where it would turn the position around", () => {
    const reversing = working("SELL", 5, MARKET);
    expect(cuts(2, [reversing])).toEqual([[reversing, 0]]);
  });
});
