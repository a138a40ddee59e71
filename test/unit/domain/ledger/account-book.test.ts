import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contracts as products } from "../../../../config/contracts.ts";
import { closures, holidays } from "../../../../config/holidays.ts";
import {
  accountDayAt,
  nameOf,
  STANDARD_CLOCKS,
} from "../../../../src/domain/calendar/account-day.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { createContractDirectory } from "../../../../src/domain/contracts/contract-directory.ts";
import { parseDecimal } from "../../../../src/domain/contracts/decimal.ts";
import { ticks, tickSize } from "../../../../src/domain/contracts/price.ts";
import { execId, orderId } from "../../../../src/domain/ids.ts";
import {
  type AccountBook,
  addEntry,
  EMPTY_BOOK,
} from "../../../../src/domain/ledger/account-book.ts";
import type { LedgerEntry } from "../../../../src/domain/ledger/ledger-entry.ts";
import type { Fill } from "../../../../src/domain/order.ts";
import { type Quote, quoteHeardAt } from "../../../../src/domain/quote.ts";
import { valueAccount } from "../../../../src/trading/money/value-account.ts";
import { createDescribeContract } from "../../../../src/trading/orders/describe-contract.ts";

const directory = createContractDirectory({ products, holidays, closures });
const describeContract = createDescribeContract(directory);
const dayOf = (instant: number) => nameOf(accountDayAt(STANDARD_CLOCKS, instant));

const ES = "ESH2026" as ContractCode;
const ZF = "ZFH2026" as ContractCode;
const FDAX = "FDAXH2026" as ContractCode;
const NIY = "NIYH2026" as ContractCode;
const ALL = [ES, ZF, FDAX, NIY];

let last = 0;
function fill(change: Partial<Fill> = {}): Fill {
  last += 1;
  return {
    execId: execId(`x${last}`),
    orderId: orderId(`o${last}`),
    contract: ES,
    side: "BUY",
    lastQty: 1,
    lastPx: ticks(100),
    transactTimeAt: Date.parse("2026-03-04T15:00:00Z"),
    ...change,
  };
}

const bookOf = (...entries: LedgerEntry[]): AccountBook =>
  entries.reduce((book, entry) => addEntry(book, entry, dayOf), EMPTY_BOOK);

const filled = (change: Partial<Fill> = {}): LedgerEntry => ({ kind: "fill", fill: fill(change) });
const lot = (netQty: number, change: object = {}): LedgerEntry => ({
  kind: "lot",
  contract: ES,
  netQty,
  at: Date.parse("2026-03-04T15:00:00Z"),
  ...change,
});

const DAY = "2026-03-04";
const at = (text: string) => ({ transactTimeAt: Date.parse(text) });
const quoteAt = (px: number): Quote => quoteHeardAt(1, { bid: ticks(px), ask: ticks(px) });

function valued(book: AccountBook, day = DAY, px = 100, expectedFee?: string) {
  return valueAccount(book, {
    describe: describeContract,
    day,
    expectedFee: () => (expectedFee === undefined ? undefined : parseDecimal(expectedFee)),
    quote: () => quoteAt(px),
  });
}

describe("a position from before the ledger", () => {
  test("is a lot at the broker's price, and what follows from it is an estimate", () => {
    const book = bookOf(lot(3, { avgPx: { numerator: 301, denominator: 3 } }));
    expect(book.positions[ES]?.position.lots).toEqual([
      { qty: 2, px: 100 },
      { qty: 1, px: 101 },
    ]);
    const closed = addEntry(book, filled({ side: "SELL", lastQty: 3, lastPx: ticks(102) }), dayOf);
    expect(valued(closed).figures).toMatchObject([
      { currency: "USD", realizedPnl: 5 * 1_250, openPnl: 0, isEstimated: true },
    ]);
    expect(closed.positions).toEqual({});
  });

  test("without a price has no profit at all, until it is flat", () => {
    const book = bookOf(lot(2), filled({ side: "SELL", lastPx: ticks(500) }));
    const { figures, marks } = valued(book);
    expect(figures[0]).toMatchObject({ realizedPnl: 0, unpriced: [ES], isEstimated: true });
    expect(figures[0]?.openPnl).toBeUndefined();
    expect(marks[0]?.openPnl).toBeUndefined();
    const turned = addEntry(book, filled({ side: "SELL", lastQty: 2, lastPx: ticks(110) }), dayOf);
    expect(valued(turned).figures[0]).toMatchObject({ openPnl: 10 * 1_250, unpriced: [] });
  });

  test("what no fill explains closes at its own price", () => {
    const book = bookOf(filled({ lastQty: 2, lastPx: ticks(90) }), lot(-1));
    expect(book.positions[ES]?.position.lots).toEqual([{ qty: 1, px: 90 }]);
    expect(valued(book).figures[0]).toMatchObject({ realizedPnl: 0, isEstimated: true });
    expect(bookOf(filled(), lot(-1)).positions).toEqual({});
    expect(bookOf(filled(), lot(0))).toEqual(bookOf(filled()));
  });
});

describe("fees", () => {
  test("are those that the broker said, as it said them last", () => {
    const bought = fill({ lastQty: 2 });
    const later = { ...bought, fee: "4.50", feeCurrency: "USD" };
    const book = bookOf({ kind: "fill", fill: bought });
    expect(valued(book).figures[0]).toMatchObject({ fees: 0, unfeedQty: 2 });
    const expected = valued(book, DAY, 100, "2.245").figures[0];
    expect(expected).toMatchObject({ fees: 449, unfeedQty: 0, areFeesExpected: true });
    const told = addEntry(book, { kind: "fee", fill: later }, dayOf);
    expect(valued(told, DAY, 100, "9").figures[0]).toMatchObject({
      fees: 450,
      unfeedQty: 0,
      areFeesExpected: false,
    });
    const former = { amount: "4.50", currency: "USD" };
    const corrected = { kind: "fee", fill: { ...later, fee: "4.1" }, former } as const;
    expect(valued(addEntry(told, corrected, dayOf)).figures[0]).toMatchObject({ fees: 410 });
  });

  test("of a fill from before the ledger count nowhere", () => {
    const stray = { kind: "fee", fill: fill({ fee: "4.50" }) } as const;
    expect(bookOf(stray)).toEqual(EMPTY_BOOK);
  });

  test("with more places than a decimal here has spoil no other one", () => {
    const noise = "5.551115123125783e-17";
    const book = bookOf(filled({ fee: "4.5" }), filled({ fee: noise }), filled({ fee: "2.25" }));
    expect(valued(book).figures).toMatchObject([{ fees: 675 }]);
  });

  test("are counted in their own currency", () => {
    const book = bookOf(filled({ contract: FDAX, fee: "1.5", feeCurrency: "USD" }));
    expect(valued(book).figures).toMatchObject([
      { currency: "EUR", fees: 0 },
      { currency: "USD", fees: 150, realizedPnl: 0 },
    ]);
  });
});

test("a book knows the time of its newest fill, in whatever order they came", () => {
  const at = (transactTimeAt: number) => filled({ transactTimeAt });
  expect(bookOf(at(1_000), at(3_000), at(2_000), lot(1)).filledAt).toBe(3_000);
  expect(bookOf(lot(1)).filledAt).toBeUndefined();
});

test("a price that nobody told makes no profit", () => {
  const { figures, marks } = valueAccount(bookOf(filled()), {
    describe: describeContract,
    day: DAY,
    expectedFee: () => undefined,
    quote: () => quoteHeardAt(1, { bid: ticks(5) }),
  });
  expect([figures[0]?.openPnl, marks[0]?.price?.px]).toEqual([-95 * 1_250, 5]);
  const short = valueAccount(bookOf(filled({ side: "SELL" })), {
    describe: describeContract,
    day: DAY,
    expectedFee: () => undefined,
    quote: () => quoteHeardAt(1, { bid: ticks(5) }),
  });
  expect(short.figures[0]).toMatchObject({ unpriced: [ES] });
  expect(short.figures[0]).not.toHaveProperty("openPnl");
});

test("what is open is as old as the price of its own side", () => {
  const heard = (px: number, heardAt: number) => ({ px: ticks(px), heardAt });
  const { figures } = valueAccount(bookOf(filled()), {
    describe: describeContract,
    day: DAY,
    expectedFee: () => undefined,
    quote: () => ({ bid: heard(5, 30), ask: heard(6, 10), last: heard(5, 20) }),
  });
  expect(figures[0]?.pricedAt).toBe(30);
});

test("what was won of a contract whose worth nobody tells is not known", () => {
  const terms = { tickSize: tickSize("0.5"), currency: "USD" };
  const of = { contract: "XXH2026" as ContractCode, terms };
  const opened = filled(of);
  expect(valued(bookOf(opened)).figures).toMatchObject([{ currency: "USD", realizedPnl: 0 }]);
  const closed = filled({ ...of, side: "SELL", lastPx: ticks(110) });
  const [figures] = valued(bookOf(opened, closed)).figures;
  expect(figures).toMatchObject({ currency: "USD", unpriced: ["XXH2026"] });
  expect(figures).not.toHaveProperty("realizedPnl");
});

test("a profit belongs to the day of the fill that made it, across the change of clocks", () => {
  const book = bookOf(
    filled(at("2026-03-06T22:59:59Z")),
    // Friday 17:00 in Chicago begins Saturday's day; on Sunday its clocks are an hour ahead already.
    filled({ side: "SELL", lastPx: ticks(101), ...at("2026-03-06T23:00:00Z") }),
    filled(at("2026-03-08T22:30:00Z")),
    filled({ side: "SELL", lastPx: ticks(104), ...at("2026-03-09T21:59:59Z") }),
    filled(at("2026-03-09T22:00:00Z")),
    filled({ side: "SELL", lastPx: ticks(90), ...at("2026-03-10T12:00:00Z") }),
  );
  const won = (day: string) => book.days[day]?.[ES]?.realizedTicks;
  const days = ["2026-03-06", "2026-03-07", "2026-03-09", "2026-03-10"];
  expect(days.map(won)).toEqual([0, 1, 4, -10]);
});

/** Amounts in ten-thousandths of the currency, by another way: each contract bought or sold is one by itself. */
const WORTH: Readonly<Record<string, { perTick: number; currency: string }>> = {
  [ES]: { perTick: 125_000, currency: "USD" },
  [ZF]: { perTick: 78_125, currency: "USD" },
  [FDAX]: { perTick: 250_000, currency: "EUR" },
  [NIY]: { perTick: 25_000_000, currency: "JPY" },
};

function naively(fills: readonly Fill[], day: string, mark: number) {
  const units = new Map<string, number[]>();
  const sides = new Map<string, number>();
  const realized = new Map<string, number>();
  const fees = new Map<string, number>();
  const add = (to: Map<string, number>, key: string, by: number) =>
    to.set(key, (to.get(key) ?? 0) + by);
  for (const { contract, side, lastQty, lastPx, fee, transactTimeAt } of fills) {
    const { perTick = 0, currency = "" } = WORTH[contract] ?? {};
    const own = units.get(contract) ?? [];
    units.set(contract, own);
    const direction = side === "BUY" ? 1 : -1;
    const isToday = dayOf(transactTimeAt) === day;
    for (let unit = 0; unit < lastQty; unit += 1) {
      if (own.length === 0 || sides.get(contract) === direction) {
        sides.set(contract, direction);
        own.push(lastPx);
      } else if (isToday) {
        add(realized, currency, (lastPx - (own.shift() ?? 0)) * -direction * perTick);
      } else own.shift();
    }
    if (isToday) add(fees, currency, Math.round(Number(fee) * 10_000));
  }
  const open = new Map<string, number>();
  for (const [contract, own] of units) {
    const { perTick = 0, currency = "" } = WORTH[contract] ?? {};
    const direction = sides.get(contract) ?? 0;
    for (const px of own) add(open, currency, (mark - px) * direction * perTick);
  }
  return { realized, open, fees };
}

const SOME_FILLS = fc.array(
  fc.record({
    contract: fc.constantFrom(...ALL),
    isBuy: fc.boolean(),
    lastQty: fc.integer({ min: 1, max: 6 }),
    lastPx: fc.integer({ min: -50, max: 400 }),
    // Over two weekends, and the change of clocks in Chicago.
    afterMs: fc.integer({ min: 0, max: 6 * 3_600_000 }),
    cents: fc.integer({ min: 0, max: 900 }),
  }),
  { maxLength: 60 },
);

test("realised + open − fees is what another way of counting makes of it, per currency and day", () => {
  fc.assert(
    fc.property(SOME_FILLS, fc.integer({ min: -50, max: 400 }), (some, mark) => {
      let now = Date.parse("2026-03-05T12:00:00Z");
      const fills = some.map(({ isBuy, lastPx, afterMs, cents, ...rest }) => {
        now += afterMs;
        return fill({
          ...rest,
          side: isBuy ? "BUY" : "SELL",
          lastPx: ticks(lastPx),
          fee: (cents / 100).toFixed(2),
          transactTimeAt: now,
        });
      });
      const book = fills.reduce(
        (sum, one) => addEntry(sum, { kind: "fill", fill: one }, dayOf),
        EMPTY_BOOK,
      );
      const days = new Set(fills.map((one) => dayOf(one.transactTimeAt)));
      for (const day of [...days].sort().slice(-8)) {
        const expected = naively(fills, day, mark);
        const { figures } = valued(book, day, mark);
        for (const { currency, realizedPnl, openPnl, fees } of figures) {
          const round = (sums: ReadonlyMap<string, number>) => {
            const scale = currency === "JPY" ? 10_000 : 100;
            const value = (sums.get(currency) ?? 0) / scale;
            return Math.sign(value) * Math.round(Math.abs(value)) + 0;
          };
          const found = [realizedPnl, openPnl, fees].map((one) => Number(one) + 0);
          expect(found).toEqual([
            round(expected.realized),
            round(expected.open),
            round(expected.fees),
          ]);
        }
        const told = new Set(figures.map(({ currency }) => currency));
        const won = [...expected.realized].filter(([, amount]) => amount !== 0);
        expect(won.filter(([currency]) => !told.has(currency))).toEqual([]);
      }
    }),
    { numRuns: 300 },
  );
});

test("a book that was kept as text goes on as the one that was not", () => {
  fc.assert(
    fc.property(SOME_FILLS, fc.nat(), (some, cut) => {
      const entries = some.map(({ contract, lastQty, isBuy, lastPx, cents }) => {
        const side = isBuy ? "BUY" : "SELL";
        return filled({ contract, lastQty, side, lastPx: ticks(lastPx), fee: `${cents}` });
      });
      const at = entries.length === 0 ? 0 : cut % entries.length;
      const kept = JSON.parse(JSON.stringify(bookOf(...entries.slice(0, at)))) as AccountBook;
      const resumed = entries.slice(at).reduce((book, one) => addEntry(book, one, dayOf), kept);
      expect(resumed).toEqual(bookOf(...entries));
    }),
    { numRuns: 100 },
  );
});
