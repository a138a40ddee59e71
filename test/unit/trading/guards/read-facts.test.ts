import { describe, expect, test } from "vitest";
import { type DayClocks, STANDARD_CLOCKS } from "../../../../src/domain/calendar/account-day.ts";
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
import { type Quote, quoteHeardAt } from "../../../../src/domain/quote.ts";
import { createReadFacts, type Heard } from "../../../../src/trading/guards/read-facts.ts";
import type { BrokerBalance, BrokerGuards } from "../../../../src/trading/money/ports.ts";

const ES = "ESZ2026" as ContractCode;
const NQ = "NQZ2026" as ContractCode;
const BOUGHT = ticks(24_000);
const NOW = Date.parse("2026-12-09T15:00:00Z");

const bought = (book: AccountBook, contract: ContractCode): AccountBook => {
  const at = { transactTimeAt: NOW - 3_600_000 };
  const fill = { contract, side: "BUY", lastQty: 2, lastPx: BOUGHT, ...at } as unknown as Fill;
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

const TERMS = { symbol: "ESZ6", tickSize: "0.25", tickValue: "12.50", currency: "USD" };

interface More extends Partial<Heard> {
  readonly book?: AccountBook;
  /** Other terms than those of USD, by contract. */
  readonly describe?: Readonly<Record<string, object>>;
}

/** Reads facts and counts what it looks up. */
function reader(clocks: DayClocks = STANDARD_CLOCKS) {
  const counts = { quotes: 0 };
  let now = NOW;
  let terms: Readonly<Record<string, object>> = {};
  const read = createReadFacts({
    describe: (contract) => ({ ...TERMS, ...terms[contract] }),
    expectedFee: () => undefined,
    now: () => now,
  });
  const quote = (): Quote => {
    counts.quotes += 1;
    return quoteHeardAt(now, { bid: ticks(BOUGHT - 4) });
  };
  const heard = { clocks, quote, balances: [], brokerGuards: undefined, others: new Map() };
  const facts = (
    working: Heard["working"],
    { book = both, describe: other = {}, ...more }: More = {},
    currency = "USD",
  ) => {
    terms = other;
    return read(book, { currency }, { ...heard, working, ...more });
  };
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
  const quote = (contract: ContractCode) =>
    quoteHeardAt(contract === ES ? NOW - 2_000 : NOW, { bid: BOUGHT });
  expect(facts([], { quote }).pricedAt).toBe(NOW - 2_000);
});

describe("in another currency than the guards'", () => {
  test("an open position is in no figure, and is named with its own amount", () => {
    const { facts } = reader();
    expect(facts([], {}, "EUR")).toMatchObject({
      isOpen: true,
      open: 0,
      openUncounted: {
        why: "An open position counts in USD, and the guards in EUR: no rate between them is known",
        amount: "-200.00 USD",
      },
    });
    expect(facts([]).openUncounted).toBeUndefined();
  });

  test("a trade leaves its own day uncounted, and no other one", () => {
    const { facts } = reader();
    const sold = (day: string, contract: ContractCode, book: AccountBook) =>
      addEntry(
        book,
        {
          kind: "fill",
          fill: { contract, side: "SELL", lastQty: 2, lastPx: ticks(23_990) } as Fill,
        },
        () => day,
      );
    const book = sold("2026-12-09", NQ, sold("2026-06-10", ES, both));
    const describeEuros = { [ES]: { currency: "EUR" } };
    expect(facts([], { book, describe: describeEuros }).days).toEqual([
      {
        day: "2026-06-10",
        net: 0,
        fees: 0,
        uncounted: {
          why: "Trading day 2026-06-10 counts in EUR, and the guards in USD: no rate between them is known",
          amount: "-250.00 EUR",
        },
      },
      { day: "2026-12-09", net: -250_00, fees: 0 },
    ]);
    const unknown = { [ES]: { tickValue: undefined, currency: undefined } };
    const [first] = reader().facts([], { book, describe: unknown }).days;
    expect(first?.uncounted).toEqual({ why: "Trading day 2026-06-10 has no known worth in USD" });
  });
});

describe("the broker's word", () => {
  const said = (change: object) => ({
    balances: [{ currency: "USD", at: NOW, tradingDay: "2026-12-09", ...change } as BrokerBalance],
  });

  test("on what was closed counts without its fees, less ours", () => {
    const { facts } = reader();
    const fill = { contract: ES, side: "BUY", lastQty: 2, lastPx: BOUGHT, fee: "4.20" } as Fill;
    const paid = { ...fill, feeCurrency: "USD", transactTimeAt: NOW - 60_000 };
    const book = addEntry(both, { kind: "fill", fill: paid }, () => "2026-12-09");
    const loss = { realizedPnl: minor(-1_000_00), openPnl: minor(-9_000_00) };
    expect(facts([], { book, ...said(loss) }).broker).toEqual({
      at: NOW,
      closed: -1_004_20,
      open: -9_000_00,
    });
    const whole = { ...loss, fees: minor(3_00) };
    expect(facts([], { book, ...said(whole) }).broker?.closed).toBe(-1_003_00);
    const before = { ...loss, tradingDay: "2026-12-08" };
    expect(facts([], { book, ...said(before) }).broker).toEqual({ at: NOW, open: -9_000_00 });
  });

  test("on its cash is what a flat account is worth", () => {
    const { facts } = reader();
    const cash = said({ cash: minor(48_000_00) });
    expect(facts([], { book: EMPTY_BOOK, ...cash }).broker?.worth).toBe(48_000_00);
    expect(facts([], cash).broker?.worth).toBeUndefined();
  });

  test("may lack a fill of the last ten seconds before it, and of any time after it", () => {
    const { facts } = reader();
    const mayLack = (filledAt: number) =>
      facts([], { book: { ...EMPTY_BOOK, filledAt }, ...said({ cash: minor(1) }) }).broker;
    expect(mayLack(NOW - 10_000)).toEqual({ at: NOW, worth: 1 });
    expect(mayLack(NOW - 9_999)).toEqual({ at: NOW, mayLackFills: true });
    expect(mayLack(NOW + 60_000)).toEqual({ at: NOW, mayLackFills: true });
  });
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

test("the week of an account ends with its Sunday, and the next one begins there", () => {
  const { facts, goTo } = reader();
  const { weekBegan, weekEndsAt } = facts([]);
  expect([weekBegan, new Date(weekEndsAt).toISOString()]).toEqual([
    "2026-12-07",
    "2026-12-13T23:00:00.000Z",
  ]);
  goTo("2026-12-13T22:59:59Z");
  expect(facts([])).toMatchObject({ tradingDay: "2026-12-13", weekBegan, weekEndsAt });
  goTo("2026-12-13T23:00:00Z");
  expect(facts([])).toMatchObject({ tradingDay: "2026-12-14", weekBegan: "2026-12-14" });
});

describe("the broker's figures of a day", () => {
  const said = (change: object) => [
    { currency: "USD", at: NOW, realizedPnl: minor(-500), fees: minor(7), ...change },
  ];
  const MIDNIGHT: DayClocks = [{ begins: "00:00", zone: "UTC" }];

  test.each([
    ["of the same day", STANDARD_CLOCKS, {}, -507],
    ["of the same day, by its name", STANDARD_CLOCKS, { tradingDay: "2026-12-09" }, -507],
    ["of the day before, by its name", STANDARD_CLOCKS, { tradingDay: "2026-12-08" }, undefined],
    ["of the day before", STANDARD_CLOCKS, { at: NOW - 24 * 3_600_000 }, undefined],
    ["where the account has days of its own", MIDNIGHT, {}, undefined],
  ])("%s", (_, clocks, change, closed) => {
    const { facts } = reader(clocks);
    expect(facts([], { balances: said(change) }).broker?.closed).toBe(closed);
  });
});
