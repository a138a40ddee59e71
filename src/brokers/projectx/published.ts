import type { OrdStatus } from "../../domain/order.ts";
import { type CorrectionType, type FillWords, noteCorrection } from "../corrected-fills.ts";
import { feeOf, filled, untold, updatedAt } from "./order-view.ts";
import { hasEnded, parseInstant, toOrdStatus } from "./parse.ts";
import { ORDER_STATUS, type ProjectXOrder, type ProjectXTrade } from "./wire.ts";

type Terms = Pick<ProjectXOrder, "size" | "limitPrice" | "stopPrice">;

/** How far an order has been told. */
export interface Published {
  /** Whether it was told as new, or as refused. */
  isBegun: boolean;
  hasEnded: boolean;
  /** Only trades of it were listed until now, of before the session. */
  isTradesAlone: boolean;
  isHeld: boolean;
  /** Its quantity and prices as they were told. */
  terms: Terms;
  /** What it had filled before this session that no trade is listed of. */
  earlierQty: number;
  /** Up to when that was: a trade of before may be listed late, and is a part of it. Unix ms. */
  readonly earlierUntil: number;
  readonly trades: ProjectXTrade[];
  /** Reported quantity that is gone: trades that were taken back, or corrected to less. */
  goneQty: number;
  /** Of each trade that was told, what it was told to have cost. */
  readonly fees: Map<string, string | undefined>;
  ordStatus: OrdStatus;
  at: number;
}

export const nothingPublished = (): Published => ({
  isBegun: false,
  hasEnded: false,
  isTradesAlone: false,
  isHeld: false,
  terms: {},
  earlierQty: 0,
  earlierUntil: 0,
  trades: [],
  goneQty: 0,
  fees: new Map(),
  ordStatus: "PENDING_NEW",
  at: 0,
});

/** An order of which trades of before the session are listed, and nothing else is known. */
export const tradesAlone = (): Published => ({
  ...nothingPublished(),
  isBegun: true,
  hasEnded: true,
  isTradesAlone: true,
});

/** It is there after all: what becomes of it is news from here on. */
export function goOnWith(published: Published, order: ProjectXOrder): void {
  published.isTradesAlone = false;
  published.hasEnded = false;
  published.isHeld = order.status === ORDER_STATUS.suspended;
  published.terms = termsOf(order);
  published.ordStatus = toOrdStatus(ORDER_STATUS.open, filled(published.trades));
  published.at = parseInstant(order.creationTimestamp);
}

/** What stood, or was over, when the session began has been told. */
export function publishedOf(order: ProjectXOrder, every: readonly ProjectXTrade[]): Published {
  const trades = every.filter(({ voided }) => !voided);
  return {
    isBegun: true,
    hasEnded: hasEnded(order.status),
    isTradesAlone: false,
    isHeld: order.status === ORDER_STATUS.suspended,
    terms: termsOf(order),
    earlierQty: untold(order, every),
    earlierUntil: updatedAt(order),
    trades,
    goneQty: filled(every) - filled(trades),
    fees: new Map(every.map((trade) => [trade.id, feeOf(trade).fee])),
    ordStatus: toOrdStatus(order.status, filled(trades)),
    at: updatedAt(order),
  };
}

const WORDS: FillWords<ProjectXTrade> = {
  isTakenBack: ({ voided }) => voided,
  isSame: (a, b) => a.size === b.size && a.price === b.price && a.side === b.side,
};

/** The report that a taken back or corrected trade is due; undefined if it is neither. */
export function corrected(published: Published, trade: ProjectXTrade): CorrectionType | undefined {
  const { trades: fills, fees } = published;
  const noted = noteCorrection({ fills, fees }, trade, WORDS);
  if (noted === undefined) return undefined;
  const { execType, told } = noted;
  published.goneQty += (told ?? trade).size - (execType === "TRADE_CANCEL" ? 0 : trade.size);
  return execType;
}

/** Takes note of a trade that is reported. */
export function note({ trades, fees }: Published, trade: ProjectXTrade): void {
  trades.push(trade);
  fees.set(trade.id, feeOf(trade).fee);
}

/** Takes note of a trade that was not reported yet; undefined for any other. */
export function added(published: Published, trade: ProjectXTrade): "TRADE" | undefined {
  if (published.fees.has(trade.id)) return undefined;
  note(published, trade);
  return "TRADE";
}

/** An order is updated about when it is traded. */
const SAME_MOMENT_MS = 1_000;

/** How much of what had filled earlier is a trade that is listed only now. */
export function earlierPart(
  { earlierQty, earlierUntil }: Published,
  { creationTimestamp, size }: ProjectXTrade,
): number {
  const isEarlier = parseInstant(creationTimestamp) <= earlierUntil + SAME_MOMENT_MS;
  return isEarlier ? Math.min(earlierQty, size) : 0;
}

/** What a command may change. */
export const termsOf = ({ size, limitPrice, stopPrice }: ProjectXOrder): Terms => ({
  ...(size !== undefined && { size }),
  ...(limitPrice !== undefined && { limitPrice }),
  ...(stopPrice !== undefined && { stopPrice }),
});

/** Whether two ask for the same. */
export const isSame = (a: Terms, b: Terms): boolean =>
  a.size === b.size && a.limitPrice === b.limitPrice && a.stopPrice === b.stopPrice;

export const hasPrice = ({ limitPrice, stopPrice }: Terms): boolean =>
  limitPrice !== undefined || stopPrice !== undefined;

/** How an order stands after a trade that does not use it up. */
export function afterTrade({ hasEnded: isOver, isHeld, ordStatus }: Published): OrdStatus {
  if (isOver) return ordStatus;
  return isHeld ? "HELD" : "PARTIALLY_FILLED";
}
