import { expect, test } from "vitest";
import { accountDayAt, STANDARD_CLOCKS } from "../../../../src/domain/calendar/account-day.ts";
import { accountId, connectionId } from "../../../../src/domain/ids.ts";
import { minor } from "../../../../src/domain/money.ts";
import { presentBalances } from "../../../../src/http/present/money.ts";
import type { AccountMoney } from "../../../../src/trading/money/read-money.ts";

test.each([
  [0, false],
  [1_250, true],
])("a broker that says %i was won differs from a ledger without a trade: %s", (won, differs) => {
  const money = {
    account: { accountId: accountId("c1-1"), connectionId: connectionId("c1") },
    day: accountDayAt(STANDARD_CLOCKS, 1),
    balances: [{ currency: "USD", at: 1, realizedPnl: minor(won) }],
    figures: [],
    marks: [],
    asOf: 1,
  } as unknown as AccountMoney;
  const { currencies } = presentBalances(money, () => {
    throw new Error("No contract is held");
  });
  expect(currencies).toMatchObject([{ gateway: null, differs }]);
});
