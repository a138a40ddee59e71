import { expect, test } from "vitest";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { addEntry, EMPTY_BOOK } from "../../../../src/domain/ledger/account-book.ts";
import type { Fill } from "../../../../src/domain/order.ts";
import { quoteHeardAt } from "../../../../src/domain/quote.ts";
import { valueAccount } from "../../../../src/trading/money/value-account.ts";

const CODE = "ABZ2026" as ContractCode;

test("a sum of parts below a minor unit is rounded once, and not each part of it", () => {
  const fill = (side: "BUY" | "SELL", lastQty: number, px: number) =>
    ({
      kind: "fill",
      fill: {
        contract: CODE,
        side,
        lastQty,
        lastPx: ticks(px),
        fee: "0.002",
        feeCurrency: "USD",
        transactTimeAt: 0,
      } as Fill,
    }) as const;
  const lines = [fill("BUY", 2, 100), fill("SELL", 1, 101)];
  const book = lines.reduce((sum, line) => addEntry(sum, line, () => "2026-12-09"), EMPTY_BOOK);
  const { figures } = valueAccount(book, {
    describe: () => ({ symbol: "ABZ6", tickSize: "1", tickValue: "0.004", currency: "USD" }),
    day: "2026-12-09",
    expectedFee: () => undefined,
    quote: () => quoteHeardAt(0, { last: ticks(102) }),
  });
  // 0.004 won, 0.008 open, 0.004 paid.
  expect(figures).toMatchObject([{ realizedPnl: 0, fees: 0, openPnl: 1, closed: 0, net: 1 }]);
  const { figures: other } = valueAccount(book, {
    describe: () => ({ symbol: "ABZ6", tickSize: "1", tickValue: "0.006", currency: "USD" }),
    day: "2026-12-09",
    expectedFee: () => undefined,
    quote: () => quoteHeardAt(0, { last: ticks(101) }),
  });
  // 0.006 won, 0.006 open, 0.004 paid: 0.008 in all, and 0.02 by its rounded parts.
  expect(other).toMatchObject([{ realizedPnl: 1, fees: 0, openPnl: 1, closed: 0, net: 1 }]);
});
