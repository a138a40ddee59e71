import type { OrderChange } from "../../../domain/order.ts";
import { REASONS } from "./check-order.ts";
import type { ContractBook } from "./contract-book.ts";
import type { ExchangeAccount } from "./exchange-account.ts";
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

/** Gives a working order its new values, and a new place in its queue unless it only gets smaller. */
export function applyChange(
  book: ContractBook,
  order: ExchangeOrder,
  { change, nextPriority }: { change: OrderChange; nextPriority: () => number },
): void {
  const isLive = order.ordStatus !== "HELD";
  if (isLive) book.remove(order);
  const { orderQty = order.orderQty, price, stopPx, trailOffset } = change;
  const keepsPlace = price === undefined && stopPx === undefined && orderQty <= order.orderQty;
  if (!keepsPlace) order.priority = nextPriority();
  order.orderQty = orderQty;
  if (price !== undefined) order.price = price;
  if (trailOffset !== undefined) {
    order.trailOffset = trailOffset;
    order.stopPx = book.trailFrom(order.side, trailOffset);
  }
  if (stopPx !== undefined) order.stopPx = stopPx;
  if (price !== undefined || stopPx !== undefined) order.distance = undefined;
  if (isLive) book.add(order);
}
