import { describe, expect, test } from "vitest";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { orderId } from "../../../../src/domain/ids.ts";
import {
  addEntry,
  type AccountBook,
  EMPTY_BOOK,
} from "../../../../src/domain/ledger/account-book.ts";
import type { Fill, OrderReport } from "../../../../src/domain/order.ts";
import { minor } from "../../../../src/domain/money.ts";
import type { Quote } from "../../../../src/domain/quote.ts";
import { createReadFacts, type Heard } from "../../../../src/trading/guards/read-facts.ts";
import type { BrokerGuards } from "../../../../src/trading/money/ports.ts";
import { scheduleDeps } from "../../../support/schedule-deps.ts";

const ES = "ESZ2026" as ContractCode;
const NQ = "NQZ2026" as ContractCode;
const BOUGHT = ticks(24_000);
const NOW = Date.parse("2026-12-09T15:00:00Z");

const bought = (book: AccountBook, contract: ContractCode): AccountBook => {
  const fill = { contract, side: "BUY", lastQty: 2, lastPx: BOUGHT } as unknown as Fill;
  const entry = { kind: "fill", fill } as Parameters<typeof addEntry>[1];
  return addEntry(book, entry, () => "2026-12-09");
};
const both = bought(bought(EMPTY_BOOK, ES), NQ);

const stop = (contract: ContractCode, stopPx: number, qty = 2): OrderReport => ({
  orderId: orderId(`${contract} ${stopPx}`),
  contract,
  side: "SELL",
  ordType: "STOP",
  timeInForce: "GTC",
  ordStatus: "NEW",
  orderQty: qty,
  cumQty: 0,
  leavesQty: qty,
  stopPx: ticks(stopPx),
  role: "STOP_LOSS",
  transactTimeAt: 0,
});

/** Reads facts and counts what it looks up. */
function reader() {
  const counts = { quotes: 0, days: 0 };
  let now = NOW;
  const { tradingDayAt } = scheduleDeps();
  const read = createReadFacts({
    describe: () => ({ symbol: "ESZ6", tickSize: "0.25", tickValue: "12.50", currency: "USD" }),
    expectedFee: () => undefined,
    tradingDayAt: (at, calendar) => {
      counts.days += 1;
      return tradingDayAt(at, calendar);
    },
    now: () => now,
  });
  const quote = (): Quote => {
    counts.quotes += 1;
    return { bid: ticks(BOUGHT - 4), heardAt: now };
  };
  const heard = { quote, balances: [], brokerGuards: undefined, others: new Map() };
  const facts = (working: Heard["working"], more: Partial<Heard> = {}, currency = "USD") =>
    read(both, { currency }, { ...heard, working, ...more });
  return { counts, facts, goTo: (text: string) => (now = Date.parse(text)) };
}

describe("what would be left where stops are hit", () => {
  test.each<[string, Heard["working"], number | undefined]>([
    ["what is not known", undefined, undefined],
    ["no stop", [], -200_00],
    ["one for a part only", [stop(ES, 23_990, 1)], -200_00],
    ["one of one position; the other one's price counts", [stop(ES, 23_990)], -350_00],
    ["one of each", [stop(ES, 23_990), stop(NQ, 23_980)], -750_00],
    [
      "two that cover one together, by the further one",
      [stop(ES, 23_990, 1), stop(ES, 23_980, 1)],
      -600_00,
    ],
  ])("%s", (_, working, expected) => {
    const { facts } = reader();
    const { open, atStops } = facts(working);
    expect([open, atStops]).toEqual([-200_00, expected]);
  });

  test("is not reckoned up a second time where nothing stops anything", () => {
    const { facts, counts } = reader();
    facts([]);
    const once = counts.quotes;
    facts(undefined);
    facts([stop(ES, 23_990, 1)]);
    expect(counts.quotes).toBe(3 * once);
  });
});

test("what is open is as old as its oldest price", () => {
  const { facts } = reader();
  const quote = (contract: ContractCode) => ({
    bid: BOUGHT,
    heardAt: contract === ES ? NOW - 2_000 : NOW,
  });
  expect(facts([], { quote }).pricedAt).toBe(NOW - 2_000);
});

test("guards in another currency than the account's trades doubt what it has won", () => {
  const { facts } = reader();
  expect(facts([], {}, "EUR").doubt).toBe(
    "The account trades in USD too, and its guards count in EUR: no rate between them is known",
  );
  expect(facts([]).doubt).toBeUndefined();
});

test("of the broker's own limits the strictest count, and the floor of its drawdown", () => {
  const { facts } = reader();
  const limit = (amount: number) => ({ limit: minor(amount) });
  const brokerGuards: BrokerGuards = {
    currency: "USD",
    at: NOW,
    rules: [
      { kind: "dailyLoss", grade: "exitsOnly", ...limit(900), floor: minor(1) },
      { kind: "dailyLoss", grade: "liquidate", ...limit(1_000) },
      { kind: "dailyLoss", grade: "alert", ...limit(500) },
      { kind: "drawdown", grade: "alert", ...limit(2_000) },
      { kind: "drawdown", grade: "liquidate", ...limit(3_000), floor: minor(47_000) },
    ],
  };
  const { broker } = facts([], { brokerGuards });
  expect(broker).toEqual({ at: 0, dailyLoss: 900, floor: 47_000 });
});

describe("the week of a trading day", () => {
  test("is looked up once a day, and anew on the next one", () => {
    const { facts, counts, goTo } = reader();
    const { weekBegan, weekEndsAt } = facts([]);
    expect([weekBegan, new Date(weekEndsAt).toISOString()]).toEqual([
      "2026-12-07",
      "2026-12-11T23:00:00.000Z",
    ]);
    counts.days = 0;
    for (let count = 0; count < 100; count += 1) facts([]);
    expect(counts.days).toBe(100);

    goTo("2026-12-11T22:59:59Z");
    expect(facts([])).toMatchObject({ weekBegan, weekEndsAt });
    goTo("2026-12-11T23:00:00Z");
    expect(facts([]).weekBegan).toBe("2026-12-14");
  });
});
