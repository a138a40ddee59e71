import { expect, test } from "vitest";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { accountId } from "../../../../src/domain/ids.ts";
import { QUOTE_STALE_AFTER_MS, type Quote, quoteHeardAt } from "../../../../src/domain/quote.ts";
import { waitFor } from "../../../../src/app/wait-for.ts";
import { FreshQuotes } from "../../../../src/trading/money/fresh-quotes.ts";

const ES = "ESZ2026" as ContractCode;
const ACCOUNT = accountId("one");
const NOW = 1_000_000;
const quoteAt = (heardAt: number): Quote => quoteHeardAt(heardAt, { last: ticks(20_000) });

function opened({
  watched,
  told = [],
}: {
  readonly watched?: Quote;
  /** Told one after another, once it is asked. */
  readonly told?: readonly Quote[];
}) {
  const seen = { asked: 0, ended: 0 };
  const quotes = new FreshQuotes({
    watched: () => watched,
    pricesOf: () => ({
      missing: () => undefined,
      watch: (_, listener) => {
        seen.asked += 1;
        for (const [nth, quote] of told.entries()) setTimeout(() => listener(quote), nth * 5);
        return () => (seen.ended += 1);
      },
      bars: async () => [],
    }),
    waitFor: async (_, onWake) => await waitFor(60, onWake),
    now: () => NOW,
  });
  return { quotes, seen };
}

test("a price that is watched and new is not asked for", async () => {
  const { quotes, seen } = opened({ watched: quoteAt(NOW - 10) });
  expect(await quotes.fresh(ACCOUNT, ES, "BUY")).toEqual(quoteAt(NOW - 10));
  expect(seen).toEqual({ asked: 0, ended: 0 });
});

test("a stale one is asked for, once, and what is told is let go of again", async () => {
  const { quotes, seen } = opened({
    watched: quoteAt(NOW - QUOTE_STALE_AFTER_MS - 1),
    told: [quoteAt(NOW)],
  });
  expect(await quotes.fresh(ACCOUNT, ES, "BUY")).toEqual(quoteAt(NOW));
  expect(await quotes.fresh(ACCOUNT, ES, "BUY")).toEqual(quoteAt(NOW));
  expect(seen).toEqual({ asked: 1, ended: 1 });
});

test("an old one that stands is waited out for a new one", async () => {
  const old = quoteAt(NOW - QUOTE_STALE_AFTER_MS - 1);
  const { quotes } = opened({ told: [old, quoteAt(NOW)] });
  expect(await quotes.fresh(ACCOUNT, ES, "BUY")).toEqual(quoteAt(NOW));
});

test("a quote without the side of the order is waited out for one that has it", async () => {
  const bid = quoteHeardAt(NOW, { bid: ticks(20_000) });
  const both = quoteHeardAt(NOW, { bid: ticks(20_000), ask: ticks(20_001) });
  const { quotes, seen } = opened({ watched: bid, told: [bid, both] });
  expect(await quotes.fresh(ACCOUNT, ES, "SELL")).toEqual(bid);
  expect(seen.asked).toBe(0);
  await quotes.fresh(ACCOUNT, ES, "BUY");
  expect(seen).toEqual({ asked: 1, ended: 1 });
});

test("a side that is stale is not among what is known, however new another one is", () => {
  const bid = { px: ticks(20_000), heardAt: NOW };
  const ask = { px: ticks(20_001), heardAt: NOW - QUOTE_STALE_AFTER_MS - 1 };
  const { quotes } = opened({ watched: { bid, ask } });
  expect(quotes.known(ACCOUNT, ES)).toEqual({ bid });
});

test("nothing is known where nobody tells a new one in time", async () => {
  const silent = opened({ told: [quoteAt(NOW - QUOTE_STALE_AFTER_MS - 1)] });
  expect(await silent.quotes.fresh(ACCOUNT, ES, "BUY")).toBeUndefined();
  expect(silent.seen).toEqual({ asked: 1, ended: 1 });
});
