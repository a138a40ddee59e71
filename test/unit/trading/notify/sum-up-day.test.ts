// The goal: a summary says what was traded, won, paid, refused and lost by slippage on each day that has
// ended, of each account by itself: no day is in two summaries, or in none. An empty one is a sign of life.
import { expect, test } from "vitest";
import {
  accountDayAt,
  type DayClocks,
  nameOf,
  STANDARD_CLOCKS,
} from "../../../../src/domain/calendar/account-day.ts";
import { contractCode } from "../../../../src/domain/contracts/contract.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { accountId, execId, orderId, userId } from "../../../../src/domain/ids.ts";
import { EMPTY_BOOK } from "../../../../src/domain/ledger/account-book.ts";
import type { PlacedEntry } from "../../../../src/domain/ledger/ledger-entry.ts";
import type { Destination, DestinationId } from "../../../../src/domain/notify/destination.ts";
import type { GatewayEvent } from "../../../../src/domain/notify/event.ts";
import { messageOf } from "../../../../src/domain/notify/message.ts";
import type { AlertQuery } from "../../../../src/trading/alerts/alert-log.ts";
import type { StoredAccount } from "../../../../src/trading/connections/ports.ts";
import { createSumUpDay } from "../../../../src/trading/notify/sum-up-day.ts";
import { quoteHeardAt } from "../../../../src/domain/quote.ts";

const OWNER = userId("user_1");
const ES = contractCode({ root: "ES", year: 2026, month: 12 });
const HOUR_MS = 3_600_000;
/** Five minutes after Thursday's day has ended in Chicago. */
const DUE = Date.parse("2026-11-26T23:05:00Z");

const fill = (hoursAgo: number, order: number, side: "BUY" | "SELL", px: number): PlacedEntry => ({
  kind: "fill",
  id: `${DUE - hoursAgo * HOUR_MS}-0`,
  fill: {
    execId: execId(`e${hoursAgo}`),
    orderId: orderId(`o${order}`),
    contract: ES,
    side,
    lastQty: 2,
    lastPx: ticks(px),
    transactTimeAt: DUE - hoursAgo * HOUR_MS,
  },
  quote: quoteHeardAt(0, { bid: ticks(100), ask: ticks(101) }),
});

const account = (id: string, active = true): StoredAccount =>
  ({
    accountId: accountId(id),
    name: id,
    userId: OWNER,
    environment: "demo",
    active,
  }) as StoredAccount;

interface Summed {
  readonly entries?: readonly PlacedEntry[];
  readonly refusals?: number;
  readonly accounts?: readonly StoredAccount[];
  readonly clocks?: DayClocks;
  readonly dueAt?: number;
  readonly since?: number;
}

async function sumUp({
  entries = [],
  refusals = 0,
  accounts = [account("paper-1")],
  clocks = STANDARD_CLOCKS,
  dueAt = DUE,
  since = dueAt - 24 * HOUR_MS,
}: Summed) {
  const told: GatewayEvent[] = [];
  const asked: AlertQuery[] = [];
  const newestFirst = entries.toSorted((one, other) => (one.id < other.id ? 1 : -1));
  const sum = createSumUpDay({
    accounts: { of: () => accounts, dayAt: (_, at) => accountDayAt(clocks, at) },
    ledger: {
      book: async () => EMPTY_BOOK,
      // Two lines at once: a summary has to read on.
      entries: async (_, { before }) => {
        const from =
          before === undefined ? 0 : newestFirst.findIndex(({ id }) => id === before) + 1;
        const items = newestFirst.slice(from, from + 2);
        const last = items.at(-1);
        return { items, ...(from + 2 < entries.length && last && { next: last.id }) };
      },
    },
    alerts: {
      list: async (_, query) => {
        asked.push(query);
        const count = query.outcome === "refused" ? refusals : 0;
        return { items: Array.from({ length: count }, () => ({}) as never) };
      },
    },
    figuresOf: (_, day) =>
      entries.length === 0 ? [] : [{ currency: "USD", net: nameOf(day), fees: "4.00" }],
    collect: { tell: async (events) => void told.push(...events) },
  });
  const destination = { id: "ds_1" as DestinationId, userId: OWNER } as Destination;
  await sum({ destination, settings: {}, secrets: [] }, { date: "2026-11-26", dueAt, since });
  return { told, asked };
}

/** The trades of each day that is summed up. */
async function tradesOf(summed: Summed): Promise<Readonly<Record<string, number>>> {
  const { told } = await sumUp(summed);
  const [event] = told;
  if (event?.type !== "summary.daily") throw new Error("There is no summary");
  const { accounts } = event.facts;
  return Object.fromEntries(accounts.map(({ tradingDay, trades }) => [tradingDay, trades]));
}

test("a day's trades are counted by orders, with what they lost against the other side's price", async () => {
  const entries = [
    fill(1, 1, "BUY", 102),
    fill(2, 1, "BUY", 101),
    fill(3, 2, "SELL", 99),
    fill(25, 3, "BUY", 150),
  ];
  const { told, asked } = await sumUp({ entries, refusals: 3 });
  expect(told).toEqual([
    expect.objectContaining({
      id: `day_ds_1_${DUE}`,
      type: "summary.daily",
      message: "2026-11-26: 2 trades",
      facts: {
        date: "2026-11-26",
        accounts: [
          {
            accountId: "paper-1",
            accountName: "paper-1",
            environment: "demo",
            tradingDay: "2026-11-26",
            trades: 2,
            refusals: 3,
            day: [{ currency: "USD", net: "2026-11-26", fees: "4.00" }],
            // Two contracts a tick too high, two on the price, two a tick too low.
            slippageTicks: 4,
          },
        ],
      },
    }),
  ]);
  const day = accountDayAt(STANDARD_CLOCKS, DUE - HOUR_MS);
  expect(new Set(asked.map(({ fromAt, beforeAt }) => `${fromAt} ${beforeAt}`))).toEqual(
    new Set([`${day.beganAt} ${day.endsAt}`]),
  );
});

test("one account by two logins has its trades once in the sum, and a line by each", async () => {
  const login = (id: string) => ({ ...account(id), broker: "tradovate", number: "7" });
  const accounts = [login("tv-1-7"), login("tv-2-7")];
  const { told } = await sumUp({ entries: [fill(2, 1, "BUY", 102)], accounts });
  expect(told).toMatchObject([
    { message: "2026-11-26: 1 trades", facts: { accounts: [{ trades: 1 }, { trades: 1 }] } },
  ]);
});

test("a day without anything is told too, and accounts that are no more are left out", async () => {
  const { told } = await sumUp({ accounts: [account("paper-1"), account("paper-2", false)] });
  const [event] = told;
  expect(event && messageOf(event).lines).toEqual(["2026-11-26: nothing was traded"]);
});

test("a fill that was taken back is no trade of the day, and one that was corrected lost what it says now", async () => {
  const [busted, corrected] = [fill(2, 1, "BUY", 109), fill(3, 2, "BUY", 150)];
  const correctionOf = (line: PlacedEntry, change: object): PlacedEntry => {
    if (line.kind !== "fill") return line;
    return {
      kind: "correction",
      id: `${DUE}-${line.fill.orderId.slice(1)}`,
      fill: { ...line.fill, ...change },
      former: line.fill,
    };
  };
  const entries = [
    correctionOf(busted, { takenBack: true }),
    correctionOf(corrected, { lastPx: ticks(103) }),
    busted,
    corrected,
  ];
  const { told } = await sumUp({ entries });
  expect(told).toMatchObject([{ facts: { accounts: [{ trades: 1, slippageTicks: 4 }] } }]);
});

test.each([
  // 16:05 in Chicago: Thursday's day goes on, and what trades until 17:00 is in tomorrow's summary.
  ["before its end", DUE - HOUR_MS, { "2026-11-25": 1 }],
  ["at its end", DUE - HOUR_MS / 12, { "2026-11-26": 2 }],
  ["in the night", DUE + 9 * HOUR_MS, { "2026-11-26": 2 }],
])("a summary that is due %s of a day has the days that are over", async (_, dueAt, trades) => {
  const entries = [fill(0.2, 1, "BUY", 100), fill(3, 2, "SELL", 99), fill(26, 3, "BUY", 98)];
  expect(await tradesOf({ entries, dueAt })).toEqual(trades);
});

test("each trade is in one summary, however late one comes and whatever time is set for it", async () => {
  const hours = Array.from({ length: 6 * 24 }, (_, hour) => hour + 0.5);
  const entries = hours.map((hour, n) => fill(hour, n, "BUY", 100));
  const due = [6 * 24, 110, 100, 40, 26, 1].map((hour) => DUE - hour * HOUR_MS);
  const seen: Record<string, number[]> = {};
  for (const [n, dueAt] of due.entries()) {
    const since = due[n - 1];
    if (since === undefined) continue;
    for (const [day, trades] of Object.entries(await tradesOf({ entries, dueAt, since }))) {
      seen[day] = [...(seen[day] ?? []), trades];
    }
  }
  expect(seen).toEqual({
    "2026-11-21": [24],
    "2026-11-22": [24],
    "2026-11-23": [24],
    "2026-11-24": [24],
    "2026-11-25": [24],
  });
});

test("days of an account with a clock of its own are summed up by it, and named where they differ", async () => {
  const entries = [fill(3, 2, "SELL", 99), fill(30, 3, "BUY", 98)];
  const clocks = [{ begins: "12:00", zone: "UTC" }];
  const { told } = await sumUp({ entries, clocks, since: DUE - 48 * HOUR_MS });
  const [event] = told;
  expect(event && messageOf(event).lines).toEqual([
    "2026-11-26: 1 trades",
    "paper-1 on 2026-11-25: 0 trades, 0 refusals, 2026-11-25 USD net, fees 4.00",
    "paper-1: 1 trades, 0 refusals, 2026-11-26 USD net, fees 4.00, slippage -6 ticks",
  ]);
});

test("a summary that comes before any day has ended says so", async () => {
  const { told } = await sumUp({ since: DUE - HOUR_MS / 60 });
  expect(told[0]?.message).toBe("2026-11-26: no day has ended since the last summary");
});
