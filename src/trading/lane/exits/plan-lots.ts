import {
  cumQtyOf,
  nameIn,
  type FilledEntry,
  type RunningPlan,
} from "../../../domain/exits/running-plan.ts";
import { type ClOrdId, intentIdOf, type IntentId, type OrderId } from "../../../domain/ids.ts";
import { isClosed, opposite, type OrderReport, sign } from "../../../domain/order.ts";
import {
  averageOf,
  type BookFill,
  leftOf,
  lotsOf,
  openedBy,
  toldOf,
  withNames,
  type ShownOrder,
  type Trip,
  wasClosedSince,
  withUntold,
} from "../../../domain/book/lots.ts";
import type { AveragePrice } from "../../../domain/contracts/price.ts";
import type { PlanReads } from "./plan-reads.ts";

/**
 * The fills of a plan's entry, as far as its order or its fills say: the broker may not show the order any more,
 * or may show it without a price. Undefined while they have opened nothing.
 */
export function filledOf(
  { trip, elapsed }: PlanReads,
  running: RunningPlan,
  entry: OrderReport | undefined,
  /** As the broker shows it, signed. */
  netQty: number,
): FilledEntry | undefined {
  const { clOrdId, filled } = running;
  if (clOrdId === undefined) return filled;
  const said = [
    { cumQty: cumQtyOf(running), avgPx: filled?.avgPx },
    { cumQty: entry?.cumQty ?? 0, avgPx: entry?.avgPx },
    { cumQty: toldOf(trip, clOrdId), avgPx: averageOf(trip, clOrdId) },
  ];
  const cumQty = Math.max(...said.map((one) => one.cumQty));
  // The price of a part is better than none.
  const { avgPx } = said
    .filter((one) => one.avgPx !== undefined)
    .reduce<(typeof said)[number]>((most, one) => (one.cumQty > most.cumQty ? one : most), NOTHING);
  const shown = shownEntry(running, { cumQty });
  if (shown === undefined || avgPx === undefined) return undefined;
  const qty = openedBy(lotsOf(withUntold(trip, [shown], elapsed), elapsed, netQty), clOrdId);
  // No other look may come before a fill is corrected.
  const hasEnded = filled !== undefined || (entry !== undefined && isClosed(entry.ordStatus));
  const isTold = hasEnded && isWhollyTold(trip, running, { cumQty });
  return qty === 0 ? undefined : { qty, cumQty, avgPx, ...(isTold && { isTold }) };
}

const NOTHING: { readonly cumQty: number; readonly avgPx: AveragePrice | undefined } = {
  cumQty: 0,
  avgPx: undefined,
};

/**
 * The contracts of a plan that are held by the book: of its position until that was closed, else the lots of its
 * entry. Orders of its own count as far as they have filled, also before their fills are known.
 */
export function leftOfPlan(
  { trip, elapsed, intentIdOf: idOf }: PlanReads,
  running: RunningPlan,
  own: {
    readonly entry: ShownOrder | undefined;
    readonly legs: readonly OrderReport[];
    readonly closedQty: number;
    /** As the broker shows it, signed. */
    readonly netQty: number;
  },
): number {
  const { planId, scope, clOrdId, since, side, closes } = running;
  if (scope === "position" || clOrdId === undefined || own.entry === undefined) {
    return wasClosedSince(trip, since, side) ? 0 : Math.max(0, sign(side) * own.netQty);
  }
  const closeIds = new Set(
    Array.from({ length: closes }, (_, nth) => idOf(planId, "close", nth + 1)),
  );
  const isClose = ({ order }: BookFill) => closeIds.has(intentIdOf(order as ClOrdId) as IntentId);
  const toldClosed = trip.fills.filter(isClose).reduce((sum, { qty }) => sum + qty, 0);
  const closing = { side: opposite(side), closes: [clOrdId] };
  const orders = [
    own.entry,
    ...own.legs.map((leg) => ({
      ...closing,
      order: nameIn(running, leg) ?? leg.orderId,
      cumQty: leg.cumQty,
    })),
    { ...closing, order: `${planId} closes`, cumQty: own.closedQty - toldClosed },
  ];
  return leftOf(lotsOf(withUntold(trip, orders, elapsed), elapsed, own.netQty), [clOrdId]);
}

/** The trip with the fills of orders that are shown, by the names under which they belong to a plan. */
export function namedBy(
  { trip, noteNames }: Pick<PlanReads, "trip" | "noteNames">,
  running: RunningPlan,
  orders: readonly {
    readonly orderId?: OrderId | undefined;
    readonly clOrdId?: ClOrdId;
    readonly closes?: readonly ClOrdId[];
  }[],
): Trip {
  const names = orders.flatMap(({ orderId: id, closes, ...order }) => {
    const name = nameIn(running, order);
    return id === undefined || name === undefined ? [] : [{ id, name, ...(closes && { closes }) }];
  });
  noteNames(names);
  const renamed = Object.entries(running.renamed ?? {}).map(([id, name]) => ({ id, name }));
  return withNames(trip, [...names, ...renamed]);
}

/** Whether fills tell all that the entry has filled, or did once. */
export const isWhollyTold = (
  trip: Trip,
  { clOrdId, filled }: RunningPlan,
  { cumQty = 0 }: Pick<FilledEntry, "cumQty">,
): boolean => clOrdId === undefined || filled?.isTold === true || cumQty <= toldOf(trip, clOrdId);

/** The entry as far as it is known to have filled. */
export const shownEntry = (
  { clOrdId, side, filled }: RunningPlan,
  { cumQty = 0 }: Pick<FilledEntry, "cumQty">,
): ShownOrder | undefined => clOrdId && { order: clOrdId, side, cumQty, isTold: filled?.isTold };
