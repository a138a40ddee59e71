import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { type OrderReport, type Side, SIDES, sign } from "../../../src/domain/order.ts";
import { assessRisk, riskyResting } from "../../../src/domain/risk.ts";

const MARKET = { ordType: "MARKET", timeInForce: "DAY" } as const;
const LIMIT = { ordType: "LIMIT", timeInForce: "DAY" } as const;
const IOC = { ordType: "LIMIT", timeInForce: "IOC" } as const;

type Working = Pick<OrderReport, "side" | "leavesQty" | "role">;

describe("assessRisk", () => {
  test.each<[held: number, Side, qty: number, adds: boolean, worstQty: number]>([
    [0, "BUY", 1, true, 1],
    [0, "SELL", 1, true, 1],
    [2, "BUY", 1, true, 3],
    [-2, "SELL", 1, true, 3],
    [2, "SELL", 1, false, 0],
    [2, "SELL", 2, false, 0],
    [2, "SELL", 3, true, 1],
    [-2, "BUY", 2, false, 0],
    [-2, "BUY", 5, true, 3],
  ])("holding %i, %s %i: adds %s, at worst %i", (held, side, orderQty, adds, worstQty) => {
    expect(assessRisk({ ...MARKET, side, orderQty }, held, [])).toEqual({ adds, worstQty });
  });

  test("resting entries on the same side count, legs and the other side do not", () => {
    const working: Working[] = [
      { side: "BUY", leavesQty: 3, role: "ORDER" },
      { side: "BUY", leavesQty: 5, role: "STOP_LOSS" },
      { side: "BUY", leavesQty: 7, role: "TAKE_PROFIT" },
      { side: "SELL", leavesQty: 11, role: "ORDER" },
    ];
    expect(assessRisk({ ...LIMIT, side: "BUY", orderQty: 1 }, 2, working).worstQty).toBe(6);
  });

  const side = fc.constantFrom(...SIDES);
  const atOnce = fc.constantFrom(MARKET, IOC);
  const kind = fc.constantFrom(MARKET, IOC, LIMIT);
  const qty = fc.integer({ min: 1, max: 1_000 });
  const held = fc.integer({ min: -1_000, max: 1_000 });
  const resting = fc.array(
    fc.record({
      side,
      leavesQty: fc.integer({ min: 0, max: 50 }),
      role: fc.constantFrom("ORDER" as const, "TAKE_PROFIT" as const, "STOP_LOSS" as const),
    }),
    { maxLength: 5 },
  );

  test("with nothing resting, an order adds exactly when its fill grows the position or turns it", () => {
    fc.assert(
      fc.property(kind, side, qty, held, (of, on, orderQty, netQty) => {
        const after = netQty + sign(on) * orderQty;
        const grows = Math.abs(after) > Math.abs(netQty);
        const turns = netQty !== 0 && Math.sign(after) === -Math.sign(netQty);
        expect(assessRisk({ ...of, side: on, orderQty }, netQty, []).adds).toBe(grows || turns);
      }),
    );
  });

  test("orders that rest and do not add can all fill, and never grow or turn the position", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(side, qty), { maxLength: 10 }), held, (orders, netQty) => {
        const working: Working[] = [];
        for (const [on, orderQty] of orders) {
          const { adds } = assessRisk({ ...LIMIT, side: on, orderQty }, netQty, working);
          if (!adds) working.push({ side: on, leavesQty: orderQty, role: "ORDER" });
        }
        const after = working.reduce((net, one) => net + sign(one.side) * one.leavesQty, netQty);
        expect(Math.abs(after)).toBeLessThanOrEqual(Math.abs(netQty));
        expect(after * netQty).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test("an exit that ends at once is an exit, whatever rests", () => {
    fc.assert(
      fc.property(atOnce, side, qty, held, resting, (of, on, orderQty, netQty, working) => {
        const alone = assessRisk({ ...of, side: on, orderQty }, netQty, []);
        expect(assessRisk({ ...of, side: on, orderQty }, netQty, working).adds).toBe(alone.adds);
      }),
    );
  });

  test("an order with a bracket always adds: its legs are orders too", () => {
    const order = { ...MARKET, side: "SELL", orderQty: 1, bracket: {} } as const;
    expect(assessRisk(order, 5, []).adds).toBe(true);
  });

  test("the worst position is never smaller than what the order alone leads to", () => {
    fc.assert(
      fc.property(side, qty, held, resting, (of, orderQty, netQty, working) => {
        const { worstQty } = assessRisk({ ...LIMIT, side: of, orderQty }, netQty, working);
        const alone = (netQty + sign(of) * orderQty) * sign(of);
        expect(worstQty).toBeGreaterThanOrEqual(Math.max(0, alone));
      }),
    );
  });

  test("buying and selling are mirror images", () => {
    fc.assert(
      fc.property(qty, held, resting, (orderQty, netQty, working) => {
        const mirrored = working.map((one) => ({
          ...one,
          side: one.side === "BUY" ? ("SELL" as const) : ("BUY" as const),
        }));
        expect(assessRisk({ ...LIMIT, side: "BUY", orderQty }, netQty, working)).toEqual(
          assessRisk({ ...LIMIT, side: "SELL", orderQty }, -netQty, mirrored),
        );
      }),
    );
  });
});

describe("riskyResting", () => {
  test("names what could open or grow the position, the oldest exits being kept", () => {
    const order = (on: Side, leavesQty: number, role: Working["role"] = "ORDER") => ({
      side: on,
      leavesQty,
      role,
    });
    const working = [
      order("SELL", 1),
      order("BUY", 1),
      order("SELL", 2),
      order("SELL", 9, "STOP_LOSS"),
      order("SELL", 1),
    ];
    expect(riskyResting(2, working)).toEqual([order("BUY", 1), order("SELL", 2)]);
    expect(riskyResting(0, working)).toHaveLength(4);
  });

  test("what it leaves can all fill, and never grows or turns the position", () => {
    const one = fc.record({
      side: fc.constantFrom(...SIDES),
      leavesQty: fc.integer({ min: 1, max: 9 }),
      role: fc.constant("ORDER" as const),
    });
    fc.assert(
      fc.property(fc.array(one), fc.integer({ min: -20, max: 20 }), (working, netQty) => {
        const risky = new Set(riskyResting(netQty, working));
        const after = working
          .filter((order) => !risky.has(order))
          .reduce((net, order) => net + sign(order.side) * order.leavesQty, netQty);
        expect(Math.abs(after)).toBeLessThanOrEqual(Math.abs(netQty));
        expect(after * netQty).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
