import { declaredPrice, ORDER_PRICES } from "../../../domain/declared/order-types.ts";
import { type OrderChange, pricesOf, sign } from "../../../domain/order.ts";
import { REASONS } from "./check-order.ts";
import type { ContractBook } from "./contract-book.ts";
import type { ExchangeAccount } from "./exchange-account.ts";
import type { Ticks } from "../../../domain/contracts/price.ts";
import type { ExchangeOrder } from "./exchange-order.ts";

/** A leg closes no more than what its entry filled and the other leg has not closed. */
export function checkLegQty(
  account: ExchangeAccount,
  order: ExchangeOrder,
  orderQty: number | undefined,
): string | undefined {
  const { parentOrderId, linkedOrderId } = order;
  if (orderQty === undefined || parentOrderId === undefined) return undefined;
  if (order.ordStatus === "HELD") return REASONS.legQty;
  const sibling = linkedOrderId === undefined ? undefined : account.order(linkedOrderId);
  const filled = account.order(parentOrderId)?.cumQty ?? order.orderQty;
  return orderQty > filled - (sibling?.cumQty ?? 0) ? REASONS.legQty : undefined;
}

/** A new price must leave the entry's own legs on the right sides of it, as when it was placed. */
export function checkOwnLegs(
  account: ExchangeAccount,
  { side, legIds }: ExchangeOrder,
  price: number | undefined,
): string | undefined {
  if (price === undefined) return undefined;
  for (const leg of legIds.map((id) => account.order(id))) {
    const level = leg?.price ?? leg?.stopPx;
    if (leg === undefined || level === undefined || leg.distance !== undefined) continue;
    const beyond = sign(side) * (level - price);
    if (leg.role === "TAKE_PROFIT" && beyond <= 0) return REASONS.takeProfitSide;
    if (leg.role === "STOP_LOSS" && beyond >= 0) return REASONS.stopLossSide;
  }
  return undefined;
}

/** Where a trailing stop goes on from: with a smaller offset never further away than it stands. */
function trailedFrom(book: ContractBook, order: ExchangeOrder, offset: Ticks): Ticks | undefined {
  const { side, stopPx, trailOffset } = order;
  const next = book.trailFrom(side, offset);
  const isLarger = trailOffset !== undefined && offset > trailOffset;
  if (stopPx === undefined || next === undefined || isLarger) return next;
  return sign(side) * (next - stopPx) < 0 ? next : stopPx;
}

/** Gives a working order its new values, and a new place in its queue unless it only gets smaller. */
export function applyChange(
  book: ContractBook,
  order: ExchangeOrder,
  { change, nextPriority }: { change: OrderChange; nextPriority: () => number },
): void {
  const isLive = order.ordStatus !== "HELD";
  if (isLive) book.remove(order);
  const { orderQty = order.orderQty, trailOffset } = change;
  const isMoved = ORDER_PRICES.some(
    (name) => change[name] !== undefined && declaredPrice(name).counts === "price",
  );
  if (isMoved || orderQty > order.orderQty) order.priority = nextPriority();
  order.orderQty = orderQty;
  if (trailOffset !== undefined) order.stopPx = trailedFrom(book, order, trailOffset);
  Object.assign(order, pricesOf(change));
  if (isMoved) order.distance = undefined;
  if (isLive) book.add(order);
}
