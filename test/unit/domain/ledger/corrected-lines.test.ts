// The goal: a fill that the broker takes back or corrects counts as if it had been so from the
// beginning, whatever came between, and nothing is lost where its own line is out of reach.
// The method: random lines and corrections, compared with the corrected list itself.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { execId, orderId } from "../../../../src/domain/ids.ts";
import {
  type AccountBook,
  addEntry,
  EMPTY_BOOK,
} from "../../../../src/domain/ledger/account-book.ts";
import { asCorrected } from "../../../../src/domain/ledger/corrected-lines.ts";
import type { LedgerEntry } from "../../../../src/domain/ledger/ledger-entry.ts";
import type { Fill } from "../../../../src/domain/order.ts";
import { openTicks } from "../../../../src/domain/position.ts";

const ES = "ESH2026" as ContractCode;
const NQ = "NQH2026" as ContractCode;
const DAY_MS = 86_400_000;

/** Each fill has its own day of the first three. */
const dayOf = (at: number): string => `2026-03-0${Math.floor(at / DAY_MS) + 1}`;
const sum = (lines: readonly LedgerEntry[], book = EMPTY_BOOK): AccountBook =>
  asCorrected(lines).reduce((all, line) => addEntry(all, line, dayOf), book);

const fillOf = (n: number, change: Partial<Fill> = {}): Fill => ({
  execId: execId(`x${n}`),
  orderId: orderId("o1"),
  contract: ES,
  side: "BUY",
  lastQty: 2,
  lastPx: ticks(100),
  fee: "2.00",
  feeCurrency: "USD",
  transactTimeAt: 0,
  ...change,
});
const line = (fill: Fill): LedgerEntry => ({ kind: "fill", fill });
const taken = (fill: Fill): LedgerEntry => ({
  kind: "correction",
  fill: { ...fill, takenBack: true },
  former: fill,
});

const random = fc.record({
  contract: fc.constantFrom(ES, NQ),
  side: fc.constantFrom("BUY" as const, "SELL" as const),
  lastQty: fc.integer({ min: 1, max: 4 }),
  px: fc.integer({ min: 90, max: 110 }),
  day: fc.nat(2),
  fee: fc.constantFrom(undefined, "1.50", "0.25"),
  /** Its corrections: none, one or two, with their places after it. */
  corrections: fc.array(
    fc.record({
      takenBack: fc.boolean(),
      lastQty: fc.integer({ min: 1, max: 4 }),
      px: fc.integer({ min: 90, max: 110 }),
      place: fc.nat(40),
    }),
    { maxLength: 2 },
  ),
});

type Random = typeof random extends fc.Arbitrary<infer One> ? One : never;

function firstOf({ contract, side, lastQty, px, day, fee }: Random, n: number): Fill {
  const cost = fee === undefined ? { fee: undefined, feeCurrency: undefined } : { fee };
  const { fee: _, feeCurrency: _currency, ...unfed } = fillOf(n);
  const told = { contract, side, lastQty, lastPx: ticks(px), transactTimeAt: day * DAY_MS };
  return { ...unfed, ...told, ...(cost.fee !== undefined && { fee: cost.fee }) };
}

/** The lines as they are written, and the fills as they ended. */
function written(randoms: readonly Random[]) {
  const lines: { readonly place: number; readonly entry: LedgerEntry }[] = [];
  const ended: Fill[] = [];
  for (const [n, one] of randoms.entries()) {
    let fill = firstOf(one, n);
    lines.push({ place: n, entry: line(fill) });
    for (const { takenBack, lastQty, px, place } of one.corrections.toSorted(
      (a, b) => a.place - b.place,
    )) {
      if (fill.takenBack === true) break;
      const former = fill;
      fill = { ...fill, ...(takenBack ? { takenBack } : { lastQty, lastPx: ticks(px) }) };
      lines.push({ place: n + place + 0.5, entry: { kind: "correction", fill, former } });
    }
    ended.push(fill);
  }
  const entries = lines.toSorted((a, b) => a.place - b.place).map(({ entry }) => entry);
  return { entries, ended: ended.filter(({ takenBack }) => takenBack !== true) };
}

describe("fills and what the broker corrects of them", () => {
  test("add up to what the corrected list adds up to", () => {
    fc.assert(
      fc.property(fc.array(random, { maxLength: 20 }), (randoms) => {
        const { entries, ended } = written(randoms);
        expect(sum(entries)).toEqual(sum(ended.map(line)));
      }),
    );
  });

  test("add up to the same when a correction is told before its fill, or twice", () => {
    const [bought, sold] = [fillOf(1), fillOf(2, { side: "SELL", lastPx: ticks(90) })];
    const told = [taken(sold), line(bought), line(sold), taken(sold)];
    expect(sum(told)).toEqual(sum([line(bought)]));
  });

  test("take the round trip, the loss in a row and the count of the day back", () => {
    const [bought, sold] = [fillOf(1), fillOf(2, { side: "SELL", lastPx: ticks(90) })];
    const before = sum([line(bought), line(sold)]);
    expect(before.tallies?.["2026-03-01"]).toEqual({ executions: 2, trades: 1, lossesInRow: 1 });
    const after = sum([line(bought), line(sold), taken(sold)]);
    expect(after.tallies?.["2026-03-01"]).toEqual({ executions: 1, trades: 1, lossesInRow: 0 });
    expect(after.positions[ES]?.position.netQty).toBe(2);
  });

  test("count on the day of the fill, however late they are told", () => {
    const sold = fillOf(2, { side: "SELL", lastPx: ticks(110), transactTimeAt: DAY_MS });
    const later = fillOf(3, { transactTimeAt: 2 * DAY_MS });
    const corrected = { ...sold, lastPx: ticks(105) };
    const { days } = sum([
      line(fillOf(1)),
      line(sold),
      line(later),
      { kind: "correction", fill: corrected, former: sold },
    ]);
    expect(days["2026-03-02"]?.[ES]).toMatchObject({ realizedTicks: 10, isEstimated: false });
    expect(days["2026-03-03"]?.[ES]?.realizedTicks).toBe(0);
  });

  test("forget what a fill cost before it was corrected, and keep what is told after", () => {
    const former = { amount: "2.00", currency: "USD" };
    const fee: LedgerEntry = { kind: "fee", fill: fillOf(1, { fee: "3.00" }), former };
    const half = fillOf(1, { lastQty: 1, fee: "1.50" });
    const correction: LedgerEntry = { kind: "correction", fill: half, former: fee.fill };
    expect(sum([line(fillOf(1)), fee, correction]).days["2026-03-01"]?.[ES]?.fees).toEqual({
      USD: "1.5",
    });
    const told: LedgerEntry = {
      kind: "fee",
      fill: { ...half, fee: "1.25" },
      former: { amount: "1.50", currency: "USD" },
    };
    const { days } = sum([line(fillOf(1)), fee, correction, told]);
    expect(days["2026-03-01"]?.[ES]?.fees).toEqual({ USD: "1.25" });
  });
});

describe("a correction whose fill is not among the lines", () => {
  const worth = (book: AccountBook, px: number) => {
    const days = Object.values(book.days).flatMap((day) => Object.values(day));
    const open = Object.values(book.positions).map(({ position }) =>
      openTicks(position, ticks(px)),
    );
    return [...days.map(({ realizedTicks }) => realizedTicks), ...open].reduce((a, b) => a + b, 0);
  };

  test("is exact in all that was won, and in what was paid and is held", () => {
    fc.assert(
      fc.property(fc.array(random, { maxLength: 12 }), (randoms) => {
        const { entries, ended } = written(randoms);
        const apart = entries.reduce((book, one) => addEntry(book, one, dayOf), EMPTY_BOOK);
        const exact = sum(ended.map(line));
        expect(worth(apart, 100)).toBe(worth(exact, 100));
        const netOf = ({ positions }: AccountBook) =>
          [ES, NQ].map((contract) => positions[contract]?.position.netQty ?? 0);
        expect(netOf(apart)).toEqual(netOf(exact));
        const paid = ({ days }: AccountBook) =>
          Object.values(days)
            .flatMap((day) => Object.values(day))
            .reduce((all, { fees }) => all + Number(fees[""] ?? 0) * 100, 0);
        expect(paid(apart)).toBeCloseTo(paid(exact), 6);
      }),
    );
  });

  test("says that the day's figures are an estimate", () => {
    const book = sum([line(fillOf(1))]);
    const apart = sum([taken(fillOf(1))], book);
    expect(apart.positions).toEqual({});
    expect(apart.days["2026-03-01"]?.[ES]).toMatchObject({
      isEstimated: true,
      fees: { USD: "0" },
      unfeedQty: 0,
    });
  });

  test("changes nothing where what comes before counts it already", () => {
    const lines = [taken(fillOf(1)), line(fillOf(2))];
    expect(asCorrected(lines, () => true)).toEqual([line(fillOf(2))]);
    expect(asCorrected(lines)).toEqual(lines);
  });

  test("of a fill that never had a line adds up to nothing", () => {
    const busted: LedgerEntry = { kind: "correction", fill: fillOf(1, { takenBack: true }) };
    expect(sum([busted])).toEqual(EMPTY_BOOK);
  });
});
