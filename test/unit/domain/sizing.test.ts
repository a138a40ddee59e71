import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rescale, type Scaled } from "../../../src/domain/contracts/decimal.ts";
import { exact } from "./exact.ts";
import { ticks } from "../../../src/domain/contracts/price.ts";
import { minor } from "../../../src/domain/money.ts";
import type { LegLevel } from "../../../src/domain/order.ts";
import {
  contractsFor,
  entryPrice,
  largestAllowed,
  needsQuote,
  riskAllowed,
  riskInWords,
  riskOfOne,
  ticksToStop,
} from "../../../src/domain/sizing.ts";
import { quoteHeardAt } from "../../../src/domain/quote.ts";

/** ES: a tick is worth 12.50 USD. */
const es = (count: number, fee?: string) =>
  riskOfOne({ ticks: count, tickValue: "12.50", fee: fee === undefined ? undefined : exact(fee) });
const QUOTE = quoteHeardAt(0, {
  bid: ticks(19_999),
  ask: ticks(20_001),
  last: ticks(20_000),
});
const at = (price: number): { bracket: { stopLoss: LegLevel } } => ({
  bracket: { stopLoss: { by: "price", price: ticks(price) } },
});
const away = (distance: number): { bracket: { stopLoss: LegLevel } } => ({
  bracket: { stopLoss: { by: "distance", distance: ticks(distance) } },
});

describe("how many contracts a risk allows", () => {
  test.each([
    // 24 ticks of ES are 300, 50 are 625.
    ["500", es(24), 1],
    ["500", es(50), 0],
    ["600", es(24), 2],
    ["599.99", es(24), 1],
    ["600", es(24, "0.005"), 1],
    ["600.02", es(24, "0.005"), 2],
    ["0.01", es(24), 0],
    // A tick of 6J is worth 6.25, and of a micro 0.5: none of it goes through floating point.
    ["0.3", riskOfOne({ ticks: 3, tickValue: "0.1", fee: undefined }), 1],
    ["1000000000000", riskOfOne({ ticks: 1, tickValue: "0.0001", fee: undefined }), 1_000_000],
  ])("%s with one at %o is %i", (risk, one, count) => {
    expect(contractsFor(exact(risk), one)).toBe(count);
  });

  test("fees are paid on the way in and on the way out", () => {
    expect(riskInWords(es(24, "2.25"), "USD")).toBe("304.50");
  });

  const cents = fc.integer({ min: 1, max: 100_000_000 });
  const scaledOf = (units: number, scale: number): Scaled => ({ units: BigInt(units), scale });
  const one = fc.record({
    ticks: fc.integer({ min: 1, max: 10_000 }),
    value: fc.integer({ min: 1, max: 1_000_000 }),
    fee: fc.integer({ min: 0, max: 10_000 }),
  });
  const riskOf = ({ ticks: count, value, fee }: { ticks: number; value: number; fee: number }) => ({
    ticks: count,
    tickValue: (value / 10_000).toFixed(4),
    fee: scaledOf(fee, 3),
  });

  test("they never lose more than the risk, and one more would", () => {
    fc.assert(
      fc.property(cents, one, (units, parts) => {
        const [risk, each] = [scaledOf(units, 2), riskOfOne(riskOf(parts))];
        const count = contractsFor(risk, each);
        const scale = Math.max(risk.scale, each.scale);
        const loses = (qty: number) => rescale(each, scale) * BigInt(qty);
        expect(loses(count) <= rescale(risk, scale)).toBe(true);
        expect(count === 1_000_000 || loses(count + 1) > rescale(risk, scale)).toBe(true);
      }),
    );
  });

  test("more risk is never fewer, and a farther stop or a higher fee never more", () => {
    fc.assert(
      fc.property(cents, cents, one, (units, more, parts) => {
        const risk = scaledOf(units, 2);
        const count = contractsFor(risk, riskOfOne(riskOf(parts)));
        const farther = { ...parts, ticks: parts.ticks + 1 };
        const dearer = { ...parts, fee: parts.fee + 1 };
        expect(
          contractsFor(scaledOf(units + more, 2), riskOfOne(riskOf(parts))),
        ).toBeGreaterThanOrEqual(count);
        expect(contractsFor(risk, riskOfOne(riskOf(farther)))).toBeLessThanOrEqual(count);
        expect(contractsFor(risk, riskOfOne(riskOf(dearer)))).toBeLessThanOrEqual(count);
      }),
    );
  });
});

describe("what a percentage allows", () => {
  test.each([
    ["1", 5_000_000, "500.00"],
    ["0.25", 5_000_001, "125.00"],
    ["33.333", 300, "0.99"],
  ])("%s percent of %i cents is %s, rounded down where it is said", (percent, amount, words) => {
    const worth = { amount: minor(amount), currency: "USD" };
    const allowed = riskAllowed({ by: "riskPercent", percent }, worth);
    expect(allowed && riskInWords(allowed, "USD")).toBe(words);
  });

  test("is not known while the account's worth is not, and nothing of an account in debt", () => {
    expect(riskAllowed({ by: "riskPercent", percent: "1" }, undefined)).toBeUndefined();
    const debt = riskAllowed(
      { by: "riskPercent", percent: "1" },
      { amount: minor(-5), currency: "USD" },
    );
    expect(debt && contractsFor(debt, es(1))).toBe(0);
  });
});

describe("ticks to the stop-loss", () => {
  test.each([
    ["a distance needs no price", { side: "BUY", ...away(24) }, undefined, 24],
    [
      "of a buy from its limit",
      { side: "BUY", price: ticks(20_010), ...at(19_990) },
      undefined,
      20,
    ],
    [
      "of a sell from its limit",
      { side: "SELL", price: ticks(19_990), ...at(20_010) },
      undefined,
      20,
    ],
    [
      "of a stop from its stop",
      { side: "BUY", stopPx: ticks(20_020), ...at(20_000) },
      undefined,
      20,
    ],
    [
      "of a stop limit from the worse one",
      { side: "BUY", price: ticks(20_025), stopPx: ticks(20_020), ...at(20_000) },
      undefined,
      25,
    ],
    [
      "the same of a sell",
      { side: "SELL", price: ticks(19_970), stopPx: ticks(19_980), ...at(20_000) },
      undefined,
      30,
    ],
    ["at the market a buy from the ask", { side: "BUY", ...at(19_990) }, QUOTE, 11],
    ["a sell from the bid", { side: "SELL", ...at(20_010) }, QUOTE, 11],
    [
      "from the last trade where no side is told",
      { side: "BUY", ...at(19_990) },
      quoteHeardAt(0, { last: ticks(20_000) }),
      10,
    ],
    [
      "what trails, ahead of the market",
      { side: "BUY", trailOffset: ticks(8), ...at(19_990) },
      QUOTE,
      19,
    ],
    ["on the winning side they are none", { side: "BUY", ...at(20_001) }, QUOTE, 0],
    ["unknown without a price", { side: "BUY", ...at(19_990) }, undefined, undefined],
    ["unknown without a stop-loss", { side: "BUY" }, QUOTE, undefined],
  ] as const)("%s", (_, order, quote, count) => {
    expect(ticksToStop(order, quote)).toBe(count);
    expect(needsQuote(order)).toBe(
      "bracket" in order &&
        order.bracket.stopLoss.by === "price" &&
        entryPrice(order, undefined) === undefined,
    );
  });
});

describe("the largest quantity that is not refused", () => {
  test.each([1, 2, 3, 7, 99, 100, 1_000_000])("up to a limit of %i", (limit) => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), (most) => {
        const found = largestAllowed(most, (qty) => (qty > limit ? `over ${limit}` : undefined));
        expect(found.qty).toBe(Math.min(most, limit));
        expect(found.cappedBy).toBe(most > limit ? `over ${limit}` : undefined);
      }),
    );
  });

  test("what refuses one contract is left to say so itself", () => {
    expect(largestAllowed(5, () => "no").qty).toBe(1);
    expect(largestAllowed(1, () => "no")).toEqual({ qty: 1 });
  });
});
