import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { entryExits } from "../../../../src/brokers/projectx/entry-exits.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { type LegLevel, type NewOrderSingle, SIDES, sign } from "../../../../src/domain/order.ts";
import { LIMIT, MARKET } from "./desk-kit.ts";

const at = (price: number): LegLevel => ({ by: "price", price: ticks(price) });
const away = (distance: number): LegLevel => ({ by: "distance", distance: ticks(distance) });
const REFUSED = { kind: "rejected", reason: expect.stringMatching(/\w/) };

const ENTRY = fc.record({
  side: fc.constantFrom(...SIDES),
  px: fc.integer({ min: -1_000, max: 1_000 }),
  profit: fc.integer({ min: -10, max: 50 }),
  loss: fc.integer({ min: -10, max: 50 }),
  isByPrice: fc.boolean(),
  ordType: fc.constantFrom("MARKET" as const, "LIMIT" as const, "STOP" as const),
});

describe("the exits of an entry in signed ticks", () => {
  test("lie as far from it as was asked for, on the right side, or the order is refused", () => {
    fc.assert(
      fc.property(ENTRY, ({ side, px, profit, loss, isByPrice, ordType }) => {
        const up = sign(side);
        const bracket = isByPrice
          ? { takeProfit: at(px + up * profit), stopLoss: at(px - up * loss) }
          : { takeProfit: away(profit), stopLoss: away(loss) };
        const level = ordType === "STOP" ? { stopPx: ticks(px) } : { price: ticks(px) };
        const order: NewOrderSingle = {
          ...MARKET,
          ...(ordType !== "MARKET" && level),
          ordType,
          side,
          bracket,
        };
        const legs = {
          takeProfitBracket: { ticks: up * profit, type: 1 },
          stopLossBracket: { ticks: -up * loss, type: 4 },
        };
        const isFar = profit >= 4 && loss >= 4;
        expect(entryExits(order, ticks(px))).toEqual(isFar ? { kind: "legs", legs } : REFUSED);
      }),
    );
  });

  test("are those that were asked for, and no other", () => {
    const only = entryExits({ ...LIMIT, bracket: { stopLoss: away(8) } }, undefined);
    expect(only).toEqual({ kind: "legs", legs: { stopLossBracket: { ticks: -8, type: 4 } } });
  });

  test("are never guessed: a level by price of a market entry needs a price to count from", () => {
    const bracket = { takeProfit: away(8), stopLoss: at(30) };
    expect(entryExits({ ...MARKET, bracket }, undefined)).toEqual(REFUSED);
    expect(entryExits({ ...MARKET, bracket }, ticks(40))).toMatchObject({ kind: "legs" });
  });
});
