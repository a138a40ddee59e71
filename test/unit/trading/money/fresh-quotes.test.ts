import { expect, test } from "vitest";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { accountId } from "../../../../src/domain/ids.ts";
import { QUOTE_STALE_AFTER_MS, type Quote } from "../../../../src/domain/quote.ts";
import { waitFor } from "../../../../src/app/wait-for.ts";
import { FreshQuotes } from "../../../../src/trading/money/fresh-quotes.ts";

const ES = "ESZ2026" as ContractCode;
const ACCOUNT = accountId("one");
const NOW = 1_000_000;
const quoteAt = (heardAt: number): Quote => ({ last: ticks(20_000), heardAt });

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
  expect(await quotes.fresh(ACCOUNT, ES)).toEqual(quoteAt(NOW - 10));
  expect(seen).toEqual({ asked: 0, ended: 0 });
});

test("a stale one is asked for, once, and what is told is let go of again", async () => {
  const { quotes, seen } = opened({
    watched: quoteAt(NOW - QUOTE_STALE_AFTER_MS - 1),
    told: [quoteAt(NOW)],
  });
  expect(await quotes.fresh(ACCOUNT, ES)).toEqual(quoteAt(NOW));
  expect(await quotes.fresh(ACCOUNT, ES)).toEqual(quoteAt(NOW));
  expect(seen).toEqual({ asked: 1, ended: 1 });
});

test("an old one that stands is waited out for a new one", async () => {
  const old = quoteAt(NOW - QUOTE_STALE_AFTER_MS - 1);
  const { quotes } = opened({ told: [old, quoteAt(NOW)] });
  expect(await quotes.fresh(ACCOUNT, ES)).toEqual(quoteAt(NOW));
});

test("nothing is known where nobody tells a new one in time", async () => {
  const silent = opened({ told: [quoteAt(NOW - QUOTE_STALE_AFTER_MS - 1)] });
  expect(await silent.quotes.fresh(ACCOUNT, ES)).toBeUndefined();
  expect(silent.seen).toEqual({ asked: 1, ended: 1 });
});
