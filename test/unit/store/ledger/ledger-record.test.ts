import { expect, test } from "vitest";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import type { Quote } from "../../../../src/domain/quote.ts";
import { decodeQuote, encodeQuote } from "../../../../src/store/ledger/ledger-record.ts";

const heard = (px: number, heardAt: number) => ({ px: ticks(px), heardAt });

test.each<[Quote, string]>([
  [{ bid: heard(100, 5), ask: heard(101, 5), toldAt: 4 }, "100 101 - 5 4"],
  [{ last: heard(0, 7) }, "- - 0 7 -"],
  [{ bid: heard(-3, 9), ask: heard(101, 5), last: heard(100, 6) }, "-3 101 100 5 - 4 0 1"],
  [{}, "- - - 0 -"],
])("a quote is kept with the age of each price: %j", (quote, text) => {
  expect(encodeQuote(quote)).toBe(text);
  expect(decodeQuote(text)).toEqual(quote);
});
