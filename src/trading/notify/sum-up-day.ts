import type { AccountSummary, DayFigures } from "../../domain/notify/event.ts";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { AccountBook } from "../../domain/ledger/account-book.ts";
import type { PlacedEntry } from "../../domain/ledger/ledger-entry.ts";
import { sign } from "../../domain/order.ts";
import type { AlertLog, AlertOutcome } from "../alerts/alert-log.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { StoredAccount } from "../connections/ports.ts";
import type { Ledger } from "../money/ports.ts";
import type { IntentStore } from "../orders/ports.ts";
import type { CollectEvents } from "./collect-events.ts";
import type { StoredDestination } from "./destination-store.ts";

export interface SumUpDayDeps {
  readonly accounts: Pick<AccountDirectory, "of">;
  readonly ledger: Pick<Ledger, "book" | "entries">;
  readonly alerts: Pick<AlertLog, "list">;
  readonly intents: Pick<IntentStore, "now">;
  readonly dayOf: (contract: ContractCode, at: number) => string;
  readonly dayFigures: (book: AccountBook, at: number) => readonly DayFigures[];
  readonly collect: Pick<CollectEvents, "tell">;
}

const DAY_MS = 24 * 60 * 60_000;
/**
 * The day that is summed up is the trading day of so long before: in the evening the one that has just
 * ended, and not the next one, which has begun.
 */
const BEFORE_MS = 12 * 60 * 60_000;
/** More fills than that of one day are not counted: the figures say so by being round. */
const MOST_FILLS = 2_000;
const MOST_REFUSALS = 300;
const REFUSED: readonly AlertOutcome[] = ["refused", "denied", "rejected"];

/** Tells one destination what the day has come to, whether or not anything was traded: a sign of life. */
export function createSumUpDay(deps: SumUpDayDeps) {
  return async ({ destination }: StoredDestination, date: string): Promise<void> => {
    const { userId, id } = destination;
    const at = await deps.intents.now();
    const accounts: AccountSummary[] = [];
    for (const account of deps.accounts.of(userId)) {
      if (account.active) accounts.push(await summaryOf(deps, account, at));
    }
    const trades = accounts.reduce((sum, one) => sum + one.trades, 0);
    const message = trades === 0 ? `${date}: nothing was traded` : `${date}: ${trades} trades`;
    const event = {
      id: `day_${id}_${date}`,
      type: "summary.daily",
      userId,
      at,
      severity: "info",
      message,
      facts: { date, accounts: accounts.filter(hasSomething) },
    } as const;
    await deps.collect.tell([event], { userId, destinations: [destination] });
  };
}

const hasSomething = ({ trades, refusals, day }: AccountSummary): boolean =>
  trades > 0 || refusals > 0 || day.length > 0;

async function summaryOf(
  { ledger, alerts, dayOf, dayFigures }: SumUpDayDeps,
  { accountId, name, environment }: StoredAccount,
  now: number,
): Promise<AccountSummary> {
  const [book, { items }] = await Promise.all([
    ledger.book(accountId),
    ledger.entries(accountId, { limit: MOST_FILLS }),
  ]);
  const fills = items.flatMap((entry) => (entry.kind === "fill" ? [entry] : []));
  const today = fills.filter(({ fill: { contract, transactTimeAt, tradeDay } }) => {
    return (tradeDay ?? dayOf(contract, transactTimeAt)) === dayOf(contract, now - BEFORE_MS);
  });
  let refusals = 0;
  for (const outcome of REFUSED) {
    const matches = () => true;
    const query = { limit: MOST_REFUSALS, fromAt: now - DAY_MS, outcome, matches };
    refusals += (await alerts.list([accountId], query)).items.length;
  }
  const slippage = slippageOf(today);
  return {
    accountId,
    accountName: name,
    environment,
    trades: new Set(today.map(({ fill: { orderId } }) => orderId)).size,
    refusals,
    day: dayFigures(book, now - BEFORE_MS),
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
    return stood === undefined ? [] : [sign(side) * (lastPx - stood) * lastQty];
  });
  if (known.length === 0) return undefined;
  return known.reduce((sum, one) => sum + one, 0);
}
