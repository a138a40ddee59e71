import { identityOf } from "../../domain/account-identity.ts";
import type { AccountSummary, DayFigures } from "../../domain/notify/event-facts.ts";
import { type AccountDay, nameOf } from "../../domain/calendar/account-day.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { AccountBook } from "../../domain/ledger/account-book.ts";
import { asCorrected } from "../../domain/ledger/corrected-lines.ts";
import type { PlacedEntry } from "../../domain/ledger/ledger-entry.ts";
import { sign } from "../../domain/order.ts";
import type { AlertLog, AlertOutcome } from "../alerts/alert-log.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { StoredAccount } from "../connections/ports.ts";
import type { Ledger } from "../money/ports.ts";
import type { CollectEvents } from "./collect-events.ts";
import type { StoredDestination } from "./destination-store.ts";

export interface SumUpDayDeps {
  readonly accounts: Pick<AccountDirectory, "of" | "dayAt">;
  readonly ledger: Pick<Ledger, "book" | "entries">;
  readonly alerts: Pick<AlertLog, "list">;
  readonly figuresOf: (book: AccountBook, day: AccountDay) => readonly DayFigures[];
  readonly collect: Pick<CollectEvents, "tell">;
}

/** A summary that is due. */
export interface SummaryDue {
  /** By the clock of the destination (ISO). */
  readonly date: string;
  readonly dueAt: number;
  /** The summary before has the days that ended by then. Unix ms. */
  readonly since: number;
}

/** A summary that comes after a long time has so many days at most. A book keeps one more. */
const MOST_DAYS = 7;
const AT_ONCE = 500;
/** A line is written after its fill. The clocks of a broker and of the store may be so far apart. */
const CLOCKS_APART_MS = 60 * 60_000;
const MOST_REFUSALS = 300;
const REFUSED: readonly AlertOutcome[] = ["refused", "denied", "rejected"];

/**
 * Sends one destination the days of its accounts that have ended since the summary before, whether or not
 * anything was traded: a sign of life. A day that goes on is in the next one, so each day is in one.
 */
export function createSumUpDay(deps: SumUpDayDeps) {
  return async ({ destination }: StoredDestination, due: SummaryDue): Promise<void> => {
    const { userId, id } = destination;
    const accounts: AccountSummary[] = [];
    // Two logins show the same trades of one account.
    const byIdentity = new Map<string, number>();
    for (const account of deps.accounts.of(userId)) {
      if (!account.active) continue;
      const summaries = await summariesOf(deps, account, due);
      for (const { tradingDay, trades: count } of summaries) {
        const once = `${identityOf(account)} ${tradingDay}`;
        byIdentity.set(once, Math.max(byIdentity.get(once) ?? 0, count));
      }
      accounts.push(...summaries);
    }
    const trades = [...byIdentity.values()].reduce((sum, one) => sum + one, 0);
    const newest = accounts.map(({ tradingDay }) => tradingDay).sort();
    const date = newest.at(-1) ?? due.date;
    const traded = trades === 0 ? "nothing was traded" : `${trades} trades`;
    const words = newest.length === 0 ? "no day has ended since the last summary" : traded;
    const event = {
      id: `day_${id}_${due.dueAt}`,
      type: "summary.daily",
      userId,
      at: due.dueAt,
      severity: "info",
      message: `${date}: ${words}`,
      facts: { date, accounts: accounts.filter(hasSomething) },
    } as const;
    await deps.collect.tell([event], { userId, destinations: [destination] });
  };
}

const hasSomething = ({ trades, refusals, day }: AccountSummary): boolean =>
  trades > 0 || refusals > 0 || day.length > 0;

/** One of each day that has ended, oldest first. */
async function summariesOf(
  deps: SumUpDayDeps,
  account: StoredAccount,
  due: SummaryDue,
): Promise<readonly AccountSummary[]> {
  const { accountId } = account;
  const days = endedDays((at) => deps.accounts.dayAt(accountId, at), due);
  const [first] = days;
  if (first === undefined) return [];
  const book = await deps.ledger.book(accountId);
  const fills = await fillsSince(deps.ledger, accountId, first.beganAt);
  return await Promise.all(
    days.map(async (day) => await summaryOf(deps, account, day, { book, fills })),
  );
}

function endedDays(
  dayAt: (at: number) => AccountDay,
  { since, dueAt }: SummaryDue,
): readonly AccountDay[] {
  const days: AccountDay[] = [];
  let { beganAt } = dayAt(dueAt);
  while (beganAt > since && days.length < MOST_DAYS) {
    const day = dayAt(beganAt - 1);
    days.unshift(day);
    ({ beganAt } = day);
  }
  return days;
}

/** All fills from an instant on, by their own times, as they were corrected last. */
async function fillsSince(
  ledger: Pick<Ledger, "entries">,
  account: AccountId,
  from: number,
): Promise<readonly FillLine[]> {
  const newestFirst: PlacedEntry[] = [];
  let before: string | undefined;
  do {
    const query = { limit: AT_ONCE, ...(before !== undefined && { before }) };
    const { items, next } = await ledger.entries(account, query);
    newestFirst.push(...items);
    const writtenAt = Number(items.at(-1)?.id.split("-")[0] ?? 0);
    before = writtenAt >= from - CLOCKS_APART_MS ? next : undefined;
  } while (before !== undefined);
  return asCorrected(newestFirst.toReversed()).flatMap((entry) =>
    entry.kind === "fill" && entry.fill.transactTimeAt >= from ? [entry] : [],
  );
}

async function summaryOf(
  { alerts, figuresOf }: SumUpDayDeps,
  { accountId, name, environment }: StoredAccount,
  day: AccountDay,
  { book, fills }: { readonly book: AccountBook; readonly fills: readonly FillLine[] },
): Promise<AccountSummary> {
  const { beganAt, endsAt } = day;
  const own = fills.filter(({ fill: { transactTimeAt: at } }) => beganAt <= at && at < endsAt);
  let refusals = 0;
  for (const outcome of REFUSED) {
    const matches = () => true;
    const within = { fromAt: beganAt, beforeAt: endsAt };
    const query = { limit: MOST_REFUSALS, ...within, outcome, matches };
    refusals += (await alerts.list([accountId], query)).items.length;
  }
  const slippage = slippageOf(own);
  return {
    accountId,
    accountName: name,
    environment,
    tradingDay: nameOf(day),
    trades: new Set(own.map(({ fill: { orderId } }) => orderId)).size,
    refusals,
    day: figuresOf(book, day),
    ...(slippage !== undefined && { slippageTicks: slippage }),
  };
}

type FillLine = Extract<PlacedEntry, { kind: "fill" }>;

/**
 * Ticks × contracts, positive for what was lost: against the price that stood on the other side as each
 * order was sent. Undefined where none was known.
 */
function slippageOf(fills: readonly FillLine[]): number | undefined {
  const known = fills.flatMap(({ fill: { side, lastPx, lastQty }, quote }) => {
    const stood = side === "BUY" ? quote?.ask : quote?.bid;
    return stood === undefined ? [] : [sign(side) * (lastPx - stood.px) * lastQty];
  });
  if (known.length === 0) return undefined;
  return known.reduce((sum, one) => sum + one, 0);
}
