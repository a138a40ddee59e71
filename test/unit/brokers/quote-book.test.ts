import { beforeEach, describe, expect, test } from "vitest";
import { toldPrices, type TradovateQuote } from "../../../src/brokers/tradovate/market-messages.ts";
import { QuoteBook } from "../../../src/brokers/quote-book.ts";
import { tickSize } from "../../../src/domain/contracts/price.ts";
import { QUOTE_STALE_AFTER_MS } from "../../../src/domain/quote.ts";

let book: QuoteBook;
let now: number;

beforeEach(() => {
  book = new QuoteBook(tickSize("0.25"));
  now = 1_000_000;
});

const hear = (message: Partial<TradovateQuote>) => {
  const { heardAt: _, ...prices } = book.take(
    toldPrices({ contractId: 1, isBookEmpty: false, ...message }),
    now,
  );
  return prices;
};
const entry = (price: number, size = 1) => ({ price, size });
const WHOLE = { bid: entry(5_000), offer: entry(5_000.25), trade: entry(5_000) };

describe("a quote", () => {
  test("is what is told, in ticks", () => {
    expect(hear({ ...WHOLE, at: 7 })).toEqual({
      bid: 20_000,
      ask: 20_001,
      last: 20_000,
      toldAt: 7,
    });
    expect(
      book.take(toldPrices({ contractId: 1, isBookEmpty: false, ...WHOLE }), now).heardAt,
    ).toBe(now);
  });

  test("has no side that nobody told", () => {
    expect(hear({ trade: entry(5_000) })).toEqual({ last: 20_000 });
    expect(hear({})).toEqual({ last: 20_000 });
  });

  test("keeps what a message leaves out for as long as it is not old, and no longer", () => {
    hear(WHOLE);
    now += QUOTE_STALE_AFTER_MS;
    expect(hear({ offer: entry(5_000.5) })).toEqual({ bid: 20_000, ask: 20_002, last: 20_000 });
    now += 1;
    expect(hear({ offer: entry(5_000.5) })).toEqual({ ask: 20_002 });
  });

  test("is as old as the oldest price in it, whatever else is told meanwhile", () => {
    const told = (message: Partial<TradovateQuote>) =>
      book.take(toldPrices({ contractId: 1, isBookEmpty: false, ...message }), now).heardAt;
    const begunAt = now;
    told(WHOLE);
    now += QUOTE_STALE_AFTER_MS - 1;
    expect(told({})).toBe(begunAt);
    expect(told({ offer: entry(5_000.5) })).toBe(begunAt);
    now += 2;
    expect(told({})).toBe(now - 2);
  });

  test("loses a side of which nothing is left, and both where the book is empty", () => {
    hear(WHOLE);
    expect(hear({ bid: { size: 0 } })).toEqual({ ask: 20_001, last: 20_000 });
    expect(hear({ bid: entry(5_000), isBookEmpty: true })).toEqual({ bid: 20_000, last: 20_000 });
    expect(hear({ isBookEmpty: true })).toEqual({ last: 20_000 });
  });

  test("has no price between two ticks, nor the one that stood before", () => {
    hear(WHOLE);
    expect(hear({ bid: entry(5_000.1), offer: entry(1e21) })).toEqual({ last: 20_000 });
    expect(hear({ bid: entry(5_000.250_000_000_001), trade: entry(0.3) })).toEqual({
      bid: 20_001,
    });
  });

  test("takes a zero without a size for none, and negative prices for what they are", () => {
    expect(hear({ bid: { price: 0 }, offer: entry(0, 3), trade: entry(-1.25, 0) })).toEqual({
      ask: 0,
      last: -5,
    });
  });
});
