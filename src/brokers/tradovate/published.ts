import type { OrdStatus } from "../../domain/order.ts";
import { type CorrectionType, type FillWords, noteCorrection } from "../corrected-fills.ts";
import type { EntityStore } from "./entity-store.ts";
import { reportsOn } from "./order-parts.ts";
import { hasEnded, isPending } from "./order-status.ts";
import { filled, type OrderView, standing } from "./order-view.ts";
import { parseInstant } from "./parse.ts";
import type { TradovateFill, TradovateOrderVersion } from "./wire.ts";

/** How far an order has been told. */
export interface Published {
  /** Whether it was told as new, or as refused. */
  isBegun: boolean;
  hasEnded: boolean;
  isHeld: boolean;
  version: TradovateOrderVersion | undefined;
  readonly fills: TradovateFill[];
  /** Reported quantity that is gone: by fills that were corrected to less. */
  lessQty: number;
  /** Fills that were reported as taken back or corrected, in this session. */
  corrections: number;
  /** Of each fill that was told, what it was told to have cost. */
  readonly fees: Map<number, string | undefined>;
  /** As it was told last. */
  ordStatus?: OrdStatus;
  at: number;
}

export const nothingPublished = (): Published => ({
  isBegun: false,
  hasEnded: false,
  isHeld: false,
  version: undefined,
  fills: [],
  lessQty: 0,
  corrections: 0,
  fees: new Map(),
  at: 0,
});

/** An order that is not understood: of its fills no more is told than that they were. */
export const publishedOdd = (
  fills: readonly TradovateFill[],
  fees: Published["fees"],
): Published => ({
  ...nothingPublished(),
  fills: [...fills],
  fees,
});

/** What stood when the session began has been told. */
export function publishedOf(
  { order, version, fills }: OrderView,
  fees: Published["fees"],
): Published {
  const { ordStatus } = order;
  if (isPending(ordStatus) && fills.length === 0) return nothingPublished();
  return {
    isBegun: true,
    hasEnded: hasEnded(ordStatus),
    isHeld: ordStatus === "Suspended",
    version,
    fills: [...fills],
    lessQty: 0,
    corrections: 0,
    fees,
    at: parseInstant(order.timestamp),
  };
}

const WORDS: FillWords<TradovateFill> = {
  isTakenBack: ({ active }) => active === false,
  isSame: (a, b) => a.qty === b.qty && a.price === b.price && a.action === b.action,
};

/** The report that a taken back or corrected fill is due; undefined if it is neither. */
export function corrected(published: Published, fill: TradovateFill): CorrectionType | undefined {
  const noted = noteCorrection(published, fill, WORDS);
  if (noted === undefined) return undefined;
  published.corrections += 1;
  if (noted.execType === "TRADE_CORRECT") published.lessQty += (noted.told?.qty ?? 0) - fill.qty;
  return noted.execType;
}

/** Reported quantity of an order, with the part of it that is gone. */
export function toldQty(
  store: EntityStore,
  { order }: OrderView,
  { fills, lessQty }: Published,
): number {
  const all = store.of("fill", order.id);
  return filled(fills) + lessQty + filled(all) - filled(standing(all));
}

/**
 * Whether the broker has reported more corrections of an order in this session than its fills show: it is
 * asked for them.
 */
export function lacksCorrection(store: EntityStore, id: number, published: Published): boolean {
  const reported = reportsOn(store, id).filter(
    (one) =>
      one.orderId === id &&
      one.id > store.horizon &&
      (one.execType === "TradeCancel" || one.execType === "TradeCorrect"),
  );
  return reported.length > published.corrections;
}

/** Whether two versions ask for the same. */
export function isSame(a: TradovateOrderVersion, b: TradovateOrderVersion): boolean {
  return (
    a.orderQty === b.orderQty &&
    a.price === b.price &&
    a.stopPrice === b.stopPrice &&
    a.pegDifference === b.pegDifference
  );
}
