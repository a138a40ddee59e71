import { symbolOfCode } from "../../domain/contracts/contract.ts";
import { formatAverage, tickSize as sizeOf } from "../../domain/contracts/price.ts";
import type { FactsOf } from "../../domain/notify/event.ts";
import type { DayFigures } from "../../domain/notify/event-facts.ts";
import { type AccountId, intentIdOf, legOf } from "../../domain/ids.ts";
import type { AccountBook } from "../../domain/ledger/account-book.ts";
import type { LedgerEntry, PlacedEntry } from "../../domain/ledger/ledger-entry.ts";
import { type Fill, netOf } from "../../domain/order.ts";
import type { DescribeContract } from "../orders/describe-contract.ts";
import { type CorrectionContext, draftOfCorrection } from "./events-of-corrections.ts";
import type { EventDraft } from "./outbox.ts";

type FillEntry = Extract<LedgerEntry, { kind: "fill" }> & { readonly id: string };
type CorrectionEntry = Extract<LedgerEntry, { kind: "correction" }> & { readonly id: string };
type FillEventType = "order.filled" | "bracket.target_hit" | "bracket.stop_hit";

/** What the account has become since, by its ledger. */
export interface Since {
  readonly book: AccountBook;
  /** Lines that are in the book already, and are told later; unknown where there may be more. */
  readonly later: "unknown" | readonly PlacedEntry[];
  /** Of the trading day, each currency for itself. */
  readonly day: readonly DayFigures[];
}

export interface FillEvent {
  /** Of the ledger's first line that it tells of. */
  readonly line: string;
  readonly at: number;
  readonly draft: EventDraft;
}

export interface EventsOfFillsDeps {
  readonly describe: DescribeContract;
  readonly dayOf: CorrectionContext["dayOf"];
  readonly onError: (error: unknown) => void;
}

/**
 * One for each order that filled in these lines, however many fills that were, and one for each fill
 * that was taken back or corrected.
 */
export function eventsOfFills(
  account: AccountId,
  entries: readonly PlacedEntry[],
  since: Since,
  { describe, dayOf, onError }: EventsOfFillsDeps,
): readonly FillEvent[] {
  const corrections = entries.filter((one) => one.kind === "correction");
  const byOrder = new Map<string, FillEntry[]>();
  for (const entry of entries) {
    if (entry.kind !== "fill") continue;
    const { orderId, contract, side } = entry.fill;
    const key = `${orderId} ${contract} ${side}`;
    byOrder.set(key, [...(byOrder.get(key) ?? []), entry]);
  }
  const ofOrders = [...byOrder.values()].map((fills) => (): FillEvent | undefined => {
    const [first] = fills;
    if (first === undefined) return undefined;
    const positionQty = positionAfter(fills, entries, since);
    const draft = draftOf(account, first, fills, { day: since.day, positionQty }, describe);
    const at = Math.max(...fills.map(({ fill }) => fill.transactTimeAt));
    return { line: first.id, at, draft };
  });
  const ofCorrections = corrections.map((entry) => (): FillEvent => {
    const positionQty = positionAfter([entry], entries, since);
    const draft = draftOfCorrection(account, entry, { positionQty, describe, dayOf });
    // A line's id begins with the time at which it was written.
    return { line: entry.id, at: Number.parseInt(entry.id, 10), draft };
  });
  return [...ofOrders, ...ofCorrections].flatMap((told) => {
    try {
      return told() ?? [];
    } catch (error) {
      // One that cannot be told keeps no other from being told.
      onError(error);
      return [];
    }
  });
}

/** The position in the contract after the last of these lines. */
function positionAfter(
  fills: readonly (FillEntry | CorrectionEntry)[],
  entries: readonly PlacedEntry[],
  { book, later }: Since,
): number | undefined {
  const last = fills.at(-1);
  if (last === undefined || later === "unknown") return undefined;
  const { contract } = last.fill;
  const held = book.positions[contract]?.position.netQty ?? 0;
  const since = [...entries.slice(entries.findIndex(({ id }) => id === last.id) + 1), ...later];
  return since.reduce((qty, entry) => {
    if (entry.kind === "lot" && entry.contract === contract) return qty - entry.netQty;
    if (entry.kind === "lot" || entry.kind === "fee") return qty;
    if (entry.fill.contract !== contract) return qty;
    const before = entry.kind === "correction" && entry.former ? netOf(entry.former) : 0;
    return qty - netOf(entry.fill) + before;
  }, held);
}

function draftOf(
  accountId: AccountId,
  { fill: first, origin }: FillEntry,
  fills: readonly FillEntry[],
  { day, positionQty }: Pick<Since, "day"> & { readonly positionQty: number | undefined },
  describe: DescribeContract,
): EventDraft {
  const { contract, side, orderId, clOrdId, terms } = first;
  const symbol = symbolOfCode(contract);
  const qty = fills.reduce((sum, { fill }) => sum + fill.lastQty, 0);
  const price = averageOf(fills.map(({ fill }) => fill));
  const { tickSize } = describe(contract, terms);
  const averagePrice = tickSize === undefined ? undefined : formatAverage(price, sizeOf(tickSize));
  const intentId = clOrdId === undefined ? undefined : intentIdOf(clOrdId);
  const type = typeOf(first);
  const facts: FactsOf<FillEventType> = {
    ...(intentId !== undefined && { intentId }),
    ...(intentId !== undefined && origin?.by === "webhook" && { alertId: intentId }),
    orderId,
    symbol,
    action: side === "BUY" ? "buy" : "sell",
    qty,
    ...(averagePrice !== undefined && { averagePrice }),
    ...(origin !== undefined && { source: origin.by }),
    ...(positionQty !== undefined && { positionQty }),
    day,
  };
  const at = averagePrice === undefined ? "" : ` at ${averagePrice}`;
  const position = positionQty === undefined ? "" : `. Position: ${positionQty}`;
  const verb = side === "BUY" ? "bought" : "sold";
  const message = `${accountId}: ${WORDS[type]}${verb} ${qty} ${symbol}${at}${position}`;
  return { type, severity: "info", accountId, message, facts };
}

const WORDS: Readonly<Record<FillEventType, string>> = {
  "order.filled": "",
  "bracket.target_hit": "take-profit ",
  "bracket.stop_hit": "stop-loss ",
};

function typeOf({ clOrdId }: Fill): FillEventType {
  const leg = clOrdId === undefined ? undefined : legOf(clOrdId);
  if (leg === "TAKE_PROFIT") return "bracket.target_hit";
  return leg === "STOP_LOSS" ? "bracket.stop_hit" : "order.filled";
}

const averageOf = (fills: readonly Fill[]) => ({
  numerator: fills.reduce((sum, { lastQty, lastPx }) => sum + lastQty * lastPx, 0),
  denominator: fills.reduce((sum, { lastQty }) => sum + lastQty, 0),
});
