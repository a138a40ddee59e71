import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  entryExits,
  needsReference,
} from "../../../../../src/brokers/projectx/exits/entry-exits.ts";
import type { ContractCode } from "../../../../../src/domain/contracts/contract.ts";
import { ticks } from "../../../../../src/domain/contracts/price.ts";
import { clOrdId } from "../../../../../src/domain/ids.ts";
import type { Bracket, NewOrderSingle } from "../../../../../src/domain/order.ts";

function order(other: Partial<NewOrderSingle>): NewOrderSingle {
  return {
    clOrdId: clOrdId("i0"),
    contract: "ESZ2026" as ContractCode,
    side: "BUY",
    orderQty: 1,
    ordType: "MARKET",
    timeInForce: "DAY",
    ...other,
  };
}

const at = (price: number) => ({ by: "price", price: ticks(price) }) as const;
const away = (distance: number) => ({ by: "distance", distance: ticks(distance) }) as const;

describe("the exits of an entry, as ProjectX takes them", () => {
  test.each([
    ["BUY", { stopLossBracket: { ticks: -7, type: 4 }, takeProfitBracket: { ticks: 12, type: 1 } }],
    [
      "SELL",
      { stopLossBracket: { ticks: 7, type: 4 }, takeProfitBracket: { ticks: -12, type: 1 } },
    ],
  ] as const)("distances are signed by the side: %s", (side, legs) => {
    const bracket = { stopLoss: away(7), takeProfit: away(12) };
    expect(entryExits(order({ side, bracket }), undefined)).toEqual({ kind: "legs", legs });
  });

  test("a level by price says the same as its distance, from wherever the entry fills", () => {
    const distance = fc.integer({ min: 4, max: 10_000 });
    const from = fc.integer({ min: -100_000, max: 100_000 });
    const side = fc.constantFrom("BUY", "SELL");
    const type = fc.constantFrom("MARKET", "LIMIT", "STOP");
    fc.assert(
      fc.property(distance, distance, from, side, type, (stop, target, price, own, ordType) => {
        const wins = own === "BUY" ? 1 : -1;
        const prices = {
          ...(ordType === "LIMIT" && { price: ticks(price) }),
          ...(ordType === "STOP" && { stopPx: ticks(price) }),
        };
        const entry = { side: own, ordType, ...prices } as const;
        const levels: Bracket = {
          stopLoss: at(price - wins * stop),
          takeProfit: at(price + wins * target),
        };
        const distances: Bracket = { stopLoss: away(stop), takeProfit: away(target) };
        const reference = ordType === "MARKET" ? ticks(price) : undefined;
        const byPrice = entryExits(order({ ...entry, bracket: levels }), reference);
        expect(byPrice).toEqual(entryExits(order({ ...entry, bracket: distances }), undefined));
        expect(byPrice.kind).toBe("legs");
      }),
    );
  });

  test("what is nearer than four ticks, or on the wrong side, is refused as a whole", () => {
    const near = fc.integer({ min: -50, max: 3 });
    const far = fc.integer({ min: 4, max: 50 });
    const sides = fc.constantFrom("BUY", "SELL");
    fc.assert(
      fc.property(near, far, sides, fc.boolean(), (wrong, right, side, isStop) => {
        const wins = side === "BUY" ? 1 : -1;
        const [stop, target] = isStop ? [wrong, right] : [right, wrong];
        const bracket = {
          stopLoss: at(1_000 - wins * stop),
          takeProfit: at(1_000 + wins * target),
        };
        const limit = { ordType: "LIMIT", price: ticks(1_000), side, bracket } as const;
        expect(entryExits(order(limit), undefined).kind).toBe("rejected");
      }),
    );
  });

  test("a level of a market order is never guessed", () => {
    const bracket = { stopLoss: at(980) };
    expect(needsReference(order({ bracket }))).toBe(true);
    expect(entryExits(order({ bracket }), undefined)).toMatchObject({ kind: "rejected" });
    const limit = { ordType: "LIMIT", price: ticks(1_000) } as const;
    expect(needsReference(order({ bracket, ...limit }))).toBe(false);
    expect(needsReference(order({ bracket: { stopLoss: away(20) } }))).toBe(false);
  });
});
