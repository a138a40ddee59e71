// The goal: on each day of an account, and in its guards, all fills of three exchanges count, through the
// holidays of each and both changes of clocks: once each.
// The method: fills from a seed, and the same sums by `Intl` alone, without any table of the product.
import fc from "fast-check";
import { expect, test } from "vitest";
import { contracts } from "../../../../config/contracts.ts";
import { closures, holidays } from "../../../../config/holidays.ts";
import {
  accountDayAt,
  type DayClocks,
  nameOf,
  STANDARD_CLOCKS,
} from "../../../../src/domain/calendar/account-day.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { createContractDirectory } from "../../../../src/domain/contracts/contract-directory.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import type { GuardState } from "../../../../src/domain/guards/guard-state.ts";
import { judge } from "../../../../src/domain/guards/judge.ts";
import { closedToday } from "../../../../src/domain/guards/roll-day.ts";
import { GUARD_DEFAULTS, type GuardSettings } from "../../../../src/domain/guards/rule.ts";
import { execId, orderId } from "../../../../src/domain/ids.ts";
import {
  type AccountBook,
  addEntry,
  EMPTY_BOOK,
} from "../../../../src/domain/ledger/account-book.ts";
import { minor } from "../../../../src/domain/money.ts";
import { createReadFacts } from "../../../../src/trading/guards/read-facts.ts";
import { createDescribeContract } from "../../../../src/trading/orders/describe-contract.ts";

const describe = createDescribeContract(
  createContractDirectory({ products: contracts, holidays, closures }),
);
/** Each with its worth of a tick in cents: CME, ICE Europe and Eurex. */
const TRADED = [
  { contract: "ESZ2026" as ContractCode, cents: 1_250, currency: "USD" },
  { contract: "BZ2026" as ContractCode, cents: 1_000, currency: "USD" },
  { contract: "FDAXZ2026" as ContractCode, cents: 2_500, currency: "EUR" },
] as const;

/** Days around which an exchange rests, or clocks are changed, and a plain one. */
const AROUND = [
  "2026-03-08",
  "2026-03-29",
  "2026-04-03",
  "2026-04-06",
  "2026-05-25",
  "2026-06-10",
  "2026-08-31",
  "2026-09-07",
  "2026-10-25",
  "2026-11-01",
  "2026-11-26",
  "2026-12-24",
  "2026-12-28",
].map((day) => Date.parse(`${day}T12:00:00Z`));

const PLACES: readonly (readonly [begins: number, DayClocks])[] = [
  [17, STANDARD_CLOCKS],
  [0, [{ begins: "00:00", zone: "Europe/Berlin" }]],
  [18, [{ begins: "18:00", zone: "America/New_York" }]],
];

/** The name of the day by the clocks on the wall alone. */
function wallDay(at: number, begins: number, zone: string): string {
  const text = new Intl.DateTimeFormat("sv-SE", {
    timeZone: zone,
    dateStyle: "short",
    timeStyle: "medium",
  }).format(at);
  const isNext = begins >= 12 && Number(text.slice(11, 13)) >= begins;
  const noon = Date.parse(`${text.slice(0, 10)}T12:00:00Z`);
  return new Date(noon + (isNext ? 86_400_000 : 0)).toISOString().slice(0, 10);
}

const trips = fc.record({
  place: fc.constantFrom(...PLACES),
  around: fc.constantFrom(...AROUND),
  currency: fc.constantFrom("USD", "EUR"),
  trades: fc.array(
    fc.record({
      which: fc.nat(TRADED.length - 1),
      won: fc.integer({ min: -400, max: 400 }),
      fee: fc.nat(900),
      afterMinutes: fc.integer({ min: 1, max: 600 }),
    }),
    { minLength: 1, maxLength: 24 },
  ),
});

test("days, fees, counts and guards are what clocks on the wall make of them", () => {
  fc.assert(
    fc.property(trips, ({ place: [begins, clocks], around, currency, trades }) => {
      const zone = clocks[0]?.zone ?? "";
      const own = TRADED.filter((one) => one.currency === currency);
      const net = new Map<string, number>();
      const executions = new Map<string, number>();
      let book: AccountBook = EMPTY_BOOK;
      let now = around - 60 * 3_600_000;
      const read = createReadFacts({ describe, expectedFee: () => undefined, now: () => now });
      const settings: GuardSettings = {
        ...GUARD_DEFAULTS,
        currency,
        rules: [DRAWDOWN],
      };
      let state: GuardState | undefined;
      let all = 0;
      for (const [n, { which, won, fee, afterMinutes }] of trades.entries()) {
        const { contract, cents } = own[which % own.length] ?? TRADED[0];
        now += afterMinutes * 60_000;
        for (const [side, px] of [
          ["BUY", 1_000],
          ["SELL", 1_000 + won],
        ] as const) {
          const fill = {
            execId: execId(`${n}${side}`),
            orderId: orderId(`${n}${side}`),
            contract,
            side,
            lastQty: 1,
            lastPx: ticks(px),
            fee: (fee / 100).toFixed(2),
            feeCurrency: currency,
            transactTimeAt: now,
          };
          book = addEntry(book, { kind: "fill", fill }, (at) => nameOf(accountDayAt(clocks, at)));
        }
        const day = wallDay(now, begins, zone);
        const brought = won * cents - 2 * fee;
        all += brought;
        net.set(day, (net.get(day) ?? 0) + brought);
        executions.set(day, (executions.get(day) ?? 0) + 2);

        const facts = read(book, settings, { ...NOTHING_HEARD, clocks });
        expect(facts.tradingDay).toBe(day);
        expect(closedToday(facts) + 0).toBe((net.get(day) ?? 0) + 0);
        expect(facts.executions).toBe(executions.get(day));
        // Begun with a known balance, a drawdown has counted every fill since, whatever day it was.
        const known = state ?? begunAt(day, (net.get(day) ?? 0) - all);
        ({ state } = judge(settings, known, facts));
        expect((state.balance ?? NaN) + closedToday(facts)).toBe(START + all);
      }
      const newest = [...net.keys()].sort().slice(-8);
      expect(Object.keys(book.days).sort()).toEqual(newest);
    }),
    { numRuns: 400 },
  );
});

const START = 10_000_000;
const DRAWDOWN = {
  id: "floor",
  kind: "drawdown",
  mode: "on",
  lock: "hard",
  trails: "endOfDay",
  size: minor(1_000_000),
  start: minor(START),
  then: "flatten",
} as const;

const begunAt = (tradingDay: string, before: number): GuardState => ({
  tradingDay,
  balance: minor(START - before),
  rules: {},
  judgedAt: 0,
});

const NOTHING_HEARD = {
  quote: () => undefined,
  working: [],
  balances: [],
  brokerGuards: undefined,
  others: new Map(),
};
