// The goal: a day's summary says what was traded, won, paid, refused and lost by slippage on that trading
// day, of each account by itself, and that nothing was where nothing was: a sign of life either way.
import { expect, test } from "vitest";
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

const OWNER = userId("user_1");
const ES = contractCode({ root: "ES", year: 2026, month: 12 });
const NOW = Date.parse("2026-11-26T22:05:00Z");
const HOUR_MS = 3_600_000;

const fill = (n: number, order: number, side: "BUY" | "SELL", px: number): PlacedEntry => ({
  kind: "fill",
  id: `${n}-0`,
  fill: {
    execId: execId(`e${n}`),
    orderId: orderId(`o${order}`),
    contract: ES,
    side,
    lastQty: 2,
    lastPx: ticks(px),
    transactTimeAt: NOW - n * HOUR_MS,
  },
  quote: { bid: ticks(100), ask: ticks(101), heardAt: 0 },
});

const account = (id: string, active = true): StoredAccount =>
  ({
    accountId: accountId(id),
    name: id,
    userId: OWNER,
    environment: "demo",
    active,
  }) as StoredAccount;

async function sumUp(
  entries: readonly PlacedEntry[],
  refusals: number,
  ...accounts: StoredAccount[]
) {
  const told: GatewayEvent[] = [];
  const asked: AlertQuery[] = [];
  const sum = createSumUpDay({
    accounts: { of: () => accounts },
    ledger: { book: async () => EMPTY_BOOK, entries: async () => ({ items: entries }) },
    alerts: {
      list: async (_, query) => {
        asked.push(query);
        const count = query.outcome === "refused" ? refusals : 0;
        return { items: Array.from({ length: count }, () => ({}) as never) };
      },
    },
    intents: { now: async () => NOW },
    // A new trading day has begun half an hour ago; the one before began 18 hours ago.
    dayOf: (_, at) => {
      if (NOW - at < HOUR_MS / 2) return "2026-11-27";
      return NOW - at > 18 * HOUR_MS ? "2026-11-25" : "2026-11-26";
    },
    dayFigures: () =>
      entries.length === 0 ? [] : [{ currency: "USD", net: "25.00", fees: "4.00" }],
    collect: { tell: async (events) => void told.push(...events) },
  });
  const destination = { id: "ds_1" as DestinationId, userId: OWNER } as Destination;
  await sum({ destination, settings: {}, secrets: [] }, "2026-11-26");
  return { told, asked };
}

test("a day's trades are counted by orders, with what they lost against the other side's price", async () => {
  const entries = [
    fill(1, 1, "BUY", 102),
    fill(2, 1, "BUY", 101),
    fill(3, 2, "SELL", 99),
    fill(20, 3, "BUY", 150),
  ];
  const { told, asked } = await sumUp(entries, 3, account("paper-1"));
  expect(told).toEqual([
    expect.objectContaining({
      id: "day_ds_1_2026-11-26",
      type: "summary.daily",
      message: "2026-11-26: 2 trades",
      facts: {
        date: "2026-11-26",
        accounts: [
          {
            accountId: "paper-1",
            accountName: "paper-1",
            environment: "demo",
            trades: 2,
            refusals: 3,
            day: [{ currency: "USD", net: "25.00", fees: "4.00" }],
            // Two contracts a tick too high, two on the price, two a tick too low.
            slippageTicks: 4,
          },
        ],
      },
    }),
  ]);
  expect(asked.every(({ fromAt = 0 }) => NOW - fromAt === 24 * HOUR_MS)).toBe(true);
});

test("a day without anything is told too, and accounts that are no more are left out", async () => {
  const { told } = await sumUp([], 0, account("paper-1"), account("paper-2", false));
  const [event] = told;
  expect(event && messageOf(event).lines).toEqual(["2026-11-26: nothing was traded"]);
});
