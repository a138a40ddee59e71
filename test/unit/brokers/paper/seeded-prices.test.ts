import { describe, expect, test } from "vitest";
import { contracts } from "../../../../config/contracts.ts";
import { createSeededFeed } from "../../../../src/brokers/paper/feed/seeded-feed.ts";
import { contractCode } from "../../../../src/domain/contracts/contract.ts";
import {
  formatTicks,
  type Ticks,
  ticks,
  type TickSize,
} from "../../../../src/domain/contracts/price.ts";
import { WEDNESDAY } from "./test-exchange.ts";

const rows = new Map(contracts.map((product) => [product.root, product]));
const pricedAs = (root: string) => rows.get(root)?.market ?? root;
const smaller = [...rows.keys()].filter((root) => pricedAs(root) !== root);
const december = (root: string) => contractCode({ root, year: 2026, month: 12 });

function sizeOf(root: string): TickSize {
  const size = rows.get(root)?.tickSize;
  if (size === undefined) throw new Error(`${root} is not in the table`);
  return size;
}

const hasTicksOf = (one: string, other: string) => sizeOf(one) === sizeOf(other);

/** The price as a number that is exact enough to be compared. */
const inPrice = (root: string, price: Ticks = ticks(NaN)) =>
  Number(formatTicks(price, sizeOf(root)));

describe("prices of the smaller contracts", () => {
  const clock = { now: WEDNESDAY };
  const feed = createSeededFeed({
    seed: 1,
    now: () => clock.now,
    productOf: (root) => rows.get(root),
  });

  test("are told of the usual ones", () => {
    expect(smaller).toEqual(expect.arrayContaining(["MES", "MNQ", "M2K", "MYM", "MCL", "MGC"]));
    expect(smaller.map((root) => pricedAs(pricedAs(root)))).toEqual(smaller.map(pricedAs));
  });

  test.each(smaller)("%s has the price of its larger contract, to its own tick", (root) => {
    const larger = pricedAs(root);
    const tick = Number(sizeOf(root));
    for (let i = 0; i < 500; i += 1) {
      clock.now = WEDNESDAY + i * 47_250;
      const [own, other] = [root, larger].map((each) => feed.quote(december(each)));
      expect(hasTicksOf(root, larger) ? own : other).toEqual(other);
      const below = inPrice(larger, other?.bid) - inPrice(root, own?.bid);
      expect(below).toBeGreaterThan(-1e-9);
      expect(below).toBeLessThan(tick - 1e-9);
      expect((own?.ask ?? NaN) - (own?.bid ?? NaN)).toBe(1);
    }
    expect(feed.quote(december(root))).not.toEqual(
      feed.quote(contractCode({ root, year: 2027, month: 3 })),
    );
  });

  test.each(smaller)("bars of %s are those of its larger contract", (root) => {
    const larger = pricedAs(root);
    const tick = Number(sizeOf(root));
    const wanted = { minutes: 5, count: 100, now: WEDNESDAY };
    const [own = [], other = []] = [root, larger].map((each) => feed.bars(december(each), wanted));
    expect(hasTicksOf(root, larger) ? own : other).toEqual(other);
    expect(own.map(({ volume }) => volume)).toEqual(other.map(({ volume }) => volume));
    for (const [index, bar] of own.entries()) {
      for (const price of ["open", "high", "low", "close"] as const) {
        const below = inPrice(larger, other[index]?.[price]) - inPrice(root, bar[price]);
        expect(below).toBeGreaterThan(-1e-9);
        expect(below).toBeLessThan(tick - 1e-9);
      }
    }
  });
});
