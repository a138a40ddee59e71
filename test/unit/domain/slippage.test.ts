import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Side } from "../../../src/domain/order.ts";
import { type PricedIn, slippageTicks } from "../../../src/domain/slippage.ts";

/** So many ticks on average: the sum of `of` contracts' prices. */
const at = (numerator: number, tickSize = "0.25", of = 1): PricedIn => ({
  px: { numerator, denominator: of },
  tickSize,
});

describe("slippage", () => {
  test.each<[string, Side, PricedIn, PricedIn, number]>([
    ["a buy that paid more is worse", "BUY", at(20_003), at(20_000), 3],
    ["a buy that paid less is better", "BUY", at(19_998), at(20_000), -2],
    ["a sell that got less is worse", "SELL", at(19_999), at(20_000), 1],
    ["a sell that got more is better", "SELL", at(20_004), at(20_000), -4],
    ["the same price is none", "BUY", at(20_000), at(20_000), 0],
    ["averages are compared exactly", "BUY", at(40_001, "0.25", 2), at(20_000), 0.5],
    ["thirds end after two decimals", "SELL", at(59_999, "0.25", 3), at(20_000), 0.33],
    ["in the follower's ticks, of a finer one", "BUY", at(50_001, "0.1"), at(20_000), 1],
    ["in the follower's ticks, of a coarser one", "BUY", at(20_001), at(50_000, "0.1"), 1],
    ["tiny ticks do not round away", "SELL", at(13_999, "0.0000005"), at(14_000, "0.0000005"), 1],
    ["negative prices, as oil once had", "BUY", at(-3_750, "0.01"), at(-3_763, "0.01"), 13],
  ])("%s", (_, side, follower, leader, expected) => {
    expect(slippageTicks(side, follower, leader)).toBe(expected);
  });

  test.each<[string, PricedIn, PricedIn]>([
    ["of two markets", at(20_000), at(24_000)],
    ["just over 2 % apart", at(20_401), at(20_000)],
    ["just over 2 % apart, downwards", at(19_599), at(20_000)],
    ["with a tick size that cannot be read", at(20_000, "a quarter"), at(20_000)],
  ])("is not told of prices %s", (_, follower, leader) => {
    expect(slippageTicks("BUY", follower, leader)).toBeUndefined();
  });

  test("is told up to 2 % of the leader's price", () => {
    expect(slippageTicks("BUY", at(20_400), at(20_000))).toBe(400);
    expect(slippageTicks("SELL", at(19_600), at(20_000))).toBe(400);
  });

  test("of a sell is that of a buy with the sign turned", () => {
    const price = fc.integer({ min: 19_900, max: 20_100 });
    const of = fc.integer({ min: 1, max: 7 });
    fc.assert(
      fc.property(price, price, of, of, (own, other, ownOf, otherOf) => {
        const follower = at(own * ownOf, "0.25", ownOf);
        const leader = at(other * otherOf, "0.25", otherOf);
        const bought = slippageTicks("BUY", follower, leader);
        expect(bought).toBe(own - other);
        expect(slippageTicks("SELL", follower, leader)).toBe(other - own);
      }),
    );
  });
});
