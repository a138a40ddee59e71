import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import type { PlanLevel } from "../../../../src/domain/exits/exit-plan.ts";
import { bracketOfPlan, needsEntryPrice } from "../../../../src/domain/exits/plan-bracket.ts";
import { beyondPx, firstStopPx, type PlanBase } from "../../../../src/domain/exits/plan-levels.ts";
import { followPrice, nextStopPx } from "../../../../src/domain/exits/plan-stop.ts";
import type { RunningPlan } from "../../../../src/domain/exits/running-plan.ts";
import { clOrdId, intentId } from "../../../../src/domain/ids.ts";
import { sign } from "../../../../src/domain/order.ts";
import { quoteHeardAt } from "../../../../src/domain/quote.ts";

/** An average of 4,000 1/3 ticks. */
const ENTRY = { numerator: 12_001n, denominator: 3n };
const base = (side: "BUY" | "SELL", stop?: PlanLevel): PlanBase => ({
  side,
  entry: ENTRY,
  tickValue: "12.50",
  plan: stop === undefined ? {} : { stop },
});

describe("levels", () => {
  test.each([
    ["BUY", { by: "ticks", ticks: ticks(10) }, 3_991],
    ["SELL", { by: "ticks", ticks: ticks(10) }, 4_010],
    ["BUY", { by: "percent", percent: "0.1" }, 3_997],
    ["SELL", { by: "percent", percent: "0.1" }, 4_004],
    ["BUY", { by: "money", money: "100" }, 3_993],
    ["BUY", { by: "price", price: ticks(3_950) }, 3_950],
    ["BUY", { by: "percent", percent: "0.00001" }, 4_000],
    ["SELL", { by: "percent", percent: "0.00001" }, 4_001],
  ] as const)("%s: the first stop is never further away (%o)", (side, stop, px) => {
    expect(firstStopPx(base(side, stop))).toBe(px);
  });

  test.each([
    ["BUY", { by: "ticks", ticks: ticks(10) }, 4_010],
    ["SELL", { by: "ticks", ticks: ticks(10) }, 3_990],
    ["BUY", { by: "r", r: "2.5" }, 4_025],
    ["BUY", { by: "percent", percent: "0.00001" }, 4_001],
  ] as const)("%s: a target goes to the nearest tick beyond the entry (%o)", (side, at, px) => {
    expect(beyondPx(at, base(side, { by: "ticks", ticks: ticks(10) }))).toBe(px);
  });

  test("in money are unknown where nobody tells what a tick is worth", () => {
    const stop = { by: "money", money: "100" } as const;
    const unpriced = { ...base("BUY", stop), tickValue: undefined };
    expect(firstStopPx(unpriced)).toBeUndefined();
    expect(beyondPx({ by: "r", r: "2" }, unpriced)).toBeUndefined();
  });

  test("of a plan without a stop: no first stop, and no target that is counted in its risk", () => {
    expect(firstStopPx(base("BUY"))).toBeUndefined();
    expect(beyondPx({ by: "r", r: "2" }, base("BUY"))).toBeUndefined();
  });
});

describe("the bracket of a plan", () => {
  test("has the first stop and the first target, by their distances", () => {
    const plan = {
      targets: [{ at: { by: "r", r: "1.5" } }, { at: { by: "r", r: "9" } }],
      stop: { by: "money", money: "130" },
    } as const;
    expect(needsEntryPrice(plan)).toBe(false);
    expect(bracketOfPlan(plan, { ...base("BUY"), entry: undefined, plan })).toEqual({
      stopLoss: { by: "distance", distance: 10 },
      takeProfit: { by: "distance", distance: 16 },
    });
  });

  test("that counts by the entry's price is none without it", () => {
    const plan = { targets: [], stop: { by: "percent", percent: "1" } } as const;
    expect(needsEntryPrice(plan)).toBe(true);
    expect(bracketOfPlan(plan, { ...base("BUY"), entry: undefined, plan })).toBeUndefined();
  });

  test("has what trails from the entry on as its stop", () => {
    const distance = { by: "ticks", ticks: ticks(7) } as const;
    const plan = { targets: [], trailing: { distance, step: ticks(1) } };
    expect(bracketOfPlan(plan, { ...base("BUY"), plan })).toEqual({
      stopLoss: { by: "distance", distance: 7 },
    });
  });
});

test("a stop never goes back, whatever the market does, and never stands where it would trade", () => {
  const arbitrary = fc.record({
    side: fc.constantFrom("BUY" as const, "SELL" as const),
    bids: fc.array(fc.integer({ min: 3_900, max: 4_100 }), { maxLength: 30 }),
    from: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
    distance: fc.integer({ min: 1, max: 40 }),
    step: fc.integer({ min: 1, max: 10 }),
    after: fc.integer({ min: 1, max: 40 }),
  });
  const level = (count: number) => ({ by: "ticks", ticks: ticks(count) }) as const;
  fc.assert(
    fc.property(arbitrary, ({ side, bids, from, distance, step, after }) => {
      let running: RunningPlan = {
        planId: intentId("i1"),
        contract: "ESZ2026" as RunningPlan["contract"],
        scope: "entry",
        clOrdId: clOrdId("i1-1"),
        side,
        plan: {
          targets: [],
          stop: level(20),
          breakeven: { after: level(after), plus: ticks(1) },
          trailing: {
            distance: level(distance),
            step: ticks(step),
            ...(from !== undefined && { from: level(from) }),
          },
        },
        filled: { qty: 1, avgPx: { numerator: 4_000, denominator: 1 } },
        begunAt: 0,
        pairs: [],
        closes: 0,
      };
      const planBase = { side, entry: { numerator: 4_000n, denominator: 1n }, plan: running.plan };
      let stopPx = firstStopPx({ ...planBase, tickValue: undefined });
      for (const bid of bids) {
        const quote = quoteHeardAt(0, { bid: ticks(bid), ask: ticks(bid + 1) });
        const px = ticks(side === "BUY" ? bid : bid + 1);
        running = followPrice(running, { ...planBase, tickValue: undefined }, px);
        const next = nextStopPx(running, { ...planBase, tickValue: undefined }, { stopPx, quote });
        if (next === undefined || stopPx === undefined) continue;
        expect(sign(side) * (next - stopPx)).toBeGreaterThan(0);
        expect(sign(side) * (px - next)).toBeGreaterThan(0);
        stopPx = next;
      }
    }),
  );
});
