import { beforeEach, describe, expect, test } from "vitest";
import { toldPrices, type TradovateQuote } from "../../../src/brokers/tradovate/market-messages.ts";
import { QuoteBook } from "../../../src/brokers/quote-book.ts";
import { tickSize } from "../../../src/domain/contracts/price.ts";
import { QUOTE_STALE_AFTER_MS, pricesOf } from "../../../src/domain/quote.ts";

let book: QuoteBook;
let now: number;

beforeEach(() => {
  book = new QuoteBook(tickSize("0.25"));
  now = 1_000_000;
});

const take = (message: Partial<TradovateQuote>) =>
  book.take(toldPrices({ contractId: 1, isBookEmpty: false, ...message }), now);
const hear = (message: Partial<TradovateQuote>) => {
  const { bid, ask, last, ...said } = take(message);
  return { ...pricesOf({ bid: bid?.px, ask: ask?.px, last: last?.px }), ...said };
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
    expect(take(WHOLE).bid?.heardAt).toBe(now);
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

  test("has an age for each price, whatever else a message names", () => {
    const begunAt = now;
    take(WHOLE);
    now += QUOTE_STALE_AFTER_MS;
    const { bid, ask, last } = take({ offer: entry(5_000.5) });
    expect([bid, ask, last].map((price) => price?.heardAt)).toEqual([begunAt, now, begunAt]);
    expect(take({ bid: entry(5_000) }).bid?.heardAt).toBe(now);
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
