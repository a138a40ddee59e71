import { describe, expect, test } from "vitest";
import { ticks } from "../../../src/domain/contracts/price.ts";
import {
  closingPrice,
  freshQuote,
  marketPrice,
  oldestHeardAt,
  type Quote,
  QUOTE_STALE_AFTER_MS,
  referencePrice,
} from "../../../src/domain/quote.ts";

const heard = (px: number, heardAt: number) => ({ px: ticks(px), heardAt });
const QUOTE: Quote = { bid: heard(10, 3), ask: heard(12, 1), last: heard(11, 2), toldAt: 7 };
const { ask: _, ...NO_ASK } = QUOTE;

describe("a price by which something is decided", () => {
  test("is the one at which an order fills, with the age of that one", () => {
    expect([marketPrice(QUOTE, "BUY"), marketPrice(QUOTE, "SELL")]).toEqual([QUOTE.ask, QUOTE.bid]);
    expect([closingPrice(QUOTE, 2), closingPrice(QUOTE, -2)]).toEqual([QUOTE.bid, QUOTE.ask]);
  });

  test("is the last trade where its side is not known", () => {
    expect(marketPrice(NO_ASK, "BUY")).toEqual(QUOTE.last);
    expect(closingPrice({ bid: heard(10, 3) }, -1)).toBeUndefined();
  });

  test("of no side is any of them, the last trade first", () => {
    expect(referencePrice(QUOTE)).toEqual(QUOTE.last);
    expect(referencePrice({ ask: heard(12, 1) })?.px).toBe(12);
  });

  test("is not stale by itself, whatever the other ones are", () => {
    const now = 2 + QUOTE_STALE_AFTER_MS;
    expect(freshQuote(QUOTE, now)).toEqual(NO_ASK);
    expect(freshQuote(QUOTE, now + 1)).toEqual({ bid: QUOTE.bid, toldAt: 7 });
    expect(freshQuote(QUOTE, now + 2)).toBeUndefined();
    expect(freshQuote(undefined, 0)).toBeUndefined();
  });
});

test("a quote is as old as its oldest price", () => {
  expect([oldestHeardAt(QUOTE), oldestHeardAt({})]).toEqual([1, 0]);
});
