import {
  declaredPrice,
  mayHave,
  needs,
  ORDER_PRICES,
  type OrderPrice,
  waitsForTrigger,
} from "../../../domain/declared/order-types.ts";
import {
  type Bracket,
  type LegLevel,
  type NewOrderSingle,
  opposite,
  type OrderChange,
  type ProtectionOrder,
  type Side,
  sign,
} from "../../../domain/order.ts";
import type { ContractBook } from "./contract-book.ts";
import { type ExchangeOrder, isWaitingStop } from "./exchange-order.ts";

export const MAX_ORDER_QTY = 10_000;

/** The exchange's words for what it refuses. */
export const REASONS = {
  unknownContract: "Unknown contract",
  expiredContract: "Contract has expired",
  closed: "Market is closed",
  noQuote: "No quote available",
  duplicate: "ClOrdID has been used before",
  qty: `Order quantity must be a whole number from 1 to ${MAX_ORDER_QTY}`,
  price: "Invalid price",
  stopPx: "Invalid stop price",
  trailOffset: "Trail offset must be a positive number of ticks",
  wrongSide: "Stop price is on the wrong side of the market",
  timeInForce: "Immediate-or-cancel and fill-or-kill go with market and limit orders only",
  takeProfitSide: "Take profit is on the wrong side of the entry price",
  stopLossSide: "Stop loss is on the wrong side of the entry price",
  stopLossReached: "Stop loss would trigger at once",
  legs: "Take profit and stop loss are on the wrong sides of each other",
  legDistance: "Distance of a bracket leg must be a positive number of ticks",
  legQty: "Quantity of a bracket leg cannot exceed what its entry filled",
  noLeg: "Protection needs a take profit or a stop loss",
  unknownOrder: "Order not found",
  tooLate: "Order has ended already",
  qtyFilled: "Order quantity must be above the filled quantity",
  triggered: "Stop has been triggered already",
  noField: "The order has no such price",
  flat: "No open position",
} as const;

/** Why the exchange refuses an order; undefined when it takes it. */
export function checkOrder(order: NewOrderSingle, book: ContractBook): string | undefined {
  return checkShape(order) ?? checkStop(order, book) ?? checkBracket(order, book);
}

/** Why the exchange refuses a protection; undefined when it takes it. */
export function checkProtection(
  { side, orderQty, takeProfit, stopLoss }: ProtectionOrder,
  book: ContractBook,
): string | undefined {
  if (takeProfit === undefined && stopLoss === undefined) return REASONS.noLeg;
  if (takeProfit?.clOrdId === stopLoss?.clOrdId) return REASONS.duplicate;
  if (!isQty(orderQty)) return REASONS.qty;
  if (takeProfit !== undefined && !Number.isSafeInteger(takeProfit.price)) return REASONS.price;
  if (stopLoss === undefined) return undefined;

  if (!Number.isSafeInteger(stopLoss.stopPx)) return REASONS.stopPx;
  if (book.isReached(side, stopLoss.stopPx)) return REASONS.wrongSide;
  const wins = takeProfit === undefined || isBeyond(side, takeProfit.price, stopLoss.stopPx);
  return wins ? undefined : REASONS.legs;
}

/** Why the exchange refuses to change an order; undefined when it does. */
export function checkChange(
  order: ExchangeOrder,
  { orderQty, ...change }: OrderChange,
  book: ContractBook,
): string | undefined {
  if (orderQty !== undefined) {
    if (!isQty(orderQty)) return REASONS.qty;
    if (orderQty <= order.cumQty) return REASONS.qtyFilled;
  }
  const given = ORDER_PRICES.filter((name) => change[name] !== undefined);
  for (const name of given) {
    if (!mayHave(order.ordType, name)) return REASONS.noField;
    if (!isRight(name, change[name])) return REASONS[name];
  }
  const { stopPx } = change;
  if (given.every((name) => name === "price")) return undefined;
  if (order.isTriggered) return REASONS.triggered;
  if (!isWaitingStop(order)) return REASONS.noField;
  if (stopPx === undefined) return undefined;
  const isLive = order.ordStatus !== "HELD";
  return isLive && book.isReached(order.side, stopPx) ? REASONS.wrongSide : undefined;
}

function checkShape(order: NewOrderSingle): string | undefined {
  const { orderQty, ordType, timeInForce } = order;
  if (!isQty(orderQty)) return REASONS.qty;
  for (const name of ORDER_PRICES) {
    const isAsked = needs(ordType, name) || (name === "stopPx" && order.stopPx !== undefined);
    if (isAsked && !isRight(name, order[name])) return REASONS[name];
  }

  const isAtOnce = timeInForce === "IOC" || timeInForce === "FOK";
  return isAtOnce && waitsForTrigger(ordType) ? REASONS.timeInForce : undefined;
}

/** Like most brokers, the exchange refuses a stop that would trigger on arrival. */
function checkStop({ ordType, side, stopPx }: NewOrderSingle, book: ContractBook) {
  if (!waitsForTrigger(ordType) || stopPx === undefined) return undefined;
  return book.isReached(side, stopPx) ? REASONS.wrongSide : undefined;
}

function checkBracket(order: NewOrderSingle, book: ContractBook): string | undefined {
  const { bracket } = order;
  if (bracket === undefined) return undefined;
  const { takeProfit, stopLoss } = bracket;
  if (!isLevel(takeProfit) || !isLevel(stopLoss)) return REASONS.legDistance;
  if (takeProfit?.by === "price" && !Number.isSafeInteger(takeProfit.price)) return REASONS.price;
  if (stopLoss?.by === "price" && !Number.isSafeInteger(stopLoss.price)) return REASONS.stopPx;
  return checkLegSides(order, bracket, book);
}

/**
 * Legs on the wrong side of their entry would trade against it at once. A stop or trailing stop
 * has no price yet that they could be held to, only each other.
 */
function checkLegSides(
  order: NewOrderSingle,
  { takeProfit, stopLoss }: Bracket,
  book: ContractBook,
): string | undefined {
  const exit = opposite(order.side);
  const entry = entryPrice(order, book);
  const target = takeProfit?.by === "price" ? takeProfit.price : undefined;
  const stop = stopLoss?.by === "price" ? stopLoss.price : undefined;
  if (entry !== undefined && target !== undefined && !isBeyond(exit, target, entry)) {
    return REASONS.takeProfitSide;
  }
  // A stop-limit may be filled from where it triggers on.
  const nearest = order.ordType === "STOP_LIMIT" ? order.stopPx : entry;
  if (nearest !== undefined && stop !== undefined && !isBeyond(exit, nearest, stop)) {
    return REASONS.stopLossSide;
  }
  if (stop !== undefined && fillsAtOnce(order, book) && book.isReached(exit, stop)) {
    return REASONS.stopLossReached;
  }
  const areApart = target === undefined || stop === undefined || isBeyond(exit, target, stop);
  return areApart ? undefined : REASONS.legs;
}

/** What the entry gets at worst, by what the market shows; undefined where that is still open. */
function entryPrice({ side, ordType, price }: NewOrderSingle, book: ContractBook) {
  if (ordType === "MARKET") return book.priceFor(side);
  return needs(ordType, "price") ? price : undefined;
}

/** Whether the market is where the entry would trade now. */
function fillsAtOnce({ side, ordType, price }: NewOrderSingle, book: ContractBook): boolean {
  if (ordType === "MARKET") return true;
  const market = book.priceFor(side);
  if (ordType !== "LIMIT" || price === undefined || market === undefined) return false;
  return sign(side) * (price - market) >= 0;
}

/** Whether an exit on this side does better at `price` than at `other`. */
function isBeyond(exit: Side, price: number, other: number): boolean {
  return sign(exit) * (price - other) < 0;
}

function isRight(name: OrderPrice, value: number | undefined): boolean {
  return declaredPrice(name).counts === "price" ? Number.isSafeInteger(value) : isDistance(value);
}

function isQty(qty: number): boolean {
  return Number.isSafeInteger(qty) && qty >= 1 && qty <= MAX_ORDER_QTY;
}

function isDistance(distance: number | undefined): boolean {
  return Number.isSafeInteger(distance) && (distance ?? 0) > 0;
}

function isLevel(level: LegLevel | undefined): boolean {
  return level?.by !== "distance" || isDistance(level.distance);
}
